/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI ends the program itself for an error whose handler says so, as the
 * default does.  So the records are written before.  Each library shows its
 * errors in another way: fatal_mpich.c beside this, ompi/fatal_ompi.c.
 */
#include <stdatomic.h>
#include <stdbool.h>

#include "abi.h"
#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/shim.h"

static _Atomic bool handled;
static _Atomic bool expected;

void fatal_handled(MPI_Errhandler handler)
{
	if (!abi_handler_is_fatal(handler))
		handled = true;
}

void fatal_record(int code)
{
	if (process.ended && !process.finalizing)
		return;
	if (!process.ended)
		findings_error(code);
	dump_write("abort");
	dump_alarm();
	expected = true;
}

void fatal_expect(int code)
{
	if (code != MPI_SUCCESS && !handled)
		fatal_record(code);
}

/*
 * The program goes on after an error, so it has a handler. We did not see that
 * handler if it was set by a PMPI name.
 */
void fatal_went_on(void)
{
	if (!atomic_exchange(&expected, false))
		return;
	handled = true;
	findings_error(MPI_SUCCESS);
	dump_take_back();
}

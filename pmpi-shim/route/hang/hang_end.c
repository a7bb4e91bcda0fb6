/* SPDX-License-Identifier: BSD-3-Clause */

/* How a job with a deadlock ends: the sentence is kept, the record is written.
 */
#include <string.h>

#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/hang/hang.h"

/* No status of a signal, OR-ed to it by the launcher, changes it. */
#define STATUS_DEADLOCK 79

void hang_text_keep(const char *text)
{
	char *shown = route_slots[0]->waits.text;

	strcpy(shown + 1, text + 1);
	/* Orders the text before its first byte, which shows it. */
	__atomic_store_n(&shown[0], text[0], __ATOMIC_RELEASE);
}

void hang_write(void)
{
	dump_write("deadlock");
	dump_alarm();
}

void hang_abort(void)
{
	hang_write();
	PMPI_Abort(MPI_COMM_WORLD, STATUS_DEADLOCK);
}

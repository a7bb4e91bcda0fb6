/* SPDX-License-Identifier: BSD-3-Clause */

/* Known states: who asks for them, and whose hooks are called. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>

#include "libbcs/api/bcs.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/route.h"
#include "pmpi-shim/route/route_strobe.h"

static struct sigaction before;
static bool takes_signal;

/* The hooks are in the library that the program registered them with. */
void route_quiesce_known(const struct strobe_known *known)
{
	const struct bcs_known told = { known->slice, known->open,
					known->messages };
	void (*run)(const struct bcs_known *);

	*(void **)&run = dlsym(RTLD_DEFAULT, "bcs_hooks_run");
	if (run)
		run(&told);
}

int route_quiesce(void)
{
	return !route_engines.strobe ||
			       strobe_engine_quiesce(route_engines.strobe) == 0
		       ? MPI_SUCCESS
		       : MPI_ERR_OTHER;
}

static void on_signal(int signal)
{
	const int saved = errno;

	(void)signal;
	if (route_engines.strobe)
		strobe_engine_quiesce_ask(route_engines.strobe);
	errno = saved;
}

/* A program that has use for the signal keeps it. */
void route_quiesce_start(void)
{
	const int signal = process.settings.quiesce_signal;
	const struct sigaction action = { .sa_handler = on_signal,
					  .sa_flags = SA_RESTART };

	if (!signal || sigaction(signal, NULL, &before) != 0 ||
	    (before.sa_flags & SA_SIGINFO) || before.sa_handler != SIG_DFL)
		return;
	takes_signal = sigaction(signal, &action, NULL) == 0;
}

void route_quiesce_stop(void)
{
	if (takes_signal)
		sigaction(process.settings.quiesce_signal, &before, NULL);
	takes_signal = false;
	if (route_engines.strobe)
		strobe_engine_leave(route_engines.strobe);
}

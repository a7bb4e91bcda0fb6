/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The program's own say in what is recorded.  A text goes with one level only:
 * whether there is one cannot be asked, and Fortran has none.
 */
#include <stdarg.h>
#include <stdio.h>

#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/job/no_core.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/calls/events.h"
#include "pmpi-shim/route/route.h"
#include "pmpi-shim/shim.h"

enum level {
	LEVEL_OFF,
	LEVEL_ON,
	LEVEL_RESET,
	LEVEL_DUMP,
	LEVEL_PHASE, /* with a text */
	LEVEL_PHASE_END,
	LEVEL_QUIESCE,
	LEVEL_NUMBERED = 10, /* a phase that is named by the level */
};

static void phase_begin(const char *name)
{
	if (!mmds_thread_get() || !mmds_thread_catch_up(mmds_thread))
		return;
	mmds_phase_begin(mmds_thread, name);
	events_moment(TRACE_PHASE_BEGIN);
}

static void phase_begin_numbered(int level)
{
	char name[16];

	snprintf(name, sizeof(name), "%d", level);
	phase_begin(name);
}

static void phase_end(void)
{
	if (!mmds_thread_get() || !mmds_thread_catch_up(mmds_thread))
		return;
	mmds_phase_end(mmds_thread);
	events_moment(TRACE_PHASE_END);
}

SHIM_EXPORT int MPI_Pcontrol(const int level, ...)
{
	va_list args;

	if (level == LEVEL_QUIESCE)
		return route_quiesce();
	if (!process.recording || process.ended)
		return MPI_SUCCESS;
	switch (level) {
	case LEVEL_OFF:
	case LEVEL_ON:
		mmds_turn(level == LEVEL_ON);
		events_moment(level == LEVEL_ON ? TRACE_ON : TRACE_OFF);
		break;
	case LEVEL_RESET:
		mmds_reset();
		no_core_begin();
		break;
	case LEVEL_DUMP:
		dump_request();
		break;
	case LEVEL_PHASE:
		va_start(args, level);
		phase_begin(va_arg(args, const char *));
		va_end(args);
		break;
	case LEVEL_PHASE_END:
		phase_end();
		break;
	default:
		if (level >= LEVEL_NUMBERED)
			phase_begin_numbered(level);
	}
	return MPI_SUCCESS;
}

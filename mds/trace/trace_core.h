/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TRACE_CORE_H
#define BCS_TRACE_CORE_H

#include <stdint.h>

/*
 * How long a thread waited for a core: it was ready to run, and others ran.
 * Linux counts that for each thread.  To ask takes 2 us, so we ask after a
 * computation or a call of TRACE_CORE_NS or more.  A shorter one cannot have
 * waited for long.
 */
#define TRACE_CORE_NS 200000

struct trace_core {
	int fd;          /* -1: it is not known */
	uint64_t waited; /* ns, at the last look */
	uint64_t least;  /* ticks of TRACE_CORE_NS */
	uint64_t before; /* ns, before the call that is under way */
};

/* The calling thread is looked at from now on. */
void trace_core_begin(struct trace_core *core);
void trace_core_end(struct trace_core *core);
/* How long the thread waited since the last look, in ns.  errno stays. */
uint64_t trace_core_look(struct trace_core *core);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "mds/base/clock.h"
#include "mds/base/core_wait.h"
#include "mds/base/descriptor.h"
#include "mds/trace/trace_core.h"

#define FILE_OF_THREAD "/proc/thread-self/schedstat"

/*
 * A program may have closed the file, and its own one may be there instead.
 * The file of a thread that is gone cannot be read any more.
 */
void trace_core_end(struct trace_core *core)
{
	const int saved = errno;
	uint64_t waited;

	errno = 0;
	if (core->fd >= 0 &&
	    (core_wait_read(core->fd, &waited) || errno == ESRCH))
		close(core->fd);
	core->fd = -1;
	errno = saved;
}

void trace_core_begin(struct trace_core *core)
{
	const int saved = errno;

	trace_core_end(core);
	core->before = 0;
	core->least = clock_of_ns(TRACE_CORE_NS);
	core->fd = open(FILE_OF_THREAD, O_RDONLY | O_CLOEXEC);
	if (core->fd >= 0)
		core->fd = descriptor_move_up(core->fd);
	if (core->fd >= 0 && !core_wait_read(core->fd, &core->waited))
		trace_core_end(core);
	errno = saved;
}

uint64_t trace_core_look(struct trace_core *core)
{
	const int saved = errno;
	const uint64_t last = core->waited;

	if (core->fd >= 0 &&
	    (!core_wait_read(core->fd, &core->waited) || core->waited < last)) {
		core->waited = last;
		core->fd = -1;
	}
	errno = saved;
	return core->waited - last;
}

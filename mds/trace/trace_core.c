/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "mds/trace/trace_core.h"

#define FILE_OF_THREAD "/proc/thread-self/schedstat"
/* The program's own files get the numbers that they get without us. */
#define FD_HIGH 40

/* The second of three numbers: ns on a core, ns ready without one, turns. */
static bool read_waited(int fd, uint64_t *waited)
{
	char text[80];
	const ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	char *at = text;
	char *end;

	if (n <= 0)
		return false;
	text[n] = '\0';
	strtoull(at, &at, 10);
	*waited = strtoull(at, &end, 10);
	return *at == ' ' && end != at && *end == ' ';
}

static int open_high(void)
{
	const int fd = open(FILE_OF_THREAD, O_RDONLY | O_CLOEXEC);
	int high;

	if (fd < 0)
		return -1;
	high = fcntl(fd, F_DUPFD_CLOEXEC, FD_HIGH);
	close(fd);
	return high;
}

/*
 * A program may have closed the file, and its own one may be there instead.
 * That of a thread that is gone cannot be read.
 */
void trace_core_end(struct trace_core *core)
{
	const int saved = errno;
	uint64_t waited;

	if (core->fd >= 0 && (read_waited(core->fd, &waited) || errno == ESRCH))
		close(core->fd);
	core->fd = -1;
	errno = saved;
}

void trace_core_begin(struct trace_core *core)
{
	const int saved = errno;

	trace_core_end(core);
	core->before = 0;
	core->fd = open_high();
	if (core->fd >= 0 && !read_waited(core->fd, &core->waited))
		trace_core_end(core);
	errno = saved;
}

uint64_t trace_core_look(struct trace_core *core)
{
	const int saved = errno;
	const uint64_t last = core->waited;

	if (core->fd >= 0 &&
	    (!read_waited(core->fd, &core->waited) || core->waited < last)) {
		core->waited = last;
		core->fd = -1;
	}
	errno = saved;
	return core->waited - last;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "mds/base/core_wait.h"
#include "pmpi-shim/job/no_core.h"

static char path[64]; /* of the thread's numbers; empty: not begun */
static uint64_t at_begin;
static uint64_t at_end;
static bool is_over;

static bool look(uint64_t *ns)
{
	const int saved = errno;
	const int fd = path[0] ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	bool known = false;

	if (fd >= 0) {
		known = core_wait_read(fd, ns);
		close(fd);
	}
	errno = saved;
	return known;
}

void no_core_begin(void)
{
	snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat",
		 (long)gettid());
	if (!look(&at_begin))
		path[0] = '\0';
}

void no_core_end(void)
{
	is_over = look(&at_end);
}

bool no_core_get(uint64_t *ns)
{
	uint64_t now = at_end;

	if (!is_over && !look(&now))
		return false;
	*ns = now > at_begin ? now - at_begin : 0;
	return true;
}

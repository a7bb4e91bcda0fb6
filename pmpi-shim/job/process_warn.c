/* SPDX-License-Identifier: BSD-3-Clause */

/* The one way in which the preload says something on stderr. */
#include <limits.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "mds/base/utf8.h"
#include "pmpi-shim/job/process.h"

/* A path and what is said of it. */
#define LINE_SHOWN (PATH_MAX + 512)

void process_warn(const char *line)
{
	char shown[LINE_SHOWN];
	struct iovec parts[] = {
		{ .iov_base = (char *)"bcs: ", .iov_len = 5 },
		{ .iov_base = shown },
		{ .iov_base = (char *)"\n", .iov_len = 1 },
	};

	/* It may hold names and values of the user's. */
	utf8_escape(shown, sizeof(shown), line);
	parts[1].iov_len = strlen(shown);
	/* In one piece, and from a signal handler too. */
	(void)!writev(STDERR_FILENO, parts, 3);
}

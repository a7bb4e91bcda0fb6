/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <unistd.h>

#include "mds/base/core_wait.h"

/* The second of three numbers: ns on a core, ns ready without one, turns. */
bool core_wait_read(int fd, uint64_t *ns)
{
	char text[80];
	const ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	char *at = text;
	char *end;

	if (n <= 0)
		return false;
	text[n] = '\0';
	strtoull(at, &at, 10);
	*ns = strtoull(at, &end, 10);
	return *at == ' ' && end != at && *end == ' ';
}

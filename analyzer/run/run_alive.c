/* SPDX-License-Identifier: BSD-3-Clause */

/* Tells from /proc whether a process runs. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/run/run_alive.h"
#include "mds/flight/flight.h"

/*
 * The letter of a process's state, and when it began, as /proc has it.  False
 * if there is none.
 */
static bool look_up(uint64_t pid, char *state, unsigned long long *began)
{
	char path[64];
	char text[1024];
	const char *at = NULL;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/stat", pid);
	file = fopen(path, "re");
	if (file && fgets(text, sizeof(text), file))
		at = strrchr(text, ')');
	if (file)
		fclose(file);
	return at &&
	       sscanf(at + 1,
		      " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u "
		      "%*d %*d %*d %*d %*d %*d %llu",
		      state, began) == 2;
}

/* /proc may hide processes of other users. */
static bool is_hidden(uint64_t pid)
{
	return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

enum run_alive run_alive(const char *host, uint64_t pid, uint64_t started)
{
	char here[FLIGHT_TEXT] = "";
	unsigned long long began;
	char state;

	gethostname(here, sizeof(here) - 1);
	if (strcmp(here, host) != 0 || pid == 0 || pid > INT_MAX)
		return RUN_UNKNOWN;
	if (!look_up(pid, &state, &began))
		return is_hidden(pid) ? RUN_UNKNOWN : RUN_ENDED;
	if (started == 0)
		return RUN_UNKNOWN;
	if (began != started || state == 'Z' || state == 'X')
		return RUN_ENDED;
	return state == 'T' || state == 't' ? RUN_STOPPED : RUN_ALIVE;
}

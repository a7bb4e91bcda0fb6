/* SPDX-License-Identifier: BSD-3-Clause */

/* Opens a flight recorder, and tells from /proc whether its process runs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/run/run_flight.h"
#include "mds/base/clock.h"

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

static enum run_alive alive_of(const struct flight_head *head)
{
	char host[FLIGHT_TEXT] = "";
	unsigned long long began;
	char state;

	gethostname(host, sizeof(host) - 1);
	if (strcmp(host, head->host) != 0)
		return RUN_ELSEWHERE;
	if (!look_up(head->pid, &state, &began) || began != head->started ||
	    state == 'Z' || state == 'X')
		return RUN_ENDED;
	return state == 'T' || state == 't' ? RUN_STOPPED : RUN_ALIVE;
}

int run_flight_open(struct flight **flight_p, const char *path,
		    enum reading_from from, enum run_alive *alive, char *why,
		    size_t why_size)
{
	const int rc = flight_open(flight_p, path, from, why, why_size);

	if (rc != 0)
		return rc;
	*alive = alive_of(flight_head(*flight_p));
	if (*alive == RUN_ALIVE || *alive == RUN_STOPPED)
		flight_go_on(*flight_p, clock_monotonic_ns());
	return 0;
}

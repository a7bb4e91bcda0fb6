/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * What the core primitives cost on a node: microseconds of a compare-and-write
 * over all members, of a transfer of so many bytes to all of them with an event
 * at each, and MB/s of the latter, all destinations counted.  The members are
 * processes, which are there and do nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libbcs/core.h"
#include "libbcs/fabric_node.h"

#define USAGE    "usage: primitives MEMBERS BYTES\n"
#define MEMBERS  4096
#define GLOBAL   (1u << 20)
#define SECONDS  0.2
#define VARIABLE 0
#define EVENT    64
#define BLOCK    4096
#define BATCH    16

static uint32_t n;
static struct fabric *fabric;
static struct core_set all;
static unsigned char *block;
static uint64_t bytes;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_and_write(void)
{
	const struct core_condition condition = { VARIABLE, CORE_GE, 0 };
	const struct core_assignment assignment = { VARIABLE, 1 };
	bool holds = false;
	const int rc = core_compare_and_write(fabric, &all, &condition,
					      &assignment, &holds);

	return rc == 0 && !holds ? -1 : rc;
}

static int transfer(void)
{
	const struct core_xfer xfer = { .offset = BLOCK,
					.block = block,
					.bytes = bytes,
					.local_event = CORE_NO_EVENT,
					.remote_event = EVENT };

	return core_xfer_and_signal(fabric, &all, &xfer);
}

/* Microseconds; the least of several stretches, for others share the cores. */
static double measure(int (*operation)(void))
{
	const double end = now() + SECONDS;
	double least = 1e9;
	double start;

	do {
		start = now();
		for (int i = 0; i < BATCH; i++) {
			if (operation() != 0) {
				fputs("primitives: an operation failed\n",
				      stderr);
				exit(1);
			}
		}
		if (now() - start < least)
			least = now() - start;
	} while (now() < end);
	return least / BATCH * 1e6;
}

/* Is there until the first has measured. */
static void member(void *region, size_t size, uint32_t me, int ready, int over)
{
	struct fabric *mine;
	char byte = 0;

	if (fabric_node_attach(&mine, region, size, me) != 0)
		_exit(1);
	if (write(ready, &byte, 1) != 1 || read(over, &byte, 1) != 0)
		_exit(1);
	fabric_node_detach(mine);
	_exit(0);
}

static int members_make(void *region, size_t size, int over[2])
{
	int ready[2];
	char byte;

	if (pipe(ready) != 0 || pipe(over) != 0)
		return -1;
	for (uint32_t i = 1; i < n; i++) {
		const pid_t pid = fork();

		if (pid < 0)
			return -1;
		if (pid == 0) {
			close(over[1]);
			member(region, size, i, ready[1], over[0]);
		}
	}
	close(ready[1]);
	for (uint32_t i = 1; i < n; i++)
		if (read(ready[0], &byte, 1) != 1)
			return -1;
	return 0;
}

static int members_end(int over)
{
	int failed = 0;
	int status;

	close(over);
	while (wait(&status) > 0)
		failed |= status;
	return failed ? -1 : 0;
}

static void report(void)
{
	const double compared = measure(compare_and_write);
	const double moved = measure(transfer);

	printf("%u %.3f %.3f %.0f\n", n, compared, moved,
	       (double)bytes * n / moved);
}

static int run(void)
{
	const size_t size = fabric_node_size(n, GLOBAL);
	void *region = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int over[2];

	all = (struct core_set){ calloc(CORE_SET_WORDS(n), 8), n };
	block = calloc(1, bytes);
	if (region == MAP_FAILED || !all.words || !block ||
	    fabric_node_format(region, size, n) != 0 ||
	    members_make(region, size, over) != 0 ||
	    fabric_node_attach(&fabric, region, size, 0) != 0)
		return -1;
	core_set_fill(&all);
	report();
	fabric_node_detach(fabric);
	return members_end(over[1]);
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		n = (uint32_t)strtoul(argv[1], NULL, 10);
		bytes = strtoull(argv[2], NULL, 10);
	}
	if (n < 1 || n > MEMBERS || bytes < 1 || bytes > GLOBAL - BLOCK) {
		fputs(USAGE, stderr);
		return 2;
	}
	if (run() == 0)
		return 0;
	perror("primitives");
	return 1;
}

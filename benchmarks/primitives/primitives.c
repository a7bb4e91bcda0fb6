/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cost of the core primitives on a node.  Prints the microseconds of a
 * compare-and-write over all members.  Then those of a transfer to all of them
 * with an event at each, and its MB/s, all destinations counted.  The members
 * are processes that do nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libbcs/core/fabric_node.h"
#include "primitives_do.h"

#define USAGE   "usage: primitives MEMBERS BYTES\n"
#define MEMBERS 4096

static uint32_t n;

static void member(void *region, size_t size, uint32_t me, int ready, int over)
{
	struct fabric *mine;
	char byte = 0;

	if (fabric_node_attach(&mine, region, size, me) != 0)
		_exit(1);
	if (write(ready, &byte, 1) != 1 || close(ready) != 0 ||
	    read(over, &byte, 1) != 0)
		_exit(1);
	fabric_node_detach(mine);
	_exit(0);
}

/* Each writes to `ready` when it is there, and is until `over` is closed. */
static int members_fork(void *region, size_t size, const int ready[2],
			const int over[2])
{
	for (uint32_t i = 1; i < n; i++) {
		const pid_t pid = fork();

		if (pid < 0)
			return -errno;
		if (pid == 0) {
			close(over[1]);
			member(region, size, i, ready[1], over[0]);
		}
	}
	return 0;
}

static int members_await(int ready)
{
	char byte;

	for (uint32_t i = 1; i < n; i++)
		if (read(ready, &byte, 1) != 1)
			return -ESRCH;
	return 0;
}

static int members_make(void *region, size_t size, int *over)
{
	int to_ready[2];
	int to_over[2];
	int rc;

	if (pipe(to_ready) != 0 || pipe(to_over) != 0)
		return -errno;
	rc = members_fork(region, size, to_ready, to_over);
	close(to_ready[1]);
	close(to_over[0]);
	if (rc == 0)
		rc = members_await(to_ready[0]);
	close(to_ready[0]);
	*over = to_over[1];
	return rc;
}

static int members_end(int over)
{
	int failed = 0;
	int status;

	close(over);
	while (wait(&status) > 0)
		failed |= status;
	return failed ? -ESRCH : 0;
}

static int report(const struct primitives *p)
{
	const double compared = primitives_measure(
		p, primitives_compare_and_write);
	const double moved = primitives_measure(p, primitives_transfer);

	if (compared < 0 || moved < 0)
		return -EPROTO;
	printf("%u %.3f %.3f %.0f\n", n, compared, moved,
	       (double)p->bytes * n / moved);
	return 0;
}

/* This process is a member, too, the first. */
static int measure(struct primitives *p, void *region, size_t size)
{
	int over = -1;
	int rc;

	rc = fabric_node_format(region, size, n);
	if (rc == 0)
		rc = members_make(region, size, &over);
	if (rc == 0)
		rc = fabric_node_attach(&p->fabric, region, size, 0);
	if (rc != 0)
		return rc;
	rc = report(p);
	fabric_node_detach(p->fabric);
	return rc ? rc : members_end(over);
}

static int run(uint64_t bytes)
{
	const size_t size = fabric_node_size(n, PRIMITIVES_GLOBAL);
	void *region = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct primitives p;
	int rc;

	if (region == MAP_FAILED)
		return -errno;
	rc = primitives_init(&p, n, bytes);
	if (rc != 0)
		return rc;
	rc = measure(&p, region, size);
	primitives_clear(&p);
	return rc;
}

int main(int argc, char **argv)
{
	uint64_t bytes = 0;
	int rc;

	if (argc == 3) {
		n = (uint32_t)strtoul(argv[1], NULL, 10);
		bytes = strtoull(argv[2], NULL, 10);
	}
	if (n < 1 || n > MEMBERS || bytes < 1 ||
	    bytes > PRIMITIVES_BYTES_MOST) {
		fputs(USAGE, stderr);
		return 2;
	}
	rc = run(bytes);
	if (rc != 0)
		fprintf(stderr, "primitives: %s\n", strerror(-rc));
	return rc != 0;
}

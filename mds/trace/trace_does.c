/* SPDX-License-Identifier: BSD-3-Clause */

/* The effects of calls, by name; a large-count form has the same. */
#include <string.h>

#include "mds/trace/trace_read.h"

#define BEGIN TRACE_DOES_BEGIN
#define ALL   TRACE_DOES_ALL
#define NAME  48

static const struct {
	const char *name;
	unsigned does;
} known[] = {
	{ "Send", TRACE_DOES_SEND },
	{ "Bsend", TRACE_DOES_SEND },
	{ "Ssend", TRACE_DOES_SEND },
	{ "Rsend", TRACE_DOES_SEND },
	{ "Isend", TRACE_DOES_SEND | BEGIN },
	{ "Ibsend", TRACE_DOES_SEND | BEGIN },
	{ "Issend", TRACE_DOES_SEND | BEGIN },
	{ "Irsend", TRACE_DOES_SEND | BEGIN },
	{ "Recv", TRACE_DOES_RECEIVE },
	{ "Mrecv", TRACE_DOES_RECEIVE },
	{ "Irecv", TRACE_DOES_POST | BEGIN },
	{ "Imrecv", TRACE_DOES_POST | BEGIN },
	{ "Isendrecv", TRACE_DOES_POST | BEGIN },
	{ "Isendrecv_replace", TRACE_DOES_POST | BEGIN },
	{ "Start", BEGIN },
	{ "Startall", BEGIN },
	{ "Wait", TRACE_DOES_WAIT },
	{ "Waitall", TRACE_DOES_WAIT },
	{ "Waitany", TRACE_DOES_WAIT },
	{ "Waitsome", TRACE_DOES_WAIT },
	{ "Test", TRACE_DOES_TEST },
	{ "Testall", TRACE_DOES_TEST },
	{ "Testany", TRACE_DOES_TEST },
	{ "Testsome", TRACE_DOES_TEST },
	{ "Probe", TRACE_DOES_WAIT },
	{ "Mprobe", TRACE_DOES_WAIT },
	{ "Iprobe", TRACE_DOES_TEST },
	{ "Improbe", TRACE_DOES_TEST },
	{ "Barrier", ALL },
	{ "Bcast", ALL },
	{ "Reduce", ALL },
	{ "Allreduce", ALL },
	{ "Scan", ALL },
	{ "Exscan", ALL },
	{ "Gather", ALL },
	{ "Gatherv", ALL },
	{ "Scatter", ALL },
	{ "Scatterv", ALL },
	{ "Allgather", ALL },
	{ "Allgatherv", ALL },
	{ "Alltoall", ALL },
	{ "Alltoallv", ALL },
	{ "Alltoallw", ALL },
	{ "Reduce_scatter", ALL },
	{ "Reduce_scatter_block", ALL },
};

static const struct {
	const char *prefix;
	unsigned does;
} families[] = {
	{ "File_", TRACE_DOES_FILE },
	{ "Put", TRACE_DOES_ONE_SIDED },
	{ "Get_accumulate", TRACE_DOES_ONE_SIDED },
	{ "Accumulate", TRACE_DOES_ONE_SIDED },
	{ "Rput", TRACE_DOES_ONE_SIDED | BEGIN },
	{ "Rget", TRACE_DOES_ONE_SIDED | BEGIN },
	{ "Raccumulate", TRACE_DOES_ONE_SIDED | BEGIN },
	{ "Fetch_and_op", TRACE_DOES_ONE_SIDED },
	{ "Compare_and_swap", TRACE_DOES_ONE_SIDED },
};

static unsigned find(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i].name) == 0)
			return known[i].does;
	return TRACE_DOES_NOTHING;
}

static unsigned find_family(const char *name)
{
	if (strcmp(name, "Get") == 0)
		return TRACE_DOES_ONE_SIDED;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (strncmp(name, families[i].prefix,
			    strlen(families[i].prefix)) == 0)
			return families[i].does;
	return TRACE_DOES_NOTHING;
}

/* MPI_Ibcast as MPI_Bcast. */
static unsigned find_nonblocking(const char *name)
{
	char blocking[NAME];

	if (name[0] != 'I' || name[1] < 'a' || name[1] > 'z')
		return TRACE_DOES_NOTHING;
	strcpy(blocking, name + 1);
	blocking[0] = (char)(blocking[0] - 'a' + 'A');
	return find(blocking) & ALL ? ALL | BEGIN : TRACE_DOES_NOTHING;
}

unsigned trace_does(const char *name)
{
	char plain[NAME];
	size_t n;
	unsigned does;

	if (strncmp(name, "MPI_", 4) != 0 || strlen(name + 4) >= sizeof(plain))
		return TRACE_DOES_NOTHING;
	strcpy(plain, name + 4);
	n = strlen(plain);
	if (n > 2 && strcmp(plain + n - 2, "_c") == 0)
		plain[n - 2] = '\0';
	does = find(plain);
	if (!does)
		does = find_nonblocking(plain);
	return does ? does : find_family(plain);
}

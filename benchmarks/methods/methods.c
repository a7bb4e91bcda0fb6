/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cost of each way of a collective, and of those that libbcs (auto) and
 * trees choose.  All take turns in one run, so that what changes
 * from run to run is the same for all.  Prints lines "BYTES WAY US": the median
 * of rank 0's blocks.  A block has as many calls as fill a millisecond, and
 * ends with a barrier.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/values.h"
#include "libbcs/api/bcs.h"
#include "libbcs/demand/coll/coll_tune.h"

#define USAGE                                                \
	"usage: methods BLOCKS COLLECTIVE BYTES[,BYTES]... " \
	"[WAY=TREE_FILE]...\n"

#define BLOCK_SECONDS 0.001
#define BLOCKS_MAX    1000
#define WAYS_MAX      64
#define TREE_MAX      65536

/* NULL as a tree: what libbcs chooses. */
struct way {
	char name[32];
	char *tree;
	size_t bytes;
	double us[BLOCKS_MAX];
};

static struct way ways[WAYS_MAX];
static int n_ways;

/* A kind of collective, and its algorithms in whole and in pieces. */
struct kind {
	const char *name;
	const char *algorithms[8];
	int (*run)(size_t bytes);
	bool exchanges; /* a block for each process, in no pieces */
};

static const struct kind *kind;
static char *out;
static char *in;

static void sum(const void *from, void *to, size_t n, void *arg)
{
	const double *a = from;
	double *b = to;

	(void)arg;
	for (size_t i = 0; i < n; i++)
		b[i] += a[i];
}

static const struct bcs_op op = { .run = sum,
				  .bytes = sizeof(double),
				  .commutes = true };

static __attribute__((noreturn)) void fail(const char *why)
{
	fprintf(stderr, "methods: %s\n", why);
	MPI_Abort(MPI_COMM_WORLD, 1);
	exit(1);
}

static int bcast(size_t bytes)
{
	return bcs_bcast(in, bytes, 0, BCS_BLOCKING, NULL);
}

static int reduce(size_t bytes)
{
	return bcs_reduce(out, in, bytes / op.bytes, &op, 0, BCS_BLOCKING,
			  NULL);
}

static int allreduce(size_t bytes)
{
	return bcs_reduce(out, in, bytes / op.bytes, &op, BCS_ALL, BCS_BLOCKING,
			  NULL);
}

static int allgather(size_t bytes)
{
	const struct bcs_parts parts = { .at = in, .each = bytes };

	return bcs_allgather(out, bytes, &parts, BCS_BLOCKING, NULL);
}

static int alltoall(size_t bytes)
{
	const struct bcs_parts from = { .at = out, .each = bytes };
	const struct bcs_parts to = { .at = in, .each = bytes };

	return bcs_alltoall(&from, &to, BCS_BLOCKING, NULL);
}

#define TREES "linear", "binary", "binomial", "pipeline", "split-binary"

static const struct kind kinds[] = {
	{ "bcast", { TREES }, bcast, false },
	{ "reduce", { TREES, "striped" }, reduce, false },
	{ "allreduce", { TREES, "striped" }, allreduce, false },
	{ "allgather", { "linear", "pairwise", "ring" }, allgather, true },
	{ "alltoall", { "linear", "pairwise" }, alltoall, true },
};

static const struct kind *kind_of(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

static void call(size_t bytes)
{
	if (kind->run(bytes) != 0)
		fail("a collective went wrong");
}

/* Does everything the given way from here on. */
static void take(const struct way *way)
{
	struct tree_fault fault;

	coll_tune_clear();
	if (way->tree && coll_tune(way->tree, way->bytes, &fault) != 0)
		fail(fault.text);
}

static double block(size_t bytes, long calls)
{
	const double start = MPI_Wtime();

	for (long i = 0; i < calls; i++)
		call(bytes);
	bcs_barrier(BCS_BLOCKING, NULL);
	return MPI_Wtime() - start;
}

/* The number of calls in a block, found by rank 0, the same for all. */
static long calls_of_block(size_t bytes)
{
	double seconds = 0;
	long calls = 1;

	for (;; calls *= 2) {
		seconds = block(bytes, calls);
		bcs_bcast(&seconds, sizeof(seconds), 0, BCS_BLOCKING, NULL);
		if (seconds >= BLOCK_SECONDS)
			return calls;
	}
}

/*
 * A random order for each round, the same at all processes.  A way finds caches
 * and processes as the one before left them.  In one fixed order some would
 * always follow a way that is like them.
 */
static void shuffle(struct way **order)
{
	static uint32_t seed = 1;

	for (int w = 0; w < n_ways; w++) {
		int at;

		seed = seed * 1103515245 + 12345;
		at = (int)((seed >> 16) % (uint32_t)(w + 1));
		order[w] = order[at];
		order[at] = &ways[w];
	}
}

static void measure(size_t bytes, int blocks)
{
	struct way *order[WAYS_MAX];
	long calls;

	take(&ways[0]);
	calls = calls_of_block(bytes);
	for (int i = 0; i < blocks; i++) {
		shuffle(order);
		for (int w = 0; w < n_ways; w++) {
			take(order[w]);
			block(bytes, calls / 4 + 1);
			order[w]->us[i] = block(bytes, calls) * 1e6 /
					  (double)calls;
		}
	}
	for (int w = 0; w < n_ways && bcs_rank() == 0; w++)
		printf("%zu %s %.4f\n", bytes, ways[w].name,
		       values_median(ways[w].us, blocks));
}

static struct way *way_new(const char *name)
{
	struct way *way = &ways[n_ways++];

	if (n_ways > WAYS_MAX)
		fail("too many ways");
	snprintf(way->name, sizeof(way->name), "%s", name);
	return way;
}

/* A tree of one method. */
static void way_add(const char *algorithm, int piece)
{
	char name[32];
	char text[160];
	struct way *way;

	snprintf(name, sizeof(name), "%s:%d", algorithm, piece);
	way = way_new(name);
	snprintf(text, sizeof(text),
		 "bcs-tree 1\ncollective %s\nmethod %s %d\nbytes 0\n"
		 "row 0 0\nend\n",
		 kind->name, algorithm, piece << 10);
	way->tree = strdup(text);
	way->bytes = strlen(text);
}

static void pieces_add(const char *algorithm)
{
	static const int pieces[] = { 0, 1, 8, 16, 32, 64, 128 }; /* KiB */
	const size_t n = kind->exchanges ? 1 : sizeof(pieces) / sizeof(*pieces);

	for (size_t p = 0; p < n; p++)
		way_add(algorithm, pieces[p]);
}

static bool has_nodes(void)
{
	MPI_Comm node;
	int size;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
			    MPI_INFO_NULL, &node);
	MPI_Comm_size(node, &size);
	MPI_Comm_free(&node);
	return size < bcs_size();
}

/* With several nodes, two levels are a way, too. */
static void ways_add(void)
{
	way_new("auto");
	for (int a = 0; kind->algorithms[a]; a++)
		pieces_add(kind->algorithms[a]);
	if (!kind->exchanges && has_nodes())
		pieces_add("nodes");
}

/* WAY=TREE_FILE */
static void tree_add(char *text)
{
	char *file = strchr(text, '=');
	struct way *way;
	FILE *from;

	if (!file)
		fail(USAGE);
	*file++ = '\0';
	way = way_new(text);
	way->tree = malloc(TREE_MAX);
	from = fopen(file, "r");
	if (!way->tree || !from)
		fail("a tree cannot be read");
	way->bytes = fread(way->tree, 1, TREE_MAX, from);
	fclose(from);
}

static char *room(size_t bytes)
{
	char *memory = malloc(bytes);

	if (!memory)
		fail("no memory");
	return memset(memory, 0, bytes);
}

/* The largest of sizes with commas; 0 if one is none, or is too small. */
static size_t largest(const char *sizes)
{
	size_t most = 0;
	char *end;

	do {
		const size_t size = strtoul(sizes, &end, 10);

		if (size < op.bytes || (*end && *end != ','))
			return 0;
		most = size > most ? size : most;
		sizes = end + 1;
	} while (*end);
	return most;
}

static void start(int argc, char **argv)
{
	size_t most;
	int level;

	/* Several nodes need as much. */
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	kind = argc > 3 ? kind_of(argv[2]) : NULL;
	most = kind ? largest(argv[3]) : 0;
	if (!most)
		fail(USAGE);
	if (bcs_start(MPI_COMM_WORLD, NULL) != 0)
		fail("the scheduler does not start");
	most *= kind->exchanges ? (size_t)bcs_size() : 1;
	out = room(most);
	in = room(most);
}

int main(int argc, char **argv)
{
	const int blocks = argc > 1 ? atoi(argv[1]) : 0;
	char *next;

	if (blocks < 1 || blocks > BLOCKS_MAX)
		argc = 0;
	start(argc, argv);
	ways_add();
	for (int i = 4; i < argc; i++)
		tree_add(argv[i]);
	for (next = argv[3]; *next; next += *next == ',')
		measure(strtoul(next, &next, 10), blocks);
	bcs_stop();
	MPI_Finalize();
	for (int w = 0; w < n_ways; w++)
		free(ways[w].tree);
	free(in);
	free(out);
	return 0;
}

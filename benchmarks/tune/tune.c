/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: tune SEED SECONDS COLLECTIVE:BYTES...
 *
 * What MPI's own collectives take in this launch, as lines COLLECTIVE BYTES
 * SECONDS: the median of isolated calls, for SECONDS each at most.  They are
 * measured in an order that the seed gives.
 */
#include <mpib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS_MAX  1024
#define REPS_LEAST 8
#define REPS_MOST  500
#define ERROR      0.02

struct cell {
	const struct mpib_coll *coll; /* NULL: a barrier */
	int bytes;
};

static struct cell cells[CELLS_MAX];
static int n_cells;

static __attribute__((noreturn)) void fail(const char *why, const char *what)
{
	fprintf(stderr, "tune: %s%s\n", why, what);
	MPI_Abort(MPI_COMM_WORLD, 2);
	exit(2);
}

/* COLLECTIVE:BYTES */
static struct cell cell_read(char *text)
{
	char *colon = strchr(text, ':');
	struct cell cell = { NULL, 0 };
	char *end = NULL;

	if (!colon)
		fail("not COLLECTIVE:BYTES: ", text);
	*colon = '\0';
	cell.bytes = (int)strtol(colon + 1, &end, 10);
	if (*end || cell.bytes < 0)
		fail("not bytes: ", colon + 1);
	if (strcmp(text, "barrier") == 0)
		return cell;
	cell.coll = mpib_coll_find(mpib_kind_find(text), "mpi");
	if (!cell.coll)
		fail("no collective: ", text);
	return cell;
}

static void cells_read(char **texts, int n)
{
	if (n > CELLS_MAX)
		fail("too many to measure", "");
	for (int i = 0; i < n; i++)
		cells[n_cells++] = cell_read(texts[i]);
}

/* The same at all processes. */
static void shuffle(unsigned seed)
{
	srand(seed);
	for (int i = n_cells - 1; i > 0; i--) {
		const int at = rand() % (i + 1);
		const struct cell cell = cells[i];

		cells[i] = cells[at];
		cells[at] = cell;
	}
}

static void barrier(void *argument)
{
	(void)argument;
	MPI_Barrier(MPI_COMM_WORLD);
}

static void measure(const struct cell *cell, const struct mpib_rules *rules)
{
	struct mpib_result result;
	int rank;
	int rc;

	if (cell->coll)
		rc = mpib_measure_coll(MPI_COMM_WORLD, cell->coll, cell->bytes,
				       0, rules, &result);
	else
		rc = mpib_measure(MPI_COMM_WORLD, 0, barrier, NULL, rules,
				  &result);
	if (rc < 0)
		fail("not measured: ", strerror(-rc));
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		printf("%s %d %.9f\n",
		       cell->coll ? mpib_kind_name(cell->coll->kind)
				  : "barrier",
		       cell->bytes, result.median);
}

int main(int argc, char **argv)
{
	struct mpib_rules rules = mpib_rules_usual;

	MPI_Init(&argc, &argv);
	if (argc < 4)
		fail("usage: tune SEED SECONDS COLLECTIVE:BYTES...", "");
	rules.budget = atof(argv[2]);
	rules.min_reps = REPS_LEAST;
	rules.max_reps = REPS_MOST;
	rules.error = ERROR;
	cells_read(argv + 3, argc - 3);
	shuffle((unsigned)atoi(argv[1]));
	for (int i = 0; i < n_cells; i++)
		measure(&cells[i], &rules);
	MPI_Finalize();
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Open MPI's collectives, as it is loaded at run time: its headers need not be
 * there.
 * usage: tree_openmpi [COLLECTIVE:BYTES]...
 *
 * Calls each COLLECTIVE once, with BYTES bytes of each process, and prints
 * whether it was done or refused.  Without any it broadcasts, and prints the
 * median time of that, in us.  Exit status 77: there is no Open MPI.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 1048576
#define TIMES 41
#define RANKS 2

static struct {
	int (*init)(int *argc, char ***argv);
	int (*bcast)(void *buffer, int count, void *type, int root, void *comm);
	int (*barrier)(void *comm);
	double (*wtime)(void);
	int (*finalize)(void);
	int (*rank)(void *comm, int *rank);
	int (*set_errhandler)(void *comm, void *handler);
	void *world;
	void *type;
	void *op;
	void *errors_return;
	void *library;
} mpi;

/* A collective, by the form of its arguments. */
union function {
	void *found;
	int (*meet)(void *);
	int (*share)(void *, int, void *, int, void *);
	int (*reduce)(const void *, void *, int, void *, void *, void *);
	int (*reduce_to)(const void *, void *, int, void *, void *, int,
			 void *);
	int (*reduce_parts)(const void *, void *, const int *, void *, void *,
			    void *);
	int (*exchange)(const void *, int, void *, void *, int, void *, void *);
	int (*move)(const void *, int, void *, void *, int, void *, int,
		    void *);
};

static char out[RANKS * BYTES];
static char in[RANKS * BYTES];

static int load(void)
{
	void *library = dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);

	if (!library)
		return -1;
	*(void **)&mpi.init = dlsym(library, "MPI_Init");
	*(void **)&mpi.bcast = dlsym(library, "MPI_Bcast");
	*(void **)&mpi.barrier = dlsym(library, "MPI_Barrier");
	*(void **)&mpi.wtime = dlsym(library, "MPI_Wtime");
	*(void **)&mpi.finalize = dlsym(library, "MPI_Finalize");
	*(void **)&mpi.rank = dlsym(library, "MPI_Comm_rank");
	*(void **)&mpi.set_errhandler = dlsym(library,
					      "MPI_Comm_set_errhandler");
	mpi.errors_return = dlsym(library, "ompi_mpi_errors_return");
	mpi.world = dlsym(library, "ompi_mpi_comm_world");
	mpi.type = dlsym(library, "ompi_mpi_byte");
	mpi.op = dlsym(library, "ompi_mpi_op_bxor");
	mpi.library = library;
	return mpi.init && mpi.bcast && mpi.barrier && mpi.wtime &&
			       mpi.finalize && mpi.rank && mpi.set_errhandler &&
			       mpi.errors_return && mpi.world && mpi.type &&
			       mpi.op
		       ? 0
		       : -1;
}

static int compare(const void *one, const void *other)
{
	const double a = *(const double *)one;
	const double b = *(const double *)other;

	return (a > b) - (a < b);
}

static double measure(void *buffer)
{
	static double seconds[TIMES];

	for (int i = 0; i < TIMES; i++) {
		mpi.barrier(mpi.world);
		seconds[i] = -mpi.wtime();
		mpi.bcast(buffer, BYTES, mpi.type, 0, mpi.world);
		mpi.barrier(mpi.world);
		seconds[i] += mpi.wtime();
	}
	qsort(seconds, TIMES, sizeof(*seconds), compare);
	return seconds[TIMES / 2] * 1e6;
}

static int call(const char *name, union function f, int n)
{
	void *comm = mpi.world;
	void *type = mpi.type;
	void *op = mpi.op;

	if (strcmp(name, "Barrier") == 0)
		return f.meet(comm);
	if (strcmp(name, "Bcast") == 0)
		return f.share(out, n, type, 0, comm);
	if (strcmp(name, "Reduce") == 0)
		return f.reduce_to(out, in, n, type, op, 0, comm);
	if (strcmp(name, "Allreduce") == 0 ||
	    strcmp(name, "Reduce_scatter_block") == 0)
		return f.reduce(out, in, n, type, op, comm);
	if (strcmp(name, "Reduce_scatter") == 0)
		return f.reduce_parts(out, in, (int[RANKS]){ n, n }, type, op,
				      comm);
	if (strcmp(name, "Gather") == 0 || strcmp(name, "Scatter") == 0)
		return f.move(out, n, type, in, n, type, 0, comm);
	return f.exchange(out, n, type, in, n, type, comm);
}

/* COLLECTIVE:BYTES */
static void call_one(char *word)
{
	char *colon = strchr(word, ':');
	char name[64];
	union function f;
	int rank;
	int rc;

	*colon = '\0';
	snprintf(name, sizeof(name), "MPI_%s", word);
	f.found = dlsym(mpi.library, name);
	mpi.rank(mpi.world, &rank);
	rc = f.found ? call(word, f, atoi(colon + 1)) : -1;
	if (rank == 0)
		printf("%s %s: %s\n", word, colon + 1,
		       rc == 0 ? "done" : "refused");
}

int main(int argc, char **argv)
{
	if (load() != 0)
		return 77;
	if (mpi.init(&argc, &argv) != 0)
		return 1;
	if (argc > 1)
		mpi.set_errhandler(mpi.world, mpi.errors_return);
	for (int i = 1; i < argc; i++)
		call_one(argv[i]);
	if (argc > 1)
		return mpi.finalize();
	for (int bytes = 1; bytes <= BYTES; bytes *= 2)
		mpi.bcast(out, bytes, mpi.type, 0, mpi.world);
	printf("%.0f\n", measure(out));
	return mpi.finalize();
}

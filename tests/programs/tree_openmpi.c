/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Broadcasts by Open MPI, as it is loaded at run time: its headers need not be
 * there.  Prints the median of what one takes, in us; 77: there is no Open MPI.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES 1048576
#define TIMES 41

static struct {
	int (*init)(int *argc, char ***argv);
	int (*bcast)(void *buffer, int count, void *type, int root, void *comm);
	int (*barrier)(void *comm);
	double (*wtime)(void);
	int (*finalize)(void);
	void *world;
	void *type;
} mpi;

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
	mpi.world = dlsym(library, "ompi_mpi_comm_world");
	mpi.type = dlsym(library, "ompi_mpi_char");
	return mpi.init && mpi.bcast && mpi.barrier && mpi.wtime &&
			       mpi.finalize && mpi.world && mpi.type
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

int main(int argc, char **argv)
{
	void *buffer = calloc(BYTES, 1);

	if (load() != 0)
		return 77;
	if (!buffer || mpi.init(&argc, &argv) != 0)
		return 1;
	for (int bytes = 1; bytes <= BYTES; bytes *= 2)
		mpi.bcast(buffer, bytes, mpi.type, 0, mpi.world);
	printf("%.0f\n", measure(buffer));
	free(buffer);
	return mpi.finalize();
}

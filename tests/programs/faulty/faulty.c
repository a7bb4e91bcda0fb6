/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: faulty NAME...
 * Runs these cases, one after another.
 */
#include <stdio.h>
#include <string.h>

#include "faulty.h"

int rank;
int size;
int other;
int after;
int before;
int x[MANY];
int y[MANY];
int z[MANY];
MPI_Comm comm;

static const struct faulty *const wrong[] = {
	faulty_waits,   faulty_requests,   faulty_colls,   faulty_calls,
	faulty_left,    faulty_types,      faulty_strict,  faulty_late,
	faulty_buffers, faulty_signatures, faulty_windows, faulty_touched,
	faulty_overlap, faulty_races,      NULL,
};
static const struct faulty *const right[] = {
	right_messages, right_requests, right_colls, right_objects,
	right_buffers,  right_frames,   right_sends, right_waits,
	right_windows,  right_overlap,  NULL,
};

static void run(const struct faulty *f)
{
	if (size < f->ranks) {
		fprintf(stderr, "%s needs %d ranks\n", f->name, f->ranks);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	f->run();
}

static int run_one(const struct faulty *const *tables, const char *name)
{
	for (; *tables; tables++)
		for (const struct faulty *f = *tables; f->name; f++)
			if (strcmp(f->name, name) == 0) {
				run(f);
				return 1;
			}
	return 0;
}

static void run_early(const struct faulty *f, const char *name)
{
	for (; name && f->name; f++)
		if (strcmp(f->name, name) == 0)
			f->run();
}

int main(int argc, char **argv)
{
	int unused;

	run_early(faulty_early, argv[1]);
	run_early(faulty_threads, argv[1]);
	run_early(right_threads, argv[1]);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &unused);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	other = rank ^ 1;
	after = (rank + 1) % size;
	before = (rank + size - 1) % size;
	comm = MPI_COMM_WORLD;
	for (int i = 1; i < argc; i++)
		if (!run_one(wrong, argv[i]) && !run_one(right, argv[i])) {
			fprintf(stderr, "there is no case %s\n", argv[i]);
			MPI_Abort(MPI_COMM_WORLD, 2);
		}
	MPI_Finalize();
	return 0;
}

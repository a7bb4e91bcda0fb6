/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The BCS API in use.  Each process sends its number around a ring while it
 * computes, and adds up what it gets.  Then all find the greatest of these
 * sums, which ought to be the same everywhere.  Build and run it by
 *
 *	mpicc example.c -lbcs && mpiexec -n 4 ./a.out [MICROSECONDS]
 *
 * It runs on several nodes, too.  To see what the slices did:
 *
 *	BCS_EMDS=on mpiexec -n 4 ./a.out 500 && bcs slices
 */
#include <bcs.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAG 1

static int fail(const char *what, int error)
{
	fprintf(stderr, "%s: %s\n", what, strerror(-error));
	MPI_Abort(MPI_COMM_WORLD, 1);
	return 1;
}

/* Work that is done while messages travel. */
static double compute(void)
{
	double x = 0;

	for (int i = 1; i < 1000000; i++)
		x += 1.0 / i;
	return x;
}

/* All numbers, one step around the ring at a time; the sum of them. */
static int add_up(int *sum)
{
	const int next = (bcs_rank() + 1) % bcs_size();
	const int previous = (bcs_rank() + bcs_size() - 1) % bcs_size();
	int out = bcs_rank();
	bcs_request requests[2];
	bool done;
	int in;
	int rc = 0;

	*sum = out;
	for (int step = 1; rc == 0 && step < bcs_size(); step++) {
		rc = bcs_recv(&in, sizeof(in), previous, TAG, BCS_NON_BLOCKING,
			      &requests[0], NULL);
		if (rc == 0)
			rc = bcs_send(&out, sizeof(out), next, TAG,
				      BCS_NON_BLOCKING, &requests[1]);
		compute();
		if (rc == 0)
			rc = bcs_testall(2, requests, BCS_BLOCKING, &done,
					 NULL);
		out = in;
		*sum += in;
	}
	return rc;
}

static void greatest(const void *in, void *inout, size_t n, void *unused)
{
	const int *x = in;
	int *y = inout;

	(void)unused;
	for (size_t i = 0; i < n; i++)
		y[i] = x[i] > y[i] ? x[i] : y[i];
}

/* All get the greatest, and the first one's of it. */
static int agree(int *sum)
{
	const struct bcs_op op = { .run = greatest,
				   .bytes = sizeof(*sum),
				   .commutes = true };
	int all = 0;
	int rc;

	rc = bcs_reduce(sum, &all, 1, &op, BCS_ALL, BCS_BLOCKING, NULL);
	if (rc == 0)
		rc = bcs_bcast(&all, sizeof(all), 0, BCS_BLOCKING, NULL);
	if (rc == 0)
		rc = bcs_barrier(BCS_BLOCKING, NULL);
	*sum = all;
	return rc;
}

int main(int argc, char **argv)
{
	/* By the strobe, with slices of so many microseconds; or on demand. */
	const struct bcs_options options = {
		.slice_ns = argc > 1 ? strtoull(argv[1], NULL, 10) * 1000 : 0
	};
	int level;
	int sum;
	int rc;

	/* On several nodes helper threads call MPI, too. */
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	rc = bcs_start(MPI_COMM_WORLD, &options);
	if (rc != 0)
		return fail("bcs_start", rc);
	rc = add_up(&sum);
	if (rc != 0)
		return fail("messages", rc);
	rc = agree(&sum);
	if (rc != 0)
		return fail("collectives", rc);
	printf("process %d of %d: %d\n", bcs_rank(), bcs_size(), sum);
	bcs_stop();
	MPI_Finalize();
	return 0;
}

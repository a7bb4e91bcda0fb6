/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The BCS API in use: each process sends its number around a ring while it
 * computes, then all add up what they know.  Build and run it by
 *
 *	mpicc example.c -lbcs && mpiexec -n 4 ./a.out
 */
#include <bcs.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define TAG 1

static int fail(const char *what, int error)
{
	fprintf(stderr, "%s: %s\n", what, strerror(-error));
	MPI_Abort(MPI_COMM_WORLD, 1);
	return 1;
}

/* What is to be done while messages travel. */
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

int main(int argc, char **argv)
{
	int sum;
	int rc;

	MPI_Init(&argc, &argv);
	rc = bcs_start(MPI_COMM_WORLD, NULL);
	if (rc != 0)
		return fail("bcs_start", rc);
	rc = add_up(&sum);
	if (rc != 0)
		return fail("messages", rc);
	printf("process %d of %d: %d\n", bcs_rank(), bcs_size(), sum);
	bcs_stop();
	MPI_Finalize();
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * One thread waits for a message all the time, the other looks for one now and
 * then.  Each rank prints the median time of a look, in us.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <mpi.h>

#define PROBES 101
#define WAITED 1
#define PROBED 2

static int peer;

static void *wait_for_end(void *arg)
{
	int end;

	MPI_Recv(&end, 1, MPI_INT, peer, WAITED, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	return arg;
}

static double probe(void)
{
	double start;
	int flag;

	usleep(1000);
	start = MPI_Wtime();
	MPI_Iprobe(peer, PROBED, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	return (MPI_Wtime() - start) * 1e6;
}

static int compare(const void *a, const void *b)
{
	const double *x = a;
	const double *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	double us[PROBES];
	pthread_t waiter;
	int provided;
	int rank;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided != MPI_THREAD_MULTIPLE)
		return 2;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	peer = rank ^ 1;
	pthread_create(&waiter, NULL, wait_for_end, NULL);
	for (int i = 0; i < PROBES; i++)
		us[i] = probe();
	MPI_Send(&rank, 1, MPI_INT, peer, WAITED, MPI_COMM_WORLD);
	pthread_join(waiter, NULL);
	MPI_Finalize();

	qsort(us, PROBES, sizeof(us[0]), compare);
	printf("%.0f\n", us[PROBES / 2]);
	return 0;
}

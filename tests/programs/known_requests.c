/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Every way to wait for requests and to test them; the calls are in a table
 * beside them.
 */
#include "known.h"

#define WORLD MPI_COMM_WORLD
#define next  ((rank + 1) % KNOWN_RANKS)
#define prev  ((rank + KNOWN_RANKS - 1) % KNOWN_RANKS)

#define N_LARGE 100000

/* Above MPICH's eager limit, received from anyone into a larger buffer. */
static void large(void)
{
	static const struct known table[] = {
		{ "MPI_Isend", ALL(1), ALL(400000), NONE },
		{ "MPI_Irecv", ALL(1), NONE, ALL(400000) },
		{ "MPI_Waitall", ALL(1), NONE, NONE },
	};
	static int out[N_LARGE];
	static int in[N_LARGE + 1];
	MPI_Request requests[2];

	out[N_LARGE - 1] = rank;
	MPI_Irecv(in, N_LARGE + 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD,
		  &requests[0]);
	MPI_Isend(out, N_LARGE, MPI_INT, next, 1, WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	known_check(in[N_LARGE - 1] == prev, "large");
	known_print(table);
}

/* Starts four receives of 1, 2, 3 and 4 ints and the sends to match. */
static void four(MPI_Request requests[8], int in[4][8])
{
	static const int out[4] = { 0 };

	for (int i = 0; i < 4; i++)
		MPI_Irecv(in[i], 8, MPI_INT, prev, 2 + i, WORLD, &requests[i]);
	for (int i = 0; i < 4; i++)
		MPI_Isend(out, i + 1, MPI_INT, next, 2 + i, WORLD,
			  &requests[4 + i]);
}

/* How often these have to be called is not known beforehand: they count. */
static void complete_by_polling(MPI_Request requests[8])
{
	int done[8];
	long n_some = 0;
	long n_any = 0;
	long n_test = 0;
	int flag = 0;
	int n;

	for (int left = 2; left; left -= n, n_some++)
		MPI_Testsome(2, requests, &n, done, MPI_STATUSES_IGNORE);
	for (int left = 2; left; left -= flag, n_any++)
		MPI_Testany(2, requests + 2, &n, &flag, MPI_STATUS_IGNORE);
	for (flag = 0; !flag; n_test++)
		MPI_Test(&requests[4], &flag, MPI_STATUS_IGNORE);
	known_line("MPI_Testsome", n_some, 0, 0);
	known_line("MPI_Testany", n_any, 0, 0);
	known_line("MPI_Test", n_test, 0, 0);

	n_any = 0;
	for (flag = 0; !flag; n_any++)
		MPI_Testall(3, requests + 5, &flag, MPI_STATUSES_IGNORE);
	known_line("MPI_Testall", n_any, 0, 0);
}

static void polled(void)
{
	static const struct known table[] = {
		{ "MPI_Isend", ALL(4), ALL(40), NONE },
		{ "MPI_Irecv", ALL(4), NONE, ALL(40) },
	};
	MPI_Request requests[8];
	int in[4][8];

	four(requests, in);
	complete_by_polling(requests);
	known_print(table);
}

static void waited(void)
{
	static const struct known table[] = {
		{ "MPI_Isend", ALL(4), ALL(40), NONE },
		{ "MPI_Irecv", ALL(4), NONE, ALL(40) },
		{ "MPI_Waitany", ALL(3), NONE, NONE },
		{ "MPI_Wait", ALL(2), NONE, NONE },
		{ "MPI_Waitall", ALL(1), NONE, NONE },
	};
	MPI_Request requests[8];
	int in[4][8];
	int done[8];
	long n_some = 0;
	int n;

	four(requests, in);
	/* The third finds both null, and must not count a request twice. */
	for (int i = 0; i < 3; i++)
		MPI_Waitany(2, requests, &n, MPI_STATUS_IGNORE);
	MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
	for (int left = 2; left; left -= n, n_some++)
		MPI_Waitsome(2, requests + 3, &n, done, MPI_STATUSES_IGNORE);
	known_line("MPI_Waitsome", n_some, 0, 0);
	MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
	known_print(table);
}

static void persistent(void)
{
	static const struct known table[] = {
		{ "MPI_Send_init", ALL(1), NONE, NONE },
		{ "MPI_Recv_init", ALL(1), NONE, NONE },
		{ "MPI_Startall", ALL(2), ALL(64), ALL(64) },
		{ "MPI_Start", ALL(2), ALL(32), ALL(32) },
		{ "MPI_Waitall", ALL(3), NONE, NONE },
		{ "MPI_Request_free", ALL(2), NONE, NONE },
	};
	MPI_Request requests[2];
	int out[8] = { 0 };
	int in[100];

	MPI_Send_init(out, 8, MPI_INT, next, 9, WORLD, &requests[0]);
	MPI_Recv_init(in, 100, MPI_INT, MPI_ANY_SOURCE, 9, WORLD, &requests[1]);
	for (int i = 0; i < 2; i++) {
		MPI_Startall(2, requests);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Start(&requests[0]);
	MPI_Start(&requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	known_print(table);
}

/* Nothing is ever received by a request that was cancelled. */
static void cancelled(void)
{
	static const struct known table[] = {
		{ "MPI_Irecv", ALL(1), NONE, NONE },
		{ "MPI_Cancel", ALL(1), NONE, NONE },
		{ "MPI_Wait", ALL(1), NONE, NONE },
		{ "MPI_Test_cancelled", ALL(1), NONE, NONE },
	};
	MPI_Request request;
	MPI_Status status;
	int in[100];
	int flag;

	MPI_Irecv(in, 100, MPI_INT, prev, 10, WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
	MPI_Test_cancelled(&status, &flag);
	known_check(flag, "Cancel");
	known_print(table);
}

int main(int argc, char **argv)
{
	known_begin(&argc, &argv);
	large();
	polled();
	waited();
	persistent();
	cancelled();
	MPI_Finalize();
	return 0;
}

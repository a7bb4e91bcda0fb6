/* SPDX-License-Identifier: BSD-3-Clause */

/* Blocking and non-blocking messages; the calls are in a table beside them. */
#include "known.h"

#define WORLD MPI_COMM_WORLD
#define next  ((rank + 1) % KNOWN_RANKS)
#define prev  ((rank + KNOWN_RANKS - 1) % KNOWN_RANKS)

static void exchange(void)
{
	static const struct known table[] = {
		{ "MPI_Sendrecv", ALL(2), ALL(40), ALL(40) },
		{ "MPI_Sendrecv_replace", ALL(1), ALL(16), ALL(16) },
	};
	int out[10] = { 0 };
	int in[10];
	double pair[2] = { rank, rank };

	out[9] = rank;
	MPI_Sendrecv(out, 10, MPI_INT, next, 1, in, 10, MPI_INT, prev, 1, WORLD,
		     MPI_STATUS_IGNORE);
	known_check(in[9] == prev, "Sendrecv");
	MPI_Sendrecv(out, 10, MPI_INT, MPI_PROC_NULL, 1, in, 10, MPI_INT,
		     MPI_PROC_NULL, 1, WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(pair, 2, MPI_DOUBLE, next, 2, prev, 2, WORLD,
			     MPI_STATUS_IGNORE);
	known_check((int)pair[1] == prev, "Sendrecv_replace");
	known_print(table);
}

/* Buffers are larger than what comes: only what comes may be counted. */
static void wildcards(void)
{
	static const struct known table[] = {
		{ "MPI_Send", { 2, 0, 0 }, { 40 + 48, 0, 0 }, NONE },
		{ "MPI_Recv", { 0, 2, 0 }, NONE, { 0, 40 + 48, 0 } },
		{ "MPI_Probe", { 0, 1, 0 }, NONE, NONE },
		{ "MPI_Get_count", { 0, 1, 0 }, NONE, NONE },
		{ "MPI_Type_vector", { 1, 0, 0 }, NONE, NONE },
		{ "MPI_Type_commit", { 1, 0, 0 }, NONE, NONE },
		{ "MPI_Type_free", { 1, 0, 0 }, NONE, NONE },
	};
	double buf[100] = { 0 };
	MPI_Datatype strided;
	MPI_Status status;
	int n;

	if (rank == 0) {
		MPI_Type_vector(3, 2, 4, MPI_INT, &strided);
		MPI_Type_commit(&strided);
		MPI_Send(buf, 5, MPI_DOUBLE, 1, 3, WORLD);
		MPI_Send(buf, 2, strided, 1, 4, WORLD);
		MPI_Type_free(&strided);
	} else if (rank == 1) {
		MPI_Probe(MPI_ANY_SOURCE, 3, WORLD, &status);
		MPI_Recv(buf, 100, MPI_DOUBLE, MPI_ANY_SOURCE, 3, WORLD,
			 MPI_STATUS_IGNORE);
		MPI_Recv(buf, 20, MPI_INT, 0, MPI_ANY_TAG, WORLD, &status);
		MPI_Get_count(&status, MPI_INT, &n);
		known_check(n == 12 && status.MPI_TAG == 4, "wildcards");
	}
	known_print(table);
}

static void send_modes(void)
{
	static const struct known table[] = {
		{ "MPI_Ssend", { 1, 0, 0 }, { 1, 0, 0 }, NONE },
		{ "MPI_Bsend", { 1, 0, 0 }, { 12, 0, 0 }, NONE },
		{ "MPI_Buffer_attach", { 1, 0, 0 }, NONE, NONE },
		{ "MPI_Buffer_detach", { 1, 0, 0 }, NONE, NONE },
		{ "MPI_Rsend", { 0, 1, 0 }, { 0, 8, 0 }, NONE },
		{ "MPI_Irecv", { 0, 0, 1 }, NONE, { 0, 0, 8 } },
		{ "MPI_Wait", { 0, 0, 1 }, NONE, NONE },
		{ "MPI_Barrier", ALL(1), NONE, NONE },
		{ "MPI_Recv", { 0, 1, 1 }, NONE, { 0, 12, 1 } },
	};
	static char space[1024];
	MPI_Request request = MPI_REQUEST_NULL;
	int buf[4] = { 0 };
	void *detached;
	int size;

	if (rank == 2)
		MPI_Irecv(buf, 4, MPI_INT, 1, 5, WORLD, &request);
	MPI_Barrier(WORLD);
	if (rank == 0) {
		MPI_Buffer_attach(space, sizeof(space));
		MPI_Bsend(buf, 3, MPI_INT, 1, 5, WORLD);
		MPI_Ssend(buf, 1, MPI_CHAR, 2, 6, WORLD);
		MPI_Buffer_detach(&detached, &size);
	} else if (rank == 1) {
		MPI_Rsend(buf, 2, MPI_INT, 2, 5, WORLD);
		MPI_Recv(buf, 3, MPI_INT, 0, 5, WORLD, MPI_STATUS_IGNORE);
	} else {
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Recv(buf, 1, MPI_CHAR, 0, 6, WORLD, MPI_STATUS_IGNORE);
	}
	known_print(table);
}

static void nowhere(void)
{
	static const struct known table[] = {
		{ "MPI_Send", ALL(1), NONE, NONE },
		{ "MPI_Recv", ALL(1), NONE, NONE },
		{ "MPI_Isend", ALL(1), NONE, NONE },
		{ "MPI_Irecv", ALL(1), NONE, NONE },
		{ "MPI_Waitall", ALL(1), NONE, NONE },
	};
	MPI_Request requests[2];
	int buf[7] = { 0 };

	MPI_Send(buf, 7, MPI_INT, MPI_PROC_NULL, 7, WORLD);
	MPI_Recv(buf, 7, MPI_INT, MPI_PROC_NULL, 7, WORLD, MPI_STATUS_IGNORE);
	MPI_Isend(buf, 7, MPI_INT, MPI_PROC_NULL, 7, WORLD, &requests[0]);
	MPI_Irecv(buf, 7, MPI_INT, MPI_PROC_NULL, 7, WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	known_print(table);
}

static void matched(void)
{
	static const struct known table[] = {
		{ "MPI_Isend", ALL(2), ALL(24), NONE },
		{ "MPI_Mprobe", ALL(2), NONE, NONE },
		{ "MPI_Mrecv", ALL(1), NONE, ALL(4) },
		{ "MPI_Imrecv", ALL(1), NONE, ALL(20) },
		{ "MPI_Waitall", ALL(1), NONE, NONE },
	};
	MPI_Request requests[3];
	MPI_Message message;
	int out[5] = { rank };
	int in[8];

	MPI_Isend(out, 1, MPI_INT, next, 8, WORLD, &requests[0]);
	MPI_Isend(out, 5, MPI_INT, next, 9, WORLD, &requests[1]);
	MPI_Mprobe(MPI_ANY_SOURCE, 8, WORLD, &message, MPI_STATUS_IGNORE);
	MPI_Mrecv(in, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
	known_check(in[0] == prev, "Mrecv");
	MPI_Mprobe(MPI_ANY_SOURCE, 9, WORLD, &message, MPI_STATUS_IGNORE);
	MPI_Imrecv(in, 8, MPI_INT, &message, &requests[2]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	known_print(table);
}

int main(int argc, char **argv)
{
	known_begin(&argc, &argv);
	exchange();
	wildcards();
	send_modes();
	nowhere();
	matched();
	MPI_Finalize();
	return 0;
}

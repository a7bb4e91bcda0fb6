/* SPDX-License-Identifier: BSD-3-Clause */

/* Blocking calls of ranks that wait for each other only. */
#include <stdio.h>

#include "faulty.h"

static void recv_recv(void)
{
	/* ! deadlock */
	RECV(other, 0);
	SEND(other, 0);
}

static void recv_ring(void)
{
	/* ! deadlock */
	RECV(before, 1);
	SEND(after, 1);
}

static void recv_any(void)
{
	/* ! deadlock */
	RECV(MPI_ANY_SOURCE, MPI_ANY_TAG);
	SEND(after, 1);
}

static void recv_any_tag(void)
{
	if (rank == 1)
		SEND(0, 4);
	if (rank == 0)
		/* ! deadlock */
		RECV(MPI_ANY_SOURCE, 5);
	/* ! deadlock */
	BARRIER();
}

static void recv_tag(void)
{
	if (rank == 0)
		SEND(1, 7);
	if (rank == 1)
		/* ! deadlock */
		RECV(0, 8);
	/* ! deadlock */
	BARRIER();
}

static void recv_source(void)
{
	if (rank == 0)
		SEND(2, 7);
	if (rank == 2)
		/* ! deadlock */
		RECV(1, 7);
	/* ! deadlock */
	BARRIER();
}

static void recv_comm(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(comm, &dup);
	if (rank == 0)
		MPI_Send(x, 1, MPI_INT, 1, 7, dup);
	if (rank == 1)
		/* ! deadlock */
		RECV(0, 7);
	/* ! deadlock */
	BARRIER();
	MPI_Comm_free(&dup);
}

static void recv_self(void)
{
	if (rank == 0)
		/* ! deadlock */
		RECV(rank, 0);
	/* ! deadlock */
	BARRIER();
	SEND(rank, 0);
}

static void recv_twice(void)
{
	if (rank == 0) {
		SEND(1, 2);
	} else if (rank == 1) {
		RECV(0, 2);
		/* ! deadlock */
		RECV(0, 2);
	}
	/* ! deadlock */
	BARRIER();
}

static void recv_from_ended(void)
{
	if (rank == 1)
		/* ! deadlock */
		RECV(0, 7);
}

static void recv_pairs(void)
{
	/* ! deadlock */
	RECV(other, 0);
}

static void recv_some(void)
{
	if (rank < 2)
		/* ! deadlock */
		RECV(other, 0);
	else
		usleep(300000);
}

static void ssend_ssend(void)
{
	/* ! deadlock */
	SSEND(other, 0);
	RECV(other, 0);
}

static void ssend_ring(void)
{
	/* ! deadlock */
	SSEND(after, 3);
	RECV(before, 3);
}

static void ssend_self(void)
{
	if (rank == 1)
		/* ! deadlock */
		SSEND(rank, 3);
	/* ! deadlock */
	RECV(MPI_ANY_SOURCE, 3);
}

static void ssend_no_recv(void)
{
	if (rank == 0)
		/* ! deadlock */
		SSEND(1, 3);
	/* ! deadlock */
	BARRIER();
}

static void send_large(void)
{
	/* ! deadlock */
	MPI_Send(x, MANY, MPI_INT, other, 0, comm);
	MPI_Recv(y, MANY, MPI_INT, other, 0, comm, NOTHING);
}

static void send_large_ring(void)
{
	/* ! deadlock */
	MPI_Send(x, MANY, MPI_INT, after, 0, comm);
	MPI_Recv(y, MANY, MPI_INT, before, 0, comm, NOTHING);
}

static void send_large_no_recv(void)
{
	if (rank == 1)
		/* ! deadlock */
		MPI_Send(x, MANY, MPI_INT, 0, 0, comm);
	/* ! deadlock */
	BARRIER();
}

static void sendrecv_tags(void)
{
	/* ! deadlock */
	MPI_Sendrecv(x, 1, MPI_INT, other, 1, y, 1, MPI_INT, other, 2, comm,
		     NOTHING);
}

static void sendrecv_odd(void)
{
	const int peer = rank < 2 ? other : 0;

	/* ! deadlock */
	MPI_Sendrecv(x, 1, MPI_INT, peer, 1, y, 1, MPI_INT, peer, 1, comm,
		     NOTHING);
}

static void sendrecv_replace(void)
{
	/* ! deadlock */
	MPI_Sendrecv_replace(x, 1, MPI_INT, after, 0, after, 0, comm, NOTHING);
}

static void probe_probe(void)
{
	/* ! deadlock */
	MPI_Probe(other, 3, comm, NOTHING);
	SEND(other, 3);
}

static void probe_tag(void)
{
	if (rank == 0)
		SEND(1, 2);
	else if (rank == 1)
		/* ! deadlock */
		MPI_Probe(0, 3, comm, NOTHING);
	/* ! deadlock */
	BARRIER();
}

static void mprobe_mprobe(void)
{
	MPI_Message message;

	/* ! deadlock */
	MPI_Mprobe(before, 3, comm, &message, NOTHING);
	SEND(after, 3);
}

static void recv_barrier(void)
{
	if (rank == 0) {
		/* ! deadlock */
		RECV(1, 0);
		BARRIER();
	} else {
		/* ! deadlock */
		BARRIER();
		if (rank == 1)
			SEND(0, 0);
	}
}

static void recv_bcast(void)
{
	if (rank == 0)
		/* ! deadlock */
		RECV(size - 1, 0);
	/* ! deadlock */
	BCAST(0);
	if (rank == size - 1)
		SEND(0, 0);
}

static void recv_reduce(void)
{
	if (rank == 1)
		/* ! deadlock */
		RECV(0, 0);
	/* ! deadlock */
	MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, 0, comm);
	if (rank == 0)
		SEND(1, 0);
}

static void two_comms(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(comm, &dup);
	/* ! deadlock */
	MPI_Barrier(rank ? dup : comm);
	MPI_Barrier(rank ? comm : dup);
	MPI_Comm_free(&dup);
}

/* Rank 0 leaves out the end of the window. */
static void recv_win_free(void)
{
	MPI_Win win;

	MPI_Win_create(z, 4, 4, MPI_INFO_NULL, comm, &win);
	if (rank == 1)
		/* ! deadlock */
		MPI_Win_free(&win);
	SEND(other, 1);
	/* ! deadlock */
	RECV(other, 1);
}

static MPI_File file_open(void)
{
	char name[] = "/tmp/faulty-0000000000";
	MPI_File file;

	snprintf(name, sizeof(name), "/tmp/faulty-%010d", (int)getpid());
	MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, comm);
	MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
		      MPI_INFO_NULL, &file);
	BARRIER();
	unlink(name);
	return file;
}

static void recv_write_all(void)
{
	MPI_File file = file_open();

	if (rank == 0)
		/* ! deadlock */
		RECV(1, 7);
	/* ! deadlock */
	MPI_File_write_at_all(file, rank, x, 1, MPI_INT, NOTHING);
	if (rank == 1)
		SEND(0, 7);
	MPI_File_close(&file);
}

static void recv_file_close(void)
{
	MPI_File file = file_open();

	if (rank == 0)
		/* ! deadlock */
		RECV(1, 7);
	/* ! deadlock */
	MPI_File_close(&file);
	if (rank == 1)
		SEND(0, 7);
}

static void recv_graph(void)
{
	const int one = 1;
	MPI_Comm graph;

	if (rank == 0)
		/* ! deadlock */
		RECV(1, 7);
	/* ! deadlock */
	MPI_Dist_graph_create(comm, 1, &rank, &one, &other, MPI_UNWEIGHTED,
			      MPI_INFO_NULL, 0, &graph);
	if (rank == 1)
		SEND(0, 7);
	MPI_Comm_free(&graph);
}

const struct faulty faulty_waits[] = {
	CASE(recv_recv, 2),          CASE(recv_ring, 3),
	CASE(recv_any, 2),           CASE(recv_any_tag, 2),
	CASE(recv_tag, 2),           CASE(recv_source, 3),
	CASE(recv_comm, 2),          CASE(recv_self, 2),
	CASE(recv_twice, 2),         CASE(recv_from_ended, 2),
	CASE(recv_pairs, 4),         CASE(recv_some, 4),
	CASE(ssend_ssend, 2),        CASE(ssend_ring, 4),
	CASE(ssend_self, 2),         CASE(ssend_no_recv, 2),
	CASE(send_large, 2),         CASE(send_large_ring, 3),
	CASE(send_large_no_recv, 2), CASE(sendrecv_tags, 2),
	CASE(sendrecv_odd, 3),       CASE(sendrecv_replace, 3),
	CASE(probe_probe, 2),        CASE(probe_tag, 2),
	CASE(mprobe_mprobe, 3),      CASE(recv_barrier, 2),
	CASE(recv_bcast, 3),         CASE(recv_reduce, 2),
	CASE(two_comms, 2),          CASE(recv_win_free, 2),
	CASE(recv_write_all, 2),     CASE(recv_file_close, 2),
	CASE(recv_graph, 2),         { 0 },
};

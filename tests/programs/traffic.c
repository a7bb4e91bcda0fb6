/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Messages of all kinds, which follow from a seed: every send mode, every way
 * to receive and to complete, wildcards, derived types, three communicators.
 * Receives come before and after their messages, with collectives between them
 * (traffic_coll.c).  Each rank checks every element, status and count, and that
 * messages do not overtake each other.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "traffic.h"

#define COMMS    3
#define TAGS     3
#define MESSAGES 60 /* in a round */
#define ELEMENTS 70000
#define LAST     20   /* messages of each */
#define SHORT    1000 /* elements: they do not wait for a receive */
#define BUFFER   (64 << 20)

enum receive { EXACT, ANY_TAG, ANY_SOURCE, ANY_BOTH, PROBE, MPROBE, RECEIVES };
enum send { SEND, SSEND, BSEND, ISEND, ISSEND, IBSEND, SEND_INIT, SENDS };
enum complete { WAIT, WAITALL, WAITANY, WAITSOME, TEST, TESTALL, COMPLETES };

struct message {
	int comm;
	int from; /* ranks in the communicator */
	int to;
	int tag;
	int n;
	enum send send;
};

/* A message of this rank's and what it lies in. */
struct transfer {
	int *buf;
	MPI_Datatype type;
	int count;
	int stride;
	MPI_Request request;
	MPI_Status status;
	int persistent;
	int comm;
};

static MPI_Comm comms[COMMS];
static int ranks[COMMS];
static int size;
static uint32_t seed;
static int collectives; /* between the messages, too */
static int errors;
static MPI_Datatype strided; /* an int, and room for another */
static struct message plan[MESSAGES];
static struct transfer sends[MESSAGES];
static struct transfer recvs[MESSAGES];
static int n_sends;
static int n_recvs;

static uint32_t mix(uint32_t a, uint32_t b)
{
	return traffic_mix(a, b);
}

/* Never 0, which is what nothing was received into. */
static int element(int i, int at)
{
	return i * 100003 + at + 1;
}

static void plan_make(uint32_t round, int late)
{
	uint32_t r = mix(seed, round);
	int most;

	for (int i = 0; i < MESSAGES; i++) {
		r = mix(r, (uint32_t)i);
		plan[i].comm = (int)(r % COMMS);
		plan[i].from = (int)(mix(r, 1) % (uint32_t)size);
		plan[i].to = (int)(mix(r, 2) % (uint32_t)size);
		plan[i].tag = (int)(mix(r, 3) % TAGS);
		most = mix(r, 4) % 10 == 0 ? ELEMENTS
		       : mix(r, 4) % 3     ? 12
					   : 4000;
		plan[i].n = (int)(mix(r, 5) % (uint32_t)(most + 1));
		plan[i].send = mix(r, 6) % SENDS;
		/* Before any receive is posted nothing may block. */
		if (late && (plan[i].send == SEND || plan[i].send == SSEND))
			plan[i].send = ISEND;
	}
}

static void transfer_make(struct transfer *t, int n, uint32_t how)
{
	t->stride = how % 3 == 0 ? 2 : 1;
	t->type = t->stride == 2 ? strided : MPI_INT;
	t->count = n;
	/* Most is room for longer messages: pages that nobody touches. */
	t->buf = calloc((size_t)n * 2 + 1, sizeof(int));
	t->request = MPI_REQUEST_NULL;
	t->persistent = 0;
}

static void send_one(int i)
{
	const struct message *m = &plan[i];
	struct transfer *t = &sends[n_sends++];
	MPI_Comm comm = comms[m->comm];

	transfer_make(t, m->n, mix((uint32_t)i, seed));
	for (int at = 0; at < m->n; at++)
		t->buf[at * t->stride] = element(i, at);
	switch (m->send) {
	case SEND:
		MPI_Send(t->buf, m->n, t->type, m->to, m->tag, comm);
		break;
	case SSEND:
		MPI_Ssend(t->buf, m->n, t->type, m->to, m->tag, comm);
		break;
	case BSEND:
		MPI_Bsend(t->buf, m->n, t->type, m->to, m->tag, comm);
		break;
	case ISSEND:
		MPI_Issend(t->buf, m->n, t->type, m->to, m->tag, comm,
			   &t->request);
		break;
	case IBSEND:
		MPI_Ibsend(t->buf, m->n, t->type, m->to, m->tag, comm,
			   &t->request);
		if (i % 2)
			MPI_Request_free(&t->request);
		break;
	case SEND_INIT:
		MPI_Send_init(t->buf, m->n, t->type, m->to, m->tag, comm,
			      &t->request);
		MPI_Start(&t->request);
		t->persistent = 1;
		break;
	default:
		MPI_Isend(t->buf, m->n, t->type, m->to, m->tag, comm,
			  &t->request);
		break;
	}
}

static void send_all(void)
{
	for (int i = 0; i < MESSAGES; i++)
		if (plan[i].from == ranks[plan[i].comm])
			send_one(i);
}

static int is_mine(int i)
{
	return plan[i].to == ranks[plan[i].comm];
}

/* How this rank receives in this round on a communicator. */
static enum receive receive_how(uint32_t round, int comm, int late)
{
	const uint32_t r = mix(mix(seed, round),
			       (uint32_t)(comm * 64 + ranks[0]));

	return r % (late ? RECEIVES : PROBE);
}

static void recv_probed(struct transfer *t, enum receive how, MPI_Comm comm)
{
	MPI_Message message;
	MPI_Status status;

	if (how == MPROBE) {
		MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message,
			   &status);
		MPI_Imrecv(t->buf, t->count, t->type, &message, &t->request);
		return;
	}
	MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
	MPI_Irecv(t->buf, t->count, t->type, status.MPI_SOURCE, status.MPI_TAG,
		  comm, &t->request);
	/* Else the next probe might find the same. */
	MPI_Wait(&t->request, &t->status);
	t->persistent = -1;
}

static void recv_one(int i, enum receive how)
{
	const struct message *m = &plan[i];
	const int any_source = how == ANY_SOURCE || how == ANY_BOTH;
	const int any_tag = how == ANY_TAG || how == ANY_BOTH;
	struct transfer *t = &recvs[n_recvs++];
	MPI_Comm comm = comms[m->comm];

	transfer_make(t, ELEMENTS, mix(seed, (uint32_t)i));
	t->comm = m->comm;
	if (how == PROBE || how == MPROBE)
		recv_probed(t, how, comm);
	else
		MPI_Irecv(t->buf, t->count, t->type,
			  any_source ? MPI_ANY_SOURCE : m->from,
			  any_tag ? MPI_ANY_TAG : m->tag, comm, &t->request);
}

static void recv_all(uint32_t round, int late)
{
	for (int i = 0; i < MESSAGES; i++)
		if (is_mine(i))
			recv_one(i, receive_how(round, plan[i].comm, late));
}

static void complete(struct transfer *t, int n, enum complete how)
{
	static MPI_Request requests[MESSAGES];
	static MPI_Status statuses[MESSAGES];
	static int indices[MESSAGES];
	MPI_Status status;
	int flag = 0;
	int index;
	int count;

	for (int i = 0; i < n; i++)
		requests[i] = t[i].request;
	switch (how) {
	case WAITALL:
		MPI_Waitall(n, requests, statuses);
		break;
	case TESTALL:
		while (!flag)
			MPI_Testall(n, requests, &flag, statuses);
		break;
	case WAITANY:
		for (;;) {
			MPI_Waitany(n, requests, &index, &status);
			if (index == MPI_UNDEFINED)
				break;
			statuses[index] = status;
			/* It may be persistent; then it is null nowhere else.
			 */
		}
		break;
	case WAITSOME:
		for (;;) {
			static MPI_Status some[MESSAGES];

			MPI_Waitsome(n, requests, &count, indices, some);
			if (count == MPI_UNDEFINED)
				break;
			for (int i = 0; i < count; i++)
				statuses[indices[i]] = some[i];
		}
		break;
	case TEST:
		for (int i = 0; i < n; i++)
			for (flag = 0; !flag;)
				MPI_Test(&requests[i], &flag, &statuses[i]);
		break;
	default:
		for (int i = 0; i < n; i++)
			MPI_Wait(&requests[i], &statuses[i]);
	}
	for (int i = 0; i < n; i++) {
		t[i].request = requests[i];
		if (t[i].persistent >= 0)
			t[i].status = statuses[i];
	}
}

static void complain(const char *what, uint32_t round, int i)
{
	fprintf(stderr, "rank %d, seed %u, round %u, receive %d: %s\n",
		ranks[0], seed, round, i, what);
	errors++;
}

/* The first message of that communicator, source and tag behind `i`. */
static int message_next(int comm, int from, int tag, int i)
{
	for (i++; i < MESSAGES; i++)
		if (is_mine(i) && plan[i].comm == comm &&
		    plan[i].from == from && plan[i].tag == tag)
			return i;
	return MESSAGES;
}

static void check_one(const struct transfer *t, uint32_t round, int index,
		      int last[COMMS][16][TAGS])
{
	const int from = t->status.MPI_SOURCE;
	const int tag = t->status.MPI_TAG;
	int n;
	int i;

	if (from < 0 || from >= size || tag < 0 || tag >= TAGS) {
		complain("a source or tag that is none", round, index);
		return;
	}
	i = message_next(t->comm, from, tag, last[t->comm][from][tag]);
	last[t->comm][from][tag] = i;
	MPI_Get_count(&t->status, t->type, &n);
	if (i == MESSAGES || n != plan[i].n) {
		complain("not the next message", round, index);
		return;
	}
	for (int at = 0; at < n; at++)
		if (t->buf[at * t->stride] != element(i, at) ||
		    (t->stride == 2 && t->buf[2 * at + 1] != 0)) {
			complain("wrong elements", round, index);
			return;
		}
	if (t->buf[n * t->stride] != 0)
		complain("elements behind the last", round, index);
}

static void check(uint32_t round)
{
	int last[COMMS][16][TAGS];

	for (int c = 0; c < COMMS; c++)
		for (int from = 0; from < 16; from++)
			for (int tag = 0; tag < TAGS; tag++)
				last[c][from][tag] = -1;
	for (int i = 0; i < n_recvs; i++) {
		check_one(&recvs[i], round, i, last);
		free(recvs[i].buf);
	}
}

static void collectives_begin(uint32_t round)
{
	if (collectives)
		traffic_collectives_begin(comms, COMMS, mix(seed, ~round));
}

static void run(uint32_t round)
{
	const int late = mix(seed, round * 2 + 1) % 2 == 0;
	const uint32_t how = mix(seed + (uint32_t)ranks[0], round);

	n_sends = 0;
	n_recvs = 0;
	plan_make(round, late);
	if (late) {
		send_all();
		collectives_begin(round);
	}
	recv_all(round, late);
	if (!late) {
		collectives_begin(round);
		/* Receives are all posted before anything blocks. */
		send_all();
	}
	complete(recvs, n_recvs, how % COMPLETES);
	complete(sends, n_sends, mix(how, 1) % COMPLETES);
	check(round);
	if (collectives)
		errors += traffic_collectives_end();
	for (int i = 0; i < n_sends; i++) {
		if (sends[i].persistent)
			MPI_Request_free(&sends[i].request);
		free(sends[i].buf);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Begun while something else goes on. */
static void idup(MPI_Comm comm, MPI_Comm *made)
{
	MPI_Request request;
	int flag = 0;

	MPI_Comm_idup(comm, made, &request);
	MPI_Barrier(comm);
	while (!flag)
		MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

/* The others are in MPI_Finalize before the last has all that they sent. */
static void leave(int rank)
{
	static int block[SHORT];
	const int last = size - 1;

	if (rank < last) {
		for (int i = 0; i < LAST; i++)
			MPI_Send(block, SHORT, MPI_INT, last, 0, comms[0]);
		return;
	}
	usleep(20000);
	for (int i = 0; i < LAST * last; i++)
		MPI_Recv(block, SHORT, MPI_INT, i % last, 0, comms[0],
			 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 2 ? atoi(argv[2]) : 20;
	static char buffer[BUFFER]; /* malloc's might be filled, all of it */
	void *detached;
	int level;
	int all;
	int n;

	collectives = argc > 3;
	seed = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
	MPI_Init(&argc, &argv);
	MPI_Query_thread(&level);
	errors = level != MPI_THREAD_SINGLE; /* as MPI_Init is without us */
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	comms[0] = MPI_COMM_WORLD;
	MPI_Comm_rank(comms[0], &ranks[0]);
	if (seed % 2)
		MPI_Comm_dup(comms[0], &comms[1]);
	else
		idup(comms[0], &comms[1]);
	MPI_Comm_split(comms[0], 0, -ranks[0], &comms[2]);
	for (int i = 1; i < COMMS; i++)
		MPI_Comm_rank(comms[i], &ranks[i]);
	MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &strided);
	MPI_Type_commit(&strided);
	MPI_Buffer_attach(buffer, BUFFER);
	for (int round = 0; round < rounds; round++)
		run((uint32_t)round);
	MPI_Buffer_detach(&detached, &n);
	MPI_Allreduce(&errors, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (ranks[0] == 0)
		printf("traffic: seed %u, %d ranks, %d rounds, %d errors\n",
		       seed, size, rounds, all);
	if (collectives)
		traffic_collectives_free();
	MPI_Type_free(&strided);
	MPI_Comm_free(&comms[1]);
	MPI_Comm_free(&comms[2]);
	leave(ranks[0]);
	MPI_Finalize();
	return all != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The first test after a barrier sees all that happened before the barrier.
 * That is events of MPI's own (windows, groups that talk to each other,
 * partitions), messages of the world, and messages to the process itself.  Each
 * line says how often the first answer was no: natively never.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 20
#define MANY   40

static int rank;
static int size;
static MPI_Comm inter;

struct messages {
	MPI_Comm comm;
	int from;
	int to;
	int peer; /* of the receiver, there */
	int n;
	int late; /* the receives are posted after the barrier */
	int bytes;
};

typedef int ask_fn(const struct messages *m, MPI_Request r[]);

static char in[MANY][4096];
static char out[MANY][4096];

static int ask_test(const struct messages *m, MPI_Request r[])
{
	int flag;
	int no = 0;

	for (int i = 0; i < m->n; i++) {
		MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE);
		no += !flag;
	}
	return no;
}

static int ask_status(const struct messages *m, MPI_Request r[])
{
	int flag;
	int no = 0;

	for (int i = m->n - 1; i >= 0; i--) {
		MPI_Request_get_status(r[i], &flag, MPI_STATUS_IGNORE);
		no += !flag;
	}
	return no;
}

static int ask_all(const struct messages *m, MPI_Request r[])
{
	int flag;

	MPI_Testall(m->n, r, &flag, MPI_STATUSES_IGNORE);
	return !flag;
}

static int ask_any(const struct messages *m, MPI_Request r[])
{
	int flag;
	int at;
	int no = 0;

	for (int i = 0; i < m->n; i++) {
		MPI_Testany(m->n, r, &at, &flag, MPI_STATUS_IGNORE);
		no += !flag;
	}
	return no;
}

static int ask_some(const struct messages *m, MPI_Request r[])
{
	int at[MANY];
	int n;

	MPI_Testsome(m->n, r, &n, at, MPI_STATUSES_IGNORE);
	return n != m->n;
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
static int look_all(const struct messages *m, MPI_Request r[])
{
	int flag;

	MPI_Request_get_status_all(m->n, r, &flag, MPI_STATUSES_IGNORE);
	return !flag;
}

static int look_any(const struct messages *m, MPI_Request r[])
{
	int flag;
	int at;

	MPI_Request_get_status_any(m->n, r, &at, &flag, MPI_STATUS_IGNORE);
	return !flag;
}

static int look_some(const struct messages *m, MPI_Request r[])
{
	int at[MANY];
	int n;

	MPI_Request_get_status_some(m->n, r, &n, at, MPI_STATUSES_IGNORE);
	return n != m->n;
}
#endif

static void post(const struct messages *m, MPI_Request r[])
{
	for (int i = 0; i < m->n; i++)
		MPI_Irecv(in[i], m->bytes, MPI_CHAR, m->peer, i, m->comm,
			  &r[i]);
}

static void send(const struct messages *m, int to)
{
	for (int i = 0; i < m->n; i++)
		MPI_Send(out[i], m->bytes, MPI_CHAR, to, i, m->comm);
}

/* How often the receiver was told no. */
static int ask_once(const struct messages *m, ask_fn *ask)
{
	MPI_Request r[MANY];
	int no = 0;

	if (rank == m->to && !m->late)
		post(m, r);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == m->from)
		send(m, m->comm == inter ? 0 : m->to);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == m->to) {
		if (m->late)
			post(m, r);
		no = ask(m, r);
		MPI_Waitall(m->n, r, MPI_STATUSES_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return no;
}

static void show(const char *what, const struct messages *m, int no)
{
	if (rank == m->to)
		printf("%s, %d messages of %d B%s: %d\n", what, m->n, m->bytes,
		       m->late ? ", posted late" : "", no);
}

static void ask_all_ways(const char *where, const struct messages *m)
{
	static const struct {
		const char *name;
		ask_fn *ask;
	} ways[] = {
		{ "MPI_Test", ask_test },
		{ "MPI_Testall", ask_all },
		{ "MPI_Testany", ask_any },
		{ "MPI_Testsome", ask_some },
		{ "MPI_Request_get_status", ask_status },
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
		{ "MPI_Request_get_status_all", look_all },
		{ "MPI_Request_get_status_any", look_any },
		{ "MPI_Request_get_status_some", look_some },
#endif
	};
	char what[80];
	int no;

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		no = 0;
		for (int round = 0; round < ROUNDS; round++)
			no += ask_once(m, ways[i].ask);
		snprintf(what, sizeof(what), "%s, %s", where, ways[i].name);
		show(what, m, no);
	}
}

static int probe_last(const struct messages *m)
{
	int flag;

	MPI_Iprobe(m->peer, m->n - 1, m->comm, &flag, MPI_STATUS_IGNORE);
	return !flag;
}

static int take_last(const struct messages *m, int *taken)
{
	MPI_Message message;

	MPI_Improbe(m->peer, m->n - 1, m->comm, taken, &message,
		    MPI_STATUS_IGNORE);
	if (*taken)
		MPI_Mrecv(in[0], m->bytes, MPI_CHAR, &message,
			  MPI_STATUS_IGNORE);
	return !*taken;
}

/* The last of what came is looked for, beside a receive of something else. */
static int probe_once(const struct messages *m, int takes)
{
	MPI_Request other = MPI_REQUEST_NULL;
	int taken = 0;
	int no = 0;

	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == m->from)
		send(m, m->comm == inter ? 0 : m->to);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == m->to) {
		MPI_Irecv(NULL, 0, MPI_CHAR, m->peer, MANY, m->comm, &other);
		no = takes ? take_last(m, &taken) : probe_last(m);
		for (int i = 0; i < m->n - taken; i++)
			MPI_Recv(in[i], m->bytes, MPI_CHAR, m->peer, i, m->comm,
				 MPI_STATUS_IGNORE);
		MPI_Cancel(&other);
		MPI_Wait(&other, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return no;
}

static void probe_both_ways(const char *where, const struct messages *m)
{
	char what[80];
	int no[2] = { 0, 0 };

	for (int round = 0; round < ROUNDS; round++)
		for (int takes = 0; takes < 2; takes++)
			no[takes] += probe_once(m, takes);
	for (int takes = 0; takes < 2; takes++) {
		snprintf(what, sizeof(what), "%s, %s", where,
			 takes ? "MPI_Improbe" : "MPI_Iprobe");
		show(what, m, no[takes]);
	}
}

static void between(const char *where, MPI_Comm comm, int from, int to,
		    int peer)
{
	struct messages m = { comm, from, to, peer, 1, 0, 8 };

	for (m.n = 1; m.n <= MANY; m.n += MANY - 1)
		for (m.bytes = 8; m.bytes <= 4096; m.bytes += 4088)
			for (m.late = 0; m.late < 2; m.late++)
				ask_all_ways(where, &m);
	m.late = 0;
	m.bytes = 8;
	for (m.n = 1; m.n <= MANY; m.n += MANY - 1)
		probe_both_ways(where, &m);
}

static int win_once(MPI_Win win, MPI_Group others)
{
	int no = 0;
	int flag = 1;

	if (rank == 1)
		MPI_Win_post(others, 0, win);
	if (rank == 0)
		MPI_Win_start(others, 0, win);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		for (int i = 0; i < MANY; i++)
			MPI_Put(out[i], 8, MPI_CHAR, 1, 8 * i, 8, MPI_CHAR,
				win);
		MPI_Win_complete(win);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1) {
		MPI_Win_test(win, &flag);
		no = !flag;
		if (!flag)
			MPI_Win_wait(win);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	return no;
}

static void windows(void)
{
	const int other = 1 - rank;
	MPI_Group others;
	MPI_Group all;
	void *memory;
	MPI_Win win;
	int no = 0;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	if (rank < 2)
		MPI_Group_incl(all, 1, &other, &others);
	MPI_Win_allocate(8 * MANY, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
			 &win);
	for (int round = 0; round < ROUNDS; round++)
		no += win_once(win, others);
	MPI_Win_free(&win);
	if (rank < 2)
		MPI_Group_free(&others);
	MPI_Group_free(&all);
	if (rank == 1)
		printf("window, MPI_Win_test: %d\n", no);
}

/* A message that is taken and received is done at the first test. */
static int self_taken(int bytes, int all)
{
	MPI_Request r[2];
	MPI_Message message;
	int flag;

	MPI_Isend(out, bytes, MPI_CHAR, 0, 1, MPI_COMM_SELF, &r[0]);
	MPI_Improbe(0, 1, MPI_COMM_SELF, &flag, &message, MPI_STATUS_IGNORE);
	if (!flag)
		MPI_Mprobe(0, 1, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
	MPI_Imrecv(in, bytes, MPI_CHAR, &message, &r[1]);
	if (all)
		MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
	else
		MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	return !flag;
}

/* `ask`: which of the two is asked for, or both. */
static int self_sent(char *to, char *from, int bytes, int first, int ask)
{
	MPI_Request r[2];
	int flag;

	if (first)
		MPI_Irecv(to, bytes, MPI_CHAR, rank, 2, MPI_COMM_WORLD, &r[1]);
	MPI_Isend(from, bytes, MPI_CHAR, rank, 2, MPI_COMM_WORLD, &r[0]);
	if (!first)
		MPI_Irecv(to, bytes, MPI_CHAR, rank, 2, MPI_COMM_WORLD, &r[1]);
	if (ask < 2)
		MPI_Test(&r[ask], &flag, MPI_STATUS_IGNORE);
	else
		MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	return !flag || memcmp(to, from, (size_t)bytes) != 0;
}

static void to_self(void)
{
	static const int sizes[] = { 1, 8, 4096, 100000 };
	static char to[100000];
	static char from[100000];
	const int n = (int)(sizeof(sizes) / sizeof(sizes[0]));
	int no[4] = { 0 };

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < n; i++) {
			memset(from, round, sizeof(from));
			if (sizes[i] <= (int)sizeof(in))
				no[3] += self_taken(sizes[i], round % 2);
			for (int ask = 0; ask < 3; ask++)
				no[ask] += self_sent(to, from, sizes[i],
						     round % 2, ask);
		}
	printf("%d to itself: send %d, receive %d, both %d, taken %d\n", rank,
	       no[0], no[1], no[2], no[3]);
}

static void groups(void)
{
	MPI_Comm half;

	MPI_Comm_split(MPI_COMM_WORLD, rank != 0, 0, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank != 0 ? 0 : 1, 9,
			     &inter);
	between("between groups", inter, 0, 1, 0);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&half);
}

int main(int argc, char *argv[])
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	between("world", MPI_COMM_WORLD, 0, 1, 0);
	groups();
	windows();
	to_self();
	MPI_Finalize();
	return 0;
}

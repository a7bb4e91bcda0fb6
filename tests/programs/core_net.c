/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The core primitives over MPI (libbcs/core/fabric_net.h), among all processes;
 * says "right" on each process, or what is wrong.  An argument is how often
 * what takes chance is tried; with another one MPI allows no threads.
 */
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/core/core.h"
#include "libbcs/core/fabric_net.h"
#include "tests/unit/core_calls.h"

#define BYTES   1500005 /* not of whole words */
#define THREADS 2

/* The layout of the global memory. */
#define A      0
#define B      8
#define EVENT  16
#define OTHER  20
#define FLOOD  24
#define END    28
#define COUNT  32
#define WORD   40
#define BLOCK  64
#define PLACES 65536

#define RANKS_MAX 64
#define SECONDS   20

static int rank;
static int size;
static int wrong;
static int times = 100;
static bool threaded;
static struct fabric *fabric;

static void check(const char *what, int is)
{
	if (is)
		return;
	printf("process %d: %s\n", rank, what);
	wrong++;
}

/*
 * Over all processes; as MPI_Allreduce, but gives up the core.  Others are
 * served by a thread where there is one.
 */
static int sum(int value)
{
	MPI_Request request;
	int all = 0;
	int done = 0;

	MPI_Iallreduce(&value, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
		       &request);
	while (!done) {
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (!threaded && fabric)
			fabric_net_poke(fabric);
		sched_yield();
	}
	return all;
}

static void together(void)
{
	sum(0);
}

#define ONE(member) SET(UINT64_C(1) << (member))
#define ALL_BITS    ((UINT64_C(1) << size) - 1)
#define ALL         SET(ALL_BITS)

static bool comes(uint64_t event)
{
	return core_test_event(fabric, event, in_ms(SECONDS * 1000)) == 0;
}

/* To those with an odd number, and to all that are called so. */
static void transfers(void)
{
	const int64_t block[4] = { 1, 2, 3, 4 };
	const int64_t zero[4] = { 0 };
	const bool odd = rank % 2;
	struct core_xfer xfer = { BLOCK, block, sizeof(block), EVENT, OTHER };
	uint64_t odds = 0;

	for (int i = 1; i < size; i += 2)
		odds |= UINT64_C(1) << i;
	if (rank == 0)
		check("a transfer",
		      core_xfer_and_signal(fabric, SET(odds), &xfer) == 0);
	together();
	check("its block", memcmp(core_block(fabric, BLOCK, sizeof(block)),
				  odd ? block : zero, sizeof(block)) == 0);
	check("beside it", core_load(fabric, BLOCK - 8) == 0 &&
				   core_load(fabric, BLOCK + 32) == 0);
	check("its local event", core_polls(fabric, EVENT) == (rank == 0));
	check("its remote event",
	      core_polls(fabric, OTHER) == odd && !core_polls(fabric, OTHER));
	check("to itself and to nobody",
	      core_xfer_and_signal(fabric, ONE(rank), &xfer) == 0 &&
		      core_xfer_and_signal(fabric, SET(0), &xfer) == 0);
	check("their events",
	      core_polls(fabric, EVENT) && core_polls(fabric, EVENT) &&
		      core_polls(fabric, OTHER) && !core_polls(fabric, OTHER));
	together();
}

/* A place of up to 40 bytes that begins anywhere in a word. */
#define PLACE(at, bytes) (PLACES + ((at)*41 + (bytes)) * 64)

static void sizes_and_places(void)
{
	unsigned char block[40];
	unsigned char want[64];

	memset(block, 0xee, sizeof(block));
	for (uint64_t at = 0; at < 9; at++)
		for (uint64_t bytes = 0; rank == 0 && bytes <= 40; bytes++)
			check("a block", core_put(fabric, ONE(size - 1),
						  PLACE(at, bytes) + at, block,
						  bytes) == 0);
	together();
	for (uint64_t at = 0; at < 9; at++)
		for (uint64_t bytes = 0; rank == size - 1 && bytes <= 40;
		     bytes++) {
			memset(want, 0, sizeof(want));
			memset(want + at, 0xee, bytes);
			check("a block's bytes",
			      memcmp(core_block(fabric, PLACE(at, bytes), 64),
				     want, 64) == 0);
		}
	together();
}

static void at_the_end(void)
{
	const unsigned char last[13] = "twelve bytes";

	if (rank == 0)
		check("a block at the end",
		      core_put(fabric, ONE(size - 1), BYTES - 13, last, 13) ==
			      0);
	together();
	if (rank == size - 1)
		check("the end", memcmp(core_block(fabric, BYTES - 13, 13),
					last, 13) == 0);
	together();
}

/* An operation that fails does nothing. */
static void refused(const struct core_set *set, int error)
{
	struct core_xfer xfer = { BLOCK, "abcdefg", 8, EVENT, OTHER };
	struct core_condition condition = { A, CORE_EQ, 0 };
	struct core_assignment assignment = { B, 1 };
	bool truth = false;

	check("a transfer that is refused",
	      core_xfer_and_signal(fabric, set, &xfer) == error);
	check("a comparison that is refused",
	      core_compare_and_write(fabric, set, &condition, &assignment,
				     &truth) == error &&
		      !truth);
}

static void nothing_was_done(void)
{
	together();
	check("nothing was done",
	      core_load(fabric, A) == 0 && core_load(fabric, B) == 0 &&
		      core_load(fabric, BLOCK) == 0 &&
		      !core_polls(fabric, EVENT) && !core_polls(fabric, OTHER));
	together();
}

static void errors(void)
{
	static const struct core_xfer xfers[] = {
		{ BYTES - 7, "abcdefg", 8, EVENT, OTHER },
		{ UINT64_MAX - 3, "abcdefg", 8, EVENT, OTHER },
		{ 0, "abcdefg", UINT64_MAX, EVENT, OTHER },
		{ BLOCK, "abcdefg", 8, EVENT + 2, OTHER },
		{ BLOCK, "abcdefg", 8, EVENT, BYTES - 1 },
	};
	struct core_condition condition = { BYTES - 5, CORE_EQ, 0 };
	struct fabric *none = NULL;
	bool truth;

	core_store(fabric, BLOCK, 0);
	together();
	for (size_t i = 0; i < sizeof(xfers) / sizeof(xfers[0]); i++)
		check("a place that is none",
		      core_xfer_and_signal(fabric, ALL, &xfers[i]) == -EINVAL);
	check("a variable that is none",
	      core_compare_and_write(fabric, ALL, &condition, NULL, &truth) ==
		      -EINVAL);
	check("an event that is none",
	      core_test_event(fabric, 2, CORE_POLL) == -EINVAL);
	refused(SET(1 | UINT64_C(1) << size), -EINVAL);
	check("a fabric of no bytes",
	      fabric_net_start(&none, MPI_COMM_WORLD, 0) == -EINVAL && !none);
	check("a fabric that is too large",
	      fabric_net_start(&none, MPI_COMM_WORLD, UINT64_MAX) == -EINVAL);
	nothing_was_done();
}

static void relations(void)
{
	/* -1, 0 and 1, each compared with 0. */
	static const bool truths[4][3] = {
		[CORE_GE] = { false, true, true },
		[CORE_LT] = { true, false, false },
		[CORE_EQ] = { false, true, false },
		[CORE_NE] = { true, false, true },
	};

	for (int64_t value = -1; value <= 1; value++) {
		core_store(fabric, A, value);
		together();
		for (int i = 0; i < 4; i++)
			check("a relation",
			      core_holds(fabric, ALL, A, (enum core_relation)i,
					 0) == truths[i][value + 1]);
		together();
	}
}

static void all_or_nothing(void)
{
	const int last = size - 1;
	struct core_condition condition = { A, CORE_GE, 7 };
	struct core_assignment assignment = { B, 70 };
	bool truth = true;

	core_store(fabric, A, rank == last ? 6 : 7);
	together();
	check("a comparison",
	      core_compare_and_write(fabric, ALL, &condition, &assignment,
				     &truth) == 0 &&
		      !truth);
	together();
	check("nothing", core_load(fabric, B) == 0);
	together();
	if (rank == 0)
		check("without the last",
		      core_compare_and_write(
			      fabric, SET((UINT64_C(1) << last) - 1),
			      &condition, &assignment, &truth) == 0 &&
			      truth);
	together();
	check("what was compared", core_load(fabric, A) == 7 - (rank == last));
	check("what was assigned",
	      core_load(fabric, B) == (rank == last ? 0 : 70));
	check("of nobody", core_holds(fabric, SET(0), A, CORE_EQ, 99));
	together();
}

/* More than fit a message, with sets that overlap. */
#define SEVERAL 150

static void several(void)
{
	struct core_query queries[SEVERAL];
	struct core_set sets[SEVERAL];
	uint64_t words[SEVERAL];
	int odd;

	for (int i = 0; i < SEVERAL; i++) {
		/* On all but one of a row; it is not of every other row. */
		odd = i % size;
		words[i] = ((UINT64_C(1) << (size - 1)) - 1) << 1 | 1;
		if (i % 2)
			words[i] &= ~(UINT64_C(1) << odd);
		sets[i] = (struct core_set){ &words[i], 64 };
		core_store(fabric, PLACES + 16 * (uint64_t)i, rank == odd);
		core_store(fabric, PLACES + 16 * (uint64_t)i + 8, 0);
		queries[i] = (struct core_query){
			.on = &sets[i],
			.condition = { PLACES + 16 * (uint64_t)i, CORE_EQ, 0 },
			.assignment = { PLACES + 16 * (uint64_t)i + 8, i + 1 },
		};
	}
	together();
	if (rank == 0)
		check("several", core_compare_and_write_all(fabric, queries,
							    SEVERAL) == 0);
	for (int i = 0; i < SEVERAL && rank == 0; i++)
		check("one of several", queries[i].holds == (i % 2 == 1));
	together();
	for (int i = 0; i < SEVERAL; i++)
		check("what several assigned",
		      core_load(fabric, PLACES + 16 * (uint64_t)i + 8) ==
			      (i % 2 && rank != i % size ? i + 1 : 0));
	together();
}

/* Sets of all kinds, by who is in them and who is not. */
static void sets(void)
{
	uint64_t chance = 1;
	int64_t want = 0;

	core_store(fabric, A, 0);
	for (int i = 1; i <= times; i++) {
		struct core_condition condition = { B, CORE_EQ, 0 };
		struct core_assignment assignment = { A, i };
		uint64_t set = (chance *= UINT64_C(0x5851f42d4c957f2d)) >>
			       (64 - size);
		int odd = (int)((chance >> 20) % (uint64_t)size);
		bool holds = !(set >> odd & 1);
		bool truth = false;

		core_store(fabric, B, rank == odd);
		together();
		if (rank == i % size)
			check("a set", core_compare_and_write(
					       fabric, SET(set), &condition,
					       &assignment, &truth) == 0 &&
					       truth == holds);
		together();
		if (holds && set >> rank & 1)
			want = i;
		check("who is in a set", core_load(fabric, A) == want);
	}
	together();
}

/* The messages that libbcs sent, and the last member that asked this one. */
static atomic_int n_sent;
static int parent;

int __real_MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm,
		     MPI_Request *);
int __wrap_MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm,
		     MPI_Request *);
int __real_MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm,
		    MPI_Status *);
int __wrap_MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm,
		    MPI_Status *);

int __wrap_MPI_Isend(const void *buf, int count, MPI_Datatype type, int to,
		     int tag, MPI_Comm comm, MPI_Request *request)
{
	atomic_fetch_add(&n_sent, 1);
	return __real_MPI_Isend(buf, count, type, to, tag, comm, request);
}

/* An answer is of one element, a question of several. */
int __wrap_MPI_Recv(void *buf, int count, MPI_Datatype type, int from, int tag,
		    MPI_Comm comm, MPI_Status *status)
{
	if (count > 1)
		parent = from;
	return __real_MPI_Recv(buf, count, type, from, tag, comm, status);
}

static int logarithm(int n)
{
	return n > 1 ? 1 + logarithm(n / 2) : 0;
}

/* From the root to whoever is farthest; -1 if it is not a tree. */
static int depth(int root)
{
	int parents[RANKS_MAX];
	int most = 0;
	int n;

	MPI_Allgather(&parent, 1, MPI_INT, parents, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < size; i++) {
		n = 0;
		for (int at = i; at != root; at = parents[at])
			if (at < 0 || ++n > size)
				return -1;
		most = n > most ? n : most;
	}
	return most;
}

/* Each member sends as many messages as a logarithm, one after the other. */
static void messages(void)
{
	const int most = logarithm(size) + 1;

	core_store(fabric, A, 0);
	for (int root = 0; root < size; root++) {
		n_sent = 0;
		parent = -1;
		together();
		if (rank == root)
			check("over all",
			      core_replace(fabric, ALL, A, root, root + 1));
		together();
		check("the messages of a member",
		      n_sent <= 2 * most && (size == 1 || n_sent >= 2));
		check("all messages", sum(n_sent) == 4 * (size - 1));
		check("the depth", depth(root) >= 0 && depth(root) <= most);
	}
	together();
}

static void events(void)
{
	uint64_t deadline;

	if (rank == 0)
		for (int i = 0; i < 3; i++)
			check("a signal",
			      core_signal_to(fabric, ALL, EVENT) == 0);
	together();
	check("a signal that is there", core_polls(fabric, EVENT));
	check("one to wait for",
	      core_test_event(fabric, EVENT, CORE_FOREVER) == 0);
	check("one whose deadline is over",
	      core_test_event(fabric, EVENT, 1) == 0);
	deadline = in_ms(5);
	check("none before the deadline",
	      core_test_event(fabric, EVENT, deadline) == -ETIMEDOUT &&
		      in_ms(0) >= deadline);
	together();
}

/* A member that does not poke is reached as long as it is in MPI. */
static void in_mpi(void)
{
	if (!threaded)
		return;
	if (rank == 0)
		check("members in MPI",
		      core_replace(fabric, ALL, WORD, 0, 5) &&
			      core_signal_to(fabric, ALL, EVENT) == 0);
	MPI_Barrier(MPI_COMM_WORLD);
	check("what they got",
	      core_load(fabric, WORD) == 5 && core_polls(fabric, EVENT));
	together();
}

/* A member is reached while it is not in MPI, too. */
static void in_no_mpi(void)
{
	const uint64_t deadline = in_ms(SECONDS * 1000);

	core_store(fabric, A, 0);
	together();
	if (rank == 0)
		check("members that compute",
		      core_replace(fabric, ALL, A, 0, 5));
	while (threaded && core_load(fabric, A) != 5 && in_ms(0) < deadline)
		;
	check("nobody serves", !threaded || core_load(fabric, A) == 5);
	while (core_load(fabric, A) != 5)
		fabric_net_poke(fabric);
	together();
}

/* Counting on all at once: an update that is lost is missing at the end. */
static void count(int n)
{
	int64_t seen;

	for (int i = 0; i < n; i++)
		do
			seen = core_load(fabric, COUNT);
		while (!core_replace(fabric, ALL, COUNT, seen, seen + 1));
}

static void no_update_is_lost(void)
{
	core_store(fabric, COUNT, 0);
	together();
	count(times);
	together();
	check("an update is lost", core_load(fabric, COUNT) == times * size);
	together();
}

/* Does the same on all but one, which counts, too, and has to guess. */
static void by_one_outside(void)
{
	const int outside = size / 2;
	const struct core_set *set = SET(ALL_BITS & ~(UINT64_C(1) << outside));
	int64_t seen = 0;

	core_store(fabric, COUNT, 0);
	together();
	for (int i = 0; i < times && size > 1; i++)
		while (!core_replace(fabric, set, COUNT, seen, seen + 1))
			seen = rank == outside ? seen + 1
					       : core_load(fabric, COUNT);
	together();
	check("an update is lost on some",
	      core_load(fabric, COUNT) == (rank == outside ? 0 : times * size));
	together();
}

/* All want the same: one gets it, and all agree who. */
static void one_wins(void)
{
	int won;

	for (int i = 0; i < times / 10; i++) {
		core_store(fabric, A, 0);
		together();
		won = core_replace(fabric, ALL, A, 0, rank + 1);
		check("more or less than one wins", sum(won) == 1);
		check("who won",
		      core_load(fabric, A) != 0 &&
			      (core_load(fabric, A) == rank + 1) == won &&
			      core_holds(fabric, ALL, A, CORE_EQ,
					 core_load(fabric, A)));
		together();
	}
}

/*
 * Member 0 puts rising numbers into a block on all.  If the first word is not
 * below a number everywhere, then the last word has come to it everywhere.
 */
static void rise(int64_t last)
{
	int64_t block[32];

	for (int64_t value = 1; value <= last; value++) {
		for (int i = 0; i < 32; i++)
			block[i] = value;
		check("a rise",
		      core_put(fabric, ALL, BLOCK, block, sizeof(block)) == 0);
	}
}

static void look_on(int64_t last)
{
	for (int64_t next = 1; next <= last;) {
		if (core_holds(fabric, ALL, BLOCK, CORE_LT, next))
			continue;
		check("a transfer is seen half done",
		      core_holds(fabric, ALL, BLOCK + 248, CORE_GE, next));
		next = core_load(fabric, BLOCK) + 1;
	}
}

static void none_is_half_done(void)
{
	memset(core_block(fabric, BLOCK, 256), 0, 256);
	together();
	if (rank == 0)
		rise(2 * times);
	else
		look_on(2 * times);
	together();
}

/* All put at once: one was the last, on all members, in all of the block. */
static void one_order(void)
{
	static int64_t block[8000];
	const int64_t *mine = core_block(fabric, BLOCK, sizeof(block));
	const int n = (int)(sizeof(block) / sizeof(block[0]));
	int differ;

	for (int i = 0; i < n; i++)
		block[i] = rank + 1;
	for (int i = 0; i < times / 5; i++) {
		together();
		check("one of many puts",
		      core_put(fabric, ALL, BLOCK, block, sizeof(block)) == 0);
		together();
		differ = 0;
		for (int j = 0; j < n; j++)
			differ |= mine[j] != mine[0];
		check("transfers are mixed", !differ);
		check("the last is not the same everywhere",
		      core_holds(fabric, ALL, BLOCK, CORE_EQ, mine[0]));
	}
	together();
}

/* Signals of all to all others, whatever else is under way. */
static void signals_come_out(void)
{
	uint64_t others = 0;
	int n = 0;

	for (int i = 0; i < size; i++)
		if (i != rank)
			others |= UINT64_C(1) << i;
	for (int i = 0; i < times; i++) {
		check("a signal to the others",
		      core_signal_to(fabric, SET(others), FLOOD) == 0);
		n += core_polls(fabric, FLOOD);
	}
	while (n < times * (size - 1) && comes(FLOOD))
		n++;
	together();
	check("as many signals as were sent",
	      n == times * (size - 1) && !core_polls(fabric, FLOOD));
	together();
}

/*
 * The bytes of a transfer are there when its signal comes, also of large
 * blocks.
 */
#define LONG 300000

static void ping_pong(void)
{
	const int n = rank < 2 && size > 1 ? times : 0;
	const struct core_set *other = rank == 0 ? SET(2) : SET(1);
	const volatile int *come = core_block(fabric, BLOCK,
					      sizeof(int) * LONG);
	static int block[LONG];
	struct core_xfer xfer = { BLOCK, block, sizeof(block), CORE_NO_EVENT,
				  EVENT };

	for (int i = 0; i < n; i++) {
		if (rank == 1)
			check("a ping", comes(EVENT) && come[0] == i &&
						come[LONG - 1] == i);
		block[0] = block[LONG - 1] = i;
		check("a transfer in turn",
		      core_xfer_and_signal(fabric, other, &xfer) == 0);
		if (rank == 0)
			check("a pong", comes(EVENT) && come[0] == i &&
						come[LONG - 1] == i);
	}
	together();
}

/*
 * One stores and then looks for a signal, the other signals and then looks for
 * what was stored: at least one sees the other.
 */
static void one_sees_the_other(void)
{
	int sees;

	for (int i = 1; i <= times; i++) {
		sees = 0;
		together();
		if (rank == 0) {
			core_store(fabric, A, -i);
			sees = core_polls(fabric, OTHER);
		} else if (rank == 1) {
			check("a signal",
			      core_signal_to(fabric, SET(1), OTHER) == 0);
			sees = core_holds(fabric, SET(1), A, CORE_EQ, -i);
		}
		check("neither sees the other", sum(sees) > 0 || size == 1);
		if (rank == 0 && !sees)
			check("the signal", size == 1 || comes(OTHER));
	}
	together();
}

/* Bytes all alike, at odd places; who reads a word of them finds them alike. */
static void words_are_whole(void)
{
	static unsigned char block[60000];
	const uint64_t words = sizeof(block) / 8 - 2;
	uint64_t word;
	int split = 0;

	memset(core_block(fabric, BLOCK, sizeof(block) + 16), 0,
	       sizeof(block) + 16);
	together();
	for (int i = 1; rank == 0 && i <= times; i++) {
		memset(block, i, sizeof(block));
		check("a put", core_put(fabric, ALL, BLOCK + 1 + i % 8, block,
					sizeof(block)) == 0);
	}
	if (rank == 0)
		check("the end", core_signal_to(fabric, ALL, END) == 0);
	for (uint64_t i = 0; !core_polls(fabric, END); i++) {
		for (uint64_t j = 0; j < 64; j++) {
			word = (uint64_t)core_load(
				fabric, BLOCK + 16 + (i * 64 + j) % words * 8);
			split |= word !=
				 (word & 0xff) * UINT64_C(0x0101010101010101);
		}
	}
	check("a variable is seen half written", !split);
	together();
}

static atomic_int n_taken;

/* Signals all, and takes what comes, and counts. */
static void *thread(void *arg)
{
	for (int i = 0; i < times / 4; i++) {
		if (core_signal_to(fabric, ALL, FLOOD) != 0)
			return arg;
		if (core_polls(fabric, FLOOD))
			atomic_fetch_add(&n_taken, 1);
	}
	count(times / 4);
	return NULL;
}

static void threads(void)
{
	pthread_t ids[THREADS];
	void *failed;

	if (!threaded)
		return;
	core_store(fabric, COUNT, 0);
	together();
	for (int i = 0; i < THREADS; i++)
		pthread_create(&ids[i], NULL, thread, &wrong);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(ids[i], &failed);
		check("a signal of a thread", !failed);
	}
	together();
	while (core_polls(fabric, FLOOD))
		n_taken++;
	check("signals of threads", n_taken == times / 4 * THREADS * size);
	check("an update of threads is lost",
	      core_load(fabric, COUNT) == times / 4 * THREADS * size);
	together();
}

static atomic_bool poked_enough;

static void *poke_on(void *arg)
{
	while (!atomic_load(&poked_enough)) {
		fabric_net_poke(fabric);
		sched_yield();
	}
	return arg;
}

/* One thread takes what comes, and the others do not wait for it. */
static void many_poke(void)
{
	pthread_t ids[THREADS];

	if (!threaded)
		return;
	core_store(fabric, COUNT, 0);
	together();
	for (int i = 0; i < THREADS; i++)
		pthread_create(&ids[i], NULL, poke_on, NULL);
	count(times / 4);
	together();
	atomic_store(&poked_enough, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	check("an update is lost among pokes",
	      core_load(fabric, COUNT) == times / 4 * size);
	together();
}

/* The last one leaves, then the first one, who keeps the order. */
static void leave(void)
{
	const int last = size - 1;

	core_store(fabric, A, 0);
	core_store(fabric, B, 0);
	core_store(fabric, BLOCK, 0);
	core_store(fabric, COUNT, 0);
	together();
	if (rank == last)
		fabric_net_leave(fabric);
	together();
	refused(ALL, -ESRCH);
	if (rank == last)
		refused(SET(1), -ESRCH);
	nothing_was_done();
	if (rank != last)
		check("among those who stay",
		      core_put(fabric, SET((UINT64_C(1) << last) - 1), B,
			       &(int64_t){ 3 }, 8) == 0);
	together();
	check("who gets something", core_load(fabric, B) == 3 * (rank != last));
	together();
	if (rank == 0)
		fabric_net_leave(fabric);
	together();
	if (rank != last && rank != 0)
		check("without the first",
		      core_put(fabric, ONE(rank), COUNT, &(int64_t){ 4 }, 8) ==
				      0 &&
			      core_load(fabric, COUNT) == 4 &&
			      core_put(fabric, SET(3), A, &(int64_t){ 4 }, 8) ==
				      -ESRCH);
	together();
	check("the first is left alone", core_load(fabric, A) == 0);
}

/* Some go in the midst of what others do: all of it comes or nothing does. */
static void leave_meanwhile(void)
{
	const int who = size / 2;
	const uint64_t rest = ALL_BITS & ~(UINT64_C(1) << who);
	int64_t last = 0;
	int rc = 0;

	together();
	if (rank == who) {
		while (core_load(fabric, A) < 10)
			fabric_net_poke(fabric);
		fabric_net_leave(fabric);
		last = core_load(fabric, A);
	} else {
		for (int64_t i = 1; rc == 0; i++)
			rc = core_put(fabric, ALL, A, &i, sizeof(i));
		check("who left", rc == -ESRCH);
		check("who stay",
		      core_put(fabric, SET(rest), B, &last, 8) == 0);
	}
	together();
	check("it is left alone", rank != who || core_load(fabric, A) == last);
	together();
}

/* A member that has come to the end serves those that have not. */
static void at_the_stop(void)
{
	for (int i = 0; rank == 0 && i < times; i++)
		check("members that stop",
		      core_replace(fabric, ALL, A, i, i + 1));
}

static void with_a_fabric(void (*const parts[])(void))
{
	if (fabric_net_start(&fabric, MPI_COMM_WORLD, BYTES) != 0) {
		check("the start of a fabric", 0);
		return;
	}
	for (; *parts; parts++)
		(*parts)();
	fabric_net_stop(fabric);
	fabric = NULL;
}

int main(int argc, char **argv)
{
	static void (*const first[])(void) = {
		transfers,
		errors,
		sizes_and_places,
		at_the_end,
		relations,
		all_or_nothing,
		several,
		events,
		sets,
		messages,
		in_mpi,
		in_no_mpi,
		no_update_is_lost,
		by_one_outside,
		one_wins,
		none_is_half_done,
		one_order,
		signals_come_out,
		ping_pong,
		words_are_whole,
		one_sees_the_other,
		threads,
		many_poke,
		leave,
		NULL,
	};
	static void (*const second[])(void) = { leave_meanwhile, NULL };
	static void (*const third[])(void) = { at_the_stop, NULL };
	int level = argc > 2 ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE;

	MPI_Init_thread(&argc, &argv, level, &level);
	threaded = level == MPI_THREAD_MULTIPLE;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc > 1)
		times = atoi(argv[1]);
	with_a_fabric(first);
	if (size > 1)
		with_a_fabric(second);
	with_a_fabric(third);
	fabric_net_stop(NULL);
	if (!wrong)
		printf("process %d: right\n", rank);
	MPI_Finalize();
	return wrong != 0;
}

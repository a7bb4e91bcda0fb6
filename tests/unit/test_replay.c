/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests of analyzer/replay/: traces made by hand, on a system of round numbers.
 * Answers are computed by hand, in us.  A message of b bytes takes 10 + b / 100
 * until it has come; its sender and its receiver are busy for 1.  Messages of
 * more than 1000 bytes wait for their receiver.  A collective of three ranks is
 * two rounds of messages, one of two ranks is one.
 */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/replay/replay.h"
#include "mds/base/clock.h"
#include "mds/trace/trace_write.h"

#define ZERO 1000000000u
#define MANY 128

enum {
	INIT,
	FINALIZE,
	SEND,
	SSEND,
	ISEND,
	RECV,
	IRECV,
	WAIT,
	WAITANY,
	TEST,
	BARRIER,
	BCAST,
	REDUCE,
	IBARRIER,
	SENDRECV,
	START,
	COMM_RANK,
	IMRECV,
};

static const char *const call_names[] = {
	"MPI_Init",      "MPI_Finalize", "MPI_Send",     "MPI_Ssend",
	"MPI_Isend",     "MPI_Recv",     "MPI_Irecv",    "MPI_Wait",
	"MPI_Waitany",   "MPI_Test",     "MPI_Barrier",  "MPI_Bcast",
	"MPI_Reduce",    "MPI_Ibarrier", "MPI_Sendrecv", "MPI_Start",
	"MPI_Comm_rank", "MPI_Imrecv"
};

enum { WORLD, TURNED, BETWEEN, HALF };

/* A tick is 1 ns. */
void __wrap_clock_pair(uint64_t *ticks, uint64_t *ns);

void __wrap_clock_pair(uint64_t *ticks, uint64_t *ns)
{
	static uint64_t now = ZERO;

	*ticks = *ns = now;
	now += 10000000;
}

static char dir[] = "/tmp/bcs-test-replay-XXXXXX";
static struct trace_row rows[MANY];
static unsigned threads[MANY];
static uint32_t n;
static uint32_t me;
static uint32_t size;

static const char *call_name(unsigned call)
{
	return call_names[call];
}

static const char *phase_name(unsigned phase)
{
	(void)phase;
	return "";
}

/* The ranks of TURNED go the other way.  BETWEEN has two groups.  HALF are two
 * communicators, of even and of odd ranks. */
static bool comm_about(uint32_t comm, uint64_t *id, uint32_t *rank,
		       uint32_t *of)
{
	*id = 0xc0 + comm;
	*rank = comm == TURNED ? size - 1 - me : comm == BETWEEN ? me / 2 : me;
	*of = size;
	if (comm == HALF) {
		*id = 0xd0 + me % 2;
		*rank = me / 2;
		*of = size / 2;
	}
	return true;
}

static struct trace_row *add(enum trace_kind kind, unsigned call, double begin,
			     double end)
{
	ck_assert_uint_lt(n, MANY);
	rows[n] = (struct trace_row){
		.kind = kind,
		.call = (uint16_t)call,
		.start = ZERO + (uint64_t)(begin * 1000),
		.end = ZERO + (uint64_t)(end * 1000),
		.comm = TRACE_NO_COMM,
		.peer = TRACE_NOBODY,
	};
	threads[n] = 0;
	return &rows[n++];
}

/* A message, with a request or 0. */
static struct trace_row *with(unsigned call, double begin, double end, int peer,
			      int tag, uint64_t request)
{
	struct trace_row *row = add(TRACE_CALL, call, begin, end);

	row->comm = WORLD;
	row->peer = peer;
	row->tag = tag;
	row->request = request;
	return row;
}

static void sends(unsigned call, double begin, double end, int peer,
		  uint64_t bytes)
{
	with(call, begin, end, peer, 0, 0)->sent = bytes;
}

static void receives(double begin, double end, int peer)
{
	with(RECV, begin, end, peer, 0, 0);
}

/* An item of the call before it. */
static struct trace_row *item(enum trace_kind kind, int peer, uint64_t request)
{
	struct trace_row *row = add(kind, 0, 0, 0);

	row->comm = WORLD;
	row->peer = peer;
	row->tag = 0;
	row->request = request;
	return row;
}

static struct trace_row *all(unsigned call, double begin, double end, int root)
{
	struct trace_row *row = add(TRACE_CALL, call, begin, end);

	row->comm = WORLD;
	row->peer = root;
	row->tag = TRACE_NOBODY;
	return row;
}

static void begin(uint32_t rank, uint32_t of)
{
	me = rank;
	size = of;
	n = 0;
	add(TRACE_CALL, INIT, -100, 0);
}

static void write_rank(void)
{
	static struct trace_file file;
	static struct trace_ring ring;
	char name[32];
	const struct trace_options options = {
		.dir = dir,
		.name = name,
		.rank = (int)me,
		.host = "host",
		.names = { call_name, phase_name, comm_about },
	};

	snprintf(name, sizeof(name), "rank-%06u.trace", me);
	file = (struct trace_file){ 0 };
	ring = (struct trace_ring){ 0 };
	ck_assert_int_eq(trace_file_open(&file, &options), 0);
	for (uint32_t i = 0, k; i < n; i = k) {
		for (k = i; k < n && threads[k] == threads[i]; k++)
			;
		ring.thread = threads[i];
		trace_file_add(&file, &ring, rows + i, k - i, 0);
	}
	trace_file_close(&file, 0);
}

static void finish(double end)
{
	add(TRACE_CALL, FINALIZE, end, end + 50);
	write_rank();
}

static struct replay_choice choice;
static double slope; /* us a byte */
static uint32_t nodes;
static struct replay_result result;

static void clear(void)
{
	char path[128];

	for (uint32_t i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "%s/rank-%06u.trace", dir, i);
		unlink(path);
	}
	slope = 0.01;
	nodes = 1;
	choice = (struct replay_choice){
		.scale = { 1, 1, 1, 0 },
		.overhead = 1e-6,
		.eager = 1000,
		.quantum = 3e-6,
	};
}

static int try_replay(void)
{
	struct formula_system model;
	struct sim_system system;
	int rc;

	formula_system_init(&model, "round");
	model.params[FORMULA_D_TU] = 1;
	model.params[FORMULA_T_P2P] = 10;
	model.params[FORMULA_K_P2P] = slope;
	ck_assert_int_eq(sim_system_alike(&system, &model, nodes, 100, true),
			 0);
	choice.system = &system;
	rc = replay_run(dir, &choice, &result);
	sim_system_clear(&system);
	return rc;
}

static void ends(uint32_t rank, double us)
{
	ck_assert_uint_lt(rank, result.n_ranks);
	ck_assert_double_eq_tol(result.ranks[rank].end * 1e6, us, 0.005);
}

/* Replays, and compares the ends of two ranks. */
static void both_end(double first, double second)
{
	ck_assert_int_eq(try_replay(), 0);
	ends(0, first);
	ends(1, second);
	replay_clear(&result);
}

static void write_ping_pong(void)
{
	begin(0, 2);
	sends(SEND, 100, 102, 1, 100);
	receives(102, 130, 1);
	finish(140);
	begin(1, 2);
	receives(0, 115, 0);
	sends(SEND, 135, 136, 0, 100);
	finish(146);
}

START_TEST(ping_pong)
{
	clear();
	write_ping_pong();
	/* Comes at 111, is answered at 131, comes back at 142. */
	ck_assert_int_eq(try_replay(), 0);
	ends(0, 152);
	ends(1, 142);
	ck_assert_double_eq_tol(result.recorded, 146e-6, 1e-9);
	ck_assert_double_eq_tol(result.seconds, 152e-6, 1e-8);
	ck_assert_double_eq_tol(result.ranks[0].computing, 110e-6, 1e-9);
	ck_assert_uint_eq(result.messages, 2);
	ck_assert_uint_eq(result.bytes, 200);
	ck_assert_uint_eq(result.events, 8);
	/* Both messages are on the way to the end. */
	ck_assert_double_eq(result.path.messages, 2);
	ck_assert_double_eq(result.path.bytes, 200);
	ck_assert_double_eq_tol(result.path.moving, 2e-6, 1e-12);
	replay_clear(&result);
}
END_TEST

START_TEST(another_system)
{
	clear();
	write_ping_pong();
	choice.scale.latency = 2;
	/* 100, 121; 141, 162; 10 more. */
	both_end(172, 152);
	choice.scale.latency = 1;
	choice.scale.bandwidth = 0.5;
	both_end(154, 143);
	choice.scale.bandwidth = 1;
	choice.scale.add = 5e-6;
	both_end(162, 147);
	choice.scale.add = 0;
	choice.scale.cpu = 10;
	/* 10, 21; 23, 34; 35. */
	both_end(35, 25);
}
END_TEST

/* A fit of measurements may say that a message takes less than none. */
START_TEST(bytes_that_take_less)
{
	clear();
	write_ping_pong();
	slope = -0.01;
	both_end(148, 140);
	choice.scale.bandwidth = 0.5;
	ck_assert_int_eq(try_replay(), 0);
	ends(0, 148);
	ck_assert_double_eq(result.path.moving, 0);
	replay_clear(&result);
}
END_TEST

START_TEST(policies)
{
	clear();
	write_ping_pong();
	choice.policy = (struct sim_policy){ SIM_DEMAND, 0, 5e-6 };
	both_end(162, 147);
	/* Posted at 100, it goes in the slice from 200 on; the answer, posted
	 * at 320, in that from 400 on. */
	choice.policy = (struct sim_policy){ SIM_FIXED, 100e-6, 0 };
	both_end(510, 331);
}
END_TEST

/* An eager send is busy for as long as it took, where no overhead is given. */
START_TEST(recorded_overhead)
{
	clear();
	write_ping_pong();
	choice.overhead = NAN;
	/* The answer ends at 132, not 131. */
	both_end(152, 142);
	begin(0, 2);
	sends(SEND, 100, 107, 1, 100);
	finish(110);
	begin(1, 2);
	receives(0, 1, 0);
	finish(2);
	both_end(110, 112);
}
END_TEST

START_TEST(late_sender_and_receiver)
{
	clear();
	begin(0, 2);
	sends(SEND, 50, 51, 1, 2000);
	sends(SEND, 61, 62, 1, 2000);
	finish(72);
	begin(1, 2);
	receives(0, 51, 0);
	receives(81, 82, 0);
	finish(82);
	/* Both wait for 50, then 30 more.  Then one computes for 10, the other
	 * for 30; they wait for 110, and 30 more. */
	both_end(150, 140);
	/* Eager, who sends goes on.  The second has come at 91. */
	choice.eager = 5000;
	both_end(72, 111);
}
END_TEST

START_TEST(synchronous_sends)
{
	clear();
	begin(0, 2);
	sends(SSEND, 0, 51, 1, 0);
	finish(51);
	begin(1, 2);
	receives(50, 51, 0);
	finish(51);
	both_end(60, 60);
}
END_TEST

START_TEST(collectives)
{
	clear();
	for (uint32_t i = 0; i < 3; i++) {
		begin(i, 3);
		all(BARRIER, 10 * (i + 1), 50, TRACE_NOBODY);
		/* The root, 1, computes for 10, the others not at all. */
		all(BCAST, i == 1 ? 60 : 50, 61, 1)->sent = 1000;
		all(REDUCE, 61, 70, 1)->sent = 0;
		finish(70);
	}
	ck_assert_int_eq(try_replay(), 0);
	/*
	 * The barrier ends at 30 + 20, the broadcast at 60 + 2 * 20, and at its
	 * root, too.  In the reduction only the root waits.
	 */
	ends(0, 120);
	ends(1, 120);
	ends(2, 120);
	replay_clear(&result);
}
END_TEST

START_TEST(collectives_with_requests)
{
	clear();
	for (uint32_t i = 0; i < 2; i++) {
		begin(i, 2);
		all(IBARRIER, 10 + 20 * i, 10 + 20 * i, TRACE_NOBODY)
			->request = 5;
		add(TRACE_CALL, WAIT, 50, 51);
		item(TRACE_DONE, TRACE_NOBODY, 5);
		finish(51);
	}
	/* The collective is over at 30 + 10; both wait from 50 on. */
	both_end(50, 50);
	choice.scale.latency = 3;
	both_end(60, 60);
}
END_TEST

/* Rank 0's message came first in the run, though rank 1 sends long before. */
START_TEST(any_source_as_recorded)
{
	clear();
	for (uint32_t i = 0; i < 2; i++) {
		begin(i, 3);
		sends(SEND, i ? 10 : 200, i ? 11 : 201, 2, 0);
		finish(210);
	}
	begin(2, 3);
	with(IRECV, 0, 0, TRACE_ANYBODY, TRACE_NOBODY, 7);
	add(TRACE_CALL, WAIT, 0, 205);
	item(TRACE_RECEIVED, 0, 7);
	receives(205, 206, 1);
	finish(207);
	ck_assert_int_eq(try_replay(), 0);
	/* It has to be taken, 1, and computes for 1. */
	ends(2, 212);
	replay_clear(&result);
}
END_TEST

/* A large message to itself, which goes when its matched receive is there. */
START_TEST(matched_receive)
{
	clear();
	begin(0, 1);
	with(ISEND, 10, 10, 0, 0, 1)->sent = 2000;
	with(IMRECV, 20, 20, TRACE_NOBODY, TRACE_NOBODY, 2);
	add(TRACE_CALL, WAIT, 30, 40);
	item(TRACE_DONE, TRACE_NOBODY, 1);
	item(TRACE_RECEIVED, 0, 2);
	finish(40);
	ck_assert_int_eq(try_replay(), 0);
	ends(0, 60);
	replay_clear(&result);
}
END_TEST

/*
 * The receive that a large message to a wildcard waits for is known when it is
 * posted.
 */
START_TEST(wildcard_ahead)
{
	clear();
	begin(0, 2);
	sends(SEND, 10, 11, 1, 2000);
	with(SEND, 11, 12, 1, 3, 0);
	finish(12);
	begin(1, 2);
	with(IRECV, 0, 0, TRACE_ANYBODY, 0, 7);
	with(RECV, 0, 50, 0, 3, 0);
	add(TRACE_CALL, WAIT, 50, 51);
	item(TRACE_RECEIVED, 0, 7);
	finish(51);
	/* It comes at 40, the small one at 50. */
	both_end(41, 50);
}
END_TEST

/* Rank 2's message ended the first wait, though rank 0's is there. */
START_TEST(waitany_as_recorded)
{
	clear();
	for (uint32_t i = 0; i < 3; i += 2) {
		begin(i, 3);
		sends(SEND, i ? 100 : 10, i ? 101 : 11, 1, 0);
		finish(110);
	}
	begin(1, 3);
	with(IRECV, 0, 0, 0, 0, 1);
	with(IRECV, 0, 0, 2, 0, 2);
	add(TRACE_CALL, WAITANY, 0, 105);
	item(TRACE_RECEIVED, 2, 2);
	add(TRACE_CALL, WAITANY, 125, 126);
	item(TRACE_RECEIVED, 0, 1);
	finish(126);
	ck_assert_int_eq(try_replay(), 0);
	ends(1, 130);
	replay_clear(&result);
}
END_TEST

START_TEST(polls_wait)
{
	clear();
	begin(0, 2);
	sends(SEND, 100, 101, 1, 0);
	finish(101);
	begin(1, 2);
	with(IRECV, 0, 0, 0, 0, 1);
	for (int i = 0; i < 30; i++)
		add(TRACE_CALL, TEST, 5 * i, 5 * i + 1);
	add(TRACE_CALL, TEST, 150, 151);
	item(TRACE_RECEIVED, 0, 1);
	/* One poll by itself costs its time, and what is between, too. */
	add(TRACE_CALL, TEST, 161, 162);
	finish(192);
	both_end(101, 151);
}
END_TEST

START_TEST(sendrecv_and_persistent)
{
	clear();
	for (uint32_t i = 0; i < 2; i++) {
		begin(i, 2);
		add(TRACE_CALL, SENDRECV, 10 * i, 30);
		item(TRACE_SENT, (int)!i, 0);
		item(TRACE_RECEIVED, (int)!i, 0);
		add(TRACE_CALL, START, 30, 30);
		if (i)
			item(TRACE_POSTED, 0, 3);
		else
			item(TRACE_SENT, 1, 3);
		add(TRACE_CALL, WAIT, 30, 40);
		item(i ? TRACE_RECEIVED : TRACE_DONE, 0, 3);
		finish(40);
	}
	/* The exchange ends at 20 for 0 and at 11 for 1, which comes last and
	 * has to take what is there.  Then 0 sends. */
	both_end(21, 30);
}
END_TEST

/* A cancelled receive takes nothing, and waits for nothing. */
START_TEST(cancelled)
{
	clear();
	begin(0, 2);
	sends(SEND, 10, 11, 1, 0);
	finish(11);
	begin(1, 2);
	with(IRECV, 0, 0, TRACE_ANYBODY, 0, 1);
	with(IRECV, 0, 0, 0, 5, 2);
	add(TRACE_CALL, WAIT, 5, 6);
	item(TRACE_DONE, TRACE_NOBODY, 1);
	add(TRACE_CALL, WAIT, 6, 7);
	item(TRACE_DONE, TRACE_NOBODY, 2);
	receives(7, 8, 0);
	finish(8);
	both_end(11, 20);
}
END_TEST

/* A communicator whose ranks go the other way; and calls between two groups. */
START_TEST(communicators)
{
	clear();
	begin(0, 3);
	with(SEND, 10, 11, 1, 0, 0)->comm = TURNED;
	with(SEND, 11, 12, 2, 0, 0);
	finish(12);
	begin(1, 3);
	with(RECV, 0, 30, 2, 0, 0)->comm = TURNED;
	finish(30);
	begin(2, 3);
	receives(0, 30, 0);
	with(SEND, 30, 37, 0, 0, 0)->comm = TURNED;
	rows[n - 1].comm = BETWEEN;
	finish(40);
	begin(0, 3);
	with(SEND, 10, 11, 1, 0, 0)->comm = TURNED;
	with(SEND, 11, 12, 2, 0, 0);
	with(COMM_RANK, 12, 12, TRACE_NOBODY, 0, 0)->comm = BETWEEN;
	finish(12);
	begin(1, 3);
	with(RECV, 0, 30, 2, 0, 0)->comm = TURNED;
	with(COMM_RANK, 30, 30, TRACE_NOBODY, 0, 0)->comm = BETWEEN;
	finish(30);
	ck_assert_int_eq(try_replay(), 0);
	ends(0, 12);
	ends(1, 20);
	/* The call between the groups takes its 7. */
	ends(2, 21 + 7 + 3);
	ck_assert_uint_eq(result.as_recorded, 1);
	replay_clear(&result);
}
END_TEST

/* Two communicators have messages between the same ranks with the same tag. */
START_TEST(contexts)
{
	clear();
	begin(0, 2);
	with(SEND, 10, 11, 0, 0, 0)->comm = TURNED;
	rows[n - 1].sent = 500;
	sends(SEND, 11, 12, 1, 0);
	finish(12);
	begin(1, 2);
	receives(0, 30, 0);
	with(RECV, 30, 31, 1, 0, 0)->comm = TURNED;
	finish(31);
	both_end(12, 25);
}
END_TEST

/* Rank 2 is late for the even ranks, rank 1 for the odd ones. */
START_TEST(halves)
{
	clear();
	for (uint32_t i = 0; i < 4; i++) {
		begin(i, 4);
		all(BARRIER,
		    i == 2   ? 100
		    : i == 1 ? 50
			     : 1,
		    120, TRACE_NOBODY)
			->comm = HALF;
		finish(120);
	}
	choice.scale.add = 2e-6;
	ck_assert_int_eq(try_replay(), 0);
	ends(0, 112);
	ends(1, 62);
	ends(2, 112);
	ends(3, 62);
	replay_clear(&result);
}
END_TEST

/* Ranks begin when their MPI_Init ends. */
START_TEST(late_begin)
{
	clear();
	write_ping_pong();
	begin(0, 2);
	rows[0].end = ZERO + 50000;
	sends(SEND, 100, 102, 1, 100);
	receives(102, 130, 1);
	finish(140);
	both_end(152, 142);
}
END_TEST

/* Two ranks compute for 10 each on one core, by turns of 3. */
/* A little more latency, or a little less bandwidth. */
static void check_path(void)
{
	struct replay_result was;
	double grown;

	ck_assert_int_eq(try_replay(), 0);
	was = result;
	choice.scale.add = 1e-10;
	ck_assert_int_eq(try_replay(), 0);
	grown = (result.seconds - was.seconds) / 1e-10;
	ck_assert_double_eq_tol(grown, was.path.messages, 1e-3);
	replay_clear(&result);
	choice.scale.add = 0;
	choice.scale.bandwidth = 1 / (1 + 1e-6);
	ck_assert_int_eq(try_replay(), 0);
	grown = (result.seconds - was.seconds) / 1e-6;
	ck_assert_double_eq_tol(grown, was.path.moving, 1e-9);
	replay_clear(&result);
	choice.scale.bandwidth = 1;
	replay_clear(&was);
}

START_TEST(what_the_time_depends_on)
{
	clear();
	write_ping_pong();
	check_path();
	choice.policy = (struct sim_policy){ SIM_DEMAND, 0, 5e-6 };
	check_path();
	choice.policy = (struct sim_policy){ SIM_NATIVE, 0, 0 };
	/* Large: the first waits for the receiver, the second does not. */
	begin(0, 2);
	sends(SEND, 50, 51, 1, 2000);
	sends(SEND, 61, 62, 1, 3000);
	finish(72);
	begin(1, 2);
	receives(70, 71, 0);
	receives(72, 80, 0);
	all(BARRIER, 90, 91, TRACE_NOBODY);
	finish(91);
	begin(0, 2);
	sends(SEND, 50, 51, 1, 2000);
	sends(SEND, 61, 62, 1, 3000);
	all(BARRIER, 62, 91, TRACE_NOBODY);
	finish(91);
	check_path();
	ck_assert_int_eq(try_replay(), 0);
	ck_assert_double_eq(result.path.messages, 3);
	ck_assert_double_eq(result.path.bytes, 5000);
	replay_clear(&result);
	/* A message that came long ago is not on the way. */
	begin(0, 2);
	sends(SEND, 0, 1, 1, 100);
	finish(2);
	begin(1, 2);
	receives(500, 501, 0);
	finish(501);
	check_path();
	ck_assert_int_eq(try_replay(), 0);
	ck_assert_double_eq(result.path.messages, 0);
	replay_clear(&result);
}
END_TEST

START_TEST(contention)
{
	clear();
	for (uint32_t i = 0; i < 2; i++) {
		begin(i, 2);
		finish(10);
	}
	choice.cores = 1;
	both_end(19, 20);
	choice.cores = 2;
	both_end(10, 10);
	/* A rank that waits needs no core. */
	clear();
	write_ping_pong();
	choice.cores = 1;
	both_end(152, 142);
}
END_TEST

/* Four ranks on two nodes of one core each. */
START_TEST(nodes_with_cores)
{
	clear();
	for (uint32_t i = 0; i < 4; i++) {
		begin(i, 4);
		finish(10);
	}
	choice.cores = 1;
	choice.spread = true;
	nodes = 2;
	ck_assert_int_eq(try_replay(), 0);
	for (uint32_t i = 0; i < 4; i++)
		ends(i, i % 2 ? 20 : 19);
	replay_clear(&result);
}
END_TEST

START_TEST(a_deadlock_is_told)
{
	clear();
	begin(0, 2);
	receives(0, 1, 1);
	finish(1);
	begin(1, 2);
	with(COMM_RANK, 0, 0, TRACE_NOBODY, 0, 0);
	finish(1);
	ck_assert_int_eq(try_replay(), -EDEADLK);
}
END_TEST

START_TEST(threads_are_refused)
{
	clear();
	begin(0, 1);
	add(TRACE_CALL, COMM_RANK, 1, 2);
	threads[n - 1] = 1;
	finish(3);
	ck_assert_int_eq(try_replay(), -ENOTSUP);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("replay");
	Suite *suite = suite_create("replay");
	SRunner *runner;
	int failed;

	if (!mkdtemp(dir))
		return 1;
	tcase_add_test(tcase, ping_pong);
	tcase_add_test(tcase, another_system);
	tcase_add_test(tcase, bytes_that_take_less);
	tcase_add_test(tcase, policies);
	tcase_add_test(tcase, recorded_overhead);
	tcase_add_test(tcase, late_sender_and_receiver);
	tcase_add_test(tcase, synchronous_sends);
	tcase_add_test(tcase, collectives);
	tcase_add_test(tcase, collectives_with_requests);
	tcase_add_test(tcase, any_source_as_recorded);
	tcase_add_test(tcase, matched_receive);
	tcase_add_test(tcase, wildcard_ahead);
	tcase_add_test(tcase, waitany_as_recorded);
	tcase_add_test(tcase, polls_wait);
	tcase_add_test(tcase, sendrecv_and_persistent);
	tcase_add_test(tcase, cancelled);
	tcase_add_test(tcase, communicators);
	tcase_add_test(tcase, contexts);
	tcase_add_test(tcase, halves);
	tcase_add_test(tcase, late_begin);
	tcase_add_test(tcase, what_the_time_depends_on);
	tcase_add_test(tcase, contention);
	tcase_add_test(tcase, nodes_with_cores);
	tcase_add_test(tcase, a_deadlock_is_told);
	tcase_add_test(tcase, threads_are_refused);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	clear();
	rmdir(dir);
	return failed != 0;
}

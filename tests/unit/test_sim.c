/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests of sim/: the engine with a machine of round numbers, placement and
 * failures.
 */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_engine.h"

/*
 * A machine of round numbers.  A message of b bytes takes its sender 1 s and
 * arrives 2 s + b / 100 after it began.  Its receiver is busy for 1 s.  A
 * collective takes 4 s, an instruction 1 s.  Answers are computed by hand.
 */
#define EAGER 100

static double local(void *self, uint32_t process, const struct sim_op *op,
		    double when)
{
	(void)self;
	(void)process;
	(void)when;
	return op->kind == SIM_COMPUTE ? op->amount : 3;
}

static void message(void *self, uint32_t from, uint32_t to, uint64_t bytes,
		    struct sim_cost *cost)
{
	(void)self;
	(void)from;
	(void)to;
	*cost = (struct sim_cost){ .send = 1,
				   .wire = 2 + (double)bytes / 100,
				   .receive = 1 };
}

static double collective(void *self, uint32_t group, enum sim_collective which,
			 uint64_t bytes, struct sim_path *path)
{
	(void)path;
	(void)self;
	(void)group;
	(void)which;
	(void)bytes;
	return 4;
}

struct script {
	struct sim_op ops[32];
	int at;
};

static int script_next(void *self, struct sim_op *op)
{
	struct script *script = self;

	*op = script->ops[script->at++];
	return 0;
}

#define MANY 16

static struct sim_setup setup;
static struct sim_engine *engine;
static struct script scripts[MANY];
static struct sim_account accounts[MANY];
static struct tree_fault fault;

static void begin(uint32_t n)
{
	setup.machine = (struct sim_machine){ NULL,  local, message, collective,
					      EAGER, false, NULL };
	setup.policy = (struct sim_policy){ SIM_NATIVE, 0, 0 };
	setup.n_processes = n;
	setup.events_max = 0;
	setup.pause = NULL;
	engine = NULL;
}

static void is(uint32_t process, uint32_t count, const struct sim_op *ops)
{
	const struct sim_source source = { &scripts[process], script_next };

	if (!engine)
		engine = sim_engine_new(&setup);
	ck_assert_ptr_nonnull(engine);
	for (int i = 0; i == 0 || ops[i - 1].kind != SIM_END; i++)
		scripts[process].ops[i] = ops[i];
	scripts[process].at = 0;
	sim_engine_process(engine, process, &source, count);
}

/* The engine is freed, unless more is to be asked. */
static int run(bool keep)
{
	const int rc = sim_engine_run(engine, &fault);

	for (uint32_t i = 0; i < setup.n_processes; i++)
		sim_engine_account(engine, i, &accounts[i]);
	if (!keep)
		sim_engine_free(engine);
	return rc;
}

static void ends(uint32_t process, double seconds)
{
	ck_assert_double_eq_tol(accounts[process].now.last, seconds, 1e-9);
}

#define OPS(...)                        \
	(const struct sim_op[])         \
	{                               \
		__VA_ARGS__,            \
		{                       \
			.kind = SIM_END \
		}                       \
	}
#define COMPUTE(s)                                             \
	{                                                      \
		.kind = SIM_COMPUTE, .amount = s, .threads = 1 \
	}
#define SEND(to, b)                                      \
	{                                                \
		.kind = SIM_SEND, .peer = to, .bytes = b \
	}
#define RECV(from)                                             \
	{                                                      \
		.kind = SIM_RECV, .peer = from, .tag = SIM_ANY \
	}
#define ISEND(to, b, r)                                                 \
	{                                                               \
		.kind = SIM_ISEND, .peer = to, .bytes = b, .request = r \
	}
#define IRECV(from, r)                                        \
	{                                                     \
		.kind = SIM_IRECV, .peer = from, .request = r \
	}
#define WAIT(r)                                \
	{                                      \
		.kind = SIM_WAIT, .request = r \
	}
#define COLL(c, root)                                                 \
	{                                                             \
		.kind = SIM_COLLECTIVE, .collective = c, .peer = root \
	}

START_TEST(ping_pong)
{
	begin(2);
	is(0, 1, OPS(SEND(1, 100), RECV(1)));
	is(1, 1, OPS(RECV(0), SEND(0, 100)));
	ck_assert_int_eq(run(false), 0);
	/* Each takes 3 s to get there; a send takes 1 s of it. */
	ends(0, 6);
	ends(1, 4);
}
END_TEST

START_TEST(large_messages_meet)
{
	begin(2);
	is(0, 1, OPS(SEND(1, 200)));
	is(1, 1, OPS(COMPUTE(10), RECV(0)));
	ck_assert_int_eq(run(false), 0);
	ends(0, 14);
	ends(1, 14);
}
END_TEST

START_TEST(who_comes_late_still_has_to_take_it)
{
	begin(2);
	is(0, 1, OPS(SEND(1, 100)));
	is(1, 1, OPS(COMPUTE(10), RECV(0)));
	ck_assert_int_eq(run(false), 0);
	ends(0, 1);
	ends(1, 11);
}
END_TEST

/* A token goes around once. */
START_TEST(ring)
{
	static struct sim_op ops[5][3];

	begin(5);
	for (int i = 0; i < 5; i++) {
		const struct sim_op receive = RECV((i + 4) % 5);
		const struct sim_op send = SEND((i + 1) % 5, 0);

		ops[i][0] = i ? receive : send;
		ops[i][1] = i ? send : receive;
		ops[i][2].kind = SIM_END;
		is((uint32_t)i, 1, ops[i]);
	}
	ck_assert_int_eq(run(false), 0);
	ends(0, 10);
	ends(4, 9);
}
END_TEST

START_TEST(barrier_and_trees)
{
	begin(3);
	is(0, 1,
	   OPS(COMPUTE(5), COLL(SIM_BARRIER, 0), COLL(SIM_BCAST, 1),
	       COLL(SIM_GATHER, 2)));
	is(1, 1,
	   OPS(COLL(SIM_BARRIER, 0), COMPUTE(10), COLL(SIM_BCAST, 1),
	       COLL(SIM_GATHER, 2)));
	is(2, 1,
	   OPS(COMPUTE(1), COLL(SIM_BARRIER, 0), COMPUTE(20),
	       COLL(SIM_BCAST, 1), COLL(SIM_GATHER, 2)));
	ck_assert_int_eq(run(false), 0);
	/*
	 * The barrier ends at 9.  The broadcast ends at 23 for 0 and 1, whose
	 * root comes at 19, and at 33 for 2, which comes at 29.
	 */
	ends(0, 27);
	ends(1, 27);
	ends(2, 37);
}
END_TEST

/* Sent ahead, the message takes 4 s under 6 s of work: only where it overlaps.
 */
static double overlapped(bool overlap, uint64_t bytes)
{
	begin(2);
	setup.machine.overlap = overlap;
	is(0, 1, OPS(ISEND(1, bytes, 7), COMPUTE(6), WAIT(7)));
	is(1, 1, OPS(IRECV(0, 3), COMPUTE(6), WAIT(3)));
	ck_assert_int_eq(run(false), 0);
	ck_assert_double_le(accounts[0].now.last, accounts[1].now.last);
	return accounts[1].now.last;
}

START_TEST(overlap)
{
	ck_assert_double_eq_tol(overlapped(true, 200), 6, 1e-9);
	ck_assert_double_eq_tol(overlapped(false, 200), 10, 1e-9);
	ck_assert_double_eq_tol(overlapped(false, 100), 6, 1e-9);
	ck_assert_double_eq_tol(overlapped(true, 600), 8, 1e-9);
}
END_TEST

/* Each waits for its own send first: that is no deadlock. */
START_TEST(waiting_lets_others_go_on)
{
	begin(2);
	for (uint32_t i = 0; i < 2; i++)
		is(i, 1,
		   i ? OPS(IRECV(0, 0), ISEND(0, 200, 1), WAIT(1), WAIT(0))
		     : OPS(IRECV(1, 0), ISEND(1, 200, 1), WAIT(1), WAIT(0)));
	ck_assert_int_eq(run(false), 0);
	ends(0, 4);
	ends(1, 4);
}
END_TEST

START_TEST(any_source_takes_who_is_first)
{
	begin(3);
	is(0, 1, OPS(RECV(SIM_ANY), COMPUTE(20), RECV(SIM_ANY)));
	is(1, 1, OPS(COMPUTE(9), SEND(0, 100)));
	is(2, 1, OPS(COMPUTE(2), SEND(0, 100)));
	ck_assert_int_eq(run(false), 0);
	ends(0, 26);
}
END_TEST

/* By tag, and of one tag in the order they were sent. */
START_TEST(messages_wait_in_order)
{
	const struct sim_op last = {
		.kind = SIM_SEND, .peer = 1, .bytes = 200, .tag = 2
	};
	const struct sim_op of_two = { .kind = SIM_RECV,
				       .peer = SIM_ANY,
				       .tag = 2 };
	const struct sim_op of_none = { .kind = SIM_RECV, .peer = 0 };

	begin(2);
	is(0, 1, OPS(SEND(1, 0), SEND(1, 100), last));
	is(1, 1, OPS(COMPUTE(10), of_two, of_none, of_none));
	ck_assert_int_eq(run(true), 0);
	/* The large one begins at 10; the others have long been there. */
	ends(0, 14);
	ends(1, 16);
	ck_assert_uint_eq(sim_engine_lost(engine), 0);
	sim_engine_free(engine);
}
END_TEST

/* Posted anywhere in a slice, a message is done 1.5 slices later on the mean.
 */
START_TEST(fixed_slices)
{
	const double period = 50;
	double sum = 0;
	const int n = 100;

	for (int i = 0; i < n; i++) {
		const double at = period * (i + 0.5) / n;

		begin(2);
		setup.policy = (struct sim_policy){ SIM_FIXED, period, 0 };
		is(0, 1, OPS(COMPUTE(at), SEND(1, 200)));
		is(1, 1, OPS(RECV(0)));
		ck_assert_int_eq(run(false), 0);
		ends(1, 2 * period);
		ends(0, 2 * period);
		sum += accounts[0].now.last - at;
	}
	ck_assert_double_eq_tol(sum / n, 1.5 * period, 1e-9);
}
END_TEST

START_TEST(demand_slices)
{
	begin(2);
	setup.policy = (struct sim_policy){ SIM_DEMAND, 0, 0.5 };
	is(0, 1, OPS(SEND(1, 200), COLL(SIM_BARRIER, 0)));
	is(1, 1, OPS(COMPUTE(1), RECV(0), COLL(SIM_BARRIER, 0)));
	ck_assert_int_eq(run(false), 0);
	ends(0, 10);
	ends(1, 10);
}
END_TEST

START_TEST(deadlock_is_told)
{
	begin(3);
	is(0, 1, OPS(RECV(1)));
	is(1, 1, OPS(COLL(SIM_BARRIER, 0)));
	is(2, 1, OPS(COMPUTE(1)));
	ck_assert_int_eq(run(true), -EDEADLK);
	ck_assert_int_eq(sim_engine_blocked(engine, 0)->kind, SIM_RECV);
	ck_assert_int_eq(sim_engine_blocked(engine, 1)->kind, SIM_COLLECTIVE);
	ck_assert_ptr_null(sim_engine_blocked(engine, 2));
	sim_engine_free(engine);
}
END_TEST

START_TEST(nonsense_is_told)
{
	begin(2);
	is(0, 1, OPS(COLL(SIM_BARRIER, 0)));
	is(1, 1, OPS(COLL(SIM_BCAST, 0)));
	ck_assert_int_eq(run(false), -EINVAL);
	ck_assert_str_eq(fault.text, "others are in barrier, not in bcast");
	begin(2);
	is(0, 1, OPS(SEND(2, 0)));
	is(1, 1, OPS(WAIT(9)));
	ck_assert_int_eq(run(false), -EINVAL);
	begin(1);
	is(0, 1, OPS(WAIT(9)));
	ck_assert_int_eq(run(false), -EINVAL);
}
END_TEST

START_TEST(lost_messages_are_counted)
{
	begin(2);
	is(0, 1, OPS(SEND(1, 0), SEND(1, 0)));
	is(1, 1, OPS(RECV(0)));
	ck_assert_int_eq(run(true), 0);
	ck_assert_uint_eq(sim_engine_lost(engine), 1);
	sim_engine_free(engine);
}
END_TEST

START_TEST(events_are_limited)
{
	begin(1);
	setup.events_max = 2;
	is(0, 1, OPS(COMPUTE(1), COMPUTE(1), COMPUTE(1)));
	ck_assert_int_eq(run(false), -EOVERFLOW);
	ends(0, 2);
}
END_TEST

/* A master gives to workers, who work and give back: n as one, or each. */
#define WORKERS 9
#define MEET    COLL(SIM_BCAST, 0), COLL(SIM_ALLTOALL, 0), COLL(SIM_REDUCE, 0)

static void as_one(uint64_t bytes, double work, bool meet)
{
	begin(2);
	if (meet) {
		is(0, 1, OPS(SEND(1, bytes), RECV(1), MEET));
		is(1, WORKERS,
		   OPS(RECV(0), COMPUTE(work), SEND(0, bytes), MEET));
	} else {
		is(0, 1, OPS(SEND(1, bytes), RECV(1)));
		is(1, WORKERS, OPS(RECV(0), COMPUTE(work), SEND(0, bytes)));
	}
	ck_assert_int_eq(run(true), 0);
	ck_assert(sim_engine_exact(engine));
	sim_engine_free(engine);
}

static void as_many(uint64_t bytes, double work, bool meet)
{
	static struct sim_op master[2 * WORKERS + 4];
	const struct sim_op meeting[] = { MEET, { .kind = SIM_END } };

	begin(1 + WORKERS);
	for (int i = 0; i < WORKERS; i++) {
		const struct sim_op send = SEND(1 + i, bytes);
		const struct sim_op receive = RECV(1 + i);

		master[i] = send;
		master[WORKERS + i] = receive;
	}
	for (int i = 0; i < 4; i++)
		master[2 * WORKERS + i] = meeting[meet ? i : 3];
	is(0, 1, master);
	for (uint32_t i = 1; i <= WORKERS; i++)
		if (meet)
			is(i, 1,
			   OPS(RECV(0), COMPUTE(work), SEND(0, bytes), MEET));
		else
			is(i, 1, OPS(RECV(0), COMPUTE(work), SEND(0, bytes)));
	ck_assert_int_eq(run(false), 0);
}

START_TEST(many_as_one_take_as_long)
{
	const uint64_t sizes[] = { 0, 60, 100, 101, 500 };
	const double works[] = { 0, 0.5, 7, 100 };
	struct sim_moment worker;
	double master;

	for (int i = 0; i < 40; i++) {
		as_one(sizes[i % 5], works[i / 5 % 4], i < 20);
		master = accounts[0].now.last;
		worker = accounts[1].now;
		as_many(sizes[i % 5], works[i / 5 % 4], i < 20);
		ends(0, master);
		ends(WORKERS, worker.last);
		ck_assert_double_eq_tol(accounts[1].now.last, worker.first,
					1e-9);
	}
}
END_TEST

START_TEST(many_among_themselves_are_refused)
{
	begin(2);
	is(0, 4, OPS(SEND(1, 0)));
	is(1, 4, OPS(RECV(0)));
	ck_assert_int_eq(run(false), -EXDEV);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim");
	Suite *suite = suite_create("sim");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, ping_pong);
	tcase_add_test(tcase, large_messages_meet);
	tcase_add_test(tcase, who_comes_late_still_has_to_take_it);
	tcase_add_test(tcase, ring);
	tcase_add_test(tcase, barrier_and_trees);
	tcase_add_test(tcase, overlap);
	tcase_add_test(tcase, waiting_lets_others_go_on);
	tcase_add_test(tcase, any_source_takes_who_is_first);
	tcase_add_test(tcase, messages_wait_in_order);
	tcase_add_test(tcase, fixed_slices);
	tcase_add_test(tcase, demand_slices);
	tcase_add_test(tcase, deadlock_is_told);
	tcase_add_test(tcase, nonsense_is_told);
	tcase_add_test(tcase, lost_messages_are_counted);
	tcase_add_test(tcase, events_are_limited);
	tcase_add_test(tcase, many_as_one_take_as_long);
	tcase_add_test(tcase, many_among_themselves_are_refused);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* On which core a helper runs, and whom it takes it from. */
#include <check.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "libbcs/base/board_memory.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/helper.h"
#include "mds/base/clock.h"
#include "mds/base/futex.h"

#define BUDGET 10000

/* Two processes; it is mostly about the first. */
static struct board_slot *slots[2];
static struct engine engines[2];

static void start(const struct engine_options *options)
{
	for (int i = 0; i < 2; i++)
		ck_assert_ptr_nonnull(slots[i] = board_alone());
	for (uint32_t i = 0; i < 2; i++)
		ck_assert_int_eq(
			engine_start(&engines[i], slots, 2, i, options), 0);
}

static void stop(void)
{
	for (int i = 0; i < 2; i++) {
		engine_stop(&engines[i]);
		/* Its number may be another thread's from now on. */
		ck_assert_int_eq(atomic_load(&slots[i]->helper_tid), 0);
	}
	for (int i = 0; i < 2; i++)
		board_memory_free(slots[i], sizeof(*slots[i]));
}

static void wait_for_helper(void)
{
	while (atomic_load(&slots[0]->helper) != HELPER_IDLE)
		usleep(1000);
	usleep(20000); /* it sleeps, then */
}

static bool is_patient(void)
{
	return atomic_load(&slots[0]->helper_tid) != 0;
}

START_TEST(test_patient)
{
	start(&(struct engine_options){ .budget = BUDGET });
	wait_for_helper();
	ck_assert(is_patient());
	ck_assert_int_eq(sched_getscheduler(atomic_load(&slots[0]->helper_tid)),
			 SCHED_BATCH);
	stop();
}
END_TEST

/*
 * For another node it must not be late, where nobody can lend it a core, and in
 * a crowd nobody has one.
 */
START_TEST(test_not_patient)
{
	static struct board_slot gateway;
	const struct engine_options options[] = {
		{ .budget = BUDGET, .crowded = true },
		{ .budget = BUDGET, .gateway = &gateway },
	};

	start(&options[_i]);
	wait_for_helper();
	ck_assert(!is_patient());
	stop();
}
END_TEST

static cpu_set_t cores_of(pid_t tid)
{
	cpu_set_t cores;

	ck_assert_int_eq(sched_getaffinity(tid, sizeof(cores), &cores), 0);
	return cores;
}

static void helper_has(const cpu_set_t *cores)
{
	const cpu_set_t its = cores_of(atomic_load(&slots[0]->helper_tid));

	ck_assert(CPU_EQUAL(&its, cores));
}

/* The next core that is among them, up or down. */
static cpu_set_t core_from(const cpu_set_t *cores, unsigned at, int step)
{
	cpu_set_t core;

	while (!CPU_ISSET(at, cores))
		at += (unsigned)step;
	CPU_ZERO(&core);
	CPU_SET(at, &core);
	return core;
}

static void use(const cpu_set_t *cores)
{
	ck_assert_int_eq(sched_setaffinity(0, sizeof(*cores), cores), 0);
}

static cpu_set_t all;
static cpu_set_t first;
static cpu_set_t last;
static cpu_set_t both;

/* Its helper sleeps there; who waits is on the last one. */
static void start_on_first(void)
{
	all = cores_of(0);
	first = core_from(&all, 0, 1);
	last = core_from(&all, CPU_SETSIZE - 1, -1);
	CPU_OR(&both, &first, &last);
	use(&first);
	start(&(struct engine_options){ .budget = BUDGET });
	wait_for_helper();
	use(&last);
}

/*
 * A helper that was woken while all compute comes to the core of a waiting
 * rank, and may stay there or go back.  If its own process waits it is not
 * wanted.
 */
START_TEST(test_core_is_lent)
{
	start_on_first();
	helper_lend(&engines[1]);
	helper_has(&first); /* it sleeps */
	atomic_store(&slots[0]->helper_runs, 1);
	atomic_store(&slots[0]->helper, HELPER_AWAKE);
	helper_lend(&engines[1]);
	helper_has(&first); /* it has one */
	atomic_store(&slots[0]->helper_runs, 0);
	engine_block(&engines[0]);
	helper_lend(&engines[1]);
	helper_has(&first);
	atomic_store(&slots[0]->blocked, 0);
	helper_lend(&engines[1]);
	helper_has(&last);
	futex_wake(&slots[0]->helper);
	wait_for_helper();
	helper_has(&both);
	use(&all);
	stop();
}
END_TEST

static bool is_lent(void *arg)
{
	(void)arg;
	return atomic_load(&slots[0]->lent) != 0;
}

static bool always(void)
{
	return true;
}

/*
 * A waiting rank lends its core, also where it has to see to MPI all the time.
 */
START_TEST(test_who_waits_lends)
{
	start(&(struct engine_options){ .budget = BUDGET,
					.must_poke = _i ? always : NULL });
	wait_for_helper();
	atomic_store(&slots[0]->helper, HELPER_AWAKE);
	engine_wait_until(&engines[1], is_lent, NULL);
	stop();
}
END_TEST

/* or tests. */
START_TEST(test_who_tests_lends)
{
	start(&(struct engine_options){ .budget = BUDGET });
	wait_for_helper();
	atomic_store(&slots[0]->helper, HELPER_AWAKE);
	while (!is_lent(NULL))
		engine_help(&engines[1]);
	stop();
}
END_TEST

static struct op message(enum op_kind kind, unsigned char *buf)
{
	return (struct op){ .kind = kind,
			    .buf = buf,
			    .bytes = 1,
			    .peer = 1,
			    .key = { .context = 1 } };
}

/* A helper that waits for room in an inbox comes to the core, too. */
START_TEST(test_core_is_lent_meanwhile)
{
	const unsigned n = BOARD_LINES + 1;
	struct op *sends = calloc(n, sizeof(*sends));
	unsigned char out = 0;
	unsigned char in;
	struct op recv = message(OP_RECV, &in);
	cpu_set_t its;

	start_on_first();
	helper_stop(&engines[1]); /* it would make room */
	for (unsigned i = 0; i < n; i++) {
		sends[i] = message(OP_SEND, &out);
		engine_post(&engines[0], &sends[i]);
	}
	usleep(20000); /* it has come to know that there is none */
	do {
		helper_lend(&engines[1]);
		sched_getaffinity(atomic_load(&slots[0]->helper_tid),
				  sizeof(its), &its);
	} while (!CPU_EQUAL(&its, &both));
	for (unsigned i = 0; i < n; i++)
		engine_run(&engines[1], &recv);
	use(&all);
	stop();
	free(sends);
}
END_TEST

#define LARGE 300000u

static unsigned char *out;
static unsigned char *in;
static struct op sent;
static struct op received;

/*
 * A large message comes while its receiver computes, whose helper finds that
 * there is no core for it.
 */
static void wake_late(void)
{
	sent = message(OP_SEND, out);
	received = message(OP_RECV, in);
	received.peer = 0;
	sent.bytes = received.bytes = LARGE;
	sent.peer = 0;
	wait_for_helper();
	usleep(2000);              /* so late it will be */
	engine_block(&engines[0]); /* it is not woken yet */
	engine_post(&engines[0], &received);
	engine_post(&engines[1], &sent);
	atomic_store(&slots[0]->blocked, 0);
	atomic_store(&slots[0]->woken, 0);
	atomic_store(&slots[0]->helper, HELPER_AWAKE);
	futex_wake(&slots[0]->helper);
}

/* Whether it went to sleep with something left to copy. */
static bool leaves(void)
{
	bool has_left = false;

	while (!has_left && !op_is_done(&received))
		has_left = atomic_load(&engines[0].n_jobs) &&
			   !atomic_load(&slots[0]->helper_runs) &&
			   atomic_load(&engines[0].n_jobs);
	return has_left;
}

/* Work that comes during a nap does not wait for the nap's end. */
static void wake_from_nap(void)
{
	while (atomic_load(&slots[0]->helper) != HELPER_NAPS)
		if (op_is_done(&received))
			return;
	wake_helper(slots[0]);
	ck_assert(atomic_load(&slots[0]->woken) != 0);
}

static void message_ends(void)
{
	while (!op_is_done(&received))
		usleep(1000);
	engine_wait(&engines[1], &sent);
	ck_assert_mem_eq(in, out, LARGE);
	memset(in, 0, LARGE);
}

/*
 * It leaves that, for nobody waits: until a core is free, the receiver waits,
 * or the sender does.
 */
START_TEST(test_copies_are_left)
{
	bool has_left = false;

	out = malloc(LARGE);
	in = calloc(1, LARGE);
	memset(out, 7, LARGE);
	start(&(struct engine_options){ .budget = BUDGET });
	/* Until the test's time is over; who looks may come too late. */
	while (!has_left) {
		wake_late();
		has_left = leaves();
		if (_i == 1)
			engine_wait(&engines[0], &received);
		else if (_i == 2)
			engine_wait(&engines[1], &sent);
		else if (has_left)
			wake_from_nap();
		message_ends();
	}
	stop();
	free(out);
	free(in);
}
END_TEST

/* The first sends a large message to the second, while its helper sleeps. */
static void errand_start(bool crowded)
{
	out = malloc(LARGE);
	in = calloc(1, LARGE);
	memset(out, 7, LARGE);
	start(&(struct engine_options){ .budget = BUDGET, .crowded = crowded });
	sent = message(OP_SEND, out);
	received = message(OP_RECV, in);
	sent.bytes = received.bytes = LARGE;
	wait_for_helper();
}

static void errand_stop(void)
{
	while (!op_is_done(&received))
		usleep(1000);
	engine_wait(&engines[0], &sent);
	ck_assert_mem_eq(in, out, LARGE);
	stop();
	free(out);
	free(in);
}

static bool is_woken(void *arg)
{
	(void)arg;
	return atomic_load(&slots[1]->woken) != 0;
}

/*
 * A sender leaves it to its own helper to wake the other's.  That helper has to
 * be awake and to run once the core is free.  In a crowd it is not left.
 */
START_TEST(test_errand)
{
	const bool left = _i == 0;
	uint64_t after;

	errand_start(_i == 2);
	engine_post(&engines[1], &received);
	if (_i != 1)
		atomic_store(&slots[0]->helper, HELPER_AWAKE);
	engine_post(&engines[0], &sent);
	after = clock_ticks();
	ck_assert(!left || atomic_load(&slots[1]->called));
	ck_assert_uint_eq(is_woken(NULL), !left);
	usleep(2000);
	ck_assert(!left || !op_is_done(&received));
	futex_wake(&slots[0]->helper);
	while (!is_woken(NULL))
		usleep(1000);
	ck_assert_uint_lt(atomic_load(&slots[1]->woken), after);
	errand_stop();
}
END_TEST

/* A waiting thread wakes the other's helper if its own finds no core. */
START_TEST(test_errand_of_who_waits)
{
	errand_start(false);
	atomic_store(&slots[0]->helper, HELPER_AWAKE);
	engine_post(&engines[0], &sent);
	engine_wait_until(&engines[0], is_woken, NULL);
	engine_post(&engines[1], &received);
	errand_stop();
}
END_TEST

/* Nobody does, if the other waits. */
START_TEST(test_no_errand)
{
	errand_start(false);
	engine_block(&engines[1]);
	atomic_store(&slots[0]->helper, HELPER_AWAKE);
	engine_post(&engines[0], &sent);
	ck_assert(!atomic_load(&engines[0].has_deferred));
	engine_run(&engines[1], &received);
	engine_unblock(&engines[1]);
	errand_stop();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("helper");
	TCase *tc = tcase_create("helper");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, test_patient);
	tcase_add_loop_test(tc, test_not_patient, 0, 2);
	tcase_add_test(tc, test_core_is_lent);
	tcase_add_test(tc, test_core_is_lent_meanwhile);
	tcase_add_loop_test(tc, test_who_waits_lends, 0, 2);
	tcase_add_test(tc, test_who_tests_lends);
	tcase_add_loop_test(tc, test_copies_are_left, 0, 3);
	tcase_add_loop_test(tc, test_errand, 0, 3);
	tcase_add_test(tc, test_errand_of_who_waits);
	tcase_add_test(tc, test_no_errand);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}

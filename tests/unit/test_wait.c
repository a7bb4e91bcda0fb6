/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Waiting: what a waiting process tells its caller, when it gives up looking,
 * that it sleeps and is woken, and where it must not sleep.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "libbcs/base/wake.h"
#include "libbcs/demand/wait.h"
#include "tests/unit/engine_ranks.h"

static struct board_slot **slots;
static struct rank rank;

static struct {
	unsigned n_meanwhile;
	unsigned n_pokes;
	unsigned n_blocked;
	unsigned n_first;
	int n_idle; /* begun and not ended */
	unsigned n_begun;
	bool slept;
} seen;

static void meanwhile(void)
{
	seen.n_meanwhile++;
}

static void idle(bool begins)
{
	seen.n_begun += begins;
	seen.n_idle += begins ? 1 : -1;
}

static void blocked(bool first, bool (*ready)(void *arg), void *arg)
{
	(void)ready;
	(void)arg;
	seen.n_blocked++;
	seen.n_first += first;
}

static bool poke_in_vain(void)
{
	seen.n_pokes++;
	seen.slept |= atomic_load(&slots[0]->asleep);
	return false;
}

static bool poke_moves(void)
{
	poke_in_vain();
	return true;
}

static bool always(void)
{
	return true;
}

static bool never(void)
{
	return false;
}

static void start(struct engine_options options)
{
	memset(&seen, 0, sizeof(seen));
	options.budget = 10000;
	options.meanwhile = meanwhile;
	options.idle = idle;
	options.blocked = blocked;
	slots = slots_make(1);
	rank_start(&rank, slots, 1, 0, &options);
}

static void stop(void)
{
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}

static bool yes(void *arg)
{
	++*(unsigned *)arg;
	return true;
}

/*
 * A wait for something that is ready costs a look: nobody is told, and no
 * thread is blocked.
 */
START_TEST(test_ready)
{
	unsigned asked = 0;

	start((struct engine_options){ .crowded = _i });
	engine_wait_until(&rank.engine, yes, &asked);
	engine_wait_shown(&rank.engine, yes, &asked);
	ck_assert_uint_eq(asked, 2);
	ck_assert_uint_eq(seen.n_meanwhile, 0);
	ck_assert_uint_eq(seen.n_begun, 0);
	stop();
}
END_TEST

static _Atomic bool flag;

static bool flag_is_set(void *unused)
{
	(void)unused;
	return atomic_load(&flag);
}

static void *set_when_asleep(void *unused)
{
	while (!atomic_load(&slots[0]->asleep))
		usleep(100);
	atomic_store(&flag, true);
	wake_slot(slots[0]);
	return unused;
}

/* It sleeps in the end, and another thread wakes it. */
START_TEST(test_woken)
{
	pthread_t waker;

	start((struct engine_options){ .crowded = _i });
	atomic_store(&flag, false);
	pthread_create(&waker, NULL, set_when_asleep, NULL);
	engine_wait_until(&rank.engine, flag_is_set, NULL);
	pthread_join(waker, NULL);
	ck_assert_uint_eq(seen.n_meanwhile, 1);
	ck_assert_uint_eq(seen.n_begun, 1);
	ck_assert_int_eq(seen.n_idle, 0);
	ck_assert_uint_ge(seen.n_blocked, 1);
	ck_assert_uint_eq(seen.n_first, 1);
	ck_assert_uint_eq(atomic_load(&slots[0]->blocked), 0);
	stop();
}
END_TEST

/* Asked while it waits: a thread of the process is blocked then. */
static bool after_some_turns(void *arg)
{
	unsigned *turns = arg;

	if (*turns > 0 && atomic_load(&slots[0]->blocked) != 1)
		ck_abort_msg("it waits and does not say so");
	return ++*turns == 10;
}

START_TEST(test_blocked)
{
	unsigned turns = 0;

	start((struct engine_options){ .crowded = _i });
	engine_wait_until(&rank.engine, after_some_turns, &turns);
	ck_assert_uint_eq(turns, 10);
	ck_assert_uint_eq(atomic_load(&slots[0]->blocked), 0);
	stop();
}
END_TEST

/* A wait for something that others show soon does not say that it waits. */
static bool shown_soon(void *arg)
{
	unsigned *looks = arg;

	if (atomic_load(&slots[0]->blocked))
		ck_abort_msg("it said that it waits");
	return ++*looks == 10;
}

START_TEST(test_shown_soon)
{
	unsigned looks = 0;

	start((struct engine_options){ .crowded = false });
	engine_wait_shown(&rank.engine, shown_soon, &looks);
	ck_assert_uint_eq(looks, 10);
	stop();
}
END_TEST

static bool poked_enough(void *unused)
{
	(void)unused;
	return seen.n_pokes >= 300;
}

/* Where MPI may need the process at any moment, it waits awake. */
START_TEST(test_must_poke)
{
	start((struct engine_options){
		.crowded = _i, .poke = poke_in_vain, .must_poke = always });
	engine_wait_until(&rank.engine, poked_enough, NULL);
	ck_assert(!seen.slept);
	stop();
}
END_TEST

/* A process that just moved something of MPI's does not sleep either. */
START_TEST(test_poke_moves)
{
	start((struct engine_options){
		.crowded = _i, .poke = poke_moves, .must_poke = never });
	engine_wait_until(&rank.engine, poked_enough, NULL);
	ck_assert(!seen.slept);
	stop();
}
END_TEST

/* It wakes by itself to look after MPI, again and again. */
START_TEST(test_poke_asleep)
{
	start((struct engine_options){ .crowded = true, .poke = poke_in_vain });
	engine_wait_until(&rank.engine, poked_enough, NULL);
	ck_assert(seen.slept);
	ck_assert_uint_eq(seen.n_first, 1);
	ck_assert_uint_gt(seen.n_blocked, 1);
	stop();
}
END_TEST

/* MPI_Mprobe takes the message like this; it comes at the last moment. */
static bool taken_falling_asleep(void *arg)
{
	unsigned *taken = arg;

	if (!*taken && !atomic_load(&slots[0]->asleep))
		return false;
	++*taken;
	return true;
}

/* A message taken while falling asleep is not taken again. */
START_TEST(test_ready_once)
{
	unsigned taken = 0;

	start((struct engine_options){ .crowded = _i });
	engine_wait_until(&rank.engine, taken_falling_asleep, &taken);
	ck_assert_uint_eq(taken, 1);
	stop();
}
END_TEST

static void pin_to_one(void)
{
	cpu_set_t cores;

	CPU_ZERO(&cores);
	CPU_SET((size_t)sched_getcpu(), &cores);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(cores), &cores), 0);
}

/* The sender of the last message may be at work on an answer only if it has
 * another core. */
START_TEST(test_looks)
{
	const struct match_key key = { 1, 0, 0 };
	struct rank ranks[3];
	struct op recv;
	uint32_t in = 0;

	pin_to_one();
	slots = slots_make(3);
	for (uint32_t i = 0; i < 3; i++)
		rank_start(&ranks[i], slots, 3, i, &demand);
	wait_start(true);
	ck_assert_uint_eq(wait_looks(&ranks[1].engine), 0);
	ck_assert_int_eq(atomic_load(&slots[1]->core), sched_getcpu() + 1);
	recv = recv_op(&in, sizeof(in), 0, 0);
	ck_assert(
		engine_send_now(&ranks[2].engine, 1, &key, 0, &in, sizeof(in)));
	engine_run(&ranks[1].engine, &recv);
	atomic_store(&slots[2]->core, sched_getcpu() + 2);
	ck_assert_uint_gt(wait_looks(&ranks[1].engine), 0);
	ck_assert_uint_eq(wait_looks(&ranks[2].engine), 0);
	ck_assert_uint_eq(wait_looks(&ranks[1].engine), 0);
	for (uint32_t i = 0; i < 3; i++)
		engine_stop(&ranks[i].engine);
	slots_free(slots, 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("wait");
	TCase *tcase = tcase_create("wait");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_ready, 0, 2);
	tcase_add_loop_test(tcase, test_woken, 0, 2);
	tcase_add_loop_test(tcase, test_blocked, 0, 2);
	tcase_add_test(tcase, test_shown_soon);
	tcase_add_loop_test(tcase, test_must_poke, 0, 2);
	tcase_add_loop_test(tcase, test_poke_moves, 0, 2);
	tcase_add_test(tcase, test_poke_asleep);
	tcase_add_loop_test(tcase, test_ready_once, 0, 2);
	tcase_add_test(tcase, test_looks);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}

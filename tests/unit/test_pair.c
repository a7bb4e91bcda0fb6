/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Swapping the cores of pairs of ranks, with stand-ins for the affinity calls.
 */
#include <check.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libbcs/base/board_memory.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/pair.h"

#define RANKS 4
/* Until it surely has gone; and enough to see that it does not. */
#define WAITS     5000000
#define WAITS_FEW 100000

static struct board_slot *slots[RANKS];
static struct engine engine;
static cpu_set_t before;
static unsigned cores[2];

/* A signal that comes between two calls of pair.c. */
static bool is_signalled;
static const cpu_set_t *is_set_to;
static int least; /* cores that a signal's handler found */

static int set_cores(const cpu_set_t *set)
{
	return (int)syscall(SYS_sched_setaffinity, 0, sizeof(*set), set);
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	const int rc = (int)syscall(SYS_sched_setaffinity, pid, size, set);
	const cpu_set_t *other = is_set_to;

	is_set_to = NULL;
	if (is_signalled)
		raise(SIGUSR1);
	if (other)
		set_cores(other);
	return rc;
}

static void on_signal(int number)
{
	cpu_set_t now;

	(void)number;
	sched_getaffinity(0, sizeof(now), &now);
	if (CPU_COUNT(&now) < least)
		least = CPU_COUNT(&now);
}

static void two_cores(void)
{
	unsigned n = 0;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
	for (unsigned i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &before))
			cores[n++] = i;
	cores[1] = n < 2 ? cores[0] + 1 : cores[1];
}

/* I am 1 of four: 0 and 1 are on one core, 2 and 3 on the other. */
static void setup(void)
{
	two_cores();
	for (uint32_t i = 0; i < RANKS; i++) {
		slots[i] = board_alone();
		ck_assert_ptr_nonnull(slots[i]);
		atomic_store(&slots[i]->core, (int32_t)cores[i / 2] + 1);
	}
	engine = (struct engine){
		.slots = slots, .n_slots = RANKS, .me = 1, .slot = slots[1]
	};
	/* Nothing is left of a test before. */
	atomic_store(&engine.from, ENGINE_ALL);
	pair_waited(&engine);
}

static void teardown(void)
{
	for (uint32_t i = 0; i < RANKS; i++)
		board_memory_free(slots[i], sizeof(*slots[i]));
}

static int32_t core_of(uint32_t rank)
{
	return atomic_load(&slots[rank]->core) - 1;
}

static uint32_t willing(uint32_t rank)
{
	return atomic_load(&slots[rank]->willing);
}

/* pair.c asks by this word. */
static uint32_t asked_to(unsigned core)
{
	return 2 + core + 1;
}

/* Until it would go: it may be interrupted, which makes a row too long. */
static bool wait_at_most(unsigned waits, uint32_t from)
{
	atomic_store(&engine.from, from);
	for (unsigned i = 0; i < waits; i++) {
		pair_waited(&engine);
		if (willing(1) || core_of(1) != (int32_t)cores[0])
			return true;
	}
	return false;
}

static bool wait_for(uint32_t from)
{
	return wait_at_most(WAITS, from);
}

static bool stays(uint32_t from)
{
	return !wait_at_most(WAITS_FEW, from);
}

static void check_cores_allowed(void)
{
	cpu_set_t now;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(now), &now), 0);
	ck_assert(CPU_EQUAL(&now, &before));
}

static bool has_two(void)
{
	return CPU_COUNT(&before) > 1;
}

/* A rank that would go there asks one that would come here, and has gone. */
START_TEST(test_swap)
{
	atomic_store(&slots[3]->willing, 1);
	ck_assert(wait_for(0));
	if (!has_two())
		return;
	ck_assert_int_eq(core_of(1), (int32_t)cores[1]);
	ck_assert_uint_eq(willing(1), 0);
	ck_assert(!pair_is_asked(&engine));
	ck_assert_uint_eq(willing(3), asked_to(cores[0]));
	check_cores_allowed();
}
END_TEST

/* Meanwhile signals come, or another thread says where this one may be. */
static void swap(void)
{
	atomic_store(&slots[3]->willing, 1);
	ck_assert(wait_for(0));
}

START_TEST(test_signals)
{
	is_signalled = true;
	least = CPU_SETSIZE;
	signal(SIGUSR1, on_signal);
	swap();
	is_signalled = false;
	ck_assert_int_ge(least, CPU_COUNT(&before));
	if (has_two())
		ck_assert_int_lt(least, CPU_SETSIZE);
	check_cores_allowed();
}
END_TEST

START_TEST(test_set_meanwhile)
{
	cpu_set_t now;
	cpu_set_t one;

	if (!has_two())
		return;
	CPU_ZERO(&one);
	CPU_SET(cores[0], &one);
	is_set_to = &one;
	swap();
	ck_assert_int_eq(sched_getaffinity(0, sizeof(now), &now), 0);
	ck_assert_int_eq(set_cores(&before), 0);
	ck_assert_ptr_null(is_set_to);
	ck_assert(CPU_EQUAL(&now, &one));
}
END_TEST

/* One who would, but is where it is itself, is of no use. */
START_TEST(test_same_core)
{
	atomic_store(&slots[3]->core, (int32_t)cores[0] + 1);
	atomic_store(&slots[3]->willing, 1);
	ck_assert(wait_for(0));
	ck_assert_int_eq(core_of(1), (int32_t)cores[0]);
	ck_assert_uint_eq(willing(3), 1);
}
END_TEST

/* Nobody would: it says that it would itself, and stays. */
START_TEST(test_alone)
{
	ck_assert(wait_for(0));
	ck_assert_int_eq(core_of(1), (int32_t)cores[0]);
	ck_assert_uint_eq(willing(1), 1);
	ck_assert(pair_is_tight());

	/* It waits for somebody else now. */
	atomic_store(&engine.from, 2);
	pair_waited(&engine);
	ck_assert_uint_eq(willing(1), 0);
	ck_assert(!pair_is_tight());
}
END_TEST

/* It has said that it would, and is asked. */
static void ask(void)
{
	ck_assert(wait_for(0));
	atomic_store(&slots[1]->willing, asked_to(cores[1]));
	ck_assert(pair_is_asked(&engine));
}

START_TEST(test_asked)
{
	ask();
	pair_waited(&engine);
	ck_assert_uint_eq(willing(1), 0);
	ck_assert_int_eq(core_of(1), (int32_t)cores[has_two()]);
	check_cores_allowed();
}
END_TEST

/* The other is asked when it no longer would. */
START_TEST(test_asked_late)
{
	ask();
	pair_sleeps();
	pair_swap(&engine);
	ck_assert_uint_eq(willing(1), 0);
	ck_assert_int_eq(core_of(1), (int32_t)cores[0]);
}
END_TEST

/* The rank that was waited for is on another core by now. */
START_TEST(test_asked_apart)
{
	ask();
	atomic_store(&slots[0]->core, (int32_t)cores[1] + 1);
	pair_swap(&engine);
	ck_assert_uint_eq(willing(1), 0);
	ck_assert_int_eq(core_of(1), (int32_t)cores[0]);
}
END_TEST

/* The other one of the pair goes, or they are apart, or not of this node. */
START_TEST(test_stays)
{
	ck_assert(stays(3));
	atomic_store(&slots[2]->core, (int32_t)cores[0] + 1);
	ck_assert(stays(2));
	ck_assert(stays(RANKS));
	ck_assert(stays(ENGINE_ALL));
	ck_assert(!pair_is_tight());
	atomic_store(&slots[0]->core, (int32_t)cores[1] + 1);
	ck_assert(stays(0));
	ck_assert(pair_is_tight());
	pair_sleeps();
	ck_assert(!pair_is_tight());
}
END_TEST

/* With other things to do between. */
START_TEST(test_slow)
{
	const struct timespec pause = { .tv_nsec = 100000 };

	atomic_store(&engine.from, 0);
	for (unsigned i = 0; i < 200; i++) {
		pair_waited(&engine);
		nanosleep(&pause, NULL);
	}
	ck_assert(!pair_is_tight());
	ck_assert_uint_eq(willing(1), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pair");
	TCase *tcase = tcase_create("pair");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, test_swap);
	tcase_add_test(tcase, test_signals);
	tcase_add_test(tcase, test_set_meanwhile);
	tcase_add_test(tcase, test_same_core);
	tcase_add_test(tcase, test_alone);
	tcase_add_test(tcase, test_asked);
	tcase_add_test(tcase, test_asked_late);
	tcase_add_test(tcase, test_asked_apart);
	tcase_add_test(tcase, test_stays);
	tcase_add_test(tcase, test_slow);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

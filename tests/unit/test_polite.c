/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The politeness of the preload, between two libraries that stand in for MPICH
 * and UCX.  Each test has a process of its own (libcheck forks).
 */
#include <check.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "mds/base/clock.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/mpich/polite_state.h"
#include "tests/unit/polite_ucp.h"

unsigned ucp_worker_progress(void *worker);

#define CROWD 100000 /* ranks: no machine has as many cores */

/* A busy machine breaks up many a row of turns, but not all of as many. */
#define TRIES 10000
#define ROW   100 /* that is long enough, if it is whole */

/* Stands in for other parts of the preload. */
struct process process;
static int n_warnings;

void process_warn(const char *line)
{
	(void)line;
	n_warnings++;
}

bool process_is_first(void)
{
	return true;
}

static void begin(enum settings_polite wish, unsigned ranks)
{
	clock_start();
	polite_start(wish);
	polite_mpich_turn(NULL);
	polite_decide(ranks, 2000);
	polite_share_run();
}

static struct polite_stats stats(void)
{
	struct polite_stats now;

	polite_get(&now);
	return now;
}

/* How often the core was given up so far. */
static uint64_t given_up(void)
{
	return stats().yields + stats().sleeps;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Waits some turns more, so that the last of the time is accounted for. */
static void wait_ns(uint64_t ns)
{
	const uint64_t end = now_ns(CLOCK_MONOTONIC) + ns;

	while (now_ns(CLOCK_MONOTONIC) < end) {
		/* Our own looking is not to be taken for work. */
		polite_row.own = 0;
		polite_mpich_turn(NULL);
	}
	for (int i = 0; i < 8; i++)
		polite_mpich_turn(NULL);
}

static void compute_ns(uint64_t ns)
{
	const uint64_t end = now_ns(CLOCK_MONOTONIC) + ns;

	while (now_ns(CLOCK_MONOTONIC) < end)
		;
}

START_TEST(shares)
{
	ck_assert_uint_eq(polite_share(SETTINGS_AUTO, 1, 1000), 0);
	ck_assert_uint_eq(polite_share(SETTINGS_AUTO, 2, 2000), 0);
	ck_assert_uint_eq(polite_share(SETTINGS_AUTO, 3, 2000), 1);
	ck_assert_uint_eq(polite_share(SETTINGS_AUTO, 2, 1999), 1);
	ck_assert_uint_eq(polite_share(SETTINGS_AUTO, 4, 2000), 2);
	ck_assert_uint_eq(polite_share(SETTINGS_AUTO, 16, 2000), 8);
	ck_assert_uint_eq(polite_share(SETTINGS_AUTO, 1000, 2000), 8);
	ck_assert_uint_eq(polite_share(SETTINGS_AUTO, 5000000, 1), 8);
	ck_assert_uint_eq(polite_share(SETTINGS_ON, 1, 64000), 1);
	ck_assert_uint_eq(polite_share(SETTINGS_ON, 4, 1000), 4);
	ck_assert_uint_eq(polite_share(SETTINGS_OFF, 1000, 1000), 0);
}
END_TEST

/* Before MPI can be asked, the launcher's word counts. */
START_TEST(the_start)
{
	clock_start();
	setenv("MPI_LOCALNRANKS", "100000", 1);
	polite_start(SETTINGS_AUTO);
	ck_assert_str_eq(stats().state, "on");
	polite_start(SETTINGS_OFF);
	ck_assert_str_eq(stats().state, "off");
	setenv("MPI_LOCALNRANKS", "1", 1);
	polite_start(SETTINGS_AUTO);
	ck_assert_str_eq(stats().state, "off");
	polite_start(SETTINGS_ON);
	ck_assert_str_eq(stats().state, "on");
}
END_TEST

START_TEST(the_decision)
{
	begin(SETTINGS_AUTO, 2);
	ck_assert_str_eq(stats().state, "off");
	polite_decide(3, 2000);
	ck_assert_str_eq(stats().state, "on");
	begin(SETTINGS_OFF, 3);
	ck_assert_str_eq(stats().state, "off");
	ck_assert_int_eq(n_warnings, 0);
}
END_TEST

/* An MPICH that never came by has another way to wait. */
START_TEST(not_available)
{
	clock_start();
	polite_start(SETTINGS_AUTO);
	polite_decide(CROWD, 2000);
	ck_assert_str_eq(stats().state, "unavailable");
	ck_assert_int_eq(n_warnings, 0);
	polite_start(SETTINGS_ON);
	polite_decide(CROWD, 2000);
	ck_assert_str_eq(stats().state, "unavailable");
	ck_assert_int_eq(n_warnings, 1);
}
END_TEST

START_TEST(turns_are_passed_on)
{
	begin(SETTINGS_ON, 2);
	for (unsigned i = 0; i < 1000; i++) {
		const unsigned long turns = polite_ucp_turns;

		polite_ucp_done = i % 3;
		ck_assert_uint_eq(polite_mpich_turn(NULL), i % 3);
		ck_assert_uint_eq(polite_ucp_turns, turns + 1);
	}
}
END_TEST

START_TEST(off_keeps_the_core)
{
	begin(SETTINGS_OFF, CROWD);
	polite_thread.last = clock_ticks();
	wait_ns(5000000);
	ck_assert_uint_eq(given_up(), 0);
	ck_assert_uint_gt(polite_thread.waiting, 0);
	ck_assert_uint_eq(polite_thread.given_up, 0);
}
END_TEST

/* How much of the time depends on who else is there, and when it sleeps too. */
START_TEST(waiting_sleeps)
{
	begin(SETTINGS_ON, CROWD);
	polite_thread.last = clock_ticks();
	for (unsigned i = 0; i < 50 && stats().sleeps == 0; i++)
		wait_ns(50000000);
	ck_assert_uint_gt(stats().sleeps, 0);
	ck_assert_uint_lt(stats().sleeps, 250);
	ck_assert_uint_gt(stats().given_up, 0);
	ck_assert_uint_eq(stats().given_up, polite_thread.given_up);
	ck_assert_uint_le(polite_thread.given_up, polite_thread.waiting);
}
END_TEST

/* Whether a long wait gives up the core now. */
static bool gives_up(void)
{
	const uint64_t before = given_up();

	for (unsigned i = 0; i < 50 && given_up() == before; i++)
		wait_ns(5000000);
	return given_up() != before;
}

/* Where each has a core, too, for other programs may want it. */
START_TEST(start_and_end_give_way)
{
	clock_start();
	setenv("MPI_LOCALNRANKS", "1", 1);
	polite_start(SETTINGS_AUTO);
	ck_assert(gives_up());
	polite_decide(2, 2000);
	ck_assert(gives_up());
	ck_assert_str_eq(stats().state, "off");
	polite_share_run();
	ck_assert(!gives_up());
	polite_unhurried();
	ck_assert(gives_up());
	polite_start(SETTINGS_OFF);
	ck_assert(!gives_up());
	polite_unhurried();
	ck_assert(!gives_up());
}
END_TEST

START_TEST(success_ends_a_row)
{
	begin(SETTINGS_ON, CROWD);
	for (int i = 0; i < 100000; i++) {
		polite_ucp_done = i % 20 == 0;
		polite_mpich_turn(NULL);
	}
	ck_assert_uint_eq(given_up(), 0);
}
END_TEST

/* However long it was: what comes later begins anew. */
START_TEST(a_break_ends_a_row)
{
	uint64_t before;

	begin(SETTINGS_ON, CROWD);
	wait_ns(5000000);
	polite_thread.turns += 1000000;
	compute_ns(100000);
	before = given_up();
	polite_mpich_turn(NULL);
	ck_assert_uint_eq(polite_thread.turns, 1);
	ck_assert_uint_eq(given_up(), before);
}
END_TEST

/* A turn now and then, with work in between. */
START_TEST(polling_keeps_the_core)
{
	begin(SETTINGS_ON, CROWD);
	for (int i = 0; i < 2000; i++) {
		compute_ns(_i);
		polite_mpich_turn(NULL);
	}
	ck_assert_uint_eq(given_up(), 0);
}
END_TEST

/* The time before the recorder saw the call begin belongs to the program. */
START_TEST(the_recorder_tells_work)
{
	begin(SETTINGS_ON, CROWD);
	for (int i = 0; i < 2000; i++) {
		compute_ns(2500);
		polite_thread.last = clock_ticks();
		polite_mpich_turn(NULL);
	}
	ck_assert_uint_eq(given_up(), 0);
}
END_TEST

static bool goes_on(void)
{
	return given_up() == 0 && polite_thread.turns < ROW;
}

/* A call that takes long by itself, as MPI_Testall of many, is waiting. */
START_TEST(long_calls_are_waiting)
{
	begin(SETTINGS_ON, CROWD);
	for (int i = 0; i < TRIES && goes_on(); i++) {
		/* Our looking, as well; a call's would be a break. */
		polite_row.own = 0;
		polite_thread.last = clock_ticks();
		compute_ns(20000);
		polite_mpich_turn(NULL);
	}
	ck_assert_uint_gt(given_up(), 0);
}
END_TEST

static void ask_the_kernel(void)
{
	compute_ns(20000);
}

/* A turn that takes long, as UCX's over TCP do, is waiting, too. */
START_TEST(long_turns_are_waiting)
{
	begin(SETTINGS_ON, CROWD);
	polite_ucp_work = ask_the_kernel;
	for (int i = 0; i < TRIES && goes_on(); i++) {
		/* Our looking, as well; a turn's would be a break. */
		polite_row.own = 0;
		polite_mpich_turn(NULL);
	}
	ck_assert_uint_gt(given_up(), 0);
}
END_TEST

static uint64_t before_inside;
static uint64_t after_inside;

static void inside(void)
{
	after_inside = given_up();
}

/*
 * How often the core was given up with MPICH's lock held, and not: in 20 ms, or
 * until it was.
 */
static void count_where(unsigned *locked, unsigned *unlocked)
{
	const uint64_t first = now_ns(CLOCK_MONOTONIC);
	uint64_t ns = 0;

	*locked = *unlocked = 0;
	while (ns < 20000000 || (ns < 2000000000 && !*locked && !*unlocked)) {
		/* Our own looking is not to be taken for work. */
		polite_row.own = 0;
		before_inside = given_up();
		polite_mpich_turn(inside);
		*locked += after_inside != before_inside;
		*unlocked += given_up() != after_inside;
		ns = now_ns(CLOCK_MONOTONIC) - first;
	}
}

START_TEST(threads_give_up_without_the_lock)
{
	unsigned locked;
	unsigned unlocked;

	process.thread_level = MPI_THREAD_MULTIPLE;
	begin(SETTINGS_ON, CROWD);
	count_where(&locked, &unlocked);
	ck_assert_uint_eq(locked, 0);
	ck_assert_uint_gt(unlocked, 0);
}
END_TEST

START_TEST(one_thread_has_no_lock)
{
	unsigned locked;
	unsigned unlocked;

	process.thread_level = MPI_THREAD_SERIALIZED;
	begin(SETTINGS_ON, CROWD);
	count_where(&locked, &unlocked);
	ck_assert_uint_gt(locked, 0);
	ck_assert_uint_eq(unlocked, 0);
}
END_TEST

/* MPI_Win_flush takes turn after turn, and never lets go of the lock. */
static void flush(void)
{
	static bool again;
	const uint64_t end = now_ns(CLOCK_MONOTONIC) + 2000000000;

	if (again)
		return;
	again = true;
	while (given_up() == 0 && now_ns(CLOCK_MONOTONIC) < end)
		ucp_worker_progress(NULL);
	after_inside = given_up();
}

START_TEST(a_lock_that_is_kept)
{
	process.thread_level = MPI_THREAD_MULTIPLE;
	begin(SETTINGS_ON, CROWD);
	polite_mpich_turn(flush);
	ck_assert_uint_gt(after_inside, 0);
}
END_TEST

/* Deferred time is forgotten when the next turn brings something. */
START_TEST(nothing_is_owed_after_success)
{
	uint64_t before;

	process.thread_level = MPI_THREAD_MULTIPLE;
	begin(SETTINGS_ON, CROWD);
	/* On a loaded machine other processes' turns may look like breaks. */
	while (given_up() == 0)
		wait_ns(5000000);
	before = given_up();
	/* At once: checks in between would be a break. */
	ucp_worker_progress(NULL);
	polite_ucp_done = 1;
	polite_mpich_turn(NULL);
	ck_assert_uint_eq(given_up(), before);
}
END_TEST

int main(void)
{
	static const int works[] = { 2500, 20000 };
	Suite *suite = suite_create("polite");
	TCase *tcase = tcase_create("polite");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, shares);
	tcase_add_test(tcase, the_start);
	tcase_add_test(tcase, the_decision);
	tcase_add_test(tcase, not_available);
	tcase_add_test(tcase, turns_are_passed_on);
	tcase_add_test(tcase, off_keeps_the_core);
	tcase_add_test(tcase, waiting_sleeps);
	tcase_add_test(tcase, start_and_end_give_way);
	tcase_add_test(tcase, success_ends_a_row);
	tcase_add_test(tcase, a_break_ends_a_row);
	for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		tcase_add_loop_test(tcase, polling_keeps_the_core, works[i],
				    works[i] + 1);
	tcase_add_test(tcase, the_recorder_tells_work);
	tcase_add_test(tcase, long_calls_are_waiting);
	tcase_add_test(tcase, long_turns_are_waiting);
	tcase_add_test(tcase, threads_give_up_without_the_lock);
	tcase_add_test(tcase, one_thread_has_no_lock);
	tcase_add_test(tcase, a_lock_that_is_kept);
	tcase_add_test(tcase, nothing_is_owed_after_success);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

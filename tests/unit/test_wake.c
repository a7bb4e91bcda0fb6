/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The words by which a process or its helper is woken: who is woken, who is
 * not, and what is left in the words.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

#include "libbcs/base/board_memory.h"
#include "libbcs/base/wake.h"
#include "mds/base/futex.h"

static struct board_slot *slot;
static unsigned n_lasts;

static void lasts(void)
{
	n_lasts++;
}

static void setup(void)
{
	slot = board_alone();
	ck_assert_ptr_nonnull(slot);
	wake_before_slow = lasts;
	n_lasts = 0;
}

static void teardown(void)
{
	wake_before_slow = NULL;
	board_memory_free(slot, sizeof(*slot));
}

/* Sleeps until the word is another: for ever, if nobody wakes it. */
struct sleeper {
	_Atomic uint32_t *word;
	uint32_t seen;
};

static void *sleeper_run(void *arg)
{
	const struct sleeper *sleeper = arg;

	while (atomic_load(sleeper->word) == sleeper->seen)
		futex_wait(sleeper->word, sleeper->seen, FUTEX_FOREVER);
	return NULL;
}

/* An awake process costs its waker a look, and no system call. */
START_TEST(test_awake)
{
	atomic_store(&wake_by_writing, _i);
	wake_slot(slot);
	ck_assert_uint_eq(n_lasts, 0);
	ck_assert_uint_eq(atomic_load(&slot->asleep), 0);
}
END_TEST

START_TEST(test_asleep)
{
	struct sleeper sleeper = { &slot->asleep, 1 };
	pthread_t thread;

	atomic_store(&wake_by_writing, _i);
	atomic_store(&slot->asleep, 1);
	pthread_create(&thread, NULL, sleeper_run, &sleeper);
	usleep(10000); /* it mostly sleeps, then */
	wake_slot(slot);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(n_lasts, 1);
	ck_assert_uint_eq(atomic_load(&slot->asleep), 0);
	wake_slot(slot);
	ck_assert_uint_eq(n_lasts, 1);
}
END_TEST

START_TEST(test_helper)
{
	const uint32_t state = _i ? HELPER_NAPS : HELPER_IDLE;
	struct sleeper sleeper = { &slot->helper, state };
	pthread_t thread;

	atomic_store(&slot->helper, state);
	pthread_create(&thread, NULL, sleeper_run, &sleeper);
	usleep(10000);
	wake_helper(slot);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(atomic_load(&slot->helper), HELPER_AWAKE);
	ck_assert_uint_eq(atomic_load(&slot->called), 1);
	ck_assert_uint_ne(atomic_load(&slot->woken), 0);
}
END_TEST

/* A blocked thread does the work itself; it sees the call when it leaves. */
START_TEST(test_helper_of_blocked)
{
	atomic_store(&slot->helper, HELPER_IDLE);
	atomic_store(&slot->blocked, 1);
	wake_helper(slot);
	ck_assert_uint_eq(atomic_load(&slot->helper), HELPER_IDLE);
	ck_assert_uint_eq(atomic_load(&slot->called), 1);
	ck_assert_uint_eq(atomic_load(&slot->woken), 0);
}
END_TEST

/* The time of a deferred wake is when it was due. */
START_TEST(test_helper_since)
{
	atomic_store(&slot->helper, HELPER_IDLE);
	wake_helper_since(slot, 1234);
	ck_assert_uint_eq(atomic_load(&slot->woken), 1234);
	ck_assert_uint_eq(atomic_load(&slot->helper), HELPER_AWAKE);
	wake_helper_since(slot, 5678); /* it is awake */
	ck_assert_uint_eq(atomic_load(&slot->woken), 1234);
}
END_TEST

START_TEST(test_helper_from)
{
	atomic_store(&slot->helper, HELPER_NAPS);
	wake_helper_from(slot, HELPER_IDLE, 1);
	ck_assert_uint_eq(atomic_load(&slot->helper), HELPER_NAPS);
	wake_helper_from(slot, HELPER_NAPS, 1);
	ck_assert_uint_eq(atomic_load(&slot->helper), HELPER_AWAKE);
}
END_TEST

START_TEST(test_helper_is_awake)
{
	atomic_store(&slot->helper, HELPER_AWAKE);
	ck_assert(!wake_helper_is_awake(slot)); /* there is none */
	atomic_store(&slot->helper_tid, 7);
	ck_assert(wake_helper_is_awake(slot));
	atomic_store(&slot->helper, HELPER_NAPS);
	ck_assert(!wake_helper_is_awake(slot));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("wake");
	TCase *tcase = tcase_create("wake");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, test_awake, 0, 2);
	tcase_add_loop_test(tcase, test_asleep, 0, 2);
	tcase_add_loop_test(tcase, test_helper, 0, 2);
	tcase_add_test(tcase, test_helper_of_blocked);
	tcase_add_test(tcase, test_helper_since);
	tcase_add_test(tcase, test_helper_from);
	tcase_add_test(tcase, test_helper_is_awake);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

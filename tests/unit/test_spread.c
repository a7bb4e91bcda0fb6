/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests when a rank moves beside another one, with the system calls replaced.
 */
#include <check.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libbcs/base/board_memory.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/spread.h"

#define RANKS 3
#ifdef __SANITIZE_ADDRESS__
#define TRIES 10000
#else
#define TRIES 100000
#endif

static struct board_slot *slots[RANKS];
static struct engine engine;
static cpu_set_t all;
static cpu_set_t before;
static unsigned cores[2];
static unsigned n_set; /* calls of sched_setaffinity by spread.c */
static int running;    /* threads, as /proc/loadavg tells */

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	n_set++;
	return (int)syscall(SYS_sched_setaffinity, pid, size, set);
}

/* Stands for open() of a file, which is open64() in all of it. */
int __wrap_open64(const char *path, int flags);

int __wrap_open64(const char *path, int flags)
{
	char line[64];
	const int fd = memfd_create("loadavg", MFD_CLOEXEC);
	const int n = snprintf(line, sizeof(line), "1.00 2.00 3.00 %d/99 7\n",
			       running);

	(void)flags;
	ck_assert_str_eq(path, "/proc/loadavg");
	ck_assert_int_eq(write(fd, line, (size_t)n), n);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void set_cores(const cpu_set_t *set)
{
	ck_assert_int_eq(
		(int)syscall(SYS_sched_setaffinity, 0, sizeof(*set), set), 0);
}

/* I am 1 of three; all may use two cores.  0 yields where I am. */
static void setup(void)
{
	unsigned n = 0;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&before);
	for (unsigned i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &all)) {
			cores[n++] = i;
			CPU_SET(i, &before);
		}
	cores[1] = n < 2 ? cores[0] + 1 : cores[1];
	set_cores(&before);
	for (uint32_t i = 0; i < RANKS; i++) {
		slots[i] = board_alone();
		ck_assert_ptr_nonnull(slots[i]);
	}
	engine = (struct engine){
		.slots = slots, .n_slots = RANKS, .me = 1, .slot = slots[1]
	};
	atomic_store(&slots[0]->yields, 1);
	running = 2;
	n_set = 0;
}

static void teardown(void)
{
	for (uint32_t i = 0; i < RANKS; i++)
		board_memory_free(slots[i], sizeof(*slots[i]));
	set_cores(&all);
}

static bool has_two(void)
{
	return CPU_COUNT(&before) > 1;
}

static int32_t core_of(uint32_t rank)
{
	return atomic_load(&slots[rank]->core) - 1;
}

/* 0 is where I am, unless the kernel moves me in between. */
static bool yields(bool looks)
{
	n_set = 0;
	atomic_store(&slots[0]->core, sched_getcpu() + 1);
	spread_yield(&engine, looks);
	ck_assert_uint_eq(atomic_load(&slots[1]->yields), 0);
	return n_set > 0;
}

static bool stays(bool looks)
{
	for (unsigned i = 0; i < TRIES; i++)
		if (yields(looks))
			return false;
	return true;
}

static void check_mask(void)
{
	cpu_set_t now;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(now), &now), 0);
	ck_assert(CPU_EQUAL(&now, &before));
}

START_TEST(test_moves)
{
	ck_assert_int_eq(stays(true), !has_two());
	check_mask();
	if (!has_two())
		return;
	ck_assert_uint_eq(n_set, 2);
	ck_assert_int_ne(core_of(1), core_of(0));
}
END_TEST

enum { FIRST, COMPUTES, ELSEWHERE, IN_HASTE, BUSY, UNKNOWN, TAKEN, BOUND, N };

/* Everything but one of the conditions holds. */
START_TEST(test_stays)
{
	cpu_set_t one;

	if (_i == FIRST) {
		engine.me = 0;
		engine.slot = slots[0];
	}
	atomic_store(&slots[0]->yields, _i != COMPUTES);
	if (_i == BUSY || _i == UNKNOWN)
		running = _i == BUSY ? 3 : 0;
	if (_i == BOUND) {
		CPU_ZERO(&one);
		CPU_SET(cores[0], &one);
		before = one;
		set_cores(&one);
	}
	for (unsigned i = 0; i < TRIES; i++) {
		const int here = sched_getcpu() + 1;
		const int other = here == (int)cores[0] + 1 ? (int)cores[1] + 1
							    : (int)cores[0] + 1;

		atomic_store(&slots[0]->core, _i == ELSEWHERE ? 0 : here);
		atomic_store(&slots[2]->core, _i == TAKEN ? other : 0);
		atomic_store(&slots[0]->yields, _i != COMPUTES);
		/* The kernel may move me before: then 0 is elsewhere. */
		spread_yield(&engine, _i != IN_HASTE);
		ck_assert_uint_eq(n_set, 0);
	}
	check_mask();
}
END_TEST

START_TEST(test_shows)
{
	set_cores(&all);
	spread_start(&engine);
	ck_assert_int_ge(core_of(1), 0);
	ck_assert(CPU_ISSET((size_t)core_of(1), &all));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spread");
	TCase *tcase = tcase_create("spread");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_moves);
	tcase_add_loop_test(tcase, test_stays, 0, N);
	tcase_add_test(tcase, test_shows);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The core primitives within a node: transfers, events and compare-and-write,
 * with members that come, leave and die.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libbcs/core/core.h"
#include "libbcs/core/fabric.h"
#include "libbcs/core/fabric_node.h"
#include "tests/unit/core_calls.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define COMERS 60
#else
#define COMERS 300
#endif
#define N     4
#define BYTES 1024

/* The layout of the global memory. */
#define A     0
#define B     8
#define EVENT 16
#define OTHER 20
#define BLOCK 64
#define APART 512

static void *region;
static size_t size;
static struct fabric *fabrics[N];

/* Memory by which the members of a run tell each other something besides. */
static struct board {
	pthread_barrier_t barrier;
	_Atomic int n_winners;
	_Atomic int n_failed;
	_Atomic int seen[2];
	_Atomic int n_met;
	_Atomic bool is_over;
} * board;

/* The linker leads fabric_node.c here. */
static _Atomic int n_syscalls;
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

long __wrap_syscall(long number, ...)
{
	long args[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		args[i] = va_arg(list, long);
	va_end(list);
	atomic_fetch_add(&n_syscalls, 1);
	return __real_syscall(number, args[0], args[1], args[2], args[3],
			      args[4], args[5]);
}

static void *map_shared(size_t bytes)
{
	void *mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(mem, MAP_FAILED);
	return mem;
}

static void setup(void)
{
	size = fabric_node_size(N, BYTES);
	region = map_shared(size);
	memset(region, 0xaa, size);
	board = map_shared(sizeof(*board));
	ck_assert_int_eq(fabric_node_format(region, size, N), 0);
}

static void teardown(void)
{
	munmap(region, size);
	munmap(board, sizeof(*board));
}

static struct fabric *attach(uint32_t me)
{
	struct fabric *fabric = NULL;

	ck_assert_int_eq(fabric_node_attach(&fabric, region, size, me), 0);
	return fabric;
}

/* All members in this thread. */
static void attach_all(void)
{
	for (uint32_t i = 0; i < N; i++)
		fabrics[i] = attach(i);
}

static void detach_all(void)
{
	for (uint32_t i = 0; i < N; i++)
		fabric_node_detach(fabrics[i]);
}

#define ALL SET((UINT64_C(1) << N) - 1)

START_TEST(a_transfer_reaches_its_set)
{
	int64_t zero[4] = { 0 }, block[4] = { 1, 2, 3, 4 };
	struct core_xfer xfer = { BLOCK, block, sizeof(block), EVENT, OTHER };

	attach_all();
	ck_assert_int_eq(core_xfer_and_signal(fabrics[0], SET(0xa), &xfer), 0);
	for (uint32_t i = 0; i < N; i++) {
		ck_assert_mem_eq(core_block(fabrics[i], BLOCK, sizeof(block)),
				 i % 2 ? block : zero, sizeof(block));
		ck_assert_int_eq(core_load(fabrics[i], BLOCK - 8), 0);
		ck_assert_int_eq(core_load(fabrics[i], BLOCK + 32), 0);
		ck_assert_int_eq(core_polls(fabrics[i], EVENT), i == 0);
		ck_assert_int_eq(core_polls(fabrics[i], OTHER), i % 2);
		ck_assert(!core_polls(fabrics[i], OTHER));
	}
	/* To oneself as well; to nobody. */
	ck_assert_int_eq(core_xfer_and_signal(fabrics[1], SET(2), &xfer), 0);
	ck_assert(core_polls(fabrics[1], EVENT) &&
		  core_polls(fabrics[1], OTHER));
	ck_assert_int_eq(core_xfer_and_signal(fabrics[2], SET(0), &xfer), 0);
	ck_assert(core_polls(fabrics[2], EVENT) &&
		  !core_polls(fabrics[2], OTHER));
	detach_all();
}
END_TEST

START_TEST(a_block_of_any_size_at_any_place)
{
	unsigned char block[40], want[80];

	attach_all();
	memset(block, 0xee, sizeof(block));
	for (size_t at = 0; at < 17; at++)
		for (size_t bytes = 0; bytes <= sizeof(block); bytes++) {
			unsigned char *memory = fabrics[1]->memory;

			memset(memory, 0x11, sizeof(want));
			memset(want, 0x11, sizeof(want));
			memset(want + at, 0xee, bytes);
			core_put(fabrics[0], SET(2), at, block, bytes);
			ck_assert_mem_eq(memory, want, sizeof(want));
		}
	detach_all();
}
END_TEST

/* Every transfer and compare-and-write would have left its mark. */
static void nothing_was_done(void)
{
	for (uint32_t i = 0; i < N; i++) {
		if (!fabrics[i])
			continue;
		for (uint64_t at = 0; at < BYTES; at += 8)
			ck_assert_int_eq(core_load(fabrics[i], at), 0);
	}
}

static void refused(const struct core_set *set, int error)
{
	struct core_xfer xfer = { BLOCK, "abcdefg", 8, EVENT, OTHER };
	struct core_condition condition = { A, CORE_EQ, 0 };
	struct core_assignment assignment = { B, 1 };
	bool truth = false;

	ck_assert_int_eq(core_xfer_and_signal(fabrics[0], set, &xfer), error);
	ck_assert_int_eq(core_compare_and_write(fabrics[0], set, &condition,
						&assignment, &truth),
			 error);
	ck_assert(!truth);
	nothing_was_done();
}

START_TEST(what_is_out_of_range_does_nothing)
{
	static const struct core_xfer xfers[] = {
		{ BYTES - 7, "abcdefg", 8, EVENT, OTHER },
		{ UINT64_MAX - 3, "abcdefg", 8, EVENT, OTHER },
		{ 0, "abcdefg", UINT64_MAX, EVENT, OTHER },
		{ BLOCK, "abcdefg", 8, EVENT + 2, OTHER },
		{ BLOCK, "abcdefg", 8, BYTES, OTHER },
		{ BLOCK, "abcdefg", 8, EVENT, OTHER + 1 },
		{ BLOCK, "abcdefg", 8, EVENT, BYTES },
	};
	static const uint64_t no_variables[] = { 4, BYTES - 4, BYTES,
						 UINT64_MAX - 7 };
	bool truth = false;

	attach_all();
	for (size_t i = 0; i < sizeof(xfers) / sizeof(xfers[0]); i++)
		ck_assert_int_eq(
			core_xfer_and_signal(fabrics[0], ALL, &xfers[i]),
			-EINVAL);
	for (size_t i = 0; i < 4; i++) {
		struct core_condition condition = { A, CORE_EQ, 0 };
		struct core_assignment assignment = { no_variables[i], 1 };

		ck_assert_int_eq(core_compare_and_write(fabrics[0], ALL,
							&condition, &assignment,
							&truth),
				 -EINVAL);
		condition.offset = no_variables[i];
		assignment.offset = A;
		ck_assert_int_eq(core_compare_and_write(fabrics[0], ALL,
							&condition, &assignment,
							&truth),
				 -EINVAL);
	}
	refused(SET(1 | 1 << N), -EINVAL);
	refused(SET(UINT64_C(1) << 63), -EINVAL);
	ck_assert_int_eq(core_test_event(fabrics[0], BYTES, CORE_POLL),
			 -EINVAL);
	ck_assert_int_eq(core_test_event(fabrics[0], 2, CORE_POLL), -EINVAL);
	ck_assert_ptr_null(core_block(fabrics[0], BYTES - 7, 8));
	nothing_was_done();
	detach_all();
}
END_TEST

START_TEST(who_is_not_there_gets_nothing)
{
	fabrics[0] = attach(0);
	fabrics[1] = attach(1);
	refused(SET(7), -ESRCH);
	fabrics[2] = attach(2);
	ck_assert_int_eq(core_put(fabrics[0], SET(7), A, &(int64_t){ 0 }, 8),
			 0);
	fabric_node_detach(fabrics[2]);
	fabrics[2] = NULL;
	refused(SET(7), -ESRCH);
	/* It may come back, to clean memory. */
	core_store(fabrics[0], A, 0);
	fabrics[2] = attach(2);
	ck_assert_int_eq(core_put(fabrics[0], SET(7), A, &(int64_t){ 5 }, 8),
			 0);
	ck_assert_int_eq(core_load(fabrics[2], A), 5);
}
END_TEST

static void *come_and_go(void *ok)
{
	struct fabric *fabric;
	int rc;

	if (fabric_node_attach(&fabric, region, size, 1) != 0)
		return NULL;
	rc = core_test_event(fabric, EVENT, in_ms(2000));
	*(bool *)ok = rc == 0 && core_load(fabric, A) == 5;
	fabric_node_detach(fabric);
	return NULL;
}

/* A transfer that goes well is not lost on who has just come. */
START_TEST(who_comes_has_come)
{
	struct core_xfer xfer = { A, &(int64_t){ 5 }, 8, CORE_NO_EVENT, EVENT };
	pthread_t thread;

	fabrics[0] = attach(0);
	for (int i = 0; i < COMERS; i++) {
		bool ok = false;
		int rc;

		pthread_create(&thread, NULL, come_and_go, &ok);
		while ((rc = core_xfer_and_signal(fabrics[0], SET(2), &xfer)))
			ck_assert(rc == -ESRCH);
		pthread_join(thread, NULL);
		ck_assert(ok);
	}
	fabric_node_detach(fabrics[0]);
}
END_TEST

static void wait_for_word(_Atomic int *word)
{
	while (!atomic_load(word))
		sched_yield();
}

/* Member 2 as another process, which dies at once when it is killed. */
static pid_t attach_elsewhere(bool within_an_operation)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct fabric *fabric;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		fabric = attach(2);
		if (within_an_operation)
			fabric->ops->enter(fabric);
		atomic_store(&board->seen[0], 1);
		for (;;)
			pause();
	}
	wait_for_word(&board->seen[0]);
	return pid;
}

START_TEST(who_died_gets_nothing)
{
	struct fabric *fabric = NULL;
	pid_t pid;

	fabrics[0] = attach(0);
	fabrics[1] = attach(1);
	pid = attach_elsewhere(false);
	ck_assert_int_eq(fabric_node_attach(&fabric, region, size, 2), -EBUSY);
	ck_assert_int_eq(core_put(fabrics[0], SET(7), A, &(int64_t){ 0 }, 8),
			 0);
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	refused(SET(7), -ESRCH);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(fabric_node_attach(&fabric, region, size, 2),
				 -EBUSY);
		refused(SET(7), -ESRCH);
	}
	/* The others go on. */
	ck_assert_int_eq(core_put(fabrics[0], SET(3), A, &(int64_t){ 0 }, 8),
			 0);
}
END_TEST

START_TEST(who_dies_in_an_operation_ends_them_all)
{
	pid_t pid;

	fabrics[0] = attach(0);
	fabrics[1] = attach(1);
	pid = attach_elsewhere(true);
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	refused(SET(3), -ENOTRECOVERABLE);
	refused(SET(3), -ENOTRECOVERABLE);
	fabric_node_detach(fabrics[0]);
	fabric_node_detach(fabrics[1]);
}
END_TEST

START_TEST(a_region_is_checked)
{
	struct fabric *fabric = NULL;

	ck_assert_int_eq(fabric_node_attach(&fabric, region, size, N), -EINVAL);
	ck_assert_int_eq(fabric_node_attach(&fabric, region, size - 64, 0),
			 -EINVAL);
	ck_assert_int_eq(fabric_node_format((char *)region + 8, size - 64, 1),
			 -EINVAL);
	ck_assert_int_eq(fabric_node_format(region, size, 0), -EINVAL);
	ck_assert_int_eq(fabric_node_format(region, fabric_node_size(N, 0), N),
			 -EINVAL);
	memset(region, 0, sizeof(uint64_t));
	ck_assert_int_eq(fabric_node_attach(&fabric, region, size, 0), -EINVAL);
	ck_assert_ptr_null(fabric);
	fabric_node_detach(NULL);
}
END_TEST

START_TEST(the_four_relations)
{
	/* -1, 0 and 1, each compared with 0. */
	static const bool truths[4][3] = {
		[CORE_GE] = { false, true, true },
		[CORE_LT] = { true, false, false },
		[CORE_EQ] = { false, true, false },
		[CORE_NE] = { true, false, true },
	};

	attach_all();
	for (int relation = 0; relation < 4; relation++)
		for (int64_t value = -1; value <= 1; value++) {
			for (uint32_t i = 0; i < N; i++)
				core_store(fabrics[i], A, value);
			ck_assert_int_eq(
				core_holds(fabrics[1], ALL, A,
					   (enum core_relation)relation, 0),
				truths[relation][value + 1]);
		}
	detach_all();
}
END_TEST

START_TEST(it_holds_on_all_or_nothing_is_written)
{
	struct core_condition condition = { A, CORE_GE, 7 };
	struct core_assignment assignment = { B, 70 };
	bool truth = true;

	attach_all();
	for (uint32_t i = 0; i < N; i++)
		core_store(fabrics[i], A, i == 2 ? 6 : 7);
	ck_assert_int_eq(core_compare_and_write(fabrics[0], ALL, &condition,
						&assignment, &truth),
			 0);
	ck_assert(!truth);
	for (uint32_t i = 0; i < N; i++)
		ck_assert_int_eq(core_load(fabrics[i], B), 0);
	ck_assert_int_eq(core_compare_and_write(fabrics[0], SET(0xb),
						&condition, &assignment,
						&truth),
			 0);
	ck_assert(truth);
	for (uint32_t i = 0; i < N; i++) {
		ck_assert_int_eq(core_load(fabrics[i], A), i == 2 ? 6 : 7);
		ck_assert_int_eq(core_load(fabrics[i], B), i == 2 ? 0 : 70);
	}
	ck_assert(core_holds(fabrics[3], SET(0), A, CORE_EQ, 99));
	detach_all();
}
END_TEST

START_TEST(each_of_several_holds_or_not)
{
	struct core_query queries[] = {
		{ ALL, { A, CORE_EQ, 1 }, { BLOCK, 10 }, false },
		{ SET(0xb), { A, CORE_EQ, 1 }, { BLOCK + 8, 11 }, false },
		{ SET(0x4), { A, CORE_EQ, 0 }, { BLOCK + 16, 12 }, false },
		{ SET(0), { A, CORE_EQ, 9 }, { BLOCK + 24, 13 }, false },
	};

	attach_all();
	for (uint32_t i = 0; i < N; i++)
		core_store(fabrics[i], A, i != 2);
	ck_assert_int_eq(core_compare_and_write_all(fabrics[1], queries, 4), 0);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(queries[i].holds, i > 0);
	for (uint32_t i = 0; i < N; i++) {
		ck_assert_int_eq(core_load(fabrics[i], BLOCK), 0);
		ck_assert_int_eq(core_load(fabrics[i], BLOCK + 8),
				 i == 2 ? 0 : 11);
		ck_assert_int_eq(core_load(fabrics[i], BLOCK + 16),
				 i == 2 ? 12 : 0);
		ck_assert_int_eq(core_load(fabrics[i], BLOCK + 24), 0);
	}
	/* If one query is refused, none is carried out. */
	queries[2].assignment.offset = BYTES;
	queries[1].assignment.value = 1;
	ck_assert_int_eq(core_compare_and_write_all(fabrics[1], queries, 4),
			 -EINVAL);
	ck_assert_int_eq(core_load(fabrics[1], BLOCK + 8), 11);
	detach_all();
}
END_TEST

START_TEST(an_event_counts_signals)
{
	uint64_t deadline;

	attach_all();
	ck_assert(!core_polls(fabrics[1], EVENT));
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(core_signal_to(fabrics[0], SET(2), EVENT), 0);
	ck_assert(core_polls(fabrics[1], EVENT));
	ck_assert_int_eq(core_test_event(fabrics[1], EVENT, CORE_FOREVER), 0);
	/* Its deadline is over, but it need not wait. */
	ck_assert_int_eq(core_test_event(fabrics[1], EVENT, 1), 0);
	deadline = in_ms(5);
	ck_assert_int_eq(core_test_event(fabrics[1], EVENT, deadline),
			 -ETIMEDOUT);
	ck_assert_uint_ge(in_ms(0), deadline);
	/*
	 * A thread that gave up sleeping does not take a signal from the next.
	 */
	ck_assert_int_eq(core_signal_to(fabrics[0], SET(2), EVENT), 0);
	ck_assert(core_polls(fabrics[1], EVENT));
	ck_assert(!core_polls(fabrics[1], EVENT));
	detach_all();
}
END_TEST

START_TEST(without_a_sleeper_there_is_no_system_call)
{
	attach_all();
	atomic_store(&n_syscalls, 0);
	for (int i = 0; i < 100; i++) {
		ck_assert_int_eq(core_signal_to(fabrics[0], ALL, EVENT), 0);
		for (uint32_t j = 0; j < N; j++)
			ck_assert_int_eq(core_test_event(fabrics[j], EVENT,
							 CORE_FOREVER),
					 0);
		ck_assert(!core_polls(fabrics[0], EVENT));
	}
	ck_assert(atomic_load(&n_syscalls) == 0);
	detach_all();
}
END_TEST

/*
 * A run: each member, a thread or a process, does the same, from one moment on.
 * It tells whether all was well.
 */
typedef bool (*member_fn)(struct fabric *fabric);

static member_fn member_does;

static void together(void)
{
	pthread_barrier_wait(&board->barrier);
}

static bool member_run(uint32_t me)
{
	struct fabric *fabric;
	bool ok;

	if (fabric_node_attach(&fabric, region, size, me) != 0)
		return false;
	together();
	ok = member_does(fabric);
	together();
	fabric_node_detach(fabric);
	return ok;
}

static void *member_thread(void *me)
{
	if (!member_run((uint32_t)(uintptr_t)me))
		atomic_fetch_add(&board->n_failed, 1);
	return NULL;
}

static void run_threads(uint32_t n)
{
	pthread_t threads[N];
	int n_failed;

	for (uint32_t i = 0; i < n; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
						member_thread,
						(void *)(uintptr_t)i),
				 0);
	for (uint32_t i = 0; i < n; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	n_failed = atomic_load(&board->n_failed);
	ck_assert_int_eq(n_failed, 0);
}

static void run_processes(uint32_t n)
{
	pid_t pids[N];
	int status;

	for (uint32_t i = 0; i < n; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(member_run(i) ? 0 : 1);
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
		ck_assert_int_eq(status, 0);
	}
}

static void run(uint32_t n, member_fn fn, bool as_processes)
{
	pthread_barrierattr_t attr;

	member_does = fn;
	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&board->barrier, &attr, n);
	if (as_processes)
		run_processes(n);
	else
		run_threads(n);
}

/* Memory that came with the signal is read as any other. */
static bool receive(struct fabric *fabric, int want)
{
	int *block = core_block(fabric, BLOCK, 16 * sizeof(int));

	return core_test_event(fabric, EVENT, in_ms(5000)) == 0 &&
	       block[0] == want && block[15] == want;
}

/* Two in turn, each asleep until the other's signal; now and then it is late.
 */
static bool ping_pong(struct fabric *fabric)
{
	const struct core_set *other = fabric->me == 0 ? SET(2) : SET(1);
	int block[16] = { 0 };
	struct core_xfer xfer = { BLOCK, block, sizeof(block), CORE_NO_EVENT,
				  EVENT };

	for (int i = 0; i < 20000; i++) {
		if (fabric->me == 1 && !receive(fabric, i))
			return false;
		for (volatile int j = 0; j < i % 256; j++)
			;
		block[0] = block[15] = i;
		if (core_xfer_and_signal(fabric, other, &xfer) != 0)
			return false;
		if (fabric->me == 0 && !receive(fabric, i))
			return false;
	}
	return true;
}

START_TEST(no_wake_up_is_lost)
{
	run(2, ping_pong, _i);
}
END_TEST

#define SLEEPERS 6
#define FLOOD    20000
#define BURSTS   1000

static struct fabric *slept_on;

/* Until it is told to end. */
static void *sleeper(void *n_taken)
{
	int n = 0;

	do {
		core_test_event(slept_on, EVENT, CORE_FOREVER);
		n++;
	} while (!core_polls(slept_on, OTHER));
	*(int *)n_taken = n;
	return NULL;
}

/* One for each of the sleepers; most of them sleep again when all are taken. */
static void burst(uint64_t event)
{
	_Atomic uint32_t *word = core_block(slept_on, EVENT, 4);

	while (atomic_load(word) > 1) /* it holds no signal */
		sched_yield();
	for (int i = 0; i < SLEEPERS; i++)
		core_signal_to(fabrics[i % N], SET(2), event);
}

START_TEST(each_signal_is_taken_once)
{
	pthread_t threads[SLEEPERS];
	int n_taken[SLEEPERS];
	int sum = 0;

	attach_all();
	slept_on = fabrics[1];
	for (int i = 0; i < SLEEPERS; i++)
		pthread_create(&threads[i], NULL, sleeper, &n_taken[i]);
	for (int i = 0; i < FLOOD; i++)
		core_signal_to(fabrics[0], SET(2), EVENT);
	for (int i = 0; i < BURSTS; i++)
		burst(EVENT);
	burst(OTHER);
	burst(EVENT);
	for (int i = 0; i < SLEEPERS; i++) {
		pthread_join(threads[i], NULL);
		sum += n_taken[i];
	}
	/*
	 * A thread that was told to end before the last burst left one of it.
	 */
	while (core_polls(slept_on, EVENT))
		sum++;
	ck_assert_int_eq(sum, FLOOD + (BURSTS + 1) * SLEEPERS);
	detach_all();
}
END_TEST

/* All want the same variable: one gets it, and all agree who. */
static bool elect(struct fabric *fabric)
{
	bool ok = true;

	for (int i = 0; i < 1000 && ok; i++) {
		if (fabric->me == 0)
			atomic_store(&board->n_winners, 0);
		core_store(fabric, A, 0);
		together();
		if (core_replace(fabric, ALL, A, 0, fabric->me + 1))
			atomic_fetch_add(&board->n_winners, 1);
		together();
		ok = atomic_load(&board->n_winners) == 1 &&
		     core_load(fabric, A) != 0 &&
		     core_holds(fabric, ALL, A, CORE_EQ, core_load(fabric, A));
		together();
	}
	return ok;
}

START_TEST(one_wins)
{
	run(N, elect, _i);
}
END_TEST

/* Counting on all at once: an update that is lost is missing at the end. */
static bool count(struct fabric *fabric)
{
	for (int i = 0; i < 2000; i++) {
		int64_t seen;

		do
			seen = core_load(fabric, A);
		while (!core_replace(fabric, ALL, A, seen, seen + 1));
	}
	together();
	return core_load(fabric, A) == 2000 * N;
}

START_TEST(no_update_is_lost)
{
	run(N, count, _i);
}
END_TEST

/*
 * Member 0 puts rising numbers into a block on all.  If the first word is not
 * below a number everywhere, then the last word has come to it everywhere.
 */
#define LAST 4000

static bool rise(struct fabric *fabric)
{
	int64_t block[32];

	for (int64_t value = 1; value <= LAST; value++) {
		for (int i = 0; i < 32; i++)
			block[i] = value;
		if (core_put(fabric, ALL, BLOCK, block, sizeof(block)) != 0)
			return false;
	}
	return true;
}

static bool look_on(struct fabric *fabric)
{
	if (fabric->me == 0)
		return rise(fabric);
	for (int64_t next = 1; next <= LAST;) {
		if (core_holds(fabric, ALL, BLOCK, CORE_LT, next))
			continue;
		if (!core_holds(fabric, ALL, BLOCK + 248, CORE_GE, next))
			return false;
		next = core_load(fabric, BLOCK) + 1;
	}
	return true;
}

START_TEST(none_sees_a_transfer_half_done)
{
	run(N, look_on, _i);
}
END_TEST

/* All put at once: one was the last, on all members, in all of the block. */
static bool overwrite(struct fabric *fabric)
{
	int64_t block[64], *mine = core_block(fabric, BLOCK, sizeof(block));
	bool ok = true;

	for (int i = 0; i < 64; i++)
		block[i] = fabric->me + 1;
	for (int i = 0; i < 500 && ok; i++) {
		together();
		ok = core_put(fabric, ALL, BLOCK, block, sizeof(block)) == 0;
		together();
		for (int j = 0; j < 64; j++)
			ok = ok && mine[j] == mine[0];
		ok = ok && core_holds(fabric, ALL, BLOCK, CORE_EQ, mine[0]);
	}
	return ok;
}

START_TEST(transfers_are_in_one_order)
{
	run(N, overwrite, _i);
}
END_TEST

/* In ms: what happens rarely is tried as often as there is time for. */
#define A_WHILE 500

/* Bytes all alike, at odd places; who reads a word of them finds them alike. */
static bool read_while_put(struct fabric *fabric)
{
	unsigned char block[400];
	const uint64_t end = in_ms(A_WHILE);
	uint64_t at, word;

	for (unsigned i = 0; i % 1024 != 0 || in_ms(0) < end; i++) {
		if (fabric->me == 0) {
			memset(block, (int)i, sizeof(block));
			core_put(fabric, SET(3), BLOCK + 1 + i % 8, block,
				 sizeof(block));
			continue;
		}
		at = BLOCK + 16 + i * 8 % (sizeof(block) - 16);
		word = (uint64_t)core_load(fabric, at);
		if (word != (word & 0xff) * UINT64_C(0x0101010101010101))
			return false;
	}
	return true;
}

START_TEST(a_variable_is_written_as_one)
{
	run(2, read_while_put, _i);
}
END_TEST

/* Both go on from here within nanoseconds. */
static void meet(int round)
{
	atomic_fetch_add(&board->n_met, 1);
	for (int i = 1; atomic_load(&board->n_met) < 2 * round; i++)
		if (i % 1000 == 0)
			sched_yield();
}

/*
 * One stores and then looks for a signal, the other signals and then looks for
 * what was stored: at least one sees the other.  A little later each time.
 */
static bool cross(struct fabric *fabric)
{
	const uint64_t end = in_ms(A_WHILE);
	bool ok = true;

	for (int i = 1; ok && !board->is_over; i++) {
		meet(2 * i - 1);
		for (volatile int j = 0; fabric->me == 0 && j < i % 128; j++)
			;
		if (fabric->me == 0) {
			core_store(fabric, A, i);
			board->seen[0] = core_polls(fabric, APART);
		} else {
			core_signal_to(fabric, SET(1), APART);
			board->seen[1] = core_holds(fabric, SET(1), A, CORE_EQ,
						    i);
		}
		if (fabric->me == 0)
			board->is_over = in_ms(0) >= end;
		meet(2 * i);
		ok = board->seen[0] || board->seen[1];
		if (fabric->me == 0 && !board->seen[0])
			core_polls(fabric, APART);
	}
	return ok;
}

START_TEST(one_of_two_sees_the_other)
{
	run(2, cross, _i);
}
END_TEST

START_TEST(sets_of_any_size)
{
	static const uint32_t sizes[] = { 1, 16, 63, 64, 65, 128, 10000 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t words[CORE_SET_WORDS(10000)];
		struct core_set set = { words, sizes[i] };
		uint32_t member, n = 0;

		core_set_fill(&set);
		core_set_for_each(member, &set) ck_assert_uint_eq(member, n++);
		ck_assert_uint_eq(n, set.n);
		for (uint32_t j = 0; j < set.n; j += 3)
			core_set_remove(&set, j);
		core_set_for_each(member, &set)
		{
			ck_assert_uint_ne(member % 3, 0);
			n--;
		}
		ck_assert_uint_eq(n, (set.n + 2) / 3);
		core_set_clear(&set);
		ck_assert_uint_eq(core_set_next(&set, 0), set.n);
		core_set_add(&set, set.n - 1);
		ck_assert(core_set_has(&set, set.n - 1));
		ck_assert_uint_eq(core_set_next(&set, 0), set.n - 1);
		ck_assert_uint_eq(core_set_next(&set, set.n), set.n);
	}
}
END_TEST

/* Some of them are there: one in each 500. */
START_TEST(ten_thousand_members)
{
	uint64_t words[CORE_SET_WORDS(10000)];
	struct core_set set = { words, 10000 };
	struct fabric *some[20];

	size = fabric_node_size(set.n, 64);
	region = map_shared(size);
	ck_assert_int_eq(fabric_node_format(region, size, set.n), 0);
	core_set_clear(&set);
	for (uint32_t i = 0; i < 20; i++) {
		some[i] = attach(i * 500 + 499);
		core_set_add(&set, i * 500 + 499);
	}
	ck_assert_int_eq(core_put(some[3], &set, A, &(int64_t){ 8 }, 8), 0);
	for (uint32_t i = 0; i < 20; i++)
		ck_assert_int_eq(core_load(some[i], A), 8);
	core_store(some[19], A, 9);
	ck_assert(!core_holds(some[0], &set, A, CORE_EQ, 8));
	core_set_remove(&set, 9999);
	ck_assert(core_replace(some[0], &set, A, 8, 10));
	ck_assert_int_eq(core_load(some[18], A), 10);
	ck_assert_int_eq(core_load(some[19], A), 9);
	for (uint32_t i = 0; i < 20; i++)
		fabric_node_detach(some[i]);
}
END_TEST

static TCase *alone(void)
{
	TCase *tcase = tcase_create("alone");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, a_transfer_reaches_its_set);
	tcase_add_test(tcase, a_block_of_any_size_at_any_place);
	tcase_add_test(tcase, what_is_out_of_range_does_nothing);
	tcase_add_test(tcase, who_is_not_there_gets_nothing);
	tcase_add_test(tcase, who_comes_has_come);
	tcase_add_test(tcase, who_died_gets_nothing);
	tcase_add_test(tcase, who_dies_in_an_operation_ends_them_all);
	tcase_add_test(tcase, a_region_is_checked);
	tcase_add_test(tcase, the_four_relations);
	tcase_add_test(tcase, it_holds_on_all_or_nothing_is_written);
	tcase_add_test(tcase, each_of_several_holds_or_not);
	tcase_add_test(tcase, an_event_counts_signals);
	tcase_add_test(tcase, without_a_sleeper_there_is_no_system_call);
	tcase_add_test(tcase, each_signal_is_taken_once);
	tcase_add_test(tcase, sets_of_any_size);
	tcase_add_test(tcase, ten_thousand_members);
	return tcase;
}

/* Each with threads and with processes as members. */
static TCase *concurrent(void)
{
	TCase *tcase = tcase_create("concurrent");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, no_wake_up_is_lost, 0, 2);
	tcase_add_loop_test(tcase, one_wins, 0, 2);
	tcase_add_loop_test(tcase, no_update_is_lost, 0, 2);
	tcase_add_loop_test(tcase, none_sees_a_transfer_half_done, 0, 2);
	tcase_add_loop_test(tcase, transfers_are_in_one_order, 0, 2);
	tcase_add_loop_test(tcase, a_variable_is_written_as_one, 0, 2);
	tcase_add_loop_test(tcase, one_of_two_sees_the_other, 0, 2);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("core");
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, alone());
	suite_add_tcase(suite, concurrent());

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests of the monitoring data of a process: cells, histograms, nesting,
 * phases.
 */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mds/base/arena.h"
#include "mds/base/clock.h"
#include "mds/mmds/mmds.h"
#include "mds/mmds/mmds_write.h"
#include "mds/mmds/path.h"
#include "mds/record/record.h"
#include "mds/settings/settings.h"

#define RANKS 100
#define BITS  2

#define NAME  "rank-000000.gz"
#define TICKS 1000000

static const char *const names[] = { "MPI_Irecv", "MPI_Waitall" };
static const bool selected[] = { true, true };

/* libcheck has a process for each test. */
static struct mmds_thread *begin(void)
{
	const struct mmds mmds = { .bits = BITS,
				   .metrics = SETTINGS_TIME | SETTINGS_SIZE |
					      SETTINGS_ACCOUNT |
					      SETTINGS_COMMS | SETTINGS_PEERS,
				   .n_calls = 2,
				   .names = names,
				   .selected = selected };

	clock_start();
	ck_assert_int_eq(mmds_start(&mmds, 1 << 20), 0);
	mmds_begin();
	return mmds_thread_get();
}

static struct mmds_peer *peer_get(struct mmds_thread *thread, uint32_t comm,
				  uint32_t rank)
{
	struct mmds_peer *peer = mmds_peer_find(thread, comm, rank);

	if (!peer)
		peer = mmds_peer_add(thread, comm, rank, rank);
	ck_assert_ptr_nonnull(peer);
	return peer;
}

/* Between any two of which the table may have grown. */
START_TEST(test_peers)
{
	struct mmds_thread *thread = begin();

	for (uint32_t i = 0; i < RANKS; i++) {
		peer_get(thread, 0, 0)->sends++;
		peer_get(thread, 1, i)->sent += i + 1;
		peer_get(thread, 0, 0)->receives++;
	}
	for (uint32_t i = 0; i < RANKS; i++)
		ck_assert_uint_eq(peer_get(thread, 1, i)->sent, i + 1);
	ck_assert_uint_eq(peer_get(thread, 0, 0)->sends, RANKS);
	ck_assert_uint_eq(peer_get(thread, 0, 0)->receives, RANKS);
	ck_assert_ptr_null(mmds_peer_find(thread, 0, 1));
	ck_assert_uint_eq(thread->n_peers, RANKS + 1);
}
END_TEST

START_TEST(test_peers_reset)
{
	struct mmds_thread *thread = begin();

	peer_get(thread, 0, 0)->sends++;
	peer_get(thread, 0, 0)->sends++;
	mmds_reset();
	ck_assert(mmds_thread_catch_up(thread));
	ck_assert_ptr_null(mmds_peer_find(thread, 0, 0));
	ck_assert_uint_eq(peer_get(thread, 0, 0)->sends, 0);
}
END_TEST

static const struct mmds_cell *cell_of(const struct mmds_thread *thread,
				       uint64_t key)
{
	for (const struct mmds_cell *c = thread->cells; c; c = c->next)
		if (c->key == key)
			return c;
	return NULL;
}

static uint64_t received(const struct mmds_thread *thread, uint64_t key)
{
	return cell_of(thread, key)->received;
}

/* How many of its transfers were of so many bytes. */
static uint64_t count_of(const struct mmds_cell *cell, uint64_t bytes)
{
	const unsigned bucket = hist_bucket(bytes, BITS);

	return mmds_hist_block(cell->size,
			       bucket / MMDS_BLOCK)[bucket % MMDS_BLOCK];
}

#define N_VALUES 2000

/*
 * Values that come in any order are each in their bucket, and a histogram of a
 * few values takes little room.
 */
START_TEST(test_hist)
{
	const unsigned n = MMDS_OCTAVES << BITS;
	uint64_t expected[MMDS_OCTAVES << BITS] = { 0 };
	struct mmds_hist *hist = NULL;
	const uint64_t *block;
	size_t before;
	unsigned bucket;

	begin();
	before = arena_used();
	srand((unsigned)_i);
	bucket = (unsigned)rand() % n;
	(*mmds_hist_place(&hist, bucket))++;
	expected[bucket]++;
	ck_assert_uint_le(arena_used() - before, 256);
	for (unsigned i = 0; i < N_VALUES; i++) {
		bucket = (unsigned)rand() % (n + 3);
		(*mmds_hist_place(&hist, bucket))++;
		expected[bucket < n ? bucket : n - 1]++;
	}
	for (unsigned i = 0; i < n; i++) {
		block = mmds_hist_block(hist, i / MMDS_BLOCK);
		ck_assert_uint_eq(block ? block[i % MMDS_BLOCK] : 0,
				  expected[i]);
	}
	ck_assert_ptr_null(mmds_hist_block(hist, UINT32_MAX));
	ck_assert_uint_eq(mmds_hist_lost, 0);
	mmds_hist_clear(hist);
	ck_assert_uint_eq(*mmds_hist_place(&hist, bucket), 0);
}
END_TEST

/* Receives that two lines began complete in turn. */
START_TEST(test_late)
{
	const uint64_t one = UINT64_C(1) << 32;
	const uint64_t other = UINT64_C(2) << 32;
	struct mmds_thread *thread = begin();

	mmds_record_late(thread, one, 0, 1, 1);
	mmds_record_late(thread, one, 0, 2, 1);
	mmds_record_late(thread, other, 0, 4, 1);
	mmds_record_late(thread, one, 0, 8, 1);
	ck_assert_uint_eq(received(thread, one), 11);
	ck_assert_uint_eq(received(thread, other), 4);
	mmds_reset();
	ck_assert(mmds_thread_catch_up(thread));
	mmds_record_late(thread, one, 0, 16, 1);
	ck_assert_uint_eq(received(thread, one), 16);
}
END_TEST

START_TEST(test_sizes)
{
	const uint64_t key = UINT64_C(1) << 32;
	const uint64_t sizes[] = { 0, 8, 8, 1000, 8, 0 };
	struct mmds_thread *thread = begin();
	const struct mmds_cell *cell;

	for (unsigned i = 0; i < 6; i++)
		mmds_record_late(thread, key, 0, sizes[i], 1);
	cell = cell_of(thread, key);
	ck_assert_uint_eq(count_of(cell, 0), 2);
	ck_assert_uint_eq(count_of(cell, 8), 3);
	ck_assert_uint_eq(count_of(cell, 1000), 1);
	ck_assert_uint_eq(cell->min_bytes, 0);
	ck_assert_uint_eq(cell->max_bytes, 1000);

	mmds_reset();
	ck_assert(mmds_thread_catch_up(thread));
	mmds_record_late(thread, key, 64, 0, 1);
	mmds_record_late(thread, key, 0, 64, 5);
	ck_assert_uint_eq(count_of(cell, 0), 0);
	ck_assert_uint_eq(count_of(cell, 64), 6);
	ck_assert_uint_eq(cell->sent, 64);
	ck_assert_uint_eq(cell->received, 320);
	ck_assert_uint_eq(cell->min_bytes, 64);
	ck_assert_uint_eq(cell->max_bytes, 64);
}
END_TEST

/* One of `ticks` that begins as long after the last one. */
static void call(struct mmds_thread *thread, uint16_t number, uint64_t ticks,
		 uint64_t bytes)
{
	const uint64_t end = thread->now->end ? thread->now->end : thread->last;
	struct mmds_frame *frame = mmds_frame_next(thread);

	frame->call = number;
	frame->slot = &thread->flat[number];
	frame->comm = 0;
	frame->start = end + ticks;
	frame->end = frame->start + ticks;
	frame->waiting = ticks / 2;
	frame->sent = bytes;
	frame->received = 2 * bytes;
	path_enter(thread, frame->start);
	path_leave(thread, ticks);
	mmds_record(frame, number == 1);
}

/* The bytes of a record written now. */
static size_t record_now(const char *dir, char *bytes, size_t size)
{
	struct record_writer *writer;
	char path[128];
	FILE *file;
	size_t n;

	snprintf(path, sizeof(path), "%s/" NAME, dir);
	ck_assert_int_eq(record_create(&writer, dir, NAME), 0);
	mmds_write(writer);
	ck_assert_int_eq(record_close(writer), 0);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	n = fread(bytes, 1, size, file);
	ck_assert(n > 0 && n < size);
	fclose(file);
	unlink(path);
	return n;
}

/* A record has the last call, whether that is in the tables yet or not. */
START_TEST(test_past)
{
	static char before[1 << 16];
	static char after[sizeof(before)];
	struct mmds_thread *thread = begin();
	char dir[] = "/tmp/bcs-test-XXXXXX";
	size_t n;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	for (uint16_t i = 0; i < 6; i++) {
		call(thread, i % 2, (i + 1u) * TICKS, 100u * (5u - i));
		mmds_write_begin();
		ck_assert_ptr_nonnull(thread->past);
		n = record_now(dir, before, sizeof(before));
		ck_assert_uint_eq(mmds_comm_sum(0).calls, i + 1u);
		mmds_settle(thread);
		ck_assert_ptr_null(thread->past);
		ck_assert_uint_eq(record_now(dir, after, sizeof(after)), n);
		ck_assert_mem_eq(before, after, n);
		ck_assert_uint_eq(mmds_comm_sum(0).calls, i + 1u);
	}
	rmdir(dir);
}
END_TEST

static void *one_call(void *unused)
{
	call(mmds_thread_get(), 0, TICKS, 8);
	return unused;
}

/* The time is counted before another thread takes the tables over. */
START_TEST(test_past_ended)
{
	pthread_t thread;

	begin();
	for (unsigned i = 1; i <= 2; i++) {
		ck_assert_int_eq(pthread_create(&thread, NULL, one_call, NULL),
				 0);
		pthread_join(thread, NULL);
		ck_assert_ptr_null(mmds_threads()->past);
		ck_assert_uint_eq(mmds_threads()->calls, i);
		ck_assert_uint_eq(mmds_comm_sum(0).calls, i);
	}
}
END_TEST

/* It counts before all that is reset after it. */
START_TEST(test_past_reset)
{
	struct mmds_thread *thread = begin();

	call(thread, 0, TICKS, 8);
	mmds_reset();
	ck_assert(mmds_thread_catch_up(thread));
	ck_assert_ptr_null(thread->past);
	ck_assert_uint_eq(thread->calls, 0);
	ck_assert_uint_eq(mmds_comm_sum(0).calls, 0);
}
END_TEST

/* When the last call ended, whether it is counted yet or not. */
static uint64_t end_of_all(const struct mmds_thread *thread)
{
	const struct mmds_frame *past = thread->past;

	if (!past)
		return thread->last;
	return thread->last + mmds_before(thread->last, past) +
	       past->n * mmds_ticks(past);
}

/* The path clock takes the greater, and goes on where all else is reset. */
START_TEST(test_path)
{
	struct mmds_thread *thread = begin();
	uint64_t path;

	call(thread, 1, TICKS, 0);
	path = path_now();
	mmds_settle(thread);
	ck_assert_uint_eq(path_now(), path);
	ck_assert_uint_eq(path, thread->computation);
	path_join(path + TICKS);
	ck_assert_uint_eq(path_now(), path + TICKS);
	path_join(path);
	ck_assert_uint_eq(path_now(), path + TICKS);
	ck_assert_uint_eq(thread->computation, path);
	/* On from there while it computes. */
	ck_assert_uint_eq(mmds_sum_until(thread, thread->last + TICKS).path,
			  path + 2 * TICKS);
	mmds_reset();
	ck_assert(mmds_thread_catch_up(thread));
	ck_assert_uint_eq(thread->computation, 0);
	ck_assert_uint_eq(path_now(), path + TICKS);
	ck_assert_uint_eq(thread->path_begun, path + TICKS);
}
END_TEST

/* A call that only posts something.  If it is timed, it took `ticks`. */
static bool post(struct mmds_thread *thread, uint64_t gap, uint64_t ticks,
		 uint64_t bytes)
{
	struct mmds_frame *frame = mmds_frame_next(thread);

	frame->call = 0;
	frame->slot = &thread->flat[0];
	frame->comm = 0;
	frame->waiting = 0;
	frame->sampled = false;
	frame->sent = bytes;
	frame->received = 0;
	if (!mmds_may_skip_time(frame)) {
		frame->start = end_of_all(thread) + gap;
		frame->end = frame->start + ticks;
		path_enter(thread, frame->start);
	}
	path_leave(thread, mmds_ticks(frame));
	mmds_record_post(frame);
	return mmds_is_timed(frame);
}

static uint64_t sum_of(const struct mmds_hist *hist)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < hist->n_blocks * MMDS_BLOCK; i++)
		if (hist->blocks[i / MMDS_BLOCK])
			sum += hist->blocks[i / MMDS_BLOCK][i % MMDS_BLOCK];
	return sum;
}

#define QUICK 40 /* ticks, some ns on all machines */
#define SLOW  (UINT64_C(1) << 20)
#define GAP   20 /* likewise, between two calls */
#define TURNS 10

/* One in so many is timed; all are counted, and the account adds up. */
START_TEST(test_posts)
{
	struct mmds_thread *thread = begin();
	const uint64_t begun = thread->last;
	const struct mmds_cell *cell;
	unsigned timed = 0;

	clock_self.reading = 0;
	for (unsigned i = 0; i < TURNS * MMDS_TIMED; i++)
		timed += post(thread, GAP, QUICK, 8);
	ck_assert_uint_eq(timed, TURNS);
	ck_assert(mmds_some_untimed());
	mmds_settle(thread);
	cell = cell_of(thread, 0);
	ck_assert_uint_eq(cell->count, TURNS * MMDS_TIMED);
	ck_assert_uint_eq(cell->ticks, QUICK * cell->count);
	ck_assert_uint_eq(cell->sent, 8 * cell->count);
	ck_assert_uint_eq(cell->min, QUICK);
	ck_assert_uint_eq(cell->max, QUICK);
	ck_assert_uint_eq(sum_of(cell->time), cell->count);
	ck_assert_uint_eq(count_of(cell, 8), cell->count);
	ck_assert_uint_eq(thread->calls, cell->count);
	ck_assert_uint_eq(mmds_comm_sum(0).calls, cell->count);
	ck_assert_uint_eq(mmds_comm_sum(0).sent, cell->sent);
	ck_assert_uint_eq(mmds_comm_sum(0).ticks, cell->ticks);
	ck_assert_uint_eq(thread->communication, cell->ticks);
	ck_assert_uint_eq(thread->computation, TURNS * GAP);
	ck_assert_uint_eq(thread->computation + thread->communication,
			  thread->last - begun);
}
END_TEST

/* A slow call is timed, and so is the next. */
START_TEST(test_posts_slow)
{
	struct mmds_thread *thread = begin();

	clock_self.reading = 0;
	for (unsigned i = 0; i < TURNS; i++)
		ck_assert(post(thread, GAP, SLOW, 8));
	ck_assert(!mmds_some_untimed());
	ck_assert(post(thread, GAP, QUICK, 8));
	ck_assert(!post(thread, GAP, QUICK, 8));
	thread->phase = 1;
	ck_assert(post(thread, GAP, QUICK, 8));
}
END_TEST

/* The first behind another call has a count of its own. */
START_TEST(test_posts_first)
{
	struct mmds_thread *thread = begin();
	const uint64_t far = 10 * MMDS_NEAR_NS * (clock_hz() / 1000000000 + 1);

	clock_self.reading = 0;
	for (unsigned i = 0; i < TURNS; i++) {
		call(thread, 1, TICKS, 0);
		ck_assert(post(thread, far, QUICK, 8));
		for (unsigned k = 0; k < 4; k++)
			ck_assert(!post(thread, GAP, QUICK, 8));
	}
	call(thread, 1, TICKS, 0);
	ck_assert(post(thread, GAP, QUICK, 8));
	call(thread, 1, TICKS, 0);
	ck_assert(!post(thread, GAP, QUICK, 8));
}
END_TEST

/* The path clock does not go back where untimed calls counted too long. */
START_TEST(test_posts_path)
{
	struct mmds_thread *thread = begin();
	uint64_t path;

	clock_self.reading = 0;
	post(thread, GAP, QUICK, 8);
	path = path_now();
	ck_assert(!post(thread, GAP, QUICK, 8));
	ck_assert_uint_eq(path_now(), path);
	path_enter(thread, thread->frames[0].end + QUICK / 2);
	ck_assert_uint_eq(path_now(), path);
	path_enter(thread, thread->frames[0].end + 2 * QUICK);
	ck_assert_uint_eq(path_now(), path + QUICK);
}
END_TEST

/* A call that turns out to be slow is timed from there on. */
START_TEST(test_posts_lasting)
{
	struct mmds_thread *thread = begin();
	struct mmds_frame *frame;
	uint64_t start;

	post(thread, GAP, QUICK, 8);
	frame = mmds_frame_next(thread);
	frame->slot = &thread->flat[0];
	frame->call = 0;
	ck_assert(mmds_may_skip_time(frame));
	ck_assert(!mmds_time(thread));
	ck_assert(!mmds_is_timed(frame));
	thread->inside = true;
	ck_assert(mmds_time(thread));
	start = frame->start;
	ck_assert_uint_le(start, clock_ticks());
	ck_assert_uint_ge(start, thread->last);
	ck_assert(!mmds_time(thread));
	ck_assert_uint_eq(frame->start, start);
	frame->end = start + QUICK;
	mmds_record_post(frame);
	/* Its time is no good measure, so the next are timed, too. */
	for (unsigned i = 0; i < MMDS_DOUBTED; i++)
		ck_assert(post(thread, GAP, QUICK, 8));
	ck_assert(!post(thread, GAP, QUICK, 8));
}
END_TEST

/* The estimate is the recent mean, without the reading of the clock. */
START_TEST(test_posts_mean)
{
	struct mmds_thread *thread = begin();
	const struct mmds_cell *cell;

	clock_self.reading = 5;
	post(thread, GAP, QUICK + 5, 8);
	cell = thread->past->cell;
	ck_assert_uint_eq(cell->untimed_ticks, QUICK);
	for (unsigned i = 1; i <= MMDS_TIMED; i++)
		post(thread, GAP, QUICK + 8 + 5, 8);
	ck_assert_uint_eq(cell->untimed_ticks, QUICK + 1);
	for (unsigned i = 1; i <= MMDS_TIMED; i++)
		post(thread, GAP, 2, 8);
	ck_assert_uint_eq(cell->untimed_ticks, 7 * (QUICK + 1) / 8);
}
END_TEST

/* More was guessed than the clock has: what is computed next is less. */
START_TEST(test_posts_ahead)
{
	struct mmds_thread *thread = begin();
	const uint64_t begun = thread->last;
	struct mmds_frame *frame;

	clock_self.reading = 0;
	post(thread, 0, QUICK, 8);
	for (unsigned i = 1; i < MMDS_TIMED; i++)
		ck_assert(!post(thread, 0, QUICK, 8));
	for (unsigned i = 0; i < 2; i++) {
		frame = mmds_frame_next(thread);
		frame->call = 1;
		frame->slot = &thread->flat[1];
		frame->start = begun + (MMDS_TIMED - 3 + 10 * i) * QUICK;
		frame->end = frame->start + QUICK;
		mmds_record(frame, true);
	}
	mmds_settle(thread);
	ck_assert_uint_eq(thread->communication, (MMDS_TIMED + 2) * QUICK);
	ck_assert_uint_eq(thread->computation, 6 * QUICK);
	ck_assert_uint_eq(thread->last, begun + (MMDS_TIMED + 8) * QUICK);
}
END_TEST

/* A record has those that are not counted yet, however many. */
START_TEST(test_posts_past)
{
	static char before[1 << 16];
	static char after[sizeof(before)];
	struct mmds_thread *thread = begin();
	char dir[] = "/tmp/bcs-test-XXXXXX";
	uint64_t sent = 0;
	size_t n;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	for (unsigned i = 0; i < 2 * MMDS_TIMED; i++) {
		post(thread, GAP, QUICK, 8u + i / 4);
		sent += 8u + i / 4;
		if (i % 3)
			continue;
		mmds_write_begin();
		n = record_now(dir, before, sizeof(before));
		ck_assert_uint_eq(mmds_comm_sum(0).calls, i + 1u);
		mmds_settle(thread);
		ck_assert_uint_eq(record_now(dir, after, sizeof(after)), n);
		ck_assert_mem_eq(before, after, n);
		ck_assert_uint_eq(thread->calls, i + 1u);
		ck_assert_uint_eq(cell_of(thread, 0)->sent, sent);
	}
	rmdir(dir);
}
END_TEST

/* MPI_Init, say: no part of the account, but of the table of calls. */
START_TEST(test_outside)
{
	struct mmds_thread *thread = begin();
	const struct mmds_cell *cell;

	mmds_record_outside(1, TICKS);
	mmds_record_outside(1, 3 * TICKS);
	cell = cell_of(thread, 1);
	ck_assert_uint_eq(cell->count, 2);
	ck_assert_uint_eq(cell->ticks, 4 * TICKS);
	ck_assert_uint_eq(cell->min, TICKS);
	ck_assert_uint_eq(cell->max, 3 * TICKS);
	ck_assert_uint_eq(thread->calls, 0);
	ck_assert_uint_eq(thread->communication, 0);
}
END_TEST

/* A call from a path of its own. */
static void call_from(struct mmds_thread *thread, uint32_t path)
{
	struct mmds_frame *frame = mmds_frame_next(thread);

	thread->flat[0].path = path;
	frame->call = 0;
	frame->slot = &thread->flat[0];
	frame->comm = MMDS_NONE;
	frame->start = end_of_all(thread) + GAP;
	frame->end = frame->start + QUICK;
	frame->sampled = false;
	mmds_record(frame, false);
}

/*
 * Every call without room for a cell is told, not only the first of its path.
 * The last one is not in its cell yet.
 */
START_TEST(test_dropped)
{
	struct mmds_thread *thread = begin();
	const uint32_t most = 1 << 20;
	uint32_t path = 1;

	for (; path < most && mmds_dropped() == 0; path++)
		call_from(thread, path);
	ck_assert_uint_lt(path, most);
	for (unsigned i = 1; i < TURNS; i++)
		call_from(thread, path - 1);
	ck_assert_uint_eq(mmds_dropped(), TURNS);
	mmds_settle(thread);
	ck_assert_uint_eq(mmds_dropped(), TURNS);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("mmds");
	TCase *tcase = tcase_create("mmds");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, test_peers);
	tcase_add_test(tcase, test_peers_reset);
	tcase_add_test(tcase, test_late);
	tcase_add_test(tcase, test_sizes);
	tcase_add_test(tcase, test_past);
	tcase_add_test(tcase, test_past_ended);
	tcase_add_test(tcase, test_past_reset);
	tcase_add_test(tcase, test_posts);
	tcase_add_test(tcase, test_posts_slow);
	tcase_add_test(tcase, test_posts_first);
	tcase_add_test(tcase, test_posts_path);
	tcase_add_test(tcase, test_posts_lasting);
	tcase_add_test(tcase, test_path);
	tcase_add_test(tcase, test_posts_mean);
	tcase_add_test(tcase, test_posts_ahead);
	tcase_add_test(tcase, test_posts_past);
	tcase_add_test(tcase, test_outside);
	tcase_add_loop_test(tcase, test_hist, 0, 20);
	tcase_add_test(tcase, test_dropped);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

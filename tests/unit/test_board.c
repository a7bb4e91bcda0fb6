/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * An inbox of the board.  Tests cover room for descriptors, the end of the
 * ring, and lines that are given back.  They also cover payloads that are shown
 * while they are written, and several senders at once.  Counters begin just
 * before they wrap.
 */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/board.h"
#include "libbcs/base/board_memory.h"

#define WRITERS  3
#define MESSAGES 60000u /* of each: several rounds of the ring */
#define LONGEST  3000u

static struct board_slot *slot;
static struct board_inbox inbox;
static uint64_t known; /* of the head, to the sender */

/* Its counters wrap after this many lines. */
static void begin_before_wrap(uint64_t lines)
{
	const uint64_t at = -lines;

	atomic_store(&slot->tail, at);
	atomic_store(&slot->head, at);
	inbox = (struct board_inbox){ .slot = slot, .given = at };
	atomic_store(&inbox.at, at);
	atomic_store(&inbox.zeroed, at);
	known = at;
}

static void setup(void)
{
	slot = board_alone();
	ck_assert_ptr_nonnull(slot);
	begin_before_wrap(100);
}

static void teardown(void)
{
	board_memory_free(slot, sizeof(*slot));
}

static bool put(uint32_t lines, uint32_t number)
{
	struct board_cell *cell = board_reserve(slot, &known, lines);

	if (!cell)
		return false;
	if (atomic_load(&cell->lines))
		ck_abort_msg("its first word is not zero");
	cell->kind = BOARD_TAKEN;
	cell->context = number;
	board_show(cell, lines);
	return true;
}

/* The next descriptor but for padding; NULL: there is none. */
static struct board_cell *next(void)
{
	struct board_cell *cell = board_next(&inbox, 0);

	if (!cell || cell->kind != BOARD_PAD)
		return cell;
	board_done(&inbox, board_lines_of(cell));
	return board_next(&inbox, 0);
}

static void take(uint32_t number)
{
	const struct board_cell *cell = next();

	if (!cell || cell->context != number)
		ck_abort_msg("descriptor %u is not the next", number);
	board_done(&inbox, board_lines_of(cell));
}

START_TEST(test_sizes)
{
	ck_assert_uint_eq(board_lines(BOARD_TAKEN, 0), 1);
	ck_assert_uint_eq(
		board_lines(BOARD_EAGER, BOARD_LINE - board_head(BOARD_EAGER)),
		1);
	ck_assert_uint_eq(board_lines(BOARD_EAGER,
				      BOARD_LINE - board_head(BOARD_EAGER) + 1),
			  2);
	ck_assert_uint_eq(board_size(0), 0);
	ck_assert_uint_eq(board_size(16384), 0);
	ck_assert_uint_eq(board_size(16385), 1);
	ck_assert_uint_eq(board_size(UINT64_MAX), BOARD_SIZES - 1);
}
END_TEST

START_TEST(test_full)
{
	uint32_t n = 0;

	while (put(1, n))
		n++;
	ck_assert_uint_eq(n, BOARD_LINES);
	/* One line is free only once they are given back. */
	take(0);
	ck_assert(!put(1, n));
	board_give_back(&inbox);
	ck_assert(put(1, n));
	ck_assert(!put(1, n + 1));
	for (uint32_t i = 1; i <= n; i++)
		take(i);
	ck_assert_ptr_null(next());
}
END_TEST

/* Lines that are dealt with are given back by themselves, when they are many.
 */
START_TEST(test_give_back)
{
	for (uint32_t i = 0; i < BOARD_GIVE_BACK; i++) {
		ck_assert(put(1, i));
		ck_assert_uint_eq(atomic_load(&slot->head), (uint64_t)-100);
		take(i);
	}
	ck_assert_uint_ne(atomic_load(&slot->head), (uint64_t)-100);
	ck_assert(board_is_tidy(&inbox));
}
END_TEST

/* Their first words are zero then, or before, if there is time for it. */
START_TEST(test_tidy)
{
	const struct board_cell *cell;

	ck_assert(put(3, 1));
	cell = next();
	memset(board_at(slot, atomic_load(&inbox.at) + 1), 0xff, BOARD_LINE);
	ck_assert(board_is_tidy(&inbox));
	take(1);
	ck_assert(!board_is_tidy(&inbox));
	board_tidy(&inbox);
	ck_assert(board_is_tidy(&inbox));
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(atomic_load(&cell[i].lines), 0);
}
END_TEST

/* A descriptor never goes over the end of the ring. */
START_TEST(test_end_of_ring)
{
	const struct board_cell *cell;

	begin_before_wrap(2);
	ck_assert(put(3, 5));
	cell = board_next(&inbox, 0);
	ck_assert_int_eq(cell->kind, BOARD_PAD);
	ck_assert_uint_eq(board_lines_of(cell), 2);
	ck_assert_ptr_eq(next(), slot->ring[0]);
	take(5);
	begin_before_wrap(3);
	memset(slot->ring, 0, sizeof(slot->ring));
	ck_assert(put(3, 6)); /* just fits */
	ck_assert_ptr_eq(board_next(&inbox, 0), slot->ring[BOARD_LINES - 3]);
	take(6);
}
END_TEST

/* An empty inbox begins again at the beginning of the ring; no other does. */
START_TEST(test_begin_again)
{
	const bool is_empty = _i;

	begin_before_wrap(2 * BOARD_LINES);
	for (uint32_t i = 0; i < BOARD_GIVE_BACK; i++)
		ck_assert(put(1, i));
	if (!is_empty)
		ck_assert(put(1, BOARD_GIVE_BACK));
	for (uint32_t i = 0; i < BOARD_GIVE_BACK; i++)
		take(i);
	ck_assert(put(1, 7));
	if (!is_empty)
		take(BOARD_GIVE_BACK);
	if (is_empty)
		ck_assert_ptr_eq(next(), slot->ring[0]);
	else
		ck_assert_ptr_eq(next(), slot->ring[BOARD_GIVE_BACK + 1]);
	take(7);
}
END_TEST

static unsigned char byte_at(uint64_t i)
{
	return (unsigned char)(i * 31 + (i >> 8) + 1);
}

struct early {
	struct board_cell *cell;
	uint64_t n;
};

static void *early_write(void *arg)
{
	const struct early *early = arg;
	const struct board_cell head = { .kind = BOARD_EAGER,
					 .bytes = early->n };
	unsigned char *payload = malloc(early->n);

	for (uint64_t i = 0; i < early->n; i++)
		payload[i] = byte_at(i);
	board_write_early(early->cell, &head, payload, early->n);
	free(payload);
	return NULL;
}

static bool is_payload(const struct board_cell *cell, uint64_t n)
{
	unsigned char *got = malloc(n + 1);
	bool is_good;

	got[n] = 99;
	board_read(cell, got, n);
	is_good = got[n] == 99;
	for (uint64_t i = 0; i < n; i++)
		is_good &= got[i] == byte_at(i);
	free(got);
	return is_good;
}

/* The reader copies while the writer writes, all of it or a part. */
START_TEST(test_early)
{
	static const uint64_t sizes[] = { 50,    2048,  4096,  16384,
					  16500, 65536, 100001 };
	struct early early = { .n = sizes[_i] };
	const uint32_t lines = board_lines_early(BOARD_EAGER, early.n);
	const struct board_cell *cell;
	pthread_t writer;

	for (unsigned round = 0; round < 40; round++) {
		early.cell = board_reserve(slot, &known, lines);
		ck_assert_ptr_nonnull(early.cell);
		pthread_create(&writer, NULL, early_write, &early);
		while (!(cell = next()))
			sched_yield();
		ck_assert(board_is_early(cell));
		ck_assert_uint_eq(board_lines_of(cell), lines);
		ck_assert(is_payload(cell, round % 2 ? early.n
						     : early.n * round / 40));
		board_await(cell);
		ck_assert(board_is_whole(cell));
		board_done(&inbox, lines);
		pthread_join(writer, NULL);
	}
}
END_TEST

/* A payload is whole when its last piece is there, not before. */
START_TEST(test_early_is_whole)
{
	const uint32_t lines = board_lines_early(BOARD_EAGER, LONGEST);
	struct early early = { board_reserve(slot, &known, lines), LONGEST };
	_Atomic uint32_t *last = (_Atomic uint32_t *)((char *)early.cell +
						      (lines - 1) * BOARD_LINE);

	early_write(&early);
	ck_assert(board_is_whole(early.cell));
	atomic_store(last, 0);
	ck_assert(!board_is_whole(early.cell));
}
END_TEST

static void *writer_run(void *arg)
{
	const unsigned me = *(unsigned *)arg;
	uint64_t seen = known;
	struct board_cell *cell;
	uint32_t lines;

	for (uint32_t i = 0; i < MESSAGES; i++) {
		lines = 1 + (i * 7 + me) % 5;
		while (!(cell = board_reserve(slot, &seen, lines)))
			sched_yield();
		/* Payload, of which nothing may be taken for a descriptor. */
		for (uint32_t k = 1; k < lines; k++)
			memset((char *)cell + k * BOARD_LINE, 0xff, BOARD_LINE);
		cell->kind = BOARD_TAKEN;
		cell->from = me & 0xffffff;
		cell->context = i;
		board_show(cell, lines);
	}
	return NULL;
}

static bool is_expected(const struct board_cell *cell, uint32_t *expected)
{
	return cell->from < WRITERS &&
	       cell->context == expected[cell->from]++ &&
	       board_lines_of(cell) == 1 + (cell->context * 7 + cell->from) % 5;
}

/* Each sender's descriptors come once, and in their order. */
START_TEST(test_several)
{
	unsigned numbers[WRITERS];
	uint32_t expected[WRITERS] = { 0 };
	pthread_t writers[WRITERS];
	const struct board_cell *cell;

	begin_before_wrap(20000);
	for (unsigned i = 0; i < WRITERS; i++) {
		numbers[i] = i;
		pthread_create(&writers[i], NULL, writer_run, &numbers[i]);
	}
	for (unsigned i = 0; i < WRITERS * MESSAGES; i++) {
		while (!(cell = next()))
			sched_yield();
		if (!is_expected(cell, expected))
			ck_abort_msg("descriptor %u is not the next", i);
		board_done(&inbox, board_lines_of(cell));
	}
	for (unsigned i = 0; i < WRITERS; i++)
		pthread_join(writers[i], NULL);
	ck_assert_ptr_null(next());
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("board");
	TCase *tcase = tcase_create("board");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 100);
	tcase_add_test(tcase, test_sizes);
	tcase_add_test(tcase, test_full);
	tcase_add_test(tcase, test_give_back);
	tcase_add_test(tcase, test_tidy);
	tcase_add_test(tcase, test_end_of_ring);
	tcase_add_loop_test(tcase, test_begin_again, 0, 2);
	tcase_add_loop_test(tcase, test_early, 0, 7);
	tcase_add_test(tcase, test_early_is_whole);
	tcase_add_test(tcase, test_several);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

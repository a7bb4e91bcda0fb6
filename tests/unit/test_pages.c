/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Shared pages of small collectives.  Each communicator has its own pages.  A
 * collective does not spoil the pages of the one before.  The root of a
 * broadcast may be only so far ahead.  One thread plays all the ranks, call by
 * call.
 */
#include <errno.h>

#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/coll/pages.h"
#include "tests/unit/engine_ranks.h"

#define RANKS   3
#define CONTEXT 7

static struct board_slot **slots;
static struct rank ranks[RANKS];
static struct pages *page_sets[RANKS];
static struct coll *colls[RANKS];
static uint64_t outs[RANKS];
static uint64_t ins[RANKS][RANKS];
static uint32_t each[RANKS] = { 0, 1, 2 };
static const struct rank_map peers = { .each = each };

static void setup(void)
{
	slots = slots_make(RANKS);
	for (uint32_t i = 0; i < RANKS; i++)
		rank_start_alone(&ranks[i], slots, RANKS, i, &demand);
}

static void teardown(void)
{
	for (uint32_t i = 0; i < RANKS; i++) {
		pages_free(&ranks[i].engine);
		engine_stop(&ranks[i].engine);
	}
	slots_free(slots, RANKS);
}

static struct pages *new_at(int rank)
{
	return pages_new(&ranks[rank].engine, &peers, rank, RANKS);
}

/* A communicator of all; which number it has. */
static uint32_t sets_make(uint32_t context)
{
	uint32_t common = UINT32_MAX;

	for (int i = 0; i < RANKS; i++) {
		page_sets[i] = new_at(i);
		ck_assert_ptr_nonnull(page_sets[i]);
		common &= pages_offer(page_sets[i]);
	}
	for (int i = 0; i < RANKS; i++) {
		page_sets[i] = pages_settle(page_sets[i], common, context);
		ck_assert_ptr_nonnull(page_sets[i]);
		ck_assert_uint_eq(page_sets[i]->index, page_sets[0]->index);
	}
	return page_sets[0]->index;
}

static void sets_leave(void)
{
	for (int i = 0; i < RANKS; i++)
		pages_leave(page_sets[i]);
}

static uint32_t offer_of(int rank)
{
	struct pages *pages = new_at(rank);
	const uint32_t offer = pages_offer(pages);

	ck_assert_ptr_null(pages_settle(pages, 0, CONTEXT)); /* all back */
	return offer;
}

START_TEST(test_numbers)
{
	const uint32_t first = sets_make(CONTEXT);
	const uint32_t bit = UINT32_C(1) << first;
	struct pages *two[2] = { new_at(0), new_at(0) };

	/* Not to two communicators at once. */
	ck_assert_uint_eq(pages_offer(two[0]), ~bit);
	ck_assert_uint_eq(pages_offer(two[1]), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_ptr_null(pages_settle(two[i], 0, CONTEXT));
	ck_assert_uint_eq(offer_of(0), ~bit);
	/* Its number is free again when all have left. */
	pages_leave(page_sets[0]);
	pages_leave(page_sets[1]);
	ck_assert_uint_eq(offer_of(0), ~bit);
	pages_leave(page_sets[2]);
	for (int i = 0; i < RANKS; i++)
		ck_assert_uint_eq(offer_of(i), UINT32_MAX);
	ck_assert_uint_eq(sets_make(CONTEXT + 1), first);
	sets_leave();
}
END_TEST

/* None for a communicator that is too large or has no context; NULL is fine. */
START_TEST(test_none)
{
	static uint32_t many[65];
	const struct rank_map all = { .each = many };
	struct pages *pages = new_at(0);

	ck_assert_ptr_null(pages_new(&ranks[0].engine, &all, 0, 65));
	ck_assert_uint_eq(pages_offer(NULL), 0);
	ck_assert_ptr_null(pages_settle(NULL, 1, CONTEXT));
	ck_assert_uint_eq(pages_offer(pages), UINT32_MAX);
	ck_assert_ptr_null(pages_settle(pages, UINT32_MAX, 0));
	ck_assert_uint_eq(offer_of(0), UINT32_MAX);
	pages_leave(NULL);
}
END_TEST

static void add(const struct coll_fold *fold, const void *in, void *inout,
		uint64_t bytes)
{
	(void)fold;
	for (uint64_t i = 0; i < bytes / sizeof(uint64_t); i++)
		((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
}

static const struct coll_fold adds = { .run = add,
				       .unit = sizeof(uint64_t),
				       .commutes = true };

/* Rank's part of a collective: what it has is `out`. */
static struct coll *coll_of(enum coll_kind kind, int rank, uint64_t out)
{
	struct coll *coll = coll_new(RANKS);

	outs[rank] = out;
	coll->kind = kind;
	coll->pages = page_sets[rank];
	coll->context = CONTEXT;
	coll->signature = 1;
	coll->peers = &peers;
	coll->rank = rank;
	coll->out = (unsigned char *)&outs[rank];
	coll->in = (unsigned char *)ins[rank];
	coll->bytes = kind == COLL_BARRIER ? 0 : sizeof(out);
	coll->fold = &adds;
	coll->method = (struct coll_method){ COLL_LINEAR, 0 };
	for (int i = 0; i < RANKS; i++) {
		coll->outs[i] = (struct coll_block){ coll->out, coll->bytes,
						     true };
		coll->ins[i] = (struct coll_block){
			(unsigned char *)&ins[rank][i], coll->bytes, true
		};
	}
	return coll;
}

static bool write_at(enum coll_kind kind, int rank, uint64_t out)
{
	colls[rank] = coll_of(kind, rank, out);
	return pages_write(colls[rank]);
}

static bool read_at(int rank)
{
	const bool is_read = pages_read(colls[rank]);

	ck_assert_int_eq(is_read, colls[rank]->done != 0);
	return is_read;
}

static void end_at(int rank)
{
	ck_assert(read_at(rank));
	ck_assert_int_eq(colls[rank]->error, 0);
	coll_free(colls[rank]);
}

/* Nobody is through before all have written. */
START_TEST(test_all_written)
{
	static const enum coll_kind kinds[] = { COLL_BARRIER, COLL_EXCHANGE,
						COLL_ALLREDUCE };
	const enum coll_kind kind = kinds[_i];

	sets_make(CONTEXT);
	ck_assert(write_at(kind, 1, 10));
	ck_assert(!read_at(1));
	ck_assert(write_at(kind, 2, 200));
	ck_assert(!read_at(1));
	ck_assert(!read_at(2));
	ck_assert(write_at(kind, 0, 3000));
	for (int i = 0; i < RANKS; i++) {
		end_at(i);
		if (kind == COLL_ALLREDUCE)
			ck_assert_uint_eq(ins[i][0], 3210);
		if (kind != COLL_EXCHANGE)
			continue;
		ck_assert_uint_eq(ins[i][0], 3000);
		ck_assert_uint_eq(ins[i][1], 10);
		ck_assert_uint_eq(ins[i][2], 200);
	}
	sets_leave();
}
END_TEST

/* One rank is in the next collective while another has not read the last. */
START_TEST(test_one_ahead)
{
	struct coll *late[2];

	sets_make(CONTEXT);
	for (unsigned round = 0; round < 5; round++) {
		for (int i = 0; i < RANKS; i++)
			ck_assert(write_at(COLL_ALLREDUCE, i, round + 1));
		for (int i = 0; i < 2; i++)
			late[i] = colls[i + 1];
		end_at(0);
		ck_assert_uint_eq(ins[0][0], 3 * (round + 1));
		ck_assert(write_at(COLL_ALLREDUCE, 0, 100));
		ck_assert(!read_at(0));
		for (int i = 0; i < 2; i++) {
			ck_assert(pages_read(late[i]));
			ck_assert_uint_eq(ins[i + 1][0], 3 * (round + 1));
			coll_free(late[i]);
			ck_assert(write_at(COLL_ALLREDUCE, i + 1, 1));
		}
		for (int i = 0; i < RANKS; i++) {
			end_at(i);
			ck_assert_uint_eq(ins[i][0], 102);
		}
	}
	sets_leave();
}
END_TEST

/* Calls that do not fit together end, and name the rank. */
START_TEST(test_mismatch)
{
	sets_make(CONTEXT);
	for (int i = 0; i < RANKS; i++) {
		colls[i] = coll_of(COLL_ALLREDUCE, i, 1);
		colls[i]->signature += i == 2;
		ck_assert(pages_write(colls[i]));
	}
	for (int i = 0; i < RANKS; i++) {
		ck_assert(read_at(i));
		ck_assert_int_eq(colls[i]->error, -EPROTO);
		if (i < 2)
			ck_assert_int_eq(colls[i]->culprit, 2);
		coll_free(colls[i]);
	}
	sets_leave();
}
END_TEST

static bool is_written(struct coll *coll)
{
	const bool is = pages_write(coll);

	coll_free(coll);
	return is;
}

/* A collective that is too large, or waits for nobody, goes by messages. */
START_TEST(test_by_messages)
{
	struct coll *coll;

	sets_make(CONTEXT);
	coll = coll_of(COLL_ALLREDUCE, 0, 1);
	coll->bytes = BOARD_PAGE_BYTES + 1;
	ck_assert(!is_written(coll));
	coll = coll_of(COLL_ALLREDUCE, 0, 1);
	coll->in_background = true;
	ck_assert(!is_written(coll));
	coll = coll_of(COLL_ALLREDUCE, 0, 1);
	coll->method.segment = 4;
	ck_assert(!is_written(coll));
	coll = coll_of(COLL_ALLREDUCE, 0, 1);
	coll->method.algorithm = COLL_BINARY;
	ck_assert(!is_written(coll));
	coll = coll_of(COLL_ALLREDUCE, 0, 1);
	coll->pages = NULL;
	ck_assert(!is_written(coll));
	ck_assert(!is_written(coll_of(COLL_REDUCE, 0, 1)));
	ck_assert_uint_eq(page_sets[0]->n, 0);
	sets_leave();
}
END_TEST

static void bcast(int rank, uint64_t value)
{
	ins[rank][0] = value;
	colls[rank] = coll_of(COLL_BCAST, rank, 0);
}

/* The others may read a broadcast when they have time. */
static void hear(int rank, uint64_t value)
{
	bcast(rank, 0);
	ck_assert(pages_write(colls[rank]));
	end_at(rank);
	ck_assert_uint_eq(ins[rank][0], value);
}

/* The root is as many pages ahead of the last; then it sends messages. */
START_TEST(test_bcasts)
{
	sets_make(CONTEXT);
	for (unsigned i = 0; i < BOARD_BCASTS; i++) {
		bcast(0, i);
		ck_assert(pages_write(colls[0]));
		ck_assert(colls[0]->done);
		coll_free(colls[0]);
		hear(2, i);
	}
	bcast(0, BOARD_BCASTS);
	ck_assert(!is_written(colls[0]));
	for (unsigned i = 0; i < BOARD_BCASTS; i++)
		hear(1, i);
	/* That one came by messages, so that both have not read a page. */
	for (int i = 1; i < RANKS; i++) {
		bcast(i, 0);
		ck_assert(pages_write(colls[i]));
		ck_assert(!read_at(i));
		coll_free(colls[i]);
	}
	bcast(0, 77);
	ck_assert(is_written(colls[0]));
	hear(1, 77);
	hear(2, 77);
	sets_leave();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pages");
	TCase *tcase = tcase_create("pages");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_numbers);
	tcase_add_test(tcase, test_none);
	tcase_add_loop_test(tcase, test_all_written, 0, 3);
	tcase_add_test(tcase, test_one_ahead);
	tcase_add_test(tcase, test_mismatch);
	tcase_add_test(tcase, test_by_messages);
	tcase_add_test(tcase, test_bcasts);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Descriptors for a full inbox wait in an outbox: in their order, each for its
 * own inbox, also where there is no memory for them.  The test takes them out
 * of the inbox itself.
 */
#include <pthread.h>
#include <sched.h>

#include "libbcs/base/wake.h"
#include "tests/unit/engine_ranks.h"

#define RANKS 3

static struct board_slot **slots;
static struct rank rank; /* 0: the only one with an engine */
static struct board_inbox inboxes[RANKS];
static _Atomic bool no_memory;
static _Atomic bool is_refused;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	if (!atomic_load(&no_memory))
		return __real_malloc(size);
	atomic_store(&is_refused, true);
	return NULL;
}

static void setup(void)
{
	slots = slots_make(RANKS);
	rank_start_alone(&rank, slots, RANKS, 0, &demand);
	for (unsigned i = 0; i < RANKS; i++)
		inboxes[i] = (struct board_inbox){ .slot = slots[i] };
}

static void teardown(void)
{
	engine_stop(&rank.engine);
	slots_free(slots, RANKS);
}

static struct board_cell number(uint32_t n)
{
	return (struct board_cell){ .kind = BOARD_TAKEN, .context = n };
}

static void tell(uint32_t to, uint32_t n)
{
	const struct board_cell head = number(n);

	outbox_tell(&rank.engine, to, &head);
}

/* How many lie in its inbox, numbered from `next` on; it gives the lines back.
 */
static uint32_t take(uint32_t from, uint32_t next, uint32_t most)
{
	struct board_cell *cell;
	uint32_t n = 0;

	while (n < most && (cell = board_next(&inboxes[from], 0))) {
		if (cell->kind != BOARD_PAD && cell->context != next + n++)
			ck_abort_msg("%u is not the next", cell->context);
		board_done(&inboxes[from], board_lines_of(cell));
	}
	board_give_back(&inboxes[from]);
	return n;
}

static void fill(uint32_t to)
{
	for (uint32_t i = 0; i < BOARD_LINES; i++)
		tell(to, i);
	ck_assert(outbox_is_empty(&rank.engine, to));
}

/* A later descriptor does not overtake what waits, though there is room. */
START_TEST(test_order)
{
	fill(1);
	tell(1, BOARD_LINES);
	ck_assert(!outbox_is_empty(&rank.engine, 1));
	ck_assert(engine_has_work(&rank.engine));
	ck_assert_uint_eq(take(1, 0, 10), 10);
	tell(1, BOARD_LINES + 1);
	outbox_flush(&rank.engine);
	ck_assert(outbox_is_empty(&rank.engine, 1));
	ck_assert(!engine_has_work(&rank.engine));
	ck_assert_uint_eq(take(1, 10, UINT32_MAX), BOARD_LINES - 8);
}
END_TEST

/*
 * The outbox empties as far as there is room; the rest goes with the next
 * flush.
 */
START_TEST(test_in_parts)
{
	uint32_t taken = 0;

	fill(1);
	for (uint32_t i = 0; i < 100; i++)
		tell(1, BOARD_LINES + i);
	outbox_flush(&rank.engine);
	ck_assert(!outbox_is_empty(&rank.engine, 1));
	while (!outbox_is_empty(&rank.engine, 1)) {
		taken += take(1, taken, 30);
		outbox_flush(&rank.engine);
	}
	ck_assert_uint_eq(taken, 120);
	ck_assert_uint_eq(taken + take(1, taken, UINT32_MAX),
			  BOARD_LINES + 100);
}
END_TEST

/* A full inbox holds up nothing that is for another. */
START_TEST(test_others)
{
	fill(1);
	fill(2);
	tell(1, BOARD_LINES);
	tell(2, BOARD_LINES);
	ck_assert_uint_eq(take(1, 0, 5), 5);
	outbox_flush(&rank.engine);
	ck_assert(outbox_is_empty(&rank.engine, 1));
	ck_assert(!outbox_is_empty(&rank.engine, 2));
	ck_assert_uint_eq(take(1, 5, UINT32_MAX), BOARD_LINES - 4);
	ck_assert_uint_eq(take(2, 0, UINT32_MAX), BOARD_LINES);
	outbox_flush(&rank.engine);
	ck_assert_uint_eq(take(2, BOARD_LINES, UINT32_MAX), 1);
}
END_TEST

/* A send is done when its payload is in the inbox, not before. */
START_TEST(test_payload)
{
	unsigned char payload[1000];
	const struct board_cell head = { .kind = BOARD_EAGER,
					 .context = BOARD_LINES,
					 .bytes = sizeof(payload) };
	struct op op = { .buf = payload, .bytes = sizeof(payload) };
	unsigned char got[sizeof(payload)];

	memset(payload, 5, sizeof(payload));
	fill(1);
	outbox_tell_later(&rank.engine, 1, &head, &op);
	outbox_flush(&rank.engine);
	ck_assert(!op_is_done(&op));
	ck_assert_uint_eq(take(1, 0, 100), 100);
	outbox_flush(&rank.engine);
	ck_assert(op_is_done(&op));
	memset(payload, 6, sizeof(payload)); /* it is the program's again */
	ck_assert_uint_eq(take(1, 100, BOARD_LINES - 100), BOARD_LINES - 100);
	board_read(board_next(&inboxes[1], 0), got, sizeof(got));
	for (unsigned i = 0; i < sizeof(got); i++)
		ck_assert_uint_eq(got[i], 5);
	ck_assert_uint_eq(take(1, BOARD_LINES, UINT32_MAX), 1);
}
END_TEST

static void *take_all(void *arg)
{
	uint32_t *n = arg;

	while (!atomic_load(&is_refused))
		sched_yield();
	while (*n < BOARD_LINES + 1)
		*n += take(1, *n, UINT32_MAX);
	return NULL;
}

/* Without memory for it the sender waits until there is room. */
START_TEST(test_no_memory)
{
	uint32_t taken = 0;
	pthread_t taker;

	fill(1);
	pthread_create(&taker, NULL, take_all, &taken);
	atomic_store(&no_memory, true);
	tell(1, BOARD_LINES);
	atomic_store(&no_memory, false);
	ck_assert(outbox_is_empty(&rank.engine, 1));
	pthread_join(taker, NULL);
	ck_assert_uint_eq(taken, BOARD_LINES + 1);
}
END_TEST

/* A sender wakes the sleeper of a slot; a full inbox wakes its helper. */
START_TEST(test_wakes)
{
	atomic_store(&slots[1]->asleep, 1);
	tell(1, 0);
	ck_assert_uint_eq(atomic_load(&slots[1]->asleep), 0);
	ck_assert_uint_eq(take(1, 0, UINT32_MAX), 1);
	fill(1);
	atomic_store(&slots[1]->helper, HELPER_IDLE);
	tell(1, BOARD_LINES);
	ck_assert_uint_eq(atomic_load(&slots[1]->helper), HELPER_AWAKE);
	take(1, 0, UINT32_MAX);
	outbox_flush(&rank.engine);
	take(1, BOARD_LINES, UINT32_MAX);
}
END_TEST

/*
 * A wake is deferred while the helper here is awake, until that helper or a
 * waiting thread sees to it; then it is done once.
 */
START_TEST(test_deferred_wake)
{
	atomic_store(&slots[1]->helper, HELPER_IDLE);
	atomic_store(&slots[0]->helper, HELPER_IDLE);
	rouse_later(&rank.engine, 1);
	ck_assert_uint_eq(atomic_load(&slots[1]->helper), HELPER_AWAKE);
	atomic_store(&slots[1]->helper, HELPER_IDLE);
	atomic_store(&slots[0]->helper, HELPER_AWAKE);
	atomic_store(&slots[0]->helper_tid, 7);
	rouse_later(&rank.engine, 1);
	ck_assert_uint_eq(atomic_load(&slots[1]->helper), HELPER_IDLE);
	ck_assert_uint_eq(atomic_load(&slots[1]->called), 1);
	rouse_deferred(&rank.engine);
	ck_assert_uint_eq(atomic_load(&slots[1]->helper), HELPER_AWAKE);
	atomic_store(&slots[1]->helper, HELPER_IDLE);
	rouse_deferred(&rank.engine);
	ck_assert_uint_eq(atomic_load(&slots[1]->helper), HELPER_IDLE);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("outbox");
	TCase *tcase = tcase_create("outbox");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, test_order);
	tcase_add_test(tcase, test_in_parts);
	tcase_add_test(tcase, test_others);
	tcase_add_test(tcase, test_payload);
	tcase_add_test(tcase, test_no_memory);
	tcase_add_test(tcase, test_wakes);
	tcase_add_test(tcase, test_deferred_wake);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}

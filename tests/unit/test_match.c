/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Tests of libbcs/base/match.h: receives match messages in MPI's order, also
 * without memory.
 */
#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/match.h"

#define MANY 10000
#ifdef __SANITIZE_ADDRESS__
#define SEEDS 12
#else
#define SEEDS 120
#endif

static struct match *match;

/* The linker leads match.c here. */
static bool no_memory;
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	return no_memory ? NULL : __real_calloc(n, size);
}

static void setup(void)
{
	ck_assert_int_eq(match_new(&match), 0);
}

static void teardown(void)
{
	match_free(match);
}

static struct match_message *post(int32_t source, int32_t tag,
				  struct match_recv *recv)
{
	return match_post(match, &(struct match_key){ 1, source, tag }, recv);
}

static struct match_recv *arrive(int32_t source, int32_t tag,
				 struct match_message *message)
{
	return match_arrive(match, &(struct match_key){ 1, source, tag },
			    message);
}

START_TEST(the_first_posted_is_taken_wildcard_or_not)
{
	static const struct match_key keys[] = {
		{ 1, 2, 3 },         { 1, MATCH_ANY, 3 },
		{ 1, 2, MATCH_ANY }, { 1, MATCH_ANY, MATCH_ANY },
		{ 1, 2, 3 },         { 1, MATCH_ANY, MATCH_ANY },
		{ 1, 2, MATCH_ANY }, { 1, MATCH_ANY, 3 },
		{ 1, 2, 3 },
	};
	enum { N = sizeof(keys) / sizeof(keys[0]) };
	struct match_recv recvs[N];
	struct match_message message;

	/* More than once around: the turns wrap on the way. */
	for (int round = 0; round < 4; round++) {
		for (int i = 0; i < N; i++)
			ck_assert_ptr_null(
				match_post(match, &keys[i], &recvs[i]));
		for (int i = 0; i < N; i++)
			ck_assert_ptr_eq(arrive(2, 3, &message), &recvs[i]);
		ck_assert_ptr_null(match_next_posted(match, NULL));
	}
}
END_TEST

START_TEST(the_first_arrived_is_taken)
{
	struct match_message messages[40];
	struct match_recv recv;

	/* Few of them are looked at, many looked up. */
	for (int n = 4; n <= 40; n += 36) {
		for (int i = 0; i < n; i++)
			ck_assert_ptr_null(
				arrive(i % 2, i / 2 % 2, &messages[i]));
		for (int i = 0; i < n; i += 4) {
			ck_assert_ptr_eq(post(MATCH_ANY, 1, &recv),
					 &messages[i + 2]);
			ck_assert_ptr_eq(post(1, MATCH_ANY, &recv),
					 &messages[i + 1]);
			ck_assert_ptr_eq(post(MATCH_ANY, MATCH_ANY, &recv),
					 &messages[i]);
			ck_assert_ptr_eq(post(1, 1, &recv), &messages[i + 3]);
		}
		ck_assert_ptr_null(match_next_unexpected(match, NULL));
	}
}
END_TEST

START_TEST(a_context_is_a_world_of_its_own)
{
	const struct match_key here = { 1, MATCH_ANY, MATCH_ANY };
	const struct match_key there = { UINT32_MAX, 0, 0 };
	struct match_message messages[20];
	struct match_recv recv;

	for (int i = 0; i < 20; i++)
		ck_assert_ptr_null(match_arrive(match, &there, &messages[i]));
	ck_assert_ptr_null(match_probe(match, &here));
	ck_assert_ptr_null(match_post(match, &here, &recv));
	ck_assert_ptr_eq(match_probe(match, &there), &messages[0]);
	ck_assert_ptr_eq(match_take(match, &there), &messages[0]);
	ck_assert_ptr_eq(match_probe(match, &there), &messages[1]);
}
END_TEST

START_TEST(what_was_matched_cannot_be_cancelled)
{
	struct match_message messages[2];
	struct match_recv recvs[2];

	/* The memory may have held anything before. */
	memset(messages, 0xff, sizeof(messages));
	memset(recvs, 0xff, sizeof(recvs));
	ck_assert_ptr_null(arrive(0, 0, &messages[1]));
	ck_assert_ptr_eq(post(0, 0, &recvs[1]), &messages[1]);
	ck_assert(!match_cancel(match, &recvs[1]));
	memset(messages, 0xff, sizeof(messages));
	ck_assert_ptr_null(post(0, 0, &recvs[1]));
	ck_assert_ptr_eq(arrive(0, 0, &messages[1]), &recvs[1]);
	ck_assert(!match_withdraw(match, &messages[1]));

	ck_assert_ptr_null(post(0, 0, &recvs[0]));
	ck_assert(match_cancel(match, &recvs[0]));
	ck_assert(!match_cancel(match, &recvs[0]));
	ck_assert_ptr_null(arrive(0, 0, &messages[0]));
	ck_assert_ptr_eq(post(0, 0, &recvs[0]), &messages[0]);
	ck_assert(!match_cancel(match, &recvs[0]));
	ck_assert(!match_withdraw(match, &messages[0]));

	ck_assert_ptr_null(arrive(0, 0, &messages[1]));
	ck_assert(match_withdraw(match, &messages[1]));
	ck_assert_ptr_null(post(0, 0, &recvs[1]));
	ck_assert_ptr_eq(arrive(0, 0, &messages[1]), &recvs[1]);
	ck_assert(!match_withdraw(match, &messages[1]));
}
END_TEST

START_TEST(a_key_is_told_back)
{
	struct match_key key = { 7, MATCH_ANY, INT32_MAX };
	struct match_key back;
	struct match_recv recv;

	ck_assert_ptr_null(match_post(match, &key, &recv));
	back = match_link_key(&recv.item.link);
	ck_assert_mem_eq(&back, &key, sizeof(key));
}
END_TEST

/*
 * The looks of posting and arriving, in either order, `n` of each: all of one
 * key, or each of its own, the last one first.
 */
static uint64_t looks_of(int n, bool posted_first, bool one_key)
{
	struct match_message *messages = calloc(MANY, sizeof(*messages));
	struct match_recv *recvs = calloc(MANY, sizeof(*recvs));
	uint64_t looks = match_looks(match);

	for (int i = 0; i < n; i++) {
		int tag = one_key ? 0 : i / 100;
		int source = one_key ? 0 : i % 100;

		if (posted_first)
			ck_assert_ptr_null(post(source, tag, &recvs[i]));
		else
			ck_assert_ptr_null(arrive(source, tag, &messages[i]));
	}
	for (int i = 0; i < n; i++) {
		int at = one_key ? i : n - 1 - i;
		int tag = one_key ? 0 : at / 100;
		int source = one_key ? 0 : at % 100;

		if (posted_first)
			ck_assert_ptr_eq(arrive(source, tag, &messages[i]),
					 &recvs[at]);
		else
			ck_assert_ptr_eq(post(source, tag, &recvs[i]),
					 &messages[at]);
	}
	looks = match_looks(match) - looks;
	free(messages);
	free(recvs);
	return looks;
}

START_TEST(a_lookup_does_not_depend_on_the_queue)
{
	/* One look to find the queue of the key, one to take from it. */
	for (int posted_first = 0; posted_first < 2; posted_first++) {
		ck_assert_uint_le(looks_of(MANY, posted_first, true), 2 * MANY);
		ck_assert_uint_le(looks_of(MANY, posted_first, false),
				  3 * MANY);
	}
}
END_TEST

START_TEST(nor_does_one_with_wildcards)
{
	struct match_message *messages = calloc(MANY, sizeof(*messages));
	struct match_recv recv;
	uint64_t looks;

	for (int i = 0; i < MANY; i++)
		ck_assert_ptr_null(arrive(i % 100, i / 100, &messages[i]));
	looks = match_looks(match);
	for (int i = MANY - 1; i >= 0; i--)
		ck_assert_ptr_null(match_probe(
			match, &(struct match_key){ 1, MATCH_ANY, MANY + i }));
	for (int tag = MANY / 100 - 1; tag >= 0; tag--)
		for (int i = 0; i < 100; i++)
			ck_assert_ptr_eq(post(MATCH_ANY, tag, &recv),
					 &messages[tag * 100 + i]);
	ck_assert_uint_le(match_looks(match) - looks, 6 * MANY);
	free(messages);
}
END_TEST

START_TEST(wildcards_of_the_past_cost_nothing)
{
	struct match_message messages[20];
	struct match_recv recv;
	uint64_t looks = looks_of(1000, true, true);

	ck_assert_uint_eq(looks_of(1000, false, true), looks);
	ck_assert_ptr_null(post(MATCH_ANY, 0, &recv));
	ck_assert(match_cancel(match, &recv));
	ck_assert_uint_eq(looks_of(1000, true, true), looks);
	for (int i = 0; i < 20; i++)
		ck_assert_ptr_null(arrive(i, 0, &messages[i]));
	for (int i = 0; i < 20; i++)
		ck_assert_ptr_nonnull(post(MATCH_ANY, 0, &recv));
	ck_assert_uint_eq(looks_of(1000, false, true), looks);
}
END_TEST

START_TEST(without_memory_it_is_slow_and_right)
{
	struct match *none = NULL;

	no_memory = true;
	ck_assert_int_eq(match_new(&none), -ENOMEM);
	ck_assert_ptr_null(none);
	no_memory = false;
	/* 1000 keys in 64 buckets: found, if late. */
	{
		struct match_message message;
		struct match_recv recvs[1000];

		no_memory = true;
		for (int i = 0; i < 1000; i++)
			ck_assert_ptr_null(post(0, i, &recvs[i]));
		for (int i = 0; i < 1000; i++)
			ck_assert_ptr_eq(arrive(0, i, &message), &recvs[i]);
		no_memory = false;
	}
	ck_assert_uint_ge(match_looks(match), 5000);
}
END_TEST

/*
 * The model: two lists in the order of time, searched from the front.  An item
 * is known by its number.
 */
#define N_ITEMS 200

struct list {
	int n;
	int ids[N_ITEMS];
	struct match_key keys[N_ITEMS];
};

static struct list posts, arrivals;
static struct match_recv recvs[N_ITEMS];
static struct match_message messages[N_ITEMS];
static bool recv_queued[N_ITEMS], message_queued[N_ITEMS];

static bool fits(const struct match_key *recv, const struct match_key *message)
{
	return recv->context == message->context &&
	       (recv->source == MATCH_ANY || recv->source == message->source) &&
	       (recv->tag == MATCH_ANY || recv->tag == message->tag);
}

static void list_add(struct list *list, int id, const struct match_key *key)
{
	list->ids[list->n] = id;
	list->keys[list->n] = *key;
	list->n++;
}

static void list_remove(struct list *list, int at)
{
	size_t behind = (size_t)(list->n - at - 1);

	memmove(&list->ids[at], &list->ids[at + 1], behind * sizeof(int));
	memmove(&list->keys[at], &list->keys[at + 1],
		behind * sizeof(list->keys[0]));
	list->n--;
}

static int list_at(const struct list *list, int id)
{
	for (int i = 0; i < list->n; i++)
		if (list->ids[i] == id)
			return i;
	return -1;
}

static int model_find_message(const struct match_key *key)
{
	for (int i = 0; i < arrivals.n; i++)
		if (fits(key, &arrivals.keys[i]))
			return i;
	return -1;
}

static int model_find_recv(const struct match_key *key)
{
	for (int i = 0; i < posts.n; i++)
		if (fits(&posts.keys[i], key))
			return i;
	return -1;
}

static struct match_key random_key(unsigned n_keys, bool wild)
{
	struct match_key key = {
		.context = (uint32_t)random() % 2,
		.source = (int32_t)(random() % n_keys),
		.tag = (int32_t)(random() % n_keys),
	};

	if (wild && random() % 4 == 0)
		key.source = MATCH_ANY;
	if (wild && random() % 4 == 0)
		key.tag = MATCH_ANY;
	return key;
}

static int unused(const bool *used)
{
	int id = (int)(random() % N_ITEMS);

	while (used[id])
		id = (id + 1) % N_ITEMS;
	return id;
}

/* The message at a place in the model, which takes it out; or NULL. */
static struct match_message *model_take_message(int at)
{
	int id;

	if (at < 0)
		return NULL;
	id = arrivals.ids[at];
	list_remove(&arrivals, at);
	message_queued[id] = false;
	return &messages[id];
}

static void do_post(struct match_key key)
{
	struct match_message *want = model_take_message(
		model_find_message(&key));
	int id;

	if (!want && posts.n == N_ITEMS - 1)
		return;
	id = unused(recv_queued);
	ck_assert_ptr_eq(match_post(match, &key, &recvs[id]), want);
	if (!want) {
		list_add(&posts, id, &key);
		recv_queued[id] = true;
	}
}

static void do_arrive(struct match_key key)
{
	int at = model_find_recv(&key);
	int id;

	if (at < 0 && arrivals.n == N_ITEMS - 1)
		return;
	id = unused(message_queued);
	if (at < 0) {
		ck_assert_ptr_null(match_arrive(match, &key, &messages[id]));
		list_add(&arrivals, id, &key);
		message_queued[id] = true;
		return;
	}
	ck_assert_ptr_eq(match_arrive(match, &key, &messages[id]),
			 &recvs[posts.ids[at]]);
	recv_queued[posts.ids[at]] = false;
	list_remove(&posts, at);
}

static void do_cancel(void)
{
	int id = (int)(random() % N_ITEMS);
	int at = list_at(&posts, id);

	ck_assert_int_eq(match_cancel(match, &recvs[id]), at >= 0);
	if (at >= 0)
		list_remove(&posts, at);
	recv_queued[id] = false;
}

static void do_withdraw(void)
{
	int id = (int)(random() % N_ITEMS);
	int at = list_at(&arrivals, id);

	ck_assert_int_eq(match_withdraw(match, &messages[id]), at >= 0);
	model_take_message(at);
}

static void do_probe(struct match_key key, bool take)
{
	int at = model_find_message(&key);

	ck_assert_ptr_eq(match_probe(match, &key),
			 at < 0 ? NULL : &messages[arrivals.ids[at]]);
	if (take)
		ck_assert_ptr_eq(match_take(match, &key),
				 model_take_message(at));
}

/* An assertion of check costs a microsecond: one for all of them. */
static bool posts_are_equal(void)
{
	struct match_recv *recv = NULL;
	struct match_key key;

	for (int i = 0; i < posts.n; i++) {
		recv = match_next_posted(match, recv);
		if (recv != &recvs[posts.ids[i]])
			return false;
		key = match_link_key(&recv->item.link);
		if (memcmp(&key, &posts.keys[i], sizeof(key)) != 0)
			return false;
	}
	return !match_next_posted(match, recv);
}

static bool arrivals_are_equal(void)
{
	struct match_message *message = NULL;

	for (int i = 0; i < arrivals.n; i++) {
		message = match_next_unexpected(match, message);
		if (message != &messages[arrivals.ids[i]])
			return false;
	}
	return !match_next_unexpected(match, message);
}

/* Posts and arrivals take turns in being the more frequent. */
static void do_something(int step, unsigned n_keys)
{
	bool more_posts = step / 500 % 2 == 0;

	switch (random() % 16) {
	case 0:
		do_cancel();
		break;
	case 1:
		do_withdraw();
		break;
	case 2:
	case 3:
		do_probe(random_key(n_keys, true), random() % 2);
		break;
	case 4:
	case 5:
	case 6:
		more_posts = !more_posts;
		/* fall through */
	default:
		if (more_posts)
			do_post(random_key(n_keys, true));
		else
			do_arrive(random_key(n_keys, false));
	}
}

/* Few keys make long queues, many make many queues. */
START_TEST(as_the_model_says)
{
	static const unsigned n_keys[] = { 1, 2, 3, 5, 20, 100000 };

	srandom((unsigned)_i);
	for (int step = 0; step < 5000; step++) {
		do_something(step, n_keys[_i % 6]);
		if (step % 50 == 0) {
			ck_assert(posts_are_equal());
			ck_assert(arrivals_are_equal());
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("match");
	TCase *tcase = tcase_create("match");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, the_first_posted_is_taken_wildcard_or_not);
	tcase_add_test(tcase, the_first_arrived_is_taken);
	tcase_add_test(tcase, a_context_is_a_world_of_its_own);
	tcase_add_test(tcase, what_was_matched_cannot_be_cancelled);
	tcase_add_test(tcase, a_key_is_told_back);
	tcase_add_test(tcase, a_lookup_does_not_depend_on_the_queue);
	tcase_add_test(tcase, nor_does_one_with_wildcards);
	tcase_add_test(tcase, wildcards_of_the_past_cost_nothing);
	tcase_add_test(tcase, without_memory_it_is_slow_and_right);
	tcase_add_loop_test(tcase, as_the_model_says, 0, SEEDS);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

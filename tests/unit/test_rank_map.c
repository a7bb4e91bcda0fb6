/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests that the map of ranks keeps what was put into it, in little memory. */
#include <check.h>
#include <stdlib.h>

#include "libbcs/base/rank_map.h"

#define NODES 10000u
#define EACH  64u /* processes of a node */
#define N     (NODES * EACH)
#define WORD  sizeof(uint32_t)

static uint32_t each[N];

/* They are what they were, in as much memory at most. */
static void check(uint32_t n, uint64_t bytes_most)
{
	struct rank_map map;
	struct rank_map copy;

	ck_assert_int_eq(rank_map_keep(&map, each, n), 0);
	ck_assert_int_eq(rank_map_copy(&copy, &map), 0);
	ck_assert_uint_le(rank_map_bytes(&map), bytes_most);
	for (uint32_t i = 0; i < n; i++)
		if (rank_map_at(&map, i) != each[i] ||
		    rank_map_at(&copy, i) != each[i])
			ck_abort_msg("%u of %u: %u, %u", i, n,
				     rank_map_at(&map, i),
				     rank_map_at(&copy, i));
	rank_map_free(&map);
	rank_map_free(&copy);
}

/* A node's processes by their slots, and all others behind them. */
static void peers_of(uint32_t node, uint32_t (*node_of)(uint32_t))
{
	uint32_t slot = 0;

	for (uint32_t i = 0; i < N; i++)
		each[i] = node_of(i) == node ? slot++ : EACH + i;
}

static uint32_t by_blocks(uint32_t i)
{
	return i / EACH;
}

static uint32_t in_turn(uint32_t i)
{
	return i % NODES;
}

static uint32_t in_pairs(uint32_t i)
{
	return i / 2 % NODES;
}

START_TEST(test_peers)
{
	static uint32_t (*const node_of[])(uint32_t) = { by_blocks, in_turn,
							 in_pairs };

	for (uint32_t node = 0; node < NODES; node += NODES / 3 - 1) {
		peers_of(node, node_of[_i]);
		check(N, (2 * EACH + 1) * sizeof(struct rank_map_run));
	}
}
END_TEST

START_TEST(test_nodes)
{
	static uint32_t (*const node_of[])(uint32_t) = { by_blocks, in_turn };

	for (uint32_t i = 0; i < N; i++)
		each[i] = node_of[_i](i);
	check(N, NODES * sizeof(struct rank_map_run));
}
END_TEST

/* Ranks without any order take no more memory than each for itself. */
START_TEST(test_any)
{
	srandom((unsigned)_i);
	for (uint32_t i = 0; i < 1000; i++)
		each[i] = (uint32_t)random() % (1u << _i % 32);
	for (uint32_t n = 1; n <= 1000; n += 1 + n / 2)
		check(n, n * WORD);
}
END_TEST

START_TEST(test_few)
{
	struct rank_map map;

	for (uint32_t i = 0; i < 4; i++)
		each[i] = UINT32_MAX - i;
	for (uint32_t n = 1; n <= 4; n++)
		check(n, n * WORD);
	ck_assert_int_eq(rank_map_keep(&map, each, 0), 0);
	rank_map_free(&map);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("rank_map");
	TCase *tcase = tcase_create("rank_map");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 100);
	tcase_add_loop_test(tcase, test_peers, 0, 3);
	tcase_add_loop_test(tcase, test_nodes, 0, 2);
	tcase_add_loop_test(tcase, test_any, 0, 64);
	tcase_add_test(tcase, test_few);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

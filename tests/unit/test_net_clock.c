/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Three nodes whose clocks run at rates of their own, and blocks between them
 * that take any time.  The clock of node 0 is the true time.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/demand/net/net_clock.h"

#define NODES   3
#define SECOND  INT64_C(1000000000)
#define SECONDS 100
#define ERROR   5000 /* ns, to begin with */

static struct node {
	struct net_clock clock;
	struct net_heard heard[NODES];
	double rate;
	int64_t ahead; /* of the true time, at first */
} nodes[NODES];

static unsigned seed;

static unsigned any(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

static uint64_t here(const struct node *node, int64_t now)
{
	return (uint64_t)(node->ahead + now +
			  (int64_t)((double)now * node->rate));
}

/* Slice 0 began at true time 0; the first guess is off as it may be. */
static void start(unsigned from)
{
	static const double rates[NODES] = { 0, 4e-4, -3e-4 };

	seed = from;
	for (uint32_t i = 0; i < NODES; i++) {
		struct node *node = &nodes[i];

		memset(node, 0, sizeof(*node));
		node->rate = rates[i];
		node->ahead = i * 77 * SECOND;
		node->clock = (struct net_clock){
			.zero_ns = here(node, 0) + (i ? any(ERROR) : 0),
			.error_ns = i ? ERROR : 0,
			.at = here(node, 0),
			.me = i,
			.heard = node->heard,
		};
	}
}

/* By how much a node has the time since slice 0 wrong. */
static int64_t wrong(const struct node *node, int64_t now)
{
	return (int64_t)(here(node, now) - node->clock.zero_ns) - now;
}

static int64_t bound_of(const struct node *node, int64_t now)
{
	const uint64_t since = here(node, now) - node->clock.at;

	return (int64_t)(node->clock.error_ns + since / 1000 + 2);
}

/* Not by an assertion each, which would take longer than all else. */
static void check_all(int64_t now)
{
	for (int i = 0; i < NODES; i++)
		if (llabs(wrong(&nodes[i], now)) > bound_of(&nodes[i], now))
			ck_abort_msg("node %d is %lld ns wrong", i,
				     (long long)wrong(&nodes[i], now));
}

static void check_within(int64_t now, int64_t ns)
{
	for (int i = 0; i < NODES; i++)
		if (llabs(wrong(&nodes[i], now)) > ns)
			ck_abort_msg("node %d is %lld ns wrong", i,
				     (long long)wrong(&nodes[i], now));
}

static int64_t block(uint32_t from, uint32_t to, int64_t now, unsigned takes)
{
	struct net_stamp stamp;

	net_clock_stamp(&nodes[from].clock, to, here(&nodes[from], now),
			&stamp);
	now += takes;
	net_clock_hear(&nodes[to].clock, here(&nodes[to], now), &stamp);
	check_all(now);
	return now;
}

/* Mostly fast; sometimes a node was busy. */
static unsigned takes(void)
{
	return any(10) ? 5000 + any(20000) : any(8000000);
}

/* Between any two: no further off than some messages take, ever. */
START_TEST(test_drift)
{
	int64_t now = 0;

	start((unsigned)_i);
	while (now < SECONDS * SECOND) {
		const uint32_t from = any(NODES);

		now = block(from, (from + 1 + any(NODES - 1)) % NODES, now,
			    takes());
		now += any(2000000);
		check_within(now, 60000);
	}
}
END_TEST

/* Node 2 hears of node 0 by node 1 only. */
START_TEST(test_chain)
{
	int64_t now = 0;

	start((unsigned)_i);
	while (now < SECONDS * SECOND) {
		now = block(0, 1, now, takes());
		now = block(1, 2, now, takes());
		now = block(2, 1, now, takes());
		now = block(1, 0, now, takes());
		now += any(2000000);
	}
	check_within(now, 100000);
}
END_TEST

/*
 * What goes one way only bounds one side: a clock that is too slow comes to
 * nothing worse, one that is too fast is held to what a message takes.
 */
START_TEST(test_one_way)
{
	int64_t now = 0;

	start(1);
	while (now < SECONDS * SECOND)
		now = block(0, 2, now, takes()) + any(2000000);
	ck_assert_int_gt(wrong(&nodes[2], now), -60000);
}
END_TEST

/* Nothing for a while, and then a few blocks are enough. */
START_TEST(test_silence)
{
	int64_t now = SECONDS * SECOND;

	start(1);
	ck_assert_int_gt(llabs(wrong(&nodes[1], now)), 10000000);
	for (int i = 0; i < 4; i++)
		now = block((uint32_t)i % 2, (uint32_t)(i + 1) % 2, now, 10000);
	ck_assert_int_lt(llabs(wrong(&nodes[1], now)), 20000);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("net_clock");
	TCase *tc = tcase_create("net_clock");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, test_drift, 1, 4);
	tcase_add_loop_test(tc, test_chain, 1, 4);
	tcase_add_test(tc, test_one_way);
	tcase_add_test(tc, test_silence);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The parts of jor that know no MPI: sites by times, shares of rows, parts and
 * links.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "benchmarks/jor/jor_balance.h"
#include "benchmarks/jor/jor_batches.h"
#include "benchmarks/jor/jor_grid.h"
#include "benchmarks/jor/jor_layout.h"
#include "benchmarks/jor/jor_split.h"

#define MOST 9

/* Odd ones are in the other site; `slower` is a link between the two. */
static void two_sites(int n, double slower, double times[])
{
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			times[i * n + j] = ((i ^ j) & 1 ? slower : 1) +
					   0.01 * (i * j % 5);
}

START_TEST(pairs_tell_two_sites)
{
	double times[MOST * MOST];
	struct split split;
	int site[MOST];

	for (int n = 2; n <= MOST; n++) {
		two_sites(n, 5, times);
		ck_assert(split_pairs(n, times, site, &split));
		for (int i = 0; i < n; i++)
			ck_assert_int_eq(site[i], i & 1);
		ck_assert_double_ge(split.between, 5);
		ck_assert_double_lt(split.within, 1.05);
		two_sites(n, 1, times);
		ck_assert_int_eq(split_pairs(n, times, site, &split), n == 2);
	}
}
END_TEST

START_TEST(the_first_tells_two_sites)
{
	const double apart[] = { 0, 5.2, 1.1, 5.0, 1.0, 5.1 };
	const double alike[] = { 0, 1.2, 1.1, 1.0, 1.3, 1.1 };
	const double one[] = { 0, 3 };
	struct split split;
	int site[6];

	ck_assert(split_first(6, apart, site, &split));
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(site[i], i & 1);
	ck_assert_double_eq(split.within, 1.1);
	ck_assert_double_eq(split.between, 5.0);
	ck_assert(!split_first(6, alike, site, &split));
	ck_assert(split_first(2, one, site, &split));
	ck_assert_int_eq(site[1], 1);
}
END_TEST

static int rows_of(double small_1, double small_2, double large_1,
		   double large_2)
{
	const struct balance balance = {
		.size = 100,
		.small = { small_1, small_2 },
		.large = { large_1, large_2 },
	};
	const int least[2] = { 10, 20 };

	return balance_rows(&balance, least);
}

START_TEST(rows_go_by_power)
{
	ck_assert_int_eq(rows_of(1, 1, 2, 2), 100);
	ck_assert_int_eq(rows_of(1, 3, 2, 6), 150);
	ck_assert_int_eq(rows_of(3, 1, 6, 2), 50);
	ck_assert_int_eq(rows_of(1, 99, 2, 198), 180);
	ck_assert_int_eq(rows_of(99, 1, 198, 2), 10);
}
END_TEST

/* The first is as fast as the other on 100 rows, not on more. */
START_TEST(a_cache_boundary_counts)
{
	const struct balance first = { 100, { 1, 2 }, { 6, 4 } };
	const struct balance second = { 100, { 2, 1 }, { 4, 6 } };
	const struct balance none = { 100, { 1, 2 }, { 2.05, 4 } };
	const struct balance dear_messages = { 100, { 1, 2 }, { 2, 3 } };
	const int least[2] = { 1, 1 };
	const int rows = balance_rows(&first, least);

	ck_assert_int_eq(balance_boundary(&first), 0);
	ck_assert_int_eq(balance_boundary(&second), 1);
	ck_assert_int_eq(balance_boundary(&none), -1);
	ck_assert_int_eq(balance_boundary(&dear_messages), -1);
	/* 1 + 5 x = 2 (1 - x) of 100 rows more: x = 1 / 7. */
	ck_assert_int_ge(rows, 114);
	ck_assert_int_le(rows, 115);
	ck_assert_int_eq(balance_rows(&second, least), 200 - rows);
	ck_assert_double_eq_tol(balance_share(&first), 2.0 / 3, 1e-12);
}
END_TEST

/* Every point has one owner. */
static void check_parts(const struct layout *layout, const struct part parts[])
{
	const int n = layout->ranks[0] + layout->ranks[1];
	const int rows = layout->rows[0] + layout->rows[1];

	for (int row = 0; row < rows; row++)
		for (int column = 0; column < layout->columns; column++) {
			int owners = 0;

			for (int i = 0; i < n; i++)
				owners += row >= parts[i].top &&
					  row < parts[i].top + parts[i].rows &&
					  column >= parts[i].left &&
					  column < parts[i].left +
							   parts[i].columns &&
					  parts[i].site ==
						  (row >= layout->rows[0]);
			ck_assert_int_eq(owners, 1);
		}
}

/* Points along all links; each has another that is as long. */
static int check_links(const struct layout *layout, const struct part parts[])
{
	const int n = layout->ranks[0] + layout->ranks[1];
	int points = 0;
	int first;
	int count;
	int back;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int side = 0; side < GRID_SIDES; side++)
				if (layout_touch(&parts[i], &parts[j], side,
						 &first, &count)) {
					ck_assert(layout_touch(
						&parts[j], &parts[i], side ^ 1,
						&first, &back));
					ck_assert_int_eq(count, back);
					points += count;
				}
	return points;
}

START_TEST(parts_fit)
{
	struct layout layout = { .columns = 12, .rows = { 13, 11 } };
	struct part parts[16];

	for (int first = 1; first <= 8; first++)
		for (int second = 1; second <= 8; second++)
			for (int blocks = 0; blocks < 2; blocks++) {
				layout.ranks[0] = first;
				layout.ranks[1] = second;
				layout.blocks = blocks;
				layout_parts(&layout, parts);
				check_parts(&layout, parts);
				if (!blocks)
					ck_assert_int_eq(
						check_links(&layout, parts),
						2 * 12 * (first + second - 1));
				else
					check_links(&layout, parts);
			}
}
END_TEST

START_TEST(blocks_are_cut_both_ways)
{
	const struct layout layout = { 12, { 12, 12 }, { 4, 6 }, true };

	ck_assert_int_eq(layout_rows_least(&layout, 0), 2);
	ck_assert_int_eq(layout_rows_least(&layout, 1), 3);
}
END_TEST

/* A point alone has the mean of its four neighbours. */
START_TEST(a_point_is_a_mean)
{
	const double values[] = { 1, 2, 4, 8 };
	struct grid grid = grid_new(1, 1);
	double now;

	grid_begin(&grid);
	ck_assert(!grid_within(&grid, 0.99));
	for (int side = 0; side < GRID_SIDES; side++)
		grid_beside(&grid, (enum grid_side)side, 0, 1, &values[side]);
	grid_relax_inside(&grid);
	grid_relax_edges(&grid);
	grid_next(&grid);
	grid_edge(&grid, GRID_ABOVE, 0, 1, &now);
	ck_assert_double_eq(now, 15.0 / 4);
	ck_assert(grid_within(&grid, 15.0 / 4));
	ck_assert(!grid_within(&grid, NAN));
	grid_free(&grid);
}
END_TEST

/* us: 40 is usual; the first trips, two batches and most others take longer. */
START_TEST(a_slow_start_is_not_a_trip)
{
	double times[BATCHES_TRIPS];

	for (int i = 0; i < BATCHES_TRIPS; i++)
		times[i] = i % 7 == 3 ? 40 : 55 + i % 5;
	for (int i = 0; i < BATCHES_WARM_UP; i++)
		times[i] = 5818;
	ck_assert_double_eq(batches_median(times, BATCHES_TRIPS), 40);

	for (int i = 0; i < BATCHES_TRIPS; i++)
		times[i] = i < BATCHES_WARM_UP + 2 * BATCHES_EACH ? 5818 : 40;
	ck_assert_double_eq(batches_median(times, BATCHES_TRIPS), 40);

	/* A lucky batch is none, either. */
	for (int i = 0; i < BATCHES_TRIPS; i++)
		times[i] = i < BATCHES_WARM_UP + BATCHES_EACH ? 1 : 40;
	ck_assert_double_eq(batches_median(times, BATCHES_TRIPS), 40);
}
END_TEST

/* So few that the time was over: in batches of two, but for the first. */
START_TEST(few_trips_are_batches)
{
	double times[12] = { 900, 800, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1 };

	ck_assert_double_eq(batches_median(times, 12), 4);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("jor");
	TCase *tcase = tcase_create("jor");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, pairs_tell_two_sites);
	tcase_add_test(tcase, the_first_tells_two_sites);
	tcase_add_test(tcase, rows_go_by_power);
	tcase_add_test(tcase, a_cache_boundary_counts);
	tcase_add_test(tcase, parts_fit);
	tcase_add_test(tcase, blocks_are_cut_both_ways);
	tcase_add_test(tcase, a_point_is_a_mean);
	tcase_add_test(tcase, a_slow_start_is_not_a_trip);
	tcase_add_test(tcase, few_trips_are_batches);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

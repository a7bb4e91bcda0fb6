/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of model/pieces.h: lines in pieces are found again. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/linear.h"
#include "model/pieces.h"

#define POINTS_MAX 799

static double x[POINTS_MAX];
static double y[POINTS_MAX];

static double noise(double share)
{
	return 1 + share * (2 * (double)rand() / RAND_MAX - 1);
}

/*
 * The squares of one line, summed in another way than the one that is tested.
 */
static double line_sum(size_t from, size_t to)
{
	struct linear line;
	double sum = 0;

	ck_assert_int_eq(linear_fit(LINEAR_RELATIVE, x + from, y + from,
				    to - from, &line),
			 0);
	for (size_t i = from; i < to; i++)
		sum += pow((line.t + line.k * x[i]) / y[i] - 1, 2);
	return sum;
}

/* All ways to divide the points [from, n) among so many pieces. */
static double brute_force(size_t from, size_t n, unsigned pieces)
{
	double least = INFINITY;

	if (pieces == 1)
		return n - from < PIECES_LEAST ? INFINITY : line_sum(from, n);
	for (size_t to = from + PIECES_LEAST; to + PIECES_LEAST <= n; to++)
		least = fmin(least, line_sum(from, to) +
					    brute_force(to, n, pieces - 1));
	return least;
}

START_TEST(no_other_pieces_are_better)
{
	struct curve_row row;

	for (unsigned seed = 1; seed <= 20; seed++) {
		srand(seed);
		for (size_t i = 0; i < 14; i++) {
			x[i] = (double)(i * i) + noise(.1);
			y[i] = 10 * noise(.9) + x[i];
		}
		for (unsigned pieces = 1; pieces <= 4; pieces++) {
			ck_assert_int_eq(pieces_fit(x, y, 14, pieces, &row), 0);
			ck_assert_uint_eq(row.n, pieces);
			ck_assert_double_eq_tol(pieces_sum(x, y, 14, &row),
						brute_force(0, 14, pieces),
						1e-9);
		}
	}
}
END_TEST

static void three_pieces(double share)
{
	for (size_t i = 0; i < 60; i++) {
		x[i] = (double)i;
		y[i] = (i < 20   ? 5 + .1 * x[i]
			: i < 40 ? 20 + 2 * x[i]
				 : 500 - 3 * x[i]) *
		       noise(share);
	}
}

START_TEST(bic_finds_how_many_pieces_there_are)
{
	struct curve_row row;

	srand(1);
	three_pieces(.03);
	ck_assert_int_eq(pieces_fit(x, y, 60, 0, &row), 0);
	ck_assert_uint_eq(row.n, 3);
	ck_assert_double_eq(row.pieces[1].from, 20);
	ck_assert_double_eq(row.pieces[2].from, 40);
	ck_assert_double_eq_tol(row.pieces[1].k, 2, .2);
	for (size_t i = 0; i < 60; i++)
		y[i] = (3 + 7 * x[i]) * noise(.03);
	ck_assert_int_eq(pieces_fit(x, y, 60, 0, &row), 0);
	ck_assert_uint_eq(row.n, 1);
}
END_TEST

START_TEST(bic_is_schwarz_s)
{
	/* n log(sum / n) + (3 S - 1) log n */
	ck_assert_double_eq_tol(pieces_bic(100 * exp(-2), 100, 1),
				-200 + 2 * log(100), 1e-9);
	ck_assert_double_eq_tol(pieces_bic(100 * exp(-2), 100, 4),
				-200 + 11 * log(100), 1e-9);
	ck_assert(isfinite(pieces_bic(0, 100, 1)));
}
END_TEST

/*
 * Points of one x stay in one piece, though there is a step among them.  The
 * second piece begins at that x, and is the line of all points from there on.
 */
START_TEST(repetitions_stay_together)
{
	struct curve_row row;
	struct linear line;
	size_t first = 0;

	srand(2);
	for (size_t i = 0; i < 40; i++) {
		x[i] = (double)(i / 4);
		y[i] = (i < 22 ? 1 : 50) * noise(.05);
	}
	ck_assert_int_eq(pieces_fit(x, y, 40, 2, &row), 0);
	while (x[first] < row.pieces[1].from)
		first++;
	ck_assert_int_eq(linear_fit(LINEAR_RELATIVE, x + first, y + first,
				    40 - first, &line),
			 0);
	ck_assert_double_eq_tol(row.pieces[1].t, line.t, 1e-6);
	ck_assert_double_eq_tol(row.pieces[1].k, line.k, 1e-6);
}
END_TEST

START_TEST(few_points_make_one_piece)
{
	struct curve_row row;

	x[0] = x[1] = 8;
	y[0] = 1;
	y[1] = 3;
	ck_assert_int_eq(pieces_fit(x, y, 2, 0, &row), 0);
	ck_assert_uint_eq(row.n, 1);
	ck_assert_double_eq(row.pieces[0].k, 0);
	/* The least of (t - 1)^2 + (t / 3 - 1)^2. */
	ck_assert_double_eq_tol(row.pieces[0].t, 1.2, 1e-9);
	ck_assert_int_eq(pieces_fit(x, y, 0, 0, &row), -EDOM);
	ck_assert_int_eq(pieces_fit(x, y, 2, 2, &row), -EDOM);
}
END_TEST

/* 799 sizes stand two and two together, so that no piece begins between. */
START_TEST(of_many_sizes_neighbours_stay_together)
{
	struct curve_row row;

	for (size_t i = 0; i < POINTS_MAX; i++) {
		x[i] = (double)i;
		y[i] = i < 301 ? 1 : 10;
	}
	ck_assert_int_eq(pieces_fit(x, y, POINTS_MAX, 2, &row), 0);
	ck_assert_uint_eq((unsigned)row.pieces[1].from % 2, 0);
	ck_assert_double_eq_tol(row.pieces[1].from, 301, 1.5);
}
END_TEST

START_TEST(a_curve_is_asked_between_its_rows)
{
	struct curve curve = {
		.n_rows = 2,
		.rows = { { 2, 1, { { 0, 10, 1 } } },
			  { 8, 2, { { 0, 20, 1 }, { 100, 0, 2 } } } },
	};
	bool outside;

	ck_assert_double_eq(curve_value(&curve, 2, 5, &outside), 15);
	ck_assert(!outside);
	ck_assert_double_eq_tol(curve_value(&curve, 4, 5, &outside), 20, 1e-9);
	ck_assert_double_eq(curve_value(&curve, 8, 100, &outside), 200);
	ck_assert(!outside);
	ck_assert_double_eq(curve_value(&curve, 64, 99, &outside), 119);
	ck_assert(outside);
	ck_assert_double_eq(curve_value(&curve, 1, 5, &outside), 15);
	ck_assert(outside);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pieces");
	TCase *tcase = tcase_create("pieces");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, no_other_pieces_are_better);
	tcase_add_test(tcase, bic_finds_how_many_pieces_there_are);
	tcase_add_test(tcase, bic_is_schwarz_s);
	tcase_add_test(tcase, repetitions_stay_together);
	tcase_add_test(tcase, few_points_make_one_piece);
	tcase_add_test(tcase, of_many_sizes_neighbours_stay_together);
	tcase_add_test(tcase, a_curve_is_asked_between_its_rows);
	tcase_set_timeout(tcase, 60);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

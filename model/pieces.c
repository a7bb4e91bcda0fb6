/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Fits a piecewise line by dynamic programming; the BIC chooses the number of
 * pieces.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/pieces.h"

/* With more different x than this, neighbours are grouped, and pieces end only
 * between groups. */
#define GROUPS_MAX 400
#define TINY       1e-12

/* Sums over the points before a place, with weights 1 / y^2. */
struct sums {
	long double w;
	long double x;
	long double xx;
	long double y;
	long double xy;
	long double yy;
};

struct search {
	const double *x;
	const double *y;
	size_t n;
	struct sums *sums; /* n + 1 of them */
	/* First point of each group, and one past the last. */
	size_t *begin;
	size_t n_groups;
	/* Indexed by number of pieces - 1, then groups: the least error of so
	 * many pieces over these groups, and the last piece's first group. */
	double *best;
	size_t *from;
};

static struct sums plus(struct sums sums, double x, double y)
{
	const long double w = 1 / ((long double)y * y);

	sums.w += w;
	sums.x += w * x;
	sums.xx += w * x * x;
	sums.y += w * y;
	sums.xy += w * x * y;
	sums.yy += 1;
	return sums;
}

static struct sums minus(const struct sums *a, const struct sums *b)
{
	return (struct sums){ a->w - b->w, a->x - b->x,   a->xx - b->xx,
			      a->y - b->y, a->xy - b->xy, a->yy - b->yy };
}

/* The line through the points [from, to); returns its sum of squares. */
static double line_of(const struct search *search, size_t from, size_t to,
		      struct curve_piece *piece)
{
	const struct sums s = minus(&search->sums[to], &search->sums[from]);
	const long double det = s.w * s.xx - s.x * s.x;
	long double k = 0;
	long double t;

	if (search->x[to - 1] > search->x[from])
		k = (s.w * s.xy - s.x * s.y) / det;
	t = (s.y - k * s.x) / s.w;
	piece->from = search->x[from];
	piece->t = (double)t;
	piece->k = (double)k;
	return fmax(0, (double)(s.yy - t * s.y - k * s.xy));
}

static double cost(const struct search *search, size_t from, size_t to)
{
	struct curve_piece piece;

	return line_of(search, search->begin[from], search->begin[to], &piece);
}

/* Groups points of one x.  Where there are too many, groups neighbours as
 * well. */
static void make_groups(struct search *search)
{
	const size_t least = (search->n + GROUPS_MAX - 1) / GROUPS_MAX;
	size_t begin = 0;

	search->n_groups = 0;
	for (size_t i = 1; i <= search->n; i++) {
		if (i < search->n &&
		    (search->x[i] <= search->x[i - 1] || i - begin < least))
			continue;
		search->begin[search->n_groups++] = begin;
		begin = i;
	}
	search->begin[search->n_groups] = search->n;
}

static void cover(struct search *search, unsigned pieces, size_t groups)
{
	const size_t width = search->n_groups + 1;
	double *best = &search->best[pieces * width + groups];
	double sum;

	*best = INFINITY;
	for (size_t i = PIECES_LEAST * pieces; i + PIECES_LEAST <= groups;
	     i++) {
		sum = search->best[(pieces - 1) * width + i] +
		      cost(search, i, groups);
		if (sum < *best) {
			*best = sum;
			search->from[pieces * width + groups] = i;
		}
	}
}

/* Returns the largest possible number of pieces. */
static unsigned solve(struct search *search)
{
	const size_t groups = search->n_groups;
	unsigned pieces;

	for (size_t g = 1; g <= groups; g++) {
		search->best[g] = cost(search, 0, g);
		search->from[g] = 0;
	}
	for (pieces = 1;
	     pieces < PIECES_MAX && (pieces + 1) * PIECES_LEAST <= groups;
	     pieces++)
		for (size_t g = 1; g <= groups; g++)
			cover(search, pieces, g);
	return pieces;
}

static unsigned by_bic(const struct search *search, unsigned most)
{
	const size_t width = search->n_groups + 1;
	double least = INFINITY;
	unsigned pieces = 1;
	double bic;

	for (unsigned i = 1; i <= most; i++) {
		bic = pieces_bic(
			search->best[(i - 1) * width + search->n_groups],
			search->n, i);
		if (bic < least) {
			least = bic;
			pieces = i;
		}
	}
	return pieces;
}

static void trace_back(const struct search *search, unsigned pieces,
		       struct curve_row *row)
{
	const size_t width = search->n_groups + 1;
	size_t to = search->n_groups;
	size_t from;

	row->n = pieces;
	while (pieces--) {
		from = search->from[pieces * width + to];
		line_of(search, search->begin[from], search->begin[to],
			&row->pieces[pieces]);
		to = from;
	}
}

static void add_up(struct search *search)
{
	search->sums[0] = (struct sums){ 0 };
	for (size_t i = 0; i < search->n; i++)
		search->sums[i + 1] = plus(search->sums[i], search->x[i],
					   search->y[i]);
}

static int search_new(struct search *search)
{
	const size_t places = PIECES_MAX * (search->n + 1);

	search->sums = malloc((search->n + 1) * sizeof(*search->sums));
	search->begin = malloc((search->n + 1) * sizeof(*search->begin));
	search->best = malloc(places * sizeof(*search->best));
	search->from = calloc(places, sizeof(*search->from));
	return search->sums && search->begin && search->best && search->from
		       ? 0
		       : -ENOMEM;
}

int pieces_fit(const double *x, const double *y, size_t n, unsigned n_pieces,
	       struct curve_row *row)
{
	struct search search = { .x = x, .y = y, .n = n };
	int rc = n ? search_new(&search) : -EDOM;
	unsigned most;

	if (rc == 0) {
		add_up(&search);
		make_groups(&search);
		most = solve(&search);
		if (n_pieces <= most)
			trace_back(&search,
				   n_pieces ? n_pieces : by_bic(&search, most),
				   row);
		else
			rc = -EDOM;
	}
	free(search.sums);
	free(search.begin);
	free(search.best);
	free(search.from);
	return rc;
}

double pieces_sum(const double *x, const double *y, size_t n,
		  const struct curve_row *row)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += pow(curve_row_value(row, x[i]) / y[i] - 1, 2);
	return sum;
}

double pieces_bic(double sum, size_t n, unsigned n_pieces)
{
	const double all = (double)n;

	return all * log(fmax(sum / all, TINY)) +
	       (3.0 * n_pieces - 1) * log(all);
}

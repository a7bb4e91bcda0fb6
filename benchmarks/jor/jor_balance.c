/* SPDX-License-Identifier: BSD-3-Clause */

/* How two sites share rows, by what their local runs took. */
#include "jor_balance.h"

#include <math.h>

/* How different the sites' growth may be, and how much a row may grow: more is
 * a cache that is too small. */
#define SAME 0.15
#define GROW 0.05

double balance_share(const struct balance *balance)
{
	return balance->small[1] / (balance->small[0] + balance->small[1]);
}

static double growth(const struct balance *balance, int site)
{
	return balance->large[site] / balance->small[site];
}

/* The fixed cost of a message makes large parts cheaper, never dearer. */
int balance_boundary(const struct balance *balance)
{
	for (int site = 0; site < 2; site++)
		if (growth(balance, site) > 2 * (1 + GROW) &&
		    growth(balance, site) >
			    (1 + SAME) * growth(balance, 1 - site))
			return site;
	return -1;
}

/* Below N as of N; up to 2 N on the line between. */
static double seconds(const struct balance *balance, int site, int rows)
{
	const double small = balance->small[site];
	const double more = (double)rows / balance->size - 1;

	if (more <= 0)
		return small * (1 + more);
	return small + more * (balance->large[site] - small);
}

static int by_share(const struct balance *balance)
{
	return (int)lround(2 * balance->size * balance_share(balance));
}

/* The rows with which the slower of both is done soonest. */
static int by_caches(const struct balance *balance)
{
	double best = HUGE_VAL;
	int best_rows = balance->size;

	for (int rows = 1; rows < 2 * balance->size; rows++) {
		const double end = fmax(
			seconds(balance, 0, rows),
			seconds(balance, 1, 2 * balance->size - rows));

		if (end < best) {
			best = end;
			best_rows = rows;
		}
	}
	return best_rows;
}

int balance_rows(const struct balance *balance, const int least[2])
{
	int rows = balance_boundary(balance) < 0 ? by_share(balance)
						 : by_caches(balance);

	if (rows > 2 * balance->size - least[1])
		rows = 2 * balance->size - least[1];
	return rows < least[0] ? least[0] : rows;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_BALANCE_H
#define JOR_BALANCE_H

#include <stdbool.h>

/* How two sites share rows by what local runs took; it knows no MPI. */

/* Seconds of an iteration, of the site alone, on N and on 2 N rows. */
struct balance {
	int size; /* N */
	double small[2];
	double large[2];
};

/* The share of the work that is the first site's, by the smaller runs. */
double balance_share(const struct balance *balance);

/*
 * The site that is slower for each row when it has more of them, by more than
 * the other is; -1 if neither.
 */
int balance_boundary(const struct balance *balance);

/* The first site's of 2 N rows; each has the least it can do with at least. */
int balance_rows(const struct balance *balance, const int least[2]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_CIRCLE_H
#define BCS_MPIB_CIRCLE_H

/*
 * Pairs all n players once by the circle method: n - 1 rounds for an even n, n
 * for an odd one.  Nobody has two partners in a round.
 */
int circle_rounds(int n);

/* The partner of `one` in a round from 0, or -1 if it has none. */
int circle_partner(int n, int round, int one);

#endif

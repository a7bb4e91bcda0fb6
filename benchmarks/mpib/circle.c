/* SPDX-License-Identifier: BSD-3-Clause */
#include "circle.h"

/*
 * One seat stands still, the others turn about it by one each round.  Two
 * players meet if their numbers add up to the round's, modulo the seats that
 * turn.  With an odd number of players the seat that stands still is empty.
 */

int circle_rounds(int n)
{
	return n < 2 ? 0 : n - 1 + n % 2;
}

int circle_partner(int n, int round, int one)
{
	const int turning = circle_rounds(n);
	int other;

	if (one == turning) {
		/* Twice this is the round, modulo an odd number. */
		other = round % 2 ? (round + turning) / 2 : round / 2;
		return other;
	}
	other = (round - one + turning) % turning;
	if (other != one)
		return other;
	return n % 2 ? -1 : turning;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_reliable.h"

#include <math.h>

double sim_reliable_success(double rate, double seconds)
{
	return exp(-rate * seconds);
}

double sim_reliable_young(double rate, double cost)
{
	return sqrt(2 * cost / rate);
}

double sim_reliable_daly(double rate, double cost)
{
	const double mean = 1 / rate;
	const double part = cost / (2 * mean);

	if (part >= 1)
		return mean;
	return sqrt(2 * cost * mean) * (1 + sqrt(part) / 3 + part / 9) - cost;
}

double sim_reliable_expected(double rate, double seconds, double interval,
			     double cost, double restart)
{
	const double pieces = interval > 0 ? seconds / interval : 1;
	const double piece = interval > 0 ? interval + cost : seconds;

	if (!(rate > 0))
		return interval > 0 ? seconds + pieces * cost : seconds;
	/* The restart after a failure may fail, too. */
	return exp(rate * restart) * expm1(rate * piece) / rate * pieces;
}

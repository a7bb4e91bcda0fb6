/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_RELIABLE_H
#define BCS_SIM_RELIABLE_H

/*
 * What failures do to a run.  All times are in seconds; `rate` is of failures a
 * second, which come independently of each other, so that no time between two
 * of them is likelier than by that rate.
 */

/* The probability of none. */
double sim_reliable_success(double rate, double seconds);

/* From one checkpoint to the next, of which each takes `cost`. */
double sim_reliable_young(double rate, double cost);
/* Of higher order, as Daly has it. */
double sim_reliable_daly(double rate, double cost);

/*
 * How long a run takes on the mean that would take `seconds` without failures,
 * with a checkpoint whenever `interval` more is done; 0: from the start again.
 */
double sim_reliable_expected(double rate, double seconds, double interval,
			     double cost, double restart);

#endif

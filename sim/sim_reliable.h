/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SIM_RELIABLE_H
#define BCS_SIM_RELIABLE_H

/*
 * The effect of failures on a run.  Times are in seconds.  `rate` is failures
 * per second, which are independent of each other and equally likely at any
 * time.
 */

/* The probability that a run of `seconds` has no failure. */
double sim_reliable_success(double rate, double seconds);

/* The best time between checkpoints, where each takes `cost`: Young's
 * first-order formula. */
double sim_reliable_young(double rate, double cost);
/* Daly's higher-order formula for it. */
double sim_reliable_daly(double rate, double cost);

/*
 * The mean time of a run that would take `seconds` without failures.  It writes
 * a checkpoint every `interval` of work; 0: each failure starts it anew.
 */
double sim_reliable_expected(double rate, double seconds, double interval,
			     double cost, double restart);

#endif

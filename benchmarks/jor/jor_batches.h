/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_JOR_BATCHES_H
#define BCS_JOR_BATCHES_H

/*
 * The first trips of a pair are slow: connections are made, cores wake, two
 * processes may begin on one core.  They warm up; the others are batches.
 */
#define BATCHES_WARM_UP 20
#define BATCHES         5
#define BATCHES_EACH    20
#define BATCHES_TRIPS   (BATCHES_WARM_UP + BATCHES * BATCHES_EACH)

/*
 * The median of the fastest of each batch, of n trips, BATCHES at least.  Fewer
 * than BATCHES_TRIPS have shorter batches, and all but a few of them count.
 * Orders the times.
 */
double batches_median(double times[], int n);

#endif

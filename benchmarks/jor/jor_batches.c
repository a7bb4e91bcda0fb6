/* SPDX-License-Identifier: BSD-3-Clause */

/* What a trip takes, of many that are disturbed. */
#include "jor_batches.h"

#include "benchmarks/lib/values.h"

double batches_median(double times[], int n)
{
	const int warm = n == BATCHES_TRIPS ? BATCHES_WARM_UP : n % BATCHES;
	const int batch = (n - warm) / BATCHES;
	double least[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		values_sort(times + warm + i * batch, batch);
		least[i] = times[warm + i * batch];
	}
	return values_median(least, BATCHES);
}

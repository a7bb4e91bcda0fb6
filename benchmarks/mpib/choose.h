/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_CHOOSE_H
#define BCS_MPIB_CHOOSE_H

#include "mpib.h"

struct mpib_choice {
	const struct mpib_coll **colls;
	int n;
	int *sizes;
	int n_sizes;
	struct mpib_result *results; /* by size, then by implementation */
	int *fastest;                /* by size */
};

/* With copies of both lists; NULL without memory. */
struct mpib_choice *choose_make(const struct mpib_coll *const *colls, int n,
				const int *sizes, int n_sizes);

/* One kind, and sizes that grow. */
bool choose_makes_sense(const struct mpib_coll *const *colls, int n,
			const int *sizes, int n_sizes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NUMBERS_H
#define BCS_NUMBERS_H

#include <stdint.h>

/*
 * A compact array of numbers that is mostly regular, such as the node of each
 * process.  It is kept as runs of equal steps, or as plain numbers where that
 * takes less.  A word for each process of a large job would be too much.
 */
struct numbers_run {
	uint32_t first; /* index of the run's first number */
	uint32_t value;
	uint32_t step;
};

struct numbers {
	uint32_t n;
	uint32_t n_runs; /* 0: plain numbers in `each` */
	union {
		uint32_t *each;
		struct numbers_run *runs;
	};
};

/* Return 0 or -errno; after an error there is nothing to free. */
int numbers_keep(struct numbers *numbers, const uint32_t *each, uint32_t n);
int numbers_copy(struct numbers *to, const struct numbers *from);
void numbers_free(struct numbers *numbers);
uint64_t numbers_bytes(const struct numbers *numbers);

static inline uint32_t numbers_at(const struct numbers *numbers, uint32_t i)
{
	const struct numbers_run *run = numbers->runs;
	uint32_t n = numbers->n_runs;

	if (n == 0)
		return numbers->each[i];
	while (n > 1) {
		if (run[n / 2].first <= i) {
			run += n / 2;
			n -= n / 2;
		} else {
			n /= 2;
		}
	}
	return run->value + (i - run->first) * run->step;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SERIES_H
#define BCS_SERIES_H

/*
 * A long row of values over numbers or times that rise, as a limited number of
 * bins.  Whenever there are more, each two become one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct series_bin {
	uint64_t from;
	uint64_t to; /* of the next one */
	uint64_t n;
	uint64_t min;
	uint64_t max;
	double sum;
};

struct series {
	struct series_bin *bins;
	size_t n;
	size_t room;
	uint64_t start;
	uint64_t width; /* of a bin */
	bool begun;
};

void series_begin(struct series *series, size_t most);
void series_end(struct series *series);
void series_add(struct series *series, uint64_t at, uint64_t value);

/* The least and the greatest value of all. */
void series_range(const struct series *series, uint64_t *min, uint64_t *max);

/* The texts of a plot. */
struct series_words {
	const char *title;
	const char *at; /* what it is over */
	const char *(*value)(uint64_t value);
	const char *(*place)(uint64_t at);
};

/* To stdout: for a terminal of so many columns, and as a picture. */
void series_plot(const struct series *series, const struct series_words *words,
		 unsigned width);
void series_svg(const struct series *series, const struct series_words *words);

#endif

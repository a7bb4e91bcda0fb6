/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts a long series of values together into a limited number of bins. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/slices/series.h"

void series_begin(struct series *series, size_t most)
{
	*series = (struct series){ .room = most, .width = 1 };
	series->bins = mem_alloc(most, sizeof(*series->bins));
}

void series_end(struct series *series)
{
	free(series->bins);
}

static void bin_merge(struct series_bin *to, const struct series_bin *from)
{
	if (from->n && (to->n == 0 || from->min < to->min))
		to->min = from->min;
	if (from->max > to->max)
		to->max = from->max;
	to->n += from->n;
	to->sum += from->sum;
}

/* Where the bins lie follows from their number. */
static void places_set(struct series *series)
{
	for (size_t i = 0; i < series->n; i++) {
		series->bins[i].from = series->start + i * series->width;
		series->bins[i].to = series->bins[i].from + series->width;
	}
}

static void fold(struct series *series)
{
	const struct series_bin none = { 0 };

	for (size_t i = 0; i < series->n; i++) {
		const struct series_bin bin = series->bins[i];

		if (i % 2 == 0)
			series->bins[i / 2] = bin;
		else
			bin_merge(&series->bins[i / 2], &bin);
	}
	for (size_t i = (series->n + 1) / 2; i < series->n; i++)
		series->bins[i] = none;
	series->n = (series->n + 1) / 2;
	series->width *= 2;
	places_set(series);
}

void series_add(struct series *series, uint64_t at, uint64_t value)
{
	const struct series_bin one = {
		.n = 1, .min = value, .max = value, .sum = (double)value
	};
	size_t i;

	if (!series->begun)
		series->start = at;
	series->begun = true;
	if (at < series->start)
		at = series->start;
	while ((at - series->start) / series->width >= series->room &&
	       series->width <= UINT64_MAX / 2)
		fold(series);
	i = (size_t)((at - series->start) / series->width);
	if (i >= series->room)
		i = series->room - 1;
	if (i >= series->n) {
		series->n = i + 1;
		places_set(series);
	}
	bin_merge(&series->bins[i], &one);
}

void series_range(const struct series *series, uint64_t *min, uint64_t *max)
{
	*min = UINT64_MAX;
	*max = 0;
	for (size_t i = 0; i < series->n; i++) {
		if (series->bins[i].n == 0)
			continue;
		if (series->bins[i].min < *min)
			*min = series->bins[i].min;
		if (series->bins[i].max > *max)
			*max = series->bins[i].max;
	}
	if (*min > *max)
		*min = 0;
}

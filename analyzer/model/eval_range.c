/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads ranges of numbers, such as 1K..1M, and goes through them. */
#include "analyzer/model/eval_range.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "tree/tree_text.h"

/* 2^10 and so on; 1: no unit. */
static double unit_of(char letter)
{
	static const char units[] = "KMGT";
	const char *at = letter ? strchr(units, letter) : NULL;

	return at ? ldexp(1, 10 * (int)(at - units + 1)) : 1;
}

static bool read_number(const char *text, size_t len, bool is_bytes,
			double *number)
{
	const double unit = is_bytes && len > 1 ? unit_of(text[len - 1]) : 1;

	if (!tree_text_real(text, unit > 1 ? len - 1 : len, number))
		return false;
	*number *= unit;
	return true;
}

static int check(const struct eval_range *range)
{
	double numbers;

	if (range->first < 0 || range->last <= range->first)
		return -ERANGE;
	numbers = range->step > 0 ? (range->last - range->first) / range->step
				  : log2(range->last / fmax(range->first, 1));
	return numbers < EVAL_RANGE_MOST - 2 ? 0 : -ERANGE;
}

int eval_range_read(struct eval_range *range, const char *text, bool is_bytes)
{
	const char *last = strstr(text, "..");
	const char *step = last ? strrchr(last, '+') : NULL;
	size_t len = last ? (size_t)(last - text) : strlen(text);
	struct eval_range read = { 0 };

	if (!read_number(text, len, is_bytes, &read.first))
		return -EINVAL;
	read.last = read.first;
	read.is_many = last != NULL;
	/* 1e+6 has no step. */
	if (step && (step[-1] == 'e' || step[-1] == 'E'))
		step = NULL;
	if (step &&
	    (!read_number(step + 1, strlen(step + 1), is_bytes, &read.step) ||
	     read.step <= 0))
		return -EINVAL;
	if (last) {
		last += 2;
		len = step ? (size_t)(step - last) : strlen(last);
		if (!read_number(last, len, is_bytes, &read.last))
			return -EINVAL;
		if (check(&read) != 0)
			return -ERANGE;
	}
	*range = read;
	return 0;
}

double eval_range_next(const struct eval_range *range, double value)
{
	double next = range->step > 0 ? value + range->step : 2 * value;

	if (value >= range->last)
		return NAN;
	if (range->step <= 0 && value < .5)
		next = 1;
	return fmin(next, range->last);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Decides when there are enough repetitions of a measurement. */
#include "repeat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

const struct mpib_rules mpib_rules_usual = {
	.timing = MPIB_MAXIMUM,
	.start = MPIB_START_BARRIER,
	.min_reps = 10,
	.max_reps = 1000,
	.confidence = 0.95,
	.error = 0.05,
	.seed = 1,
};

static bool make_sense(const struct mpib_rules *rules)
{
	return rules->min_reps >= 1 && rules->max_reps >= rules->min_reps &&
	       rules->confidence > 0 && rules->confidence < 1 &&
	       rules->error >= 0 && rules->budget >= 0 && rules->warm_up >= 0 &&
	       rules->flush >= 0;
}

int repeat_begin(struct repeat *repeat, const struct mpib_rules *rules)
{
	if (!make_sense(rules))
		return -EINVAL;
	memset(repeat, 0, sizeof(*repeat));
	repeat->rules = *rules;
	repeat->samples = calloc((size_t)rules->max_reps, sizeof(double));
	return repeat->samples ? 0 : -ENOMEM;
}

void repeat_end(struct repeat *repeat)
{
	free(repeat->samples);
}

static bool is_known(const struct repeat *repeat)
{
	const struct mpib_rules *rules = &repeat->rules;
	const double *samples = repeat->samples;

	if (rules->error == 0 || repeat->n < 2)
		return false;
	return sample_error(samples, repeat->n, rules->confidence) <=
	       rules->error * sample_mean(samples, repeat->n);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* A quarter more each time; no more than the budget has room for. */
int repeat_next(const struct repeat *repeat, double elapsed)
{
	const struct mpib_rules *rules = &repeat->rules;
	const int done = repeat->n + repeat->missed;
	const int left = rules->max_reps - done;
	int next = done < rules->min_reps ? rules->min_reps - done
					  : done / 4 + 1;

	if (left <= 0 || done < rules->min_reps)
		return left <= 0 ? 0 : next;
	if (is_known(repeat))
		return 0;
	if (rules->budget > 0) {
		if (elapsed >= rules->budget)
			return 0;
		if (elapsed * next / done > rules->budget - elapsed)
			next = (int)((rules->budget / elapsed - 1) * done) + 1;
	}
	return least(next, left);
}

void repeat_add(struct repeat *repeat, double seconds)
{
	if (isnan(seconds))
		repeat->missed++;
	else
		repeat->samples[repeat->n++] = seconds;
}

int repeat_result(const struct repeat *repeat, double elapsed,
		  struct mpib_result *result)
{
	const struct mpib_rules *rules = &repeat->rules;
	struct mpib_result made = {
		.reps = repeat->n,
		.missed = repeat->missed,
		.cost = elapsed,
	};
	int rc;

	if (repeat->n == 0)
		return -ETIME;
	made.mean = sample_mean(repeat->samples, repeat->n);
	made.error = sample_error(repeat->samples, repeat->n,
				  rules->confidence);
	rc = sample_median(repeat->samples, repeat->n, rules->confidence,
			   rules->seed, &made);
	if (rc < 0)
		return rc;
	if (rules->samples)
		memcpy(rules->samples, repeat->samples,
		       (size_t)repeat->n * sizeof(double));
	*result = made;
	return 0;
}

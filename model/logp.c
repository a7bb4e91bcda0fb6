/* SPDX-License-Identifier: BSD-3-Clause */

/* Parameters of PLogP from round trips, overheads and a gap. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/logp.h"

enum logp_kind logp_kind_find(const char *name)
{
	/* Names of measurements have a '-' for each '_'. */
	static const char *const names[LOGP_KINDS] = {
		[LOGP_ROUND_TRIP] = "rtt",
		[LOGP_SEND] = "o-s",
		[LOGP_RECV] = "o-r",
		[LOGP_GAP] = "gap",
	};
	int i = 0;

	while (i < LOGP_KINDS && strcmp(names[i], name) != 0)
		i++;
	return (enum logp_kind)i;
}

int logp_add(struct logp *logp, const struct logp_sample *sample)
{
	struct logp_sample *grown;

	if (logp->n == logp->room) {
		const size_t room = logp->room ? 2 * logp->room : 64;

		grown = realloc(logp->samples, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		logp->samples = grown;
		logp->room = room;
	}
	logp->samples[logp->n++] = *sample;
	return 0;
}

void logp_clear(struct logp *logp)
{
	free(logp->samples);
	*logp = (struct logp){ 0 };
}

static int order(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare(const void *one, const void *other)
{
	const struct logp_sample *a = one;
	const struct logp_sample *b = other;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (order(a->bytes, b->bytes) != 0)
		return order(a->bytes, b->bytes);
	return order(a->us, b->us);
}

void logp_sort(struct logp *logp)
{
	if (logp->n)
		qsort(logp->samples, logp->n, sizeof(*logp->samples), compare);
}

static int is_of(const struct logp_sample *sample, enum logp_kind kind,
		 double bytes)
{
	return sample->kind == kind && order(sample->bytes, bytes) == 0;
}

double logp_median(const struct logp *logp, enum logp_kind kind, double bytes)
{
	size_t first = 0;
	size_t end;

	while (first < logp->n && !is_of(&logp->samples[first], kind, bytes))
		first++;
	for (end = first;
	     end < logp->n && is_of(&logp->samples[end], kind, bytes); end++)
		;
	if (first == end)
		return NAN;
	return (logp->samples[(first + end - 1) / 2].us +
		logp->samples[(first + end) / 2].us) /
	       2;
}

double logp_latency(const struct logp *logp)
{
	return logp_median(logp, LOGP_ROUND_TRIP, 0) / 2 -
	       logp_median(logp, LOGP_GAP, 0);
}

double logp_gap(const struct logp *logp, double bytes)
{
	return logp_median(logp, LOGP_ROUND_TRIP, bytes) -
	       logp_median(logp, LOGP_ROUND_TRIP, 0) +
	       logp_median(logp, LOGP_GAP, 0);
}

double logp_message(const struct logp *logp, double bytes)
{
	return logp_median(logp, LOGP_ROUND_TRIP, bytes) -
	       logp_median(logp, LOGP_ROUND_TRIP, 0) / 2;
}

static double smallest(const struct logp *logp, enum logp_kind kind)
{
	for (size_t i = 0; i < logp->n; i++)
		if (logp->samples[i].kind == kind)
			return logp_median(logp, kind, logp->samples[i].bytes);
	return NAN;
}

double logp_overhead(const struct logp *logp)
{
	return (smallest(logp, LOGP_SEND) + smallest(logp, LOGP_RECV)) / 2;
}

double logp_next(const struct logp *logp, double bytes)
{
	for (size_t i = 0; i < logp->n; i++)
		if (logp->samples[i].kind == LOGP_ROUND_TRIP &&
		    logp->samples[i].bytes > bytes)
			return logp->samples[i].bytes;
	return NAN;
}

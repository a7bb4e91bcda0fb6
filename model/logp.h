/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LOGP_H
#define BCS_LOGP_H

#include <stddef.h>

/*
 * `mpib_run plogp` measures these, in microseconds, as Kielmann, Bal and
 * Verstoep (2000) do:
 *
 *	g(m) = RTT(m) - RTT(0) + g(0)
 *	L = RTT(0) / 2 - g(0)
 *
 * A message takes L + g(m).
 */
enum logp_kind {
	LOGP_ROUND_TRIP, /* RTT(m): m bytes, and an empty answer */
	LOGP_SEND,       /* o_s(m) */
	LOGP_RECV,       /* o_r(m) */
	LOGP_GAP,        /* g(0), of many sends in a row */
	LOGP_KINDS,
};

struct logp_sample {
	enum logp_kind kind;
	double bytes;
	double us;
};

struct logp {
	struct logp_sample *samples; /* sorted by logp_sort */
	size_t n;
	size_t room;
};

/* The kind of a line of mpib, or LOGP_KINDS. */
enum logp_kind logp_kind_find(const char *name);

/* Returns 0 or -ENOMEM. */
int logp_add(struct logp *logp, const struct logp_sample *sample);
void logp_clear(struct logp *logp);

/* The functions below need sorted samples. */
void logp_sort(struct logp *logp);

/* The median of all samples of this kind and size; NAN if there are none. */
double logp_median(const struct logp *logp, enum logp_kind kind, double bytes);
/* NAN if RTT(0) or g(0) was not measured. */
double logp_latency(const struct logp *logp);
double logp_gap(const struct logp *logp, double bytes);
/* L + g(m), which does not need g(0); NAN if RTT(0) or RTT(m) is not known. */
double logp_message(const struct logp *logp, double bytes);
/* (o_s + o_r) / 2 of the smallest message; NAN: not measured. */
double logp_overhead(const struct logp *logp);

/* The next size of which there is a round trip, after `bytes`; NAN: none. */
double logp_next(const struct logp *logp, double bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TRACE_TALLY_H
#define BCS_TRACE_TALLY_H

#include "mds/trace/trace.h"

/*
 * How many messages and collective calls a process has had so far.  Readers
 * join both ends of a message by its number among those of the same ranks and
 * tag.  A trace that has lost its beginning tells them where to count from.
 */
#define TRACE_TALLY_PLACES (1u << 16) /* a power of two */
#define TRACE_TALLY_COMMS  1024

enum trace_tally_kind {
	TRACE_TALLY_SENT,
	TRACE_TALLY_RECEIVED,
	TRACE_TALLY_ALL, /* collective calls; without peer and tag */
	TRACE_TALLY_KINDS,
};

struct trace_tally_count {
	uint64_t n; /* 0: the place is free */
	uint32_t kind;
	uint32_t comm;
	int32_t peer;
	int32_t tag;
};

/* A zeroed one is empty. */
struct trace_tally {
	bool is_full; /* there are messages that are not counted */
	uint32_t n;
	uint64_t all[TRACE_TALLY_COMMS];
	struct trace_tally_count places[TRACE_TALLY_PLACES];
};

/* An event whose communicator is known; `does`: trace_does of its call. */
void trace_tally_add(struct trace_tally *tally, const struct trace_row *row,
		     unsigned does);
/* Calls `each` with every count. */
void trace_tally_each(const struct trace_tally *tally,
		      void (*each)(void *to,
				   const struct trace_tally_count *count),
		      void *to);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CORE_CALLS_H
#define BCS_CORE_CALLS_H

/* The core primitives in short, for the tests of both fabrics. */
#include "libbcs/core/core.h"
#include "mds/base/clock.h"

/* A bit for each of the first 64 members. */
#define SET(bits) \
	(&(const struct core_set){ .words = (uint64_t[]){ bits }, .n = 64 })

static inline uint64_t in_ms(uint64_t ms)
{
	return clock_monotonic_ns() + ms * 1000000;
}

/* Without an event. */
static inline int core_put(struct fabric *fabric, const struct core_set *to,
			   uint64_t offset, const void *block, uint64_t bytes)
{
	return core_xfer_and_signal(fabric, to,
				    &(struct core_xfer){
					    .offset = offset,
					    .block = block,
					    .bytes = bytes,
					    .local_event = CORE_NO_EVENT,
					    .remote_event = CORE_NO_EVENT,
				    });
}

static inline int core_signal_to(struct fabric *fabric,
				 const struct core_set *to, uint64_t event)
{
	return core_xfer_and_signal(fabric, to,
				    &(struct core_xfer){
					    .local_event = CORE_NO_EVENT,
					    .remote_event = event,
				    });
}

static inline bool core_holds(struct fabric *fabric, const struct core_set *on,
			      uint64_t offset, enum core_relation relation,
			      int64_t value)
{
	struct core_condition condition = { offset, relation, value };
	bool truth = false;

	return core_compare_and_write(fabric, on, &condition, NULL, &truth) ==
		       0 &&
	       truth;
}

/* Where it is the old value on all, it is the new one then. */
static inline bool core_replace(struct fabric *fabric,
				const struct core_set *on, uint64_t offset,
				int64_t old, int64_t new)
{
	struct core_condition condition = { offset, CORE_EQ, old };
	struct core_assignment assignment = { offset, new };
	bool truth = false;

	return core_compare_and_write(fabric, on, &condition, &assignment,
				      &truth) == 0 &&
	       truth;
}

static inline bool core_polls(struct fabric *fabric, uint64_t event)
{
	return core_test_event(fabric, event, CORE_POLL) == 0;
}

#endif

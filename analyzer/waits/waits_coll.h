/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_COLL_H
#define BCS_WAITS_COLL_H

#include "analyzer/waits/waits_map.h"
#include "analyzer/waits/waits_thread.h"

/* Collective calls that not all ranks have begun yet. */
struct waits_colls {
	struct waits_map map; /* by id */
};

struct waits_coll_call {
	uint64_t id; /* the same at all ranks */
	const char *name;
	bool blocks;
	bool is_root;
	uint32_t rank; /* in the communicator */
	uint32_t size; /* of it */
	struct waits_ref call;
	uint64_t end;
};

/* A rank has begun it. */
void waits_coll_begun(struct waits_colls *colls,
		      const struct waits_coll_call *call);
/* A rank waits for its nonblocking call. */
void waits_coll_awaited(struct waits_colls *colls, uint64_t id,
			const struct waits_ref *begun,
			const struct waits_ref *waiting);
void waits_coll_clear(struct waits_colls *colls);

#endif

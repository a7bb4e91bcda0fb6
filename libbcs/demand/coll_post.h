/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_COLL_POST_H
#define BCS_COLL_POST_H

/* Posts collectives, and asks whether they are done. */
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/coll/pages.h"

/* Returns 0, or -ENOMEM: then nothing was posted. */
int coll_post(struct engine *engine, struct coll *coll);

/* Ends a collective that waits in vain, with -EPROTO, unless it just ended. */
void coll_give_up(struct engine *engine, struct coll *coll, int culprit);

/* The next two are for coll_is_done alone.  Counts a collective whose pages
 * were read. */
void coll_post_record(struct coll *coll);
/* A broadcast's page is not there: takes the message that came in its place.
 * True if that ended the broadcast. */
bool coll_post_late(struct coll *coll);

/* A collective by shared pages goes on only when its process asks this. */
static inline bool coll_is_done(struct coll *coll)
{
	/* Orders the word before the outcome and the buffers. */
	if (atomic_load_explicit(&coll->done, memory_order_acquire))
		return true;
	if (!coll->on_pages)
		return false;
	if (!pages_read(coll))
		return coll->kind == COLL_BCAST && coll_post_late(coll);
	coll_post_record(coll);
	return true;
}

#endif

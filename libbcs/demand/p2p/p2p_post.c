/* SPDX-License-Identifier: BSD-3-Clause */
#include "libbcs/demand/p2p/p2p_post.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/base/rouse.h"
#include "libbcs/demand/p2p/p2p_protocol.h"
#include "mds/mmds/path.h"

static void post_offer(struct engine *engine, struct op *op,
		       struct board_cell *head, uint64_t path)
{
	head->kind = BOARD_OFFER;
	head->address = (uintptr_t)op->buf;
	head->sender_op = (uintptr_t)op;
	head->offer_path = path;
	outbox_tell(engine, op->peer, head);
}

void p2p_post_send(struct engine *engine, struct op *op)
{
	const uint64_t path = op->coll ? op->path : path_now();
	struct board_cell head = p2p_send_head(engine, &op->key, op->bytes,
					       op->signature, path);

	if (op->synchronous ||
	    !p2p_fits_descriptor(engine, op->peer, op->bytes) ||
	    p2p_is_offered(engine, op)) {
		p2p_offer_begin(op);
		p2p_offer_count(engine, op->peer, 1);
		if (!op->synchronous ||
		    !p2p_inline_post_sync(engine, op, &head))
			post_offer(engine, op, &head, path);
		if (!op->coll)
			rouse_later(engine, op->peer);
	} else if (outbox_is_empty(engine, op->peer) &&
		   outbox_put(engine, op->peer, &head, op->buf, op->bytes,
			      op->both_ways)) {
		op_complete(engine, op, 0);
	} else {
		outbox_tell_later(engine, op->peer, &head, op);
	}
}

void p2p_post(struct engine *engine, struct op *op)
{
	p2p_post_begun(engine, op);
}

struct op **p2p_posted_find(struct engine *engine, const struct op *op)
{
	struct op **link = &engine->posted.first;

	while (*link && *link != op)
		link = &(*link)->next;
	return link;
}

/* Removes a receive that has not been scheduled yet: the matching does not have
 * it.  False if it has been scheduled. */
static bool posted_remove(struct engine *engine, struct op *op)
{
	struct op **link = p2p_posted_find(engine, op);

	if (!*link)
		return false;
	*link = op->next;
	if (!*link)
		engine->posted.end = link;
	return true;
}

bool p2p_withdraw(struct engine *engine, struct op *op)
{
	return posted_remove(engine, op) ||
	       match_cancel(engine->match, &op->recv);
}

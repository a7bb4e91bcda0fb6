/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_P2P_POST_H
#define BCS_P2P_POST_H

/*
 * Posts: a send becomes a descriptor, a receive waits for the turn that its
 * message comes with.  All with the token, but for the first two.
 */
#include "libbcs/demand/base/op_complete.h"

/* On the way of every message. */
#define P2P_HOT __attribute__((always_inline)) static inline

/* The descriptor of a send. */
P2P_HOT struct board_cell p2p_send_head(const struct engine *engine,
					const struct match_key *key,
					uint64_t bytes, uint32_t signature,
					uint64_t path)
{
	return (struct board_cell){ .kind = BOARD_EAGER,
				    .from = engine->me,
				    .context = key->context,
				    .source = key->source,
				    .tag = key->tag,
				    .error = signature,
				    .bytes = bytes,
				    .eager_path = path };
}

/*
 * Between nodes less, for leaders copy it twice more; and to who is behind, so
 * that what is kept there is not without bounds.
 */
P2P_HOT bool p2p_fits_descriptor(const struct engine *engine, uint32_t peer,
				 uint64_t bytes)
{
	if (bytes <= NET_INLINE)
		return true;
	return bytes <= BOARD_INLINE && engine_is_local(engine, peer) &&
	       !atomic_load_explicit(&engine->slots[peer]->backlog,
				     memory_order_relaxed);
}

/* Its descriptor goes out, now or when there is room; it may be done then. */
void p2p_post_send(struct engine *engine, struct op *op);

/* It may, or one came that its sender waits for, when nothing was open here. */
P2P_HOT bool p2p_may_have_come(struct engine *engine)
{
	return match_next_unexpected(engine->match, NULL) || engine->called ||
	       atomic_load_explicit(&engine->slot->called,
				    memory_order_relaxed);
}

P2P_HOT bool p2p_is_posted_due(const struct engine *engine)
{
	return atomic_load_explicit(&engine->posted_is_due,
				    memory_order_relaxed);
}

/*
 * It waits for the slice that what it matches comes with; only if there are
 * messages that came before is one worth while for it.
 */
P2P_HOT void p2p_post_recv(struct engine *engine, struct op *op)
{
	op_list_add(&engine->posted, op);
	if (!p2p_is_posted_due(engine) && p2p_may_have_come(engine)) {
		atomic_store_explicit(&engine->posted_is_due, true,
				      memory_order_relaxed);
		engine_local_add(engine);
	}
}

P2P_HOT void p2p_begin(struct op *op)
{
	op->error = 0;
	atomic_store_explicit(&op->landing, false, memory_order_relaxed);
	op->recv.item.link.next = NULL;
	atomic_store_explicit(&op->done, 0, memory_order_relaxed);
}

P2P_HOT void p2p_post_begun(struct engine *engine, struct op *op)
{
	p2p_begin(op);
	op_open_add(engine, 1);
	if (op->kind == OP_SEND)
		p2p_post_send(engine, op);
	else
		p2p_post_recv(engine, op);
}

/* Posts an operation of a collective; not inlined. */
void p2p_post(struct engine *engine, struct op *op);

/* The place in the list of what is posted and not scheduled; *it may be NULL.
 */
struct op **p2p_posted_find(struct engine *engine, const struct op *op);
/* A receive that nobody waits for any more; true if it was not matched. */
bool p2p_withdraw(struct engine *engine, struct op *op);

#endif

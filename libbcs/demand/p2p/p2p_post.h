/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_P2P_POST_H
#define BCS_P2P_POST_H

/*
 * Posts: a send becomes a descriptor, a receive waits for the turn in which its
 * message comes.  All functions need the token, except p2p_send_head and
 * p2p_fits_descriptor.
 */
#include "libbcs/demand/base/op_complete.h"
#include "mds/mmds/path.h"

/* Inlined, for every message passes it. */
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
				    .site = path_site(),
				    .eager_path = path };
}

/*
 * True if a payload fits into a descriptor.  Between nodes less fits, because
 * the leaders copy it twice more.  A process with a backlog takes less, too, so
 * that the messages that it keeps have a bound.
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

/*
 * Sends the descriptor, now or when there is room.  The operation may be done
 * on return.
 */
void p2p_post_send(struct engine *engine, struct op *op);

/*
 * True if a message may have come before the receive, or one that its sender
 * waits for.
 */
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
 * The receive waits for the turn in which its message comes.  It is worth a
 * turn only if messages came before it.
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

/*
 * Finds the link to a receive that is posted and not matched yet.  The link may
 * hold NULL.
 */
struct op **p2p_posted_find(struct engine *engine, const struct op *op);
/*
 * Withdraws a receive that nobody waits for any more.  Returns true if it was
 * not matched.
 */
bool p2p_withdraw(struct engine *engine, struct op *op);

#endif

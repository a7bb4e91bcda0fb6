/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Describes waits on demand: receives and probes, sends, and collectives by
 * messages or by shared pages.
 */
#include "libbcs/demand/blocked.h"

static int32_t world_rank(const struct engine *engine, uint32_t peer)
{
	return engine_is_local(engine, peer)
		       ? engine->slots[peer]->waits.rank
		       : (int32_t)(peer - engine->n_slots);
}

/* Finds a message that misses the receive by one part of its key. */
static void near_miss_find(const struct engine *engine,
			   struct blocked_want *want,
			   const struct match_key *key)
{
	const struct match_message *m = NULL;
	const struct message *message;

	while ((m = match_next_unexpected(engine->match, m))) {
		const struct match_key is = match_link_key(&m->item.link);

		message = (const struct message *)m;
		if (!board_is_of_coll(&message->head))
			blocked_near_add(want, blocked_nearness(key, &is),
					 world_rank(engine, message->head.from),
					 is.tag);
	}
}

/* By the receive that takes it, were it there; nothing like it has come. */
bool blocked_probe(const struct engine *engine, struct blocked *b,
		   const struct match_key *key, const struct blocked_comm *comm)
{
	struct blocked_want want = { .by = BLOCKED_RECV,
				     .tag = key->tag,
				     .context = key->context };

	if (match_probe(engine->match, key))
		return false;
	blocked_source_add(&want, key->source, comm);
	near_miss_find(engine, &want, key);
	return blocked_want_add(b, &want);
}

static bool is_posted(const struct engine *engine, const struct op *op)
{
	const struct op *posted = engine->posted.first;

	if (op->recv.item.link.next)
		return true;
	while (posted && posted != op)
		posted = posted->next;
	return posted != NULL;
}

bool blocked_op(const struct engine *engine, struct blocked *b,
		const struct op *op, const struct blocked_comm *comm)
{
	struct blocked_want want = { .by = BLOCKED_SEND,
				     .tag = op->key.tag,
				     .context = op->key.context,
				     .op = (uintptr_t)op };

	if (atomic_load_explicit(&op->done, memory_order_relaxed) ||
	    (op->kind == OP_RECV && !is_posted(engine, op)))
		return false;
	if (op->kind == OP_RECV)
		return blocked_probe(engine, b, &op->key, comm);
	blocked_peer_set(&want, op->peer, comm);
	return blocked_want_add(b, &want);
}

static bool part_add(const struct engine *engine, struct blocked *b,
		     const struct op *op, const struct coll *coll,
		     const struct blocked_comm *comm)
{
	struct blocked_want want = { .by = BLOCKED_PART_SEND,
				     .context = comm->context,
				     .number = coll->number,
				     .op = (uintptr_t)op };

	if (op->kind == OP_SEND) {
		blocked_peer_set(&want, op->peer, comm);
		return blocked_want_add(b, &want);
	}
	if (!is_posted(engine, op))
		return false;
	want.by = BLOCKED_PART_RECV;
	blocked_source_add(&want, op->key.source, comm);
	return blocked_want_add(b, &want);
}

/* The operations of its round; without any it is at work itself. */
static bool parts_add(const struct engine *engine, struct blocked *b,
		      const struct coll *coll, const struct blocked_comm *comm)
{
	unsigned n = 0;

	for (unsigned i = 0; i < coll->n_ops; i++) {
		if (op_is_done(&coll->ops[i]))
			continue;
		if (!part_add(engine, b, &coll->ops[i], coll, comm))
			return false;
		n++;
	}
	return n > 0;
}

static bool page_add(struct blocked *b, const struct coll *coll, int rank,
		     const struct blocked_comm *comm)
{
	struct blocked_want want = { .by = BLOCKED_PAGE,
				     .context = comm->context,
				     .number = coll->number };

	pages_place(coll->pages, rank, coll->kind == COLL_BCAST, &want.op,
		    &want.word);
	blocked_source_add(&want, rank, comm);
	return blocked_want_add(b, &want);
}

/* Nor has the message come that the root may send instead of the page. */
static bool pages_bcast_is_to_come(const struct engine *engine,
				   const struct coll *coll)
{
	const struct match_key key = { coll->context, coll->root,
				       coll->number };

	return coll->n_ops == 0 && !match_probe(engine->match, &key);
}

static bool pages_add(const struct engine *engine, struct blocked *b,
		      const struct coll *coll, const struct blocked_comm *comm)
{
	unsigned n = 0;

	if (coll->kind == COLL_BCAST)
		return pages_bcast_is_to_come(engine, coll) &&
		       page_add(b, coll, coll->root, comm);
	for (int rank = 0; rank < coll->size; rank++) {
		if (pages_is_shown(coll->pages, rank))
			continue;
		if (!page_add(b, coll, rank, comm))
			return false;
		n++;
	}
	return n > 0;
}

bool blocked_coll(const struct engine *engine, struct blocked *b,
		  const struct coll *coll, const struct blocked_comm *comm)
{
	const uint32_t waits = b->group;
	bool is_known;

	if (atomic_load_explicit(&coll->done, memory_order_relaxed) ||
	    !blocked_coll_begin(b, comm, coll->number, coll->signature))
		return false;
	b->n_background += coll->in_background;
	is_known = coll->on_pages ? pages_add(engine, b, coll, comm)
				  : parts_add(engine, b, coll, comm);
	b->group = waits;
	return is_known;
}

static uint64_t n_waiting(const struct engine *engine)
{
	uint64_t n = match_n_posted(engine->match);

	for (const struct op *op = engine->posted.first; op; op = op->next)
		n++;
	for (uint32_t i = 0; i <= engine->n_slots; i++)
		n += engine->outboxes[i].n_offers;
	return n;
}

static bool is_none(_Atomic uint32_t *n)
{
	return !atomic_load_explicit(n, memory_order_relaxed);
}

/*
 * All that is open is a receive without a message, or a message that was
 * offered.  So nothing is received at this moment, by the helper either.
 */
bool blocked_is_quiet(struct engine *engine)
{
	return !board_peek(&engine->inbox) &&
	       atomic_load(&engine->slot->tail) ==
		       atomic_load_explicit(&engine->inbox.at,
					    memory_order_relaxed) &&
	       is_none(&engine->local) && is_none(&engine->n_jobs) &&
	       is_none(&engine->n_streams) && is_none(&engine->work.n) &&
	       is_none(&engine->callers_work.n) &&
	       n_waiting(engine) == atomic_load_explicit(&engine->n_open,
							 memory_order_relaxed);
}

void blocked_offers(const struct engine *engine, struct blocked_record *record)
{
	const struct match_message *m = NULL;
	const struct message *message;

	while ((m = match_next_unexpected(engine->match, m))) {
		message = (const struct message *)m;
		if (message->head.kind == BOARD_EAGER)
			continue;
		if (record->n_offers == BLOCKED_OFFERS) {
			record->offers_cut = true;
			return;
		}
		record->offers[record->n_offers++] = (struct blocked_offer){
			.from = (uint64_t)world_rank(engine,
						     message->head.from),
			.op = message->head.sender_op,
		};
	}
}

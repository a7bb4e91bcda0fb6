/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "libbcs/demand/blocked.h"

struct blocked_group *blocked_group_add(struct blocked *b, bool any)
{
	struct blocked_group *group = &b->record.groups[b->record.n_groups];

	if (b->record.n_groups == BLOCKED_GROUPS)
		return NULL;
	b->group = b->record.n_groups++;
	memset(group, 0, sizeof(*group));
	group->any = any;
	return group;
}

bool blocked_any(const struct blocked *b)
{
	return b->record.groups[b->group].any;
}

/*
 * False if there is no room and one want is enough: the one left out may come.
 * Where all wants are needed, leaving one out can only hide a deadlock's part.
 */
static bool want_add(struct blocked *b, const struct blocked_want *want)
{
	struct blocked_want *next = &b->record.wants[b->record.n_wants];

	if (b->record.n_wants == BLOCKED_WANTS)
		return !blocked_any(b);
	memcpy(next, want, sizeof(*next));
	next->group = (uint8_t)b->group;
	b->record.n_wants++;
	return true;
}

static int32_t world_rank(const struct engine *engine, uint32_t peer)
{
	return engine_is_near(engine, peer) ? engine->slots[peer]->waits.rank
					    : (int32_t)(peer - engine->n_slots);
}

static void peer_add(const struct engine *engine, struct blocked_want *want,
		     uint32_t peer)
{
	if (engine_is_near(engine, peer))
		blocked_peer_add(want, peer);
	else
		want->elsewhere = true;
}

static void source_add(const struct engine *engine, struct blocked_want *want,
		       int32_t source, const struct blocked_comm *comm)
{
	uint32_t peer;

	if (source != MATCH_ANY) {
		peer = numbers_at(comm->peers, (uint32_t)source);
		want->rank = world_rank(engine, peer);
		peer_add(engine, want, peer);
		return;
	}
	want->rank = -1;
	for (int32_t rank = 0; rank < comm->size; rank++)
		peer_add(engine, want, numbers_at(comm->peers, (uint32_t)rank));
}

static enum blocked_near nearness(const struct match_key *key,
				  const struct match_key *is)
{
	const bool source = key->source == MATCH_ANY ||
			    key->source == is->source;
	const bool tag = key->tag == MATCH_ANY || key->tag == is->tag;

	if (key->context != is->context)
		return source && tag ? BLOCKED_NEAR_COMM : BLOCKED_NEAR_NONE;
	if (source)
		return BLOCKED_NEAR_TAG;
	return tag ? BLOCKED_NEAR_SOURCE : BLOCKED_NEAR_NONE;
}

/* A wrong tag is likelier than a wrong source or communicator. */
static void near_find(const struct engine *engine, struct blocked_want *want,
		      const struct match_key *key)
{
	const struct match_message *m = NULL;
	const struct message *message;
	enum blocked_near near;

	while ((m = match_next_unexpected(engine->match, m))) {
		const struct match_key is = match_link_key(&m->item.link);

		message = (const struct message *)m;
		near = nearness(key, &is);
		if (board_is_of_coll(&message->head) ||
		    near == BLOCKED_NEAR_NONE ||
		    (want->near && near >= want->near))
			continue;
		want->near = (uint8_t)near;
		want->near_rank = world_rank(engine, message->head.from);
		want->near_tag = is.tag;
	}
}

/* By the receive that takes it, were it there; nothing like it has come. */
bool blocked_probe(struct blocked *b, const struct match_key *key,
		   const struct blocked_comm *comm)
{
	struct blocked_want want = { .by = BLOCKED_RECV,
				     .tag = key->tag,
				     .context = key->context };

	source_add(b->engine, &want, key->source, comm);
	near_find(b->engine, &want, key);
	return want_add(b, &want);
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

bool blocked_op(struct blocked *b, const struct op *op,
		const struct blocked_comm *comm)
{
	struct blocked_want want = { .by = BLOCKED_SEND,
				     .tag = op->key.tag,
				     .context = op->key.context,
				     .op = (uintptr_t)op };

	if (atomic_load_explicit(&op->done, memory_order_relaxed) ||
	    (op->kind == OP_RECV && !is_posted(b->engine, op)))
		return false;
	if (op->kind == OP_RECV)
		return blocked_probe(b, &op->key, comm);
	want.rank = world_rank(b->engine, op->peer);
	peer_add(b->engine, &want, op->peer);
	return want_add(b, &want);
}

static bool part_add(struct blocked *b, const struct op *op,
		     const struct coll *coll, const struct blocked_comm *comm)
{
	struct blocked_want want = { .by = BLOCKED_PART_SEND,
				     .context = comm->context,
				     .number = coll->number,
				     .op = (uintptr_t)op };

	if (op->kind == OP_SEND) {
		want.rank = world_rank(b->engine, op->peer);
		peer_add(b->engine, &want, op->peer);
		return want_add(b, &want);
	}
	if (!is_posted(b->engine, op))
		return false;
	want.by = BLOCKED_PART_RECV;
	source_add(b->engine, &want, op->key.source, comm);
	return want_add(b, &want);
}

/* The operations of its round; without any it is at work itself. */
static bool parts_add(struct blocked *b, const struct coll *coll,
		      const struct blocked_comm *comm)
{
	unsigned n = 0;

	for (unsigned i = 0; i < coll->n_ops; i++) {
		if (op_is_done(&coll->ops[i]))
			continue;
		if (!part_add(b, &coll->ops[i], coll, comm))
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

	slate_place(coll->slate, rank, coll->kind == COLL_BCAST, &want.op,
		    &want.word);
	source_add(b->engine, &want, rank, comm);
	return want_add(b, &want);
}

/* Nor has the message come that the root may send instead of the page. */
static bool cast_is_to_come(const struct engine *engine,
			    const struct coll *coll)
{
	const struct match_key key = { coll->context, coll->root,
				       coll->number };

	return coll->n_ops == 0 && !match_probe(engine->match, &key);
}

static bool pages_add(struct blocked *b, const struct coll *coll,
		      const struct blocked_comm *comm)
{
	unsigned n = 0;

	if (coll->kind == COLL_BCAST)
		return cast_is_to_come(b->engine, coll) &&
		       page_add(b, coll, coll->root, comm);
	for (int rank = 0; rank < coll->size; rank++) {
		if (slate_is_shown(coll->slate, rank))
			continue;
		if (!page_add(b, coll, rank, comm))
			return false;
		n++;
	}
	return n > 0;
}

bool blocked_coll(struct blocked *b, const struct coll *coll,
		  const struct blocked_comm *comm)
{
	const struct blocked_want want = { .by = BLOCKED_COLL,
					   .context = comm->context,
					   .number = coll->number };
	const uint32_t waits = b->group;
	struct blocked_group *group;
	bool is_known;

	if (atomic_load_explicit(&coll->done, memory_order_relaxed) ||
	    b->record.n_groups == BLOCKED_GROUPS ||
	    b->record.n_wants == BLOCKED_WANTS || !want_add(b, &want))
		return false;
	group = blocked_group_add(b, false);
	group->world = comm->world;
	group->context = comm->context;
	group->number = coll->number;
	group->size = comm->size;
	b->n_background += coll->in_background;
	is_known = coll->on_slate ? pages_add(b, coll, comm)
				  : parts_add(b, coll, comm);
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

void blocked_offers(struct engine *engine, struct blocked_record *record)
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
			.from = message->head.from,
			.op = message->head.sender_op,
		};
	}
}

static bool is_shown(const struct board_blocked *waits)
{
	return atomic_load(&waits->epoch) & 1;
}

/* Epochs of those that read it change only where it does. */
void blocked_show(struct engine *engine, const struct blocked_record *record)
{
	struct board_blocked *waits = &engine->slot->waits;

	if (is_shown(waits) &&
	    memcmp(&waits->record, record, sizeof(*record)) == 0)
		return;
	blocked_hide(engine);
	memcpy(&waits->record, record, sizeof(*record));
	/* Orders the record before the word that shows it. */
	atomic_fetch_add(&waits->epoch, 1);
}

void blocked_hide(struct engine *engine)
{
	struct board_blocked *waits = &engine->slot->waits;

	/* Before all that the process does next, which others may see. */
	if (is_shown(waits))
		atomic_fetch_add(&waits->epoch, 1);
}

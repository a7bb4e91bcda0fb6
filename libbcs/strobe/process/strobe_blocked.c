/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Describes waits under the strobe.  A blocked process has posted descriptors,
 * which are in the leader's tables.  The leader shows which processes of a
 * collective have called, and whose messages are under way.
 */
#include "libbcs/strobe/process/strobe_blocked.h"
#include "libbcs/strobe/process/strobe_process.h"

/* Finds a message that misses the receive by one part of its key. */
static void near_miss_find(const struct strobe *strobe,
			   struct blocked_want *want,
			   const struct match_key *key)
{
	for (unsigned i = 0; i < STROBE_LEFT; i++) {
		struct strobe_left *left = &strobe->slot->left[i];
		const struct match_key is = { atomic_load(&left->context),
					      atomic_load(&left->source),
					      atomic_load(&left->tag) };

		if (atomic_load(&left->work))
			blocked_near_add(want, blocked_nearness(key, &is),
					 atomic_load(&left->world), is.tag);
	}
}

bool strobe_blocked_probe(const struct strobe *strobe, struct blocked *b,
			  const struct match_key *key,
			  const struct blocked_comm *comm)
{
	struct blocked_want want = { .by = BLOCKED_RECV,
				     .tag = key->tag,
				     .context = key->context };

	blocked_source_add(&want, key->source, comm);
	near_miss_find(strobe, &want, key);
	return blocked_want_add(b, &want);
}

bool strobe_blocked_op(const struct strobe *strobe, struct blocked *b,
		       const struct op *op, const struct blocked_comm *comm)
{
	struct blocked_want want = { .by = BLOCKED_SEND,
				     .tag = op->key.tag,
				     .context = op->key.context,
				     .op = (uintptr_t)op };

	if (atomic_load_explicit(&op->done, memory_order_relaxed))
		return false;
	if (op->kind == OP_RECV)
		return strobe_blocked_probe(strobe, b, &op->key, comm);
	blocked_peer_set(&want, op->peer, comm);
	return blocked_want_add(b, &want);
}

static uint64_t called(const struct strobe *strobe, uint64_t place)
{
	return atomic_load((_Atomic uint64_t *)strobe_at(strobe, place));
}

/* Adds the processes that have not called; false if that is not known. */
static bool calls_add(const struct strobe *strobe, struct blocked *b,
		      const struct coll *coll, uint64_t place,
		      const struct blocked_comm *comm)
{
	unsigned n = 0;

	for (int32_t rank = 0; place && rank < coll->size; rank++) {
		struct blocked_want want = {
			.by = BLOCKED_CALL,
			.context = comm->context,
			.number = coll->number,
			.op = place + (uint64_t)rank / 64 * sizeof(uint64_t),
			.word = UINT64_C(1) << rank % 64,
		};

		if (called(strobe, want.op) & want.word)
			continue;
		blocked_source_add(&want, rank, comm);
		if (!blocked_want_add(b, &want))
			return false;
		n++;
	}
	return n > 0;
}

bool strobe_blocked_coll(const struct strobe *strobe, struct blocked *b,
			 const struct coll *coll,
			 const struct blocked_comm *comm)
{
	const uint32_t waits = b->group;
	const struct strobe_share *share = strobe_at(strobe, coll->work);
	bool is_known;

	if (atomic_load_explicit(&coll->done, memory_order_relaxed) ||
	    !coll->work ||
	    !blocked_coll_begin(b, comm, coll->number, coll->signature))
		return false;
	b->n_background += coll->in_background;
	is_known = calls_add(strobe, b, coll, atomic_load(&share->called),
			     comm);
	b->group = waits;
	return is_known;
}

static bool nothing_closes(const struct strobe *strobe)
{
	return !strobe->closing.first && !strobe->colls.first &&
	       !strobe->callers.first;
}

static bool all_is_over(const struct strobe *strobe)
{
	const uint32_t posted = (uint32_t)atomic_load(&strobe->slot->ring.tail);

	return atomic_load(&strobe->over) == posted &&
	       !strobe_blocked_moves(strobe, strobe->me);
}

/* With `copying`, since other threads of the process may be its helper. */
bool strobe_blocked_is_quiet(struct strobe *strobe)
{
	bool is_quiet;

	if (strobe_dma_is_wanted(strobe) ||
	    atomic_exchange(&strobe->copying, 1))
		return false;
	is_quiet = nothing_closes(strobe) && all_is_over(strobe);
	atomic_store(&strobe->copying, 0);
	/* A thread that found it held relies on another look. */
	if (strobe_dma_is_wanted(strobe)) {
		strobe_dma_run(strobe);
		return false;
	}
	return is_quiet;
}

uint64_t strobe_blocked_word(const struct strobe *strobe, uint32_t slot)
{
	struct strobe_slot *of = strobe_slot(strobe, slot);

	return (uint64_t)atomic_load(&of->given) << 32 |
	       atomic_load(&of->event);
}

bool strobe_blocked_moves(const struct strobe *strobe, uint32_t slot)
{
	return atomic_load(&strobe_slot(strobe, slot)->moves);
}

bool strobe_blocked_has_called(const struct strobe *strobe,
			       const struct blocked_want *want)
{
	return called(strobe, want->op) & want->word;
}

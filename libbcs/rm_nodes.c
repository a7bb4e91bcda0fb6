/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Allreduce and barrier in two levels: a node's head folds what the others of
 * the node contribute, heads exchange their sums, and hand out the result.
 * Heads that are a power of two exchange with one more at each step, the sums
 * of as many nodes as all before; of others each that is left over gives its
 * sum to one that is not, and gets the result from it.
 */
#include "libbcs/coll.h"

/* What a head does in a round; STEP_SWAP and so many more are exchanges. */
enum step { STEP_GATHER, STEP_LEND, STEP_SWAP };

static bool is_head(const struct coll *coll)
{
	return coll_nodes_head(coll) == coll->rank;
}

/* Exchanges, each with a head that is twice as far. */
static uint32_t swaps(const struct coll *coll)
{
	uint32_t n = 0;

	while (coll->nodes->n >> (n + 1))
		n++;
	return n;
}

/* Heads that are left over come behind a power of two. */
static int power(const struct coll *coll)
{
	return 1 << swaps(coll);
}

/* Where a head's sum goes to, or its partner's comes from; -1: nowhere. */
static int partner(const struct coll *coll, uint32_t round)
{
	const int place = coll_nodes_place(coll);
	const int all = power(coll);
	const int n = (int)coll->nodes->n;
	int other = -1;

	if (round >= STEP_SWAP && round < STEP_SWAP + swaps(coll))
		other = place < all ? place ^ 1 << (round - STEP_SWAP) : -1;
	else if (place >= all)
		other = place - all;
	else if (place + all < n)
		other = place + all;
	return other < 0 ? -1 : coll_nodes_head_at(coll, other);
}

static int others_here(const struct coll *coll)
{
	return (int)coll->nodes->here.n - 1;
}

static uint64_t slot_bytes(const struct coll *coll)
{
	return (coll->bytes + 63) / 64 * 64;
}

/* For each contribution of the node, and then for another head's. */
static uint64_t temp_bytes(const struct coll *coll)
{
	const int n = others_here(coll);

	return is_head(coll) ? slot_bytes(coll) * (unsigned)(n ? n : 1) : 0;
}

static unsigned char *slot(const struct coll *coll, int i)
{
	return coll->temp + slot_bytes(coll) * (unsigned)i;
}

static void fold_later(struct coll *coll, int contributions)
{
	if (coll->fold)
		coll->work = coll->bytes * (unsigned)contributions;
}

static void gather(struct engine *engine, struct coll *coll)
{
	const int n = others_here(coll);

	for (int i = 0; i < n; i++)
		coll_recv(engine, coll, coll_nodes_under(coll, i),
			  slot(coll, i), coll->bytes);
	fold_later(coll, n + 1);
}

static void send_sum(struct engine *engine, struct coll *coll, int to)
{
	coll_send(engine, coll, to, coll->in, coll->bytes);
}

/* Who is left over sends first, and gets the result. */
static void lend(struct engine *engine, struct coll *coll, bool sends, int with)
{
	const bool over = coll_nodes_place(coll) >= power(coll);

	if (over == sends)
		send_sum(engine, coll, with);
	else
		coll_recv(engine, coll, with, sends ? slot(coll, 0) : coll->in,
			  coll->bytes);
	if (!over && sends)
		fold_later(coll, 1);
}

static void swap(struct engine *engine, struct coll *coll, int with)
{
	send_sum(engine, coll, with);
	coll_recv(engine, coll, with, slot(coll, 0), coll->bytes);
	fold_later(coll, 1);
}

static void spread(struct engine *engine, struct coll *coll)
{
	for (int i = 0; i < others_here(coll); i++)
		send_sum(engine, coll, coll_nodes_under(coll, i));
}

static bool head_begin(struct engine *engine, struct coll *coll, uint32_t round)
{
	const uint32_t returns = STEP_SWAP + swaps(coll);
	const int with = partner(coll, round);

	if (round > returns + 1)
		return false;
	if (round == STEP_GATHER)
		gather(engine, coll);
	else if (round > returns)
		spread(engine, coll);
	else if (with >= 0 && (round == STEP_LEND || round == returns))
		lend(engine, coll, round == STEP_LEND, with);
	else if (with >= 0)
		swap(engine, coll, with);
	return true;
}

static bool begin(struct engine *engine, struct coll *coll, uint32_t round)
{
	const int head = coll_nodes_head(coll);

	if (head == coll->rank)
		return head_begin(engine, coll, round);
	if (round == 0)
		coll_send(engine, coll, head, coll->out, coll->bytes);
	else if (round == 1)
		coll_recv(engine, coll, head, coll->in, coll->bytes);
	return round <= 1;
}

static void fold_into(const struct coll *coll, const void *in, void *inout)
{
	coll->fold->run(coll->fold, in, inout, coll->bytes);
}

static void work_gather(struct coll *coll)
{
	if (coll->in != coll->out)
		copy_here(coll->in, coll->out, coll->bytes);
	for (int i = 0; i < others_here(coll); i++)
		fold_into(coll, slot(coll, i), coll->in);
}

/* Both of an exchange do the same, so that they have the same bits. */
static void work(struct coll *coll, uint32_t round)
{
	if (round == STEP_GATHER) {
		work_gather(coll);
	} else if (partner(coll, round) < coll->rank) {
		fold_into(coll, slot(coll, 0), coll->in);
	} else {
		fold_into(coll, coll->in, slot(coll, 0));
		copy_here(coll->in, slot(coll, 0), coll->bytes);
	}
}

const struct coll_way rm_nodes = { begin, work, temp_bytes };

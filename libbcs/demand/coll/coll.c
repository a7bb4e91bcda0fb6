/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A collective from its post to its end: which algorithm runs it, its rounds of
 * messages, and what happens when a round is over.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/tuning.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/op_complete.h"
#include "libbcs/demand/base/rouse.h"
#include "libbcs/demand/base/row.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/p2p/p2p.h"
#include "libbcs/demand/p2p/p2p_post.h"

struct coll *coll_new(int size)
{
	const size_t n = (size_t)size;
	struct coll *coll = malloc(
		sizeof(*coll) +
		2 * n * (sizeof(struct op) + sizeof(struct coll_block)));

	if (!coll)
		return NULL;
	/* The rest is not touched but as far as it is used. */
	*coll = (struct coll){ .size = size };
	coll->ops = (struct op *)(coll + 1);
	coll->outs = (struct coll_block *)(coll->ops + 2 * n);
	coll->ins = coll->outs + n;
	return coll;
}

void coll_blocks_clear(struct coll *coll)
{
	memset(coll->outs, 0, (size_t)coll->size * sizeof(*coll->outs));
	memset(coll->ins, 0, (size_t)coll->size * sizeof(*coll->ins));
}

void coll_free(struct coll *coll)
{
	if (coll)
		free(coll->temp);
	free(coll);
}

static const struct coll_steps *exchange_steps(enum coll_algorithm algorithm)
{
	if (algorithm == COLL_PAIRWISE)
		return &bbm_pairwise;
	return algorithm == COLL_RING ? &bbm_ring : &bbm_exchange;
}

static const struct coll_steps *steps_of(const struct coll *coll)
{
	const enum coll_algorithm algorithm = coll->method.algorithm;

	switch (coll->kind) {
	case COLL_EXCHANGE:
		return exchange_steps(algorithm);
	case COLL_BARRIER:
		if (algorithm == COLL_LINEAR)
			return &bbm_barrier;
		return algorithm == COLL_NODES ? &rm_nodes : &rm_tree;
	case COLL_BCAST:
		return algorithm == COLL_SPLIT_BINARY ? &bbm_split : &bbm_tree;
	case COLL_REDUCE:
	case COLL_ALLREDUCE:
		break;
	default:
		return &rm_linear;
	}
	switch (algorithm) {
	case COLL_LINEAR:
		return &rm_linear;
	case COLL_STRIPED:
		return &rm_striped;
	case COLL_SPLIT_BINARY:
		return &rm_split;
	case COLL_NODES:
	case COLL_DOUBLING:
		return &rm_nodes;
	default:
		return &rm_tree;
	}
}

/* A piece is made of whole elements. */
static void segment_round(struct coll *coll)
{
	const uint64_t unit = coll->fold ? coll->fold->unit : 1;

	if (!coll->method.segment || !unit)
		coll->method.segment = 0;
	else if (coll->method.segment < unit)
		coll->method.segment = unit;
	else
		coll->method.segment -= coll->method.segment % unit;
}

/*
 * True if no other process may wait for this one's folds, because only threads
 * that call the library make them.  That thread may be in a call of MPI, which
 * waits for others in turn.
 */
static bool keeps_to_itself(const struct coll *coll)
{
	return coll->in_background && coll->fold && coll->fold->in_caller;
}

static void method_settle(struct coll *coll)
{
	const bool linear = coll->size == 1 || keeps_to_itself(coll);

	if (linear || coll->method.algorithm == COLL_AUTO ||
	    !coll_method_fits(coll, coll->method)) {
		coll->own_order = false;
		coll->method = linear ? (struct coll_method){ COLL_LINEAR, 0 }
				      : coll_choose(coll, &coll->own_order);
	}
	segment_round(coll);
}

static int temp_get(struct coll *coll)
{
	const uint64_t bytes = coll->steps->temp ? coll->steps->temp(coll) : 0;

	if (bytes <= coll->temp_bytes)
		return 0;
	free(coll->temp);
	coll->temp_bytes = 0;
	coll->temp = malloc(bytes);
	if (!coll->temp)
		return -ENOMEM;
	coll->temp_bytes = bytes;
	return 0;
}

static void temp_put(struct coll *coll)
{
	if (coll->temp_bytes <= COLL_KEPT)
		return;
	free(coll->temp);
	coll->temp = NULL;
	coll->temp_bytes = 0;
}

static void part_done(struct engine *engine, struct op *op);

void coll_prepare(struct coll *coll)
{
	method_settle(coll);
	coll->error = 0;
	coll->round = 0;
	coll->n_ops = 0;
	coll->shared.part_done = part_done;
	coll->shared.context = coll->context;
	coll->shared.in_background = coll->in_background;
	coll->shared.folds = coll->kind != COLL_EXCHANGE;
	coll->shared.all.tuner = NULL;
	coll_path_begin(coll);
	atomic_store_explicit(&coll->done, 0, memory_order_relaxed);
}

/*
 * True if this process and `rank` have as much for each other, so that both
 * wait anyway.
 */
static bool is_both_ways(const struct coll *coll, int rank)
{
	switch (coll->kind) {
	case COLL_EXCHANGE:
		return (coll->size == 2 ||
			coll->method.algorithm == COLL_LINEAR) &&
		       coll->outs[rank].moves && coll->ins[rank].moves;
	case COLL_ALLREDUCE:
	case COLL_REDUCE_SCATTER:
		return true;
	case COLL_REDUCE:
		return coll->method.algorithm == COLL_STRIPED;
	default:
		return false;
	}
}

static struct op *op_next(struct coll *coll, enum op_kind kind, int rank,
			  void *at, uint64_t bytes)
{
	struct op *op = &coll->ops[coll->n_ops++];

	op->kind = kind;
	op->synchronous = false;
	op->buf = at;
	op->bytes = bytes;
	op->coll = &coll->shared;
	op->both_ways = is_both_ways(coll, rank);
	op->signature = coll->signature;
	op->path = coll->path;
	coll->pending++;
	return op;
}

void coll_send(struct engine *engine, struct coll *coll, int to, const void *at,
	       uint64_t bytes)
{
	struct op *op = op_next(coll, OP_SEND, to, (void *)(uintptr_t)at,
				bytes);

	op->peer = rank_map_at(coll->peers, (uint32_t)to);
	op->key = (struct match_key){ coll->context, coll->rank, coll->number };
	p2p_post(engine, op);
	if (coll->in_background)
		rouse_peer(engine, op->peer);
}

void coll_recv(struct engine *engine, struct coll *coll, int from, void *at,
	       uint64_t bytes)
{
	struct op *op = op_next(coll, OP_RECV, from, at, bytes);

	op->key = (struct match_key){ coll->context, from, coll->number };
	p2p_post(engine, op);
}

void coll_finish(struct engine *engine, struct coll *coll)
{
	temp_put(coll);
	p2p_tune_end(&coll->shared.all);
	engine->n_completed++;
	engine->n_moved++;
	/* Orders the outcome before the word: the last that is written. */
	atomic_store_explicit(&coll->done, 1, memory_order_release);
}

static bool is_light(const struct coll *coll)
{
	return coll->work <= COLL_LIGHT && !coll->fold->in_caller;
}

/* With the token; others look whether there are any. */
static void count_add(struct coll_list *list, uint32_t n)
{
	atomic_store_explicit(
		&list->n,
		atomic_load_explicit(&list->n, memory_order_relaxed) + n,
		memory_order_relaxed);
}

static void list_add(struct coll_list *list, struct coll *coll)
{
	coll_list_add(list, coll);
	count_add(list, 1);
}

static struct coll *list_take(struct coll_list *list)
{
	struct coll *coll = coll_list_take(list);

	if (coll)
		count_add(list, UINT32_MAX);
	return coll;
}

static void work_add(struct engine *engine, struct coll *coll)
{
	struct coll_list *list = coll->fold->in_caller ? &engine->callers_work
						       : &engine->work;

	list_add(list, coll);
}

static void work_now(struct engine *engine, struct coll *coll)
{
	const uint64_t since = row_stamp(engine);

	coll->steps->work(coll, coll->round);
	row_spent(engine, EMDS_RM, since);
}

/* All that the round moved is there; whether the next may begin. */
static bool round_end(struct engine *engine, struct coll *coll)
{
	if (coll->work && !is_light(coll)) {
		work_add(engine, coll);
		return false;
	}
	if (coll->work)
		work_now(engine, coll);
	coll->round++;
	return true;
}

static void advance(struct engine *engine, struct coll *coll)
{
	unsigned n_ops;

	do {
		n_ops = coll->n_ops;
		coll->n_ops = 0;
		coll->work = 0;
		coll->pending = 1; /* itself, while it posts */
		if (!coll->steps->begin(engine, coll, coll->round)) {
			coll->n_ops = n_ops;
			coll_finish(engine, coll);
			return;
		}
	} while (--coll->pending == 0 && round_end(engine, coll));
}

int coll_post_messages(struct engine *engine, struct coll *coll)
{
	int rc;

	coll->steps = steps_of(coll);
	rc = temp_get(coll);
	if (rc != 0)
		return rc;
	token_take(engine);
	advance(engine, coll);
	token_give(engine);
	return 0;
}

/*
 * The messages that it still waits for will not come.  Messages that others may
 * still read stay.
 */
static void end_in_vain(struct engine *engine, struct coll *coll, int culprit)
{
	coll->error = -EPROTO;
	coll->culprit = culprit;
	coll->shared.all.tuner = NULL;
	for (unsigned i = 0; i < coll->n_ops; i++)
		if (coll->ops[i].kind == OP_RECV &&
		    !op_is_done(&coll->ops[i]) &&
		    p2p_withdraw(engine, &coll->ops[i]))
			op_complete_show(engine, &coll->ops[i]);
	coll_finish(engine, coll);
}

void coll_end_in_vain(struct engine *engine, struct coll *coll, int culprit)
{
	token_take(engine);
	/* Else it waits for no message, and will go on. */
	if (!atomic_load_explicit(&coll->done, memory_order_acquire) &&
	    coll->pending)
		end_in_vain(engine, coll, culprit);
	token_give(engine);
}

bool coll_is_held(const struct coll *coll)
{
	return coll->error == -EPROTO && !coll->on_pages && coll->pending != 0;
}

/* The last operation of a round ends the round. */
static void part_done(struct engine *engine, struct op *op)
{
	struct coll *coll = (struct coll *)((char *)op->coll -
					    offsetof(struct coll, shared));

	coll->pending--;
	if (coll->error == -EPROTO)
		return;
	if (op->kind == OP_RECV)
		coll_path_add(coll, op->path);
	if (op->error && !coll->error)
		coll->error = op->error;
	if (op->error == -EPROTO)
		end_in_vain(engine, coll, op->source);
	else if (coll->pending == 0)
		list_add(&engine->moved, coll);
}

void coll_run(struct engine *engine)
{
	struct coll *coll;

	while ((coll = list_take(&engine->moved))) {
		engine->row.value[EMDS_COLL_MSM]++;
		if (round_end(engine, coll))
			advance(engine, coll);
	}
}

static struct coll *work_take(struct engine *engine, struct coll_list *list)
{
	struct coll *coll;

	if (!atomic_load_explicit(&list->n, memory_order_relaxed))
		return NULL;
	token_take(engine);
	coll = list_take(list);
	token_give(engine);
	return coll;
}

bool coll_work(struct engine *engine, bool in_caller)
{
	struct coll *coll = work_take(engine, &engine->work);
	uint64_t since;

	if (!coll && in_caller)
		coll = work_take(engine, &engine->callers_work);
	if (!coll)
		return false;
	since = row_stamp(engine);
	coll->steps->work(coll, coll->round++);
	token_take(engine);
	row_spent(engine, EMDS_FOLD, since);
	advance(engine, coll);
	token_give(engine);
	/* It may be another thread's. */
	wake_slot(engine->slot);
	return true;
}

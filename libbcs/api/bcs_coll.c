/* SPDX-License-Identifier: BSD-3-Clause */

/* The collectives of the BCS API. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/api/bcs_state.h"

static struct coll *coll_make(enum coll_kind kind, int root)
{
	struct coll *coll = coll_new(bcs_state.size);

	if (!coll)
		return NULL;
	coll->kind = kind;
	coll->context = BCS_CONTEXT_COLLS;
	coll->number = (int32_t)(bcs_state.n_colls++ & INT32_MAX);
	coll->signature = (uint32_t)kind << 24 | (uint32_t)(root + 1);
	coll->peers = &bcs_state.nodes.peers;
	coll->rank = bcs_state.rank;
	coll->root = root;
	coll->pages = bcs_state.pages;
	coll->nodes = &bcs_state.nodes.colls;
	if (kind == COLL_EXCHANGE)
		coll_blocks_clear(coll);
	return coll;
}

static int end(bcs_request request)
{
	bcs_request ended = request;

	return bcs_test(&ended, BCS_BLOCKING, NULL, NULL);
}

static int start(struct coll *coll, const struct coll_fold *fold,
		 enum bcs_how how, bcs_request *request)
{
	bcs_request made = calloc(1, sizeof(*made));
	int rc = -ENOMEM;

	if (made) {
		made->coll = coll;
		if (fold)
			made->fold = *fold;
		coll->fold = fold ? &made->fold : NULL;
		coll->in_background = how == BCS_NON_BLOCKING;
		coll->signature |= 1; /* as struct op has it */
		rc = engines_coll_post(&bcs_state.engines, coll);
	}
	if (rc != 0) {
		coll_free(coll);
		free(made);
		return rc;
	}
	if (how == BCS_BLOCKING)
		return end(made);
	*request = made;
	return 0;
}

static bool fits(int root, enum bcs_how how, const bcs_request *request)
{
	return bcs_is_rank(root) && (how == BCS_BLOCKING || request);
}

int bcs_barrier(enum bcs_how how, bcs_request *request)
{
	struct coll *coll;

	if (!fits(0, how, request))
		return -EINVAL;
	coll = coll_make(COLL_BARRIER, 0);
	return coll ? start(coll, NULL, how, request) : -ENOMEM;
}

int bcs_bcast(void *buf, size_t bytes, int root, enum bcs_how how,
	      bcs_request *request)
{
	struct coll *coll;

	if (!fits(root, how, request))
		return -EINVAL;
	coll = coll_make(COLL_BCAST, root);
	if (!coll)
		return -ENOMEM;
	coll->in = buf;
	coll->bytes = bytes;
	coll->signature ^= (uint32_t)bytes * 0x9e3779b1u;
	return start(coll, NULL, how, request);
}

static void fold_run(const struct coll_fold *fold, const void *in, void *inout,
		     uint64_t bytes)
{
	const struct bcs_op *op = fold->arg;

	op->run(in, inout, bytes / fold->unit, op->arg);
}

int bcs_reduce(const void *out, void *in, size_t n, const struct bcs_op *op,
	       int root, enum bcs_how how, bcs_request *request)
{
	const bool all = root == BCS_ALL;
	struct coll_fold fold;
	struct coll *coll;

	if (!fits(all ? 0 : root, how, request) || !op || op->bytes == 0)
		return -EINVAL;
	coll = coll_make(all ? COLL_ALLREDUCE : COLL_REDUCE, all ? 0 : root);
	if (!coll)
		return -ENOMEM;
	fold = (struct coll_fold){ .run = fold_run,
				   .arg = op,
				   .unit = op->bytes,
				   .count = n,
				   .weight = n * op->bytes,
				   .commutes = op->commutes,
				   .in_caller = true };
	coll->out = (unsigned char *)(uintptr_t)out;
	coll->in = all || coll->rank == root ? in : NULL;
	coll->bytes = n * op->bytes;
	return start(coll, &fold, how, request);
}

static struct coll_block block(const void *at, size_t bytes)
{
	return (struct coll_block){ (unsigned char *)(uintptr_t)at, bytes,
				    bytes != 0 };
}

static void blocks(struct coll_block *made, const struct bcs_parts *parts)
{
	const char *at = parts->at;

	for (int i = 0; i < bcs_state.size; i++)
		made[i] = parts->bytes ? block(at + parts->displs[i],
					       parts->bytes[i])
				       : block(at + parts->each * (size_t)i,
					       parts->each);
}

static bool parts_fit(const struct bcs_parts *parts)
{
	return parts && (!parts->bytes || parts->displs);
}

int bcs_scatter(const struct bcs_parts *out, void *in, size_t bytes, int root,
		enum bcs_how how, bcs_request *request)
{
	const bool mine = root == bcs_state.rank;
	struct coll *coll;

	if (!fits(root, how, request) || (mine && !parts_fit(out)))
		return -EINVAL;
	coll = coll_make(COLL_EXCHANGE, root);
	if (!coll)
		return -ENOMEM;
	if (mine)
		blocks(coll->outs, out);
	coll->ins[root] = block(in, bytes);
	return start(coll, NULL, how, request);
}

int bcs_gather(const void *out, size_t bytes, const struct bcs_parts *in,
	       int root, enum bcs_how how, bcs_request *request)
{
	const bool mine = root == bcs_state.rank;
	struct coll *coll;

	if (!fits(root, how, request) || (mine && !parts_fit(in)))
		return -EINVAL;
	coll = coll_make(COLL_EXCHANGE, root);
	if (!coll)
		return -ENOMEM;
	if (mine)
		blocks(coll->ins, in);
	coll->outs[root] = block(out, bytes);
	return start(coll, NULL, how, request);
}

/* True if every process gives as much: all come to the same answer. */
static bool alike(const struct bcs_parts *parts, size_t bytes)
{
	for (int i = 0; i < bcs_state.size; i++)
		if ((parts->bytes ? parts->bytes[i] : parts->each) != bytes)
			return false;
	return true;
}

int bcs_allgather(const void *out, size_t bytes, const struct bcs_parts *in,
		  enum bcs_how how, bcs_request *request)
{
	struct coll *coll;

	if (!fits(0, how, request) || !parts_fit(in))
		return -EINVAL;
	coll = coll_make(COLL_EXCHANGE, 0);
	if (!coll)
		return -ENOMEM;
	blocks(coll->ins, in);
	for (int i = 0; i < bcs_state.size; i++)
		coll->outs[i] = block(out, bytes);
	coll->bytes = alike(in, bytes) ? bytes : 0;
	coll->signature ^= (uint32_t)coll->bytes * 0x9e3779b1u;
	return start(coll, NULL, how, request);
}

int bcs_alltoall(const struct bcs_parts *out, const struct bcs_parts *in,
		 enum bcs_how how, bcs_request *request)
{
	struct coll *coll;

	if (!fits(0, how, request) || !parts_fit(out) || !parts_fit(in))
		return -EINVAL;
	coll = coll_make(COLL_EXCHANGE, 0);
	if (!coll)
		return -ENOMEM;
	blocks(coll->outs, out);
	blocks(coll->ins, in);
	coll->each = in->bytes ? 0 : in->each;
	return start(coll, NULL, how, request);
}

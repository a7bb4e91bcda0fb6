/* SPDX-License-Identifier: BSD-3-Clause */

/* The messages of the BCS API. */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/api/bcs_state.h"
#include "libbcs/demand/wait.h"

struct bcs_state bcs_state;

int bcs_rank(void)
{
	return bcs_state.rank;
}

int bcs_size(void)
{
	return bcs_state.size;
}

static bool is_source(int source)
{
	return bcs_is_rank(source) || source == BCS_ANY;
}

static bool is_wanted_tag(int tag)
{
	return tag >= 0 || tag == BCS_ANY;
}

static void op_send(struct op *op, const void *buf, size_t bytes, int dest,
		    int tag)
{
	op->kind = OP_SEND;
	op->coll = NULL;
	op->both_ways = false;
	op->signature = 0;
	op->synchronous = false;
	op->buf = (unsigned char *)(uintptr_t)buf;
	op->bytes = bytes;
	op->peer = rank_map_at(&bcs_state.nodes.peers, (uint32_t)dest);
	op->key = (struct match_key){ BCS_CONTEXT, bcs_state.rank, tag };
}

static void op_recv(struct op *op, void *buf, size_t bytes, int source, int tag)
{
	op->kind = OP_RECV;
	op->coll = NULL;
	op->both_ways = false;
	op->signature = 0;
	op->buf = buf;
	op->bytes = bytes;
	op->key = (struct match_key){ BCS_CONTEXT, source, tag };
}

static void status_fill(struct bcs_status *status, const struct op *op)
{
	if (status && op->kind == OP_RECV)
		*status = (struct bcs_status){ op->source, op->tag, op->got };
}

static int post_request(const struct op *op, bcs_request *request)
{
	bcs_request made = malloc(sizeof(*made));

	if (!made)
		return -ENOMEM;
	made->op = *op;
	made->coll = NULL;
	engines_post(&bcs_state.engines, &made->op);
	*request = made;
	return 0;
}

int bcs_send(const void *buf, size_t bytes, int dest, int tag, enum bcs_how how,
	     bcs_request *request)
{
	struct op op;

	if (!bcs_is_rank(dest) || tag < 0 ||
	    (how == BCS_NON_BLOCKING && !request))
		return -EINVAL;
	op_send(&op, buf, bytes, dest, tag);
	if (how == BCS_NON_BLOCKING)
		return post_request(&op, request);
	if (engines_send_now(&bcs_state.engines, op.peer, &op.key, 0, buf,
			     bytes))
		return 0;
	engines_run(&bcs_state.engines, &op);
	return op.error;
}

int bcs_recv(void *buf, size_t bytes, int source, int tag, enum bcs_how how,
	     bcs_request *request, struct bcs_status *status)
{
	struct op op;

	if (!is_source(source) || !is_wanted_tag(tag) ||
	    (how == BCS_NON_BLOCKING && !request))
		return -EINVAL;
	op_recv(&op, buf, bytes, source, tag);
	if (how == BCS_NON_BLOCKING)
		return post_request(&op, request);
	engines_run(&bcs_state.engines, &op);
	status_fill(status, &op);
	return op.error;
}

struct probe {
	struct match_key key;
	struct engine_found found;
	bool waits;
	bool there;
};

static bool probe_look(void *arg)
{
	struct probe *probe = arg;

	probe->there = engines_probe(&bcs_state.engines, &probe->key,
				     probe->waits, &probe->found);
	return probe->there;
}

int bcs_probe(int source, int tag, enum bcs_how how, bool *there,
	      struct bcs_status *status)
{
	struct probe probe = { .key = { BCS_CONTEXT, source, tag },
			       .waits = how == BCS_BLOCKING };

	if (!is_source(source) || !is_wanted_tag(tag))
		return -EINVAL;
	if (how == BCS_BLOCKING)
		engines_wait_until(&bcs_state.engines, probe_look, &probe);
	else if (!probe_look(&probe) && !bcs_state.engines.strobe)
		wait_idle(&bcs_state.engines.demand);
	if (there)
		*there = probe.there;
	if (probe.there && status)
		*status = (struct bcs_status){ probe.found.source,
					       probe.found.tag,
					       probe.found.bytes };
	return 0;
}

static bool request_is_done(void *arg)
{
	bcs_request request = arg;

	return request->coll ? coll_is_done(request->coll)
			     : op_is_done(&request->op);
}

static bool request_test(bcs_request request)
{
	if (!request_is_done(request))
		engines_help(&bcs_state.engines);
	return request_is_done(request);
}

static void request_wait(bcs_request request)
{
	engines_wait_until(&bcs_state.engines, request_is_done, request);
}

static int request_end(bcs_request *request, struct bcs_status *status)
{
	struct coll *coll = (*request)->coll;
	const int error = coll ? coll->error : (*request)->op.error;

	if (!coll)
		status_fill(status, &(*request)->op);
	else if (!coll_is_held(coll))
		coll_free(coll);
	free(*request);
	*request = NULL;
	return error;
}

int bcs_test(bcs_request *request, enum bcs_how how, bool *done,
	     struct bcs_status *status)
{
	bool is_done = true;
	int rc = 0;

	if (*request && how == BCS_BLOCKING)
		request_wait(*request);
	else if (*request)
		is_done = request_test(*request);
	if (*request && is_done)
		rc = request_end(request, status);
	if (done)
		*done = is_done;
	return rc;
}

static bool all_done(size_t n, bcs_request requests[], enum bcs_how how)
{
	for (size_t i = 0; i < n; i++) {
		if (!requests[i])
			continue;
		if (how == BCS_BLOCKING)
			request_wait(requests[i]);
		else if (!request_test(requests[i]))
			return false;
	}
	return true;
}

int bcs_testall(size_t n, bcs_request requests[], enum bcs_how how, bool *done,
		struct bcs_status statuses[])
{
	const bool is_done = all_done(n, requests, how);
	int first = 0;
	int rc;

	for (size_t i = 0; is_done && i < n; i++) {
		if (!requests[i])
			continue;
		rc = request_end(&requests[i], statuses ? &statuses[i] : NULL);
		first = first ? first : rc;
	}
	if (done)
		*done = is_done;
	return first;
}

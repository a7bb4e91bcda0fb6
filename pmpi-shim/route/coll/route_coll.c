/* SPDX-License-Identifier: BSD-3-Clause */

/* A collective call on its way through the engine. */
#include <errno.h>
#include <stdlib.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/p2p/route_request.h"

/* Processes of a communicator whose descriptor is kept for the next. */
#define KEPT_MOST 64

static enum coll_kind kind_of(enum route_kind kind)
{
	static const enum coll_kind kinds[] = {
		[ROUTE_BARRIER] = COLL_BARRIER,
		[ROUTE_BCAST] = COLL_BCAST,
		[ROUTE_GATHER] = COLL_EXCHANGE,
		[ROUTE_SCATTER] = COLL_EXCHANGE,
		[ROUTE_ALLGATHER] = COLL_EXCHANGE,
		[ROUTE_ALLTOALL] = COLL_EXCHANGE,
		[ROUTE_NEIGHBORS] = COLL_EXCHANGE,
		[ROUTE_REDUCE] = COLL_REDUCE,
		[ROUTE_ALLREDUCE] = COLL_ALLREDUCE,
		[ROUTE_REDUCE_SCATTER] = COLL_REDUCE_SCATTER,
		[ROUTE_SCAN] = COLL_SCAN,
		[ROUTE_EXSCAN] = COLL_EXSCAN,
	};

	return kinds[kind];
}

/*
 * A thread alone needs no exchange, which would wait until all that was written
 * for other processes is in the cache.
 */
static struct coll *spare_swap(struct route_comm *comm, struct coll *coll)
{
	struct coll *was;

	if (process.thread_level == MPI_THREAD_MULTIPLE)
		return atomic_exchange(&comm->spare, coll);
	was = atomic_load_explicit(&comm->spare, memory_order_relaxed);
	atomic_store_explicit(&comm->spare, coll, memory_order_relaxed);
	return was;
}

static struct coll *coll_get(struct route_comm *comm)
{
	struct coll *coll = spare_swap(comm, NULL);

	return coll ? coll : coll_new(comm->size);
}

/* A large one is not kept: it has room for a message to and from each. */
static void coll_put(struct route_comm *comm, struct coll *coll)
{
	if (comm->size <= KEPT_MOST)
		coll = spare_swap(comm, coll);
	coll_free(coll);
}

/* The settings name what the engine does. */
_Static_assert((int)SETTINGS_ALGORITHM_AUTO == (int)COLL_AUTO &&
		       (int)SETTINGS_LINEAR == (int)COLL_LINEAR &&
		       (int)SETTINGS_NODES == (int)COLL_NODES,
	       "as in coll.h");

static struct coll_method method_of(enum coll_kind kind)
{
	const struct settings *settings = &process.settings;
	struct settings_method method = { SETTINGS_ALGORITHM_AUTO, 0 };

	if (kind == COLL_BCAST)
		method = settings->bcast;
	else if (kind == COLL_REDUCE || kind == COLL_ALLREDUCE ||
		 kind == COLL_BARRIER)
		method = settings->reduce;
	return (struct coll_method){ (enum coll_algorithm)method.algorithm,
				     method.segment };
}

static void call_make(struct route_coll *c)
{
	struct route_comm *members = c->call->members;
	struct coll *coll = c->coll;

	coll->kind = kind_of(c->call->kind);
	coll->context = members->context + 1;
	coll->number = c->number;
	coll->signature = c->signature;
	coll->peers = &members->peers;
	coll->rank = members->rank;
	coll->root = c->call->root;
	coll->fold = NULL;
	coll->out = NULL;
	coll->in = NULL;
	coll->bytes = 0;
	coll->each = 0;
	coll->method = c->call->cached ? c->call->cached->method
				       : method_of(coll->kind);
	coll->own_order = c->call->cached ? c->call->cached->own_order
					  : coll->method.algorithm != COLL_AUTO;
	coll->pages = members->pages;
	coll->nodes = &members->nodes;
	if (coll->kind == COLL_EXCHANGE)
		coll_blocks_clear(coll);
}

static void data_free(struct route_coll *c)
{
	free(c->out_memory);
	free(c->in_memory);
	c->out_memory = NULL;
	c->in_memory = NULL;
	coll_put(c->call->members, c->coll);
	c->coll = NULL;
}

/* Others may still read or write there. */
static void data_leave(struct route_coll *c)
{
	c->out_memory = NULL;
	c->in_memory = NULL;
	c->coll = NULL;
}

int route_coll_start(struct route_coll *c, bool in_background)
{
	int rc;

	c->out_memory = NULL;
	c->in_memory = NULL;
	c->looks = 0;
	c->since = 0;
	c->waits = 0;
	c->coll = coll_get(c->call->members);
	if (!c->coll)
		return MPI_ERR_NO_MEM;
	call_make(c);
	c->coll->in_background = in_background;
	rc = route_coll_data_make(c);
	if (rc == MPI_SUCCESS &&
	    engines_coll_post(&route_engines, c->coll) != 0)
		rc = MPI_ERR_NO_MEM;
	if (rc != MPI_SUCCESS)
		data_free(c);
	else if (in_background)
		route_blocked_background(1);
	return rc;
}

int route_coll_outcome(struct route_coll *c)
{
	const int rc = route_error_class(c->coll->error);
	int ended = MPI_SUCCESS;

	if (rc == MPI_SUCCESS)
		coll_path_end(c->coll);
	if (c->coll->in_background)
		route_blocked_background(-1);
	if (c->coll->kind == COLL_EXCHANGE && !c->coll->on_pages)
		route_mismatch_sizes(c);
	if (route_strict & SETTINGS_STRICT_BUFFERS && !c->coll->error)
		route_mismatch_types(c);
	if (c->coll->error == -EPROTO)
		route_mismatch_tell(c);
	else
		ended = route_coll_data_end(c);
	if (coll_is_held(c->coll))
		data_leave(c);
	else
		data_free(c);
	if (c->also)
		ended = c->also->end(c->also);
	return rc == MPI_SUCCESS ? ended : rc;
}

/* Looks after its peers when it has waited for long. */
#define LOOKS 512

bool route_coll_looks_done(struct route_coll *c)
{
	if (coll_is_done(c->coll))
		return !c->also || c->also->is_done(c->also);
	if (++c->looks % LOOKS == 0)
		route_coll_suspect(c);
	return false;
}

static bool is_done(void *coll)
{
	return route_coll_looks_done(coll);
}

/* A wait for its request is another call, at another place. */
static void name_call(struct blocked *b, const struct route_coll *c)
{
	struct blocked_group *group;

	for (uint32_t i = 0; i < b->record.n_groups; i++) {
		group = &b->record.groups[i];
		if (group->is_thread || group->number != c->number ||
		    group->context != c->call->members->context)
			continue;
		group->call = c->call->name;
		group->site = c->site;
	}
}

bool route_coll_describe(struct blocked *b, const struct route_coll *c)
{
	const struct blocked_comm comm = route_blocked_comm(c->call->members);
	const bool is_known = engines_blocked_coll(&route_engines, b, c->coll,
						   &comm);

	if (is_known)
		name_call(b, c);
	return is_known;
}

static bool run_describe(struct blocked *b, void *coll)
{
	const struct route_coll *c = coll;

	return route_blocked_group(b, false, c->call->members) &&
	       route_coll_describe(b, c);
}

int route_coll_run(const struct route_call *call)
{
	struct route_coll c = { .call = call };
	int rc;

	route_call_number(&c, true);
	rc = route_coll_start(&c, false);
	if (rc != MPI_SUCCESS)
		return route_error(call->comm, rc);
	if (!call->cached)
		route_call_remember(&c);
	if (c.coll->on_pages && c.bytes <= PAGES_LINE)
		engines_wait_shown(&route_engines, is_done, &c);
	else
		engines_wait_until(&route_engines, is_done, &c);
	rc = route_coll_outcome(&c);
	route_requests_unpack_freed();
	return route_error(call->comm, rc);
}

void route_coll_blocked(void)
{
	route_blocked_know(is_done, run_describe);
}

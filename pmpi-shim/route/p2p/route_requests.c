/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Requests have numbers that MPICH leaves free and rejects: the null request's
 * plus one, and so on. They lie in blocks that are never freed, so that a
 * number is looked up without a lock.
 *
 * Unused requests form a stack. Its top is changed together with a counter, so
 * that a thread notices a request that was taken and given back meanwhile.
 */
#include <pthread.h>
#include <stdlib.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_op.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_request.h"

#define BLOCK  ROUTE_REQUEST_BLOCK
#define BLOCKS ROUTE_REQUEST_BLOCKS

struct route_request *_Atomic route_request_blocks[BLOCKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t unused; /* the number of the first + 1, and changes */
static uint32_t n_made;
static struct route_request *left; /* by the program, under way; likewise */
_Atomic uint32_t route_requests_to_unpack;

struct route_request route_request_sent = {
	.op = { .op = { .done = 1, .kind = OP_SEND }, .comm = MPI_COMM_WORLD },
	.handle = ABI_REQUEST_DONE,
	.active = true
};

static struct route_request *request_make(void)
{
	struct route_request *block;
	const uint32_t n = n_made;

	if (n == BLOCK * BLOCKS)
		return NULL;
	block = atomic_load(&route_request_blocks[n / BLOCK]);
	if (!block)
		block = calloc(BLOCK, sizeof(*block));
	if (!block)
		return NULL;
	atomic_store(&route_request_blocks[n / BLOCK], block);
	n_made++;
	block[n % BLOCK].handle = (MPI_Request)((uint32_t)MPI_REQUEST_NULL + 1 +
						n);
	return &block[n % BLOCK];
}

/* Makes this the first if `unused` is still so; a thread alone need not look.
 */
static bool unused_change(uint64_t *was, uint32_t first)
{
	const uint64_t now = ((*was >> 32) + 1) << 32 | first;

	if (process.thread_level == MPI_THREAD_MULTIPLE)
		/* Orders the link of what was the first, and of what is. */
		return atomic_compare_exchange_weak_explicit(
			&unused, was, now, memory_order_acq_rel,
			memory_order_acquire);
	atomic_store_explicit(&unused, now, memory_order_relaxed);
	return true;
}

static struct route_request *unused_pop(void)
{
	/* Orders the link of the first after its becoming the first. */
	uint64_t was = atomic_load_explicit(&unused, memory_order_acquire);
	struct route_request *request;

	do {
		if ((uint32_t)was == 0)
			return NULL;
		request = route_request_at((uint32_t)was - 1);
	} while (!unused_change(&was,
				atomic_load_explicit(&request->next_unused,
						     memory_order_relaxed)));
	return request;
}

static void unused_push(struct route_request *request)
{
	uint64_t was = atomic_load_explicit(&unused, memory_order_relaxed);

	do
		atomic_store_explicit(&request->next_unused, (uint32_t)was,
				      memory_order_relaxed);
	while (!unused_change(&was, route_request_number(request->handle) + 1));
}

static struct route_request *request_more(void)
{
	struct route_request *request;

	pthread_mutex_lock(&lock);
	request = request_make();
	pthread_mutex_unlock(&lock);
	return request;
}

struct route_request *route_request_new(void)
{
	struct route_request *request = unused_pop();

	if (!request)
		request = request_more();
	if (request) {
		request->op.packed = NULL;
		request->op.keeps_type = false;
		request->op.also = NULL;
		request->op.op.error = 0;
		request->op.op.got = 0;
		request->ended = false;
		request->buffered = false;
		request->copy = NULL;
		request->kind = NULL;
		request->coll = NULL;
	}
	return request;
}

void route_request_release(struct route_request *request)
{
	if (request->op.packed)
		free(request->op.packed);
	if (request->kind)
		request->kind->release(request);
	if (request->members)
		route_comm_drop(request->members);
	if (request->persistent && !abi_type_is_builtin(request->buffer.type))
		REAL(Type_free)(&request->buffer.type);
	/* The program may still have its handle, which is nobody's now. */
	request->persistent = false;
	request->active = false;
	request->members = NULL;
	unused_push(request);
}

bool route_request_is_done(struct route_request *request)
{
	struct route_op *op = &request->op;

	if (request->kind)
		return request->kind->is_done(request);
	return op_is_done(&op->op) && (!op->also || op_is_done(&op->also->op));
}

static void bsend_done(struct route_request *request)
{
	route_room_give(request->room,
			(int64_t)request->op.op.bytes + MPI_BSEND_OVERHEAD);
	free(request->copy);
	request->copy = NULL;
}

/* A receive whose bytes are not in the program's buffer yet. */
static bool has_to_unpack(const struct route_request *request)
{
	return !request->kind && request->op.packed &&
	       request->op.op.kind == OP_RECV;
}

void route_request_leave(struct route_request *request)
{
	if (has_to_unpack(request))
		atomic_fetch_add_explicit(&route_requests_to_unpack, 1,
					  memory_order_relaxed);
	pthread_mutex_lock(&lock);
	request->next = left;
	left = request;
	pthread_mutex_unlock(&lock);
	route_requests_sweep();
}

static struct route_request *left_take(void)
{
	struct route_request **link = &left;
	struct route_request *over = NULL;
	struct route_request *request;

	pthread_mutex_lock(&lock);
	while ((request = *link)) {
		if (!route_request_is_done(request)) {
			link = &request->next;
			continue;
		}
		*link = request->next;
		request->next = over;
		over = request;
	}
	pthread_mutex_unlock(&lock);
	return over;
}

void route_requests_sweep(void)
{
	struct route_request *over;
	struct route_request *next;

	engines_turn(&route_engines);
	for (over = left_take(); over; over = next) {
		next = over->next;
		if (has_to_unpack(over))
			atomic_fetch_sub_explicit(&route_requests_to_unpack, 1,
						  memory_order_relaxed);
		if (over->kind)
			over->kind->end(over);
		else
			route_op_end(&over->op, MPI_STATUS_IGNORE);
		/*
		 * A persistent buffered send has a second request for each
		 * start.
		 */
		if (over->buffered && !over->persistent)
			bsend_done(over);
		route_request_release(over);
	}
}

bool route_requests_are_left(void)
{
	bool are;

	route_requests_sweep();
	pthread_mutex_lock(&lock);
	are = left != NULL;
	pthread_mutex_unlock(&lock);
	return are;
}

static bool is_open_receive(struct route_request *request)
{
	return request->active && !request->kind &&
	       request->op.op.kind == OP_RECV && !op_is_done(&request->op.op);
}

uint32_t route_requests_receives(void (*use)(struct route_request *request))
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < n_made; i++) {
		struct route_request *request = route_request_at(i);

		if (!is_open_receive(request))
			continue;
		n++;
		if (use)
			use(request);
	}
	return n;
}

static bool sends_from(struct route_op *op, const unsigned char *at,
		       uint64_t bytes)
{
	return op->op.kind == OP_SEND && !op->packed && !op_is_done(&op->op) &&
	       op->op.buf < at + bytes && at < op->op.buf + op->op.bytes;
}

bool route_requests_send(const void *at, uint64_t bytes)
{
	for (uint32_t i = 0; i < n_made; i++) {
		struct route_request *request = route_request_at(i);

		if (request->active && !request->kind &&
		    (sends_from(&request->op, at, bytes) ||
		     (request->op.also &&
		      sends_from(request->op.also, at, bytes))))
			return true;
	}
	return false;
}

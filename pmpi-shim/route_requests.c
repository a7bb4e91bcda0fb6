/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Requests have numbers that MPICH leaves free and rejects: one more than the
 * null request's and so on.  They lie in blocks that stay, so that a number is
 * looked up without a lock.
 */
#include <pthread.h>
#include <stdlib.h>

#include "pmpi-shim/route.h"

#define BLOCK  1024u
#define BLOCKS 16384u

static struct route_request *_Atomic blocks[BLOCKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct route_request *unused; /* linked through next */
static uint32_t n_made;
static struct route_request *left; /* by the program, under way; likewise */

static uint32_t number(MPI_Request handle)
{
	return (uint32_t)handle - (uint32_t)MPI_REQUEST_NULL - 1;
}

struct route_request *route_request_get(MPI_Request handle)
{
	const uint32_t n = number(handle);

	return &atomic_load_explicit(&blocks[n / BLOCK],
				     memory_order_acquire)[n % BLOCK];
}

static struct route_request *request_make(void)
{
	struct route_request *block;
	const uint32_t n = n_made;

	if (n == BLOCK * BLOCKS)
		return NULL;
	block = atomic_load(&blocks[n / BLOCK]);
	if (!block)
		block = calloc(BLOCK, sizeof(*block));
	if (!block)
		return NULL;
	atomic_store(&blocks[n / BLOCK], block);
	n_made++;
	block[n % BLOCK].handle = (MPI_Request)((uint32_t)MPI_REQUEST_NULL + 1 +
						n);
	return &block[n % BLOCK];
}

struct route_request *route_request_new(void)
{
	struct route_request *request;

	pthread_mutex_lock(&lock);
	request = unused;
	if (request)
		unused = request->next;
	else
		request = request_make();
	pthread_mutex_unlock(&lock);
	if (request) {
		request->op.packed = NULL;
		request->op.keeps_type = false;
		request->op.also = NULL;
		request->op.op.error = 0;
		request->op.op.got = 0;
		request->persistent = false;
		request->active = false;
		request->ended = false;
		request->buffered = false;
		request->copy = NULL;
	}
	return request;
}

void route_request_release(struct route_request *request)
{
	free(request->op.packed);
	if (request->persistent && !mpich_type_is_builtin(request->buffer.type))
		REAL(Type_free)(&request->buffer.type);
	pthread_mutex_lock(&lock);
	request->next = unused;
	unused = request;
	pthread_mutex_unlock(&lock);
}

void route_request_leave(struct route_request *request)
{
	pthread_mutex_lock(&lock);
	request->next = left;
	left = request;
	pthread_mutex_unlock(&lock);
	route_requests_sweep();
}

static bool is_over(struct route_request *request)
{
	return op_is_done(&request->op.op) &&
	       (!request->op.also || op_is_done(&request->op.also->op));
}

static struct route_request *left_take(void)
{
	struct route_request **link = &left;
	struct route_request *over = NULL;
	struct route_request *request;

	pthread_mutex_lock(&lock);
	while ((request = *link)) {
		if (!is_over(request)) {
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

	engine_turn(&route_engine);
	for (over = left_take(); over; over = next) {
		next = over->next;
		route_op_end(&over->op, MPI_STATUS_IGNORE);
		if (over->buffered)
			route_bsend_done(over);
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

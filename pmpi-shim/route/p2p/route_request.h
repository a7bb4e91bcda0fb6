/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_REQUEST_H
#define SHIM_ROUTE_REQUEST_H

/*
 * Requests of the engine's messages, and of what else is to be waited for.
 */
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi.h"
#include "libbcs/demand/blocked.h"
#include "pmpi-shim/route/base/route_comm.h"
#include "pmpi-shim/route/base/route_op.h"

struct route_coll;
struct route_request;

/* Functions of requests that are no messages: of collectives
 * (route_coll_request.c). */
struct route_request_kind {
	bool (*is_done)(struct route_request *request);
	/* Ends a finished request; returns its error class. */
	int (*end)(struct route_request *request);
	/* MPI_Start; an error that was told of, or MPI_SUCCESS. */
	int (*start)(struct route_request *request);
	void (*release)(struct route_request *request);
	/* Describes what the request waits for (route_blocked.h). */
	bool (*describe)(struct blocked *b, struct route_request *request);
};

/*
 * Requests of ours; those of MPI have other numbers.  A window of messages has
 * many: what every one of them takes lies together.
 */
struct route_request {
	struct route_op op;
	MPI_Request handle;
	bool persistent;
	bool active;
	bool buffered;
	bool ended;              /* MPI_Request_get_status told the outcome */
	void *copy;              /* of an MPI_Bsend; freed with it */
	struct route_room *room; /* that the copy takes */
	const struct route_request_kind
		*kind;           /* of what is no message; or NULL */
	struct route_coll *coll; /* a collective's; or NULL */
	/* That it may outlive: a persistent one, or a message that was taken.
	 */
	struct route_comm *members;
	_Atomic uint32_t next_unused;

	int error;
	uint64_t sum; /* of what is sent, for BCS_STRICT */
	struct route_request *next;
	enum route_send mode; /* of a persistent one, as what follows */
	bool is_send;
	struct route_buffer buffer;
	int peer;
	int tag;
};

static inline bool route_is_ours(MPI_Request request)
{
	return abi_request_is_ours(request);
}

#define ROUTE_REQUEST_BLOCK  1024u
#define ROUTE_REQUEST_BLOCKS 16384u
extern struct route_request *_Atomic route_request_blocks[ROUTE_REQUEST_BLOCKS];

/* A send whose buffer was the program's again at once; nobody writes to it. */
extern struct route_request route_request_sent;

static inline uint32_t route_request_number(MPI_Request handle)
{
	return (uint32_t)handle - (uint32_t)MPI_REQUEST_NULL - 1;
}

static inline struct route_request *route_request_at(uint32_t n)
{
	/* Orders a block's being there before what is in it. */
	return &atomic_load_explicit(
		&route_request_blocks[n / ROUTE_REQUEST_BLOCK],
		memory_order_acquire)[n % ROUTE_REQUEST_BLOCK];
}

static inline struct route_request *route_request_get(MPI_Request handle)
{
	return handle == ABI_REQUEST_DONE
		       ? &route_request_sent
		       : route_request_at(route_request_number(handle));
}

/* The request or message of ours of that handle; NULL: there never was one. */
static inline struct route_request *route_request_find(MPI_Request handle)
{
	const uint32_t n = route_request_number(handle);

	if (!route_is_ours(handle))
		return NULL;
	if (handle == ABI_REQUEST_DONE)
		return &route_request_sent;
	if (n >= ROUTE_REQUEST_BLOCK * ROUTE_REQUEST_BLOCKS ||
	    !atomic_load_explicit(
		    &route_request_blocks[n / ROUTE_REQUEST_BLOCK],
		    memory_order_acquire))
		return NULL;
	return route_request_at(n);
}

/*
 * True for a request that we gave and that is neither completed, freed nor a
 * message. MPI refuses all other handles.
 */
static inline bool route_request_is_live(MPI_Request handle)
{
	const struct route_request *r = route_request_find(handle);

	return r && (r->active || r->persistent);
}

/* NULL if there is no memory. */
struct route_request *route_request_new(void);
void route_request_release(struct route_request *request);
/* A request that nobody will ask for: released when it is done. */
void route_request_leave(struct route_request *request);
bool route_request_is_done(struct route_request *request);
/* Whether it is done, or a persistent one that was not started. */
static inline bool route_request_is_ready(MPI_Request handle)
{
	struct route_request *r = route_request_get(handle);

	if (!r->active || r->ended)
		return true;
	return r->kind || r->op.also ? route_request_is_done(r)
				     : op_is_done(&r->op.op);
}

/* True if a message is about to be done (engine_is_soon). */
bool route_request_is_soon(MPI_Request handle);

/*
 * In MPI_Finalize, when all processes are there: takes each message of a
 * communicator that nobody received.
 */
void route_messages_left(MPI_Comm comm,
			 void (*use)(MPI_Comm comm,
				     const struct engine_found *message));

/* Adds what it waits for; false if that is not known. */
bool route_request_describe(struct blocked *b, struct route_request *request);

void route_request_await(MPI_Request handle);
/*
 * Whose handler its errors are for: if its own communicator was freed, whose
 * handle another may have by now, that of MPI_COMM_WORLD.
 */
MPI_Comm route_request_comm(const struct route_request *request);
/*
 * Finishes a ready request and returns its error class. After an error, `whose`
 * gets the communicator whose handler is called, unless it is NULL. The handle
 * becomes null, or can be started again.
 */
int route_request_finish(MPI_Request *handle, MPI_Status *status,
			 MPI_Comm *whose);
/*
 * Tells the outcome of a ready request, which stays as it is.  Returns its
 * error class.
 */
int route_request_look(MPI_Request handle, MPI_Status *status);
/* Waits for a request and finishes it, as MPI_Wait does. */
int route_request_wait(MPI_Request *request, MPI_Status *status);

/* Looks which of those are done. */
void route_requests_sweep(void);
/* Receives that the program freed, whose bytes are not in its buffers yet. */
extern _Atomic uint32_t route_requests_to_unpack;
/*
 * After a call from which the program may know that such a message has come:
 * it received another, or all are past a collective.
 */
static inline void route_requests_unpack_freed(void)
{
	if (__builtin_expect(atomic_load_explicit(&route_requests_to_unpack,
						  memory_order_relaxed) != 0,
			     0))
		route_requests_sweep();
}
bool route_requests_are_left(void);
/*
 * In MPI_Finalize: receives that wait for a message.  Calls `use` for each of
 * them, unless it is NULL, and returns their number.
 */
uint32_t route_requests_receives(void (*use)(struct route_request *request));
/* Whether a send that is not done reads some of this memory. */
bool route_requests_send(const void *at, uint64_t bytes);

/* An MPI_Bsend: a copy of the bytes is posted. */
int route_bsend(const struct route_buffer *buffer, int dest, int tag,
		const struct route_comm *comm);

/* Rooms for what MPI_Bsend keeps (route_room.c). */
extern struct route_room route_room_shared; /* of MPI_Buffer_attach */
/* The room that sends on a communicator have: its own, or the shared one. */
struct route_room *route_room_of(const struct route_comm *comm);
/*
 * MPI is about to change the buffer of a room; it did, and the room has `bytes`
 * now.  NULL: nothing is scheduled there.
 */
void route_room_change_begin(void);
int route_room_change_end(struct route_room *room, int rc, int64_t bytes);
/* False if so much is not left. */
bool route_room_take(struct route_room *room, int64_t bytes);
void route_room_give(struct route_room *room, int64_t bytes);
bool route_room_is_unused(struct route_room *room);

/*
 * The request of MPI_Buffer_iflush and its kin (route_flush.c), made of MPI's
 * own: it is done when MPI's is and the room is unused.
 */
int route_flush_post(int rc, struct route_room *room, MPI_Request *request);
static inline bool route_request_is_flush(const struct route_request *request)
{
	return request->kind && !request->coll;
}

#endif

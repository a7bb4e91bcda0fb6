/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_REQUESTS_H
#define SHIM_REQUESTS_H

/*
 * Transfers that outlast the call that began them.  The bytes received are
 * known when a request completes, and are credited then to the call that began
 * it.  Persistent requests are credited to MPI_Start or MPI_Startall: the bytes
 * sent when they are started, those received when they complete.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "handles.h"
#include "mds/mmds/mmds.h"

enum shim_request_kind {
	SHIM_REQUEST_SEND,
	SHIM_REQUEST_RECV,
	SHIM_REQUEST_COLLECTIVE,
	SHIM_REQUEST_READ,
	SHIM_REQUEST_WRITE,
	SHIM_REQUEST_MESSAGE, /* probed, and not yet received */
};

struct shim_request {
	uint64_t key;  /* of the cell of the call that began it */
	uint64_t sent; /* of a persistent one, each time; and received */
	uint64_t received;
	MPI_Comm comm;
	uint32_t row; /* its, for the handle may be another's when it ends */
	int peer;
	int tag;
	uint8_t kind;
	bool persistent;
	bool active;
	bool waits;   /* in MPI_Finalize: for a message that did not come */
	bool unknown; /* it may have ended where nothing is recorded */
	/* A persistent one: */
	bool started; /* once, at least */
	bool idle;    /* not so, and the call of `key` waited for it */
};

/* After a call that began something; all of them inside of a recorded call. */
void shim_track(struct mmds_frame *f, MPI_Request request, MPI_Comm comm,
		int source, int tag);
void shim_track_send(struct mmds_frame *f, MPI_Request request, MPI_Comm comm,
		     int dest, int tag);
void shim_track_file(struct mmds_frame *f, MPI_Request request, bool write);
void shim_track_recv_init(struct mmds_frame *f, MPI_Request request,
			  MPI_Comm comm, int source, int tag);
void shim_track_send_init(struct mmds_frame *f, MPI_Request request,
			  MPI_Comm comm, int dest, int tag, uint64_t bytes);
/* A collective in the background. */
void shim_track_coll(struct mmds_frame *f, MPI_Request request);
/* A persistent collective, whose bytes the frame has. */
void shim_track_init(struct mmds_frame *f, MPI_Request request);

/* Matched probes, and what is received by their message. */
void shim_probed_message(struct mmds_frame *f, MPI_Comm comm,
			 const MPI_Message *message);
struct shim_pending;
/* Before the call; what is known of the message is looked up. */
void shim_about_message(struct mmds_frame *f, struct shim_pending *taken,
			const MPI_Message *message);
/* After it, if MPI took it. */
void shim_received_message(struct mmds_frame *f,
			   const struct shim_pending *taken,
			   const MPI_Status *status);
void shim_track_message(struct mmds_frame *f, const struct shim_pending *taken,
			MPI_Request request);

/*
 * A call that is not recorded may complete or free these.  Nothing is claimed
 * of them any more.
 */
void shim_requests_unseen(const MPI_Request requests[], int n);

/*
 * In MPI_Finalize: finds those that were never completed.  First, while they
 * can still be asked, which of them wait for a message (`is_ready`: whether one
 * is done; NULL: nobody can tell).
 */
void shim_requests_ask(bool (*is_ready)(MPI_Request request));
void shim_requests_left(void);

/* Begins a persistent request. */
void shim_request_start(struct mmds_frame *f, MPI_Request request);
/* A call that is not recorded may have. */
void shim_requests_started(const MPI_Request requests[], int n);
/* A persistent request ends its life: a fault if all did but start it. */
void shim_request_look_idle(const struct shim_request *request);

/* The entry of a handle. */
struct shim_place {
	uint64_t stamp; /* whose it is; 0: it is empty */
	struct shim_request request;
};

extern struct handles shim_places;

/* The place of a request that is an object of its own; NULL if it is empty. */
static inline struct shim_place *shim_place_find(MPI_Request handle)
{
	struct shim_place *place;

	if (!abi_request_is_object(handle))
		return NULL;
	place = handles_find(&shim_places, handle);
	if (!place || !__atomic_load_n(&place->stamp, __ATOMIC_RELAXED))
		return NULL;
	return place;
}

/* The entry of a request that may be under way; NULL if there is none. */
struct shim_request *shim_request_find(MPI_Request request);

/* Whether some found no room, and nothing is known of them. */
bool shim_requests_missed(void);

#endif

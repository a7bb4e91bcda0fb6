/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_REQUESTS_H
#define SHIM_REQUESTS_H

/*
 * Transfers that outlast the call that began them.  What was received is known
 * when a request completes, and is credited then to the call that began it.
 * Persistent requests are credited to MPI_Start or MPI_Startall: the bytes sent
 * when they are started, those received when they complete.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "mds/mmds.h"

enum shim_request_kind {
	SHIM_REQUEST_SEND,
	SHIM_REQUEST_RECV,
	SHIM_REQUEST_COLLECTIVE,
	SHIM_REQUEST_READ,
	SHIM_REQUEST_WRITE,
	SHIM_REQUEST_MESSAGE, /* probed, and not yet received */
};

struct shim_request {
	uint64_t key; /* of the cell of the call that began it */
	uint64_t sent;
	uint64_t received;
	MPI_Comm comm;
	int peer;
	int tag;
	uint8_t kind;
	bool persistent;
	bool active;
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
			  MPI_Comm comm, int dest, uint64_t bytes);
/* A persistent collective, whose bytes the frame has. */
void shim_track_init(struct mmds_frame *f, MPI_Request request);

/* Matched probes, and what is received by their message. */
void shim_probed_message(struct mmds_frame *f, MPI_Comm comm,
			 const MPI_Message *message);
void shim_about_message(struct mmds_frame *f, MPI_Message message);
void shim_received_message(struct mmds_frame *f, MPI_Message was,
			   const MPI_Status *status);
void shim_track_message(struct mmds_frame *f, MPI_Request request,
			MPI_Message was);

/* Begins a persistent request; forgets one that is freed. */
void shim_request_start(struct mmds_frame *f, MPI_Request request);
void shim_request_forget(MPI_Request request);

/* What we know of a request that may be under way; NULL if nothing. */
struct shim_request *shim_request_find(MPI_Request request);

/*
 * A request that a call may complete, as it was before: once MPI has freed the
 * handle another thread's transfer may have it, and its place.
 */
struct shim_pending {
	struct shim_place *place; /* NULL: nothing is known of it */
	uint64_t stamp;
	struct shim_request was;
	bool moved; /* shim_request_judge said so */
};

void shim_request_pend(struct shim_pending *pending, MPI_Request request);
/* Whether it is a transfer with another process, which `status` completes. */
bool shim_request_judge(struct shim_pending *pending, const MPI_Status *status);
/*
 * What a call completes.  Of many receives most are alike: of one place in the
 * program, from one sender, of one size.  Those are credited at once.
 */
struct shim_completion {
	struct mmds_frame *f;
	uint64_t ticks; /* of the call's time, that went to each */
	/* The last ones, which are alike: */
	uint64_t n;
	const struct shim_request *was;
	int source;
	uint64_t bytes;
};

/* It was judged and completed; `pending` stays until the end. */
void shim_request_complete(struct shim_completion *completion,
			   const struct shim_pending *pending,
			   const MPI_Status *status);
void shim_completion_end(struct shim_completion *completion);

#endif

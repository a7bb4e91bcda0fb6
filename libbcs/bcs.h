/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_H
#define BCS_H

/*
 * The BCS API (table 4.1 of the BCS-MPI paper), for the processes of one node:
 * messages are buffered as descriptors and executed in time slices.  It stands
 * beside MPI and does not disturb it; MPI has to be there, for it lends the
 * memory that the processes share.
 *
 *	bcs_start(MPI_COMM_WORLD, NULL);
 *	bcs_send(buf, bytes, dest, tag, BCS_BLOCKING, NULL);
 *	bcs_recv(buf, bytes, source, tag, BCS_BLOCKING, NULL, &status);
 *	bcs_stop();
 *
 * Functions return 0 or -errno: -EINVAL for an argument that makes no sense,
 * -EMSGSIZE if a message was longer than the buffer, which holds its beginning
 * then.  Any thread may call them.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BCS_EXPORT __attribute__((visibility("default")))

#define BCS_ANY (-1) /* as a source or a tag */

enum bcs_how { BCS_BLOCKING, BCS_NON_BLOCKING };

/* An operation under way; NULL: none. */
typedef struct bcs_request *bcs_request;

struct bcs_status {
	int source;
	int tag;
	size_t bytes;
};

struct bcs_options {
	uint64_t slice_ns;   /* length of a slice; 0: on demand */
	size_t budget_bytes; /* of large messages in a slice; 0: 1 MiB */
};

/*
 * Collective over `comm`, whose processes have to share a node; the same
 * options everywhere, NULL for the defaults.
 */
BCS_EXPORT int bcs_start(MPI_Comm comm, const struct bcs_options *options);
/* Collective, before MPI_Finalize; every operation has to be done. */
BCS_EXPORT int bcs_stop(void);

BCS_EXPORT int bcs_rank(void);
BCS_EXPORT int bcs_size(void);

/* A request is given for BCS_NON_BLOCKING only. */
BCS_EXPORT int bcs_send(const void *buf, size_t bytes, int dest, int tag,
			enum bcs_how how, bcs_request *request);
BCS_EXPORT int bcs_recv(void *buf, size_t bytes, int source, int tag,
			enum bcs_how how, bcs_request *request,
			struct bcs_status *status);

/* A message that a receive would take; it stays. */
BCS_EXPORT int bcs_probe(int source, int tag, enum bcs_how how, bool *there,
			 struct bcs_status *status);

/*
 * Whether an operation is done; its request is NULL then, and what it returned
 * is returned.  BCS_BLOCKING waits until it is.  One that is NULL is done.
 * `status`, which may be NULL, is set for receives only.
 */
BCS_EXPORT int bcs_test(bcs_request *request, enum bcs_how how, bool *done,
			struct bcs_status *status);

/* All of them or, as far as requests and statuses go, none. */
BCS_EXPORT int bcs_testall(size_t n, bcs_request requests[], enum bcs_how how,
			   bool *done, struct bcs_status statuses[]);

#ifdef __cplusplus
}
#endif

#endif

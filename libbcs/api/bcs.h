/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_H
#define BCS_H

/*
 * The BCS API (table 4.1 of the BCS-MPI paper).  Messages are buffered as
 * descriptors.  They are executed on demand, or in time slices by the strobe
 * (docs/internals/strobe.md).  The API stands beside MPI and does not disturb
 * it.  MPI has to be initialized first.
 *
 *	bcs_start(MPI_COMM_WORLD, NULL);
 *	bcs_send(buf, bytes, dest, tag, BCS_BLOCKING, NULL);
 *	bcs_recv(buf, bytes, source, tag, BCS_BLOCKING, NULL, &status);
 *	bcs_stop();
 *
 * Functions return 0 or -errno: -EINVAL for an argument that makes no sense,
 * -EMSGSIZE if a message was longer than the buffer.  The buffer holds the
 * beginning of the message then.  Any thread may call them.
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
	uint64_t slice_ns; /* length of a slice; 0: on demand */
	/* Bytes of large messages that are moved at once, 0: 1 MiB; or by a
	 * slice, 0: what BCS_BUDGET says, or what the cores copy meanwhile. */
	size_t budget_bytes;
	/* So long a known state waits for processes; 0: one minute. */
	uint64_t patience_ns;
};

/*
 * Collective over `comm`; the same options everywhere, NULL for the defaults.
 * Several nodes need MPI_THREAD_MULTIPLE, since helper threads call MPI. Slices
 * take 64 nodes at most.  Otherwise returns -EXDEV.
 *
 * With BCS_EMDS=on in the environment slices are recorded, as by the preload:
 * `bcs slices` reads the folder PROGRAM.JOB.bcs.  On demand each process writes
 * a file, in slices the first process of each node.  BCS_OUT, BCS_JOB,
 * BCS_RANKS, BCS_UMASK and BCS_EMDS_... are as for the preload.  Returns
 * -EINVAL if a setting of the environment has a value that is not allowed, and
 * another error if the record cannot be made.
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
 * Tests whether an operation is done.  If so, its request becomes NULL, and the
 * call returns what the operation returned.  BCS_BLOCKING waits until it is
 * done.  A request that is NULL is done.  `status`, which may be NULL, is set
 * for receives only.
 */
BCS_EXPORT int bcs_test(bcs_request *request, enum bcs_how how, bool *done,
			struct bcs_status *status);

/* Tests all of them.  If one is not done, no request and no status changes. */
BCS_EXPORT int bcs_testall(size_t n, bcs_request requests[], enum bcs_how how,
			   bool *done, struct bcs_status statuses[]);

/*
 * Collectives: all processes make the same calls in the same order, and with
 * the same root and sizes.  If that is noticed not to be so, the call returns
 * -EPROTO.  A process may also wait for ever for one that called something
 * else.  Buffers are the engine's until a call, or the test of its request,
 * says that it is done.
 */
BCS_EXPORT int bcs_barrier(enum bcs_how how, bcs_request *request);
BCS_EXPORT int bcs_bcast(void *buf, size_t bytes, int root, enum bcs_how how,
			 bcs_request *request);

/* `inout` = `in` op `inout`, of n elements; associative. */
struct bcs_op {
	void (*run)(const void *in, void *inout, size_t n, void *arg);
	void *arg;
	size_t bytes;  /* of an element */
	bool commutes; /* else it goes by the order of ranks */
};

#define BCS_ALL (-2) /* as a root: everybody gets the result */

/* `op` has to last until it is done; `out` may be `in`, which the root has. */
BCS_EXPORT int bcs_reduce(const void *out, void *in, size_t n,
			  const struct bcs_op *op, int root, enum bcs_how how,
			  bcs_request *request);

/* A part for each process: of `each` bytes, one after the other; or of its own.
 */
struct bcs_parts {
	void *at;
	size_t each;
	const size_t *bytes; /* NULL: `each` */
	const size_t *displs;
};

/* The root's parts go to, or come from, a buffer of each process. */
BCS_EXPORT int bcs_scatter(const struct bcs_parts *out, void *in, size_t bytes,
			   int root, enum bcs_how how, bcs_request *request);
BCS_EXPORT int bcs_gather(const void *out, size_t bytes,
			  const struct bcs_parts *in, int root,
			  enum bcs_how how, bcs_request *request);
BCS_EXPORT int bcs_allgather(const void *out, size_t bytes,
			     const struct bcs_parts *in, enum bcs_how how,
			     bcs_request *request);
BCS_EXPORT int bcs_alltoall(const struct bcs_parts *out,
			    const struct bcs_parts *in, enum bcs_how how,
			    bcs_request *request);

/*
 * Known states.  All processes stop at the same slice boundary, call their
 * hooks, and go on.  No message is under way then: each operation is done at
 * all its processes, or at none.  There are two exceptions.  A send of up to
 * 8 KiB that does not wait for its receive may be done alone.  A collective may
 * be done alone at a process that needs nothing from the others.
 *
 * A process stops in a call that waits, or when it makes its next call.  The
 * others wait for a process that computes.  Where the preload runs in slices
 * (BCS_MODE=fixed) processes stop in calls of MPI, too, also without bcs_start.
 */
struct bcs_known {
	uint64_t slice;  /* the boundary before it */
	size_t open;     /* operations of this process that are not done */
	size_t messages; /* to this process, that no receive has taken */
};

/* Runs in a thread that is in a call.  It must not call MPI.  The only
 * functions of this library that it may call are bcs_rank and bcs_size. */
typedef void (*bcs_hook)(const struct bcs_known *known, void *arg);

/* Registers a hook for as long as the program runs.  Returns 0 or -ENOMEM. */
BCS_EXPORT int bcs_on_quiesce(bcs_hook hook, void *arg);

/*
 * Makes a known state, and waits until all go on.  Not collective: one process
 * that calls it stops all.  Calls at the same time share one state.  Returns
 * -ETIMEDOUT if a process did not stop in time, or is in bcs_stop: then no hook
 * was called.  Returns -ENOTSUP where nothing runs in slices.
 */
BCS_EXPORT int bcs_quiesce(void);
/* Asks for a known state, and does not wait.  A signal handler may call it.
 * Only after bcs_start. */
BCS_EXPORT int bcs_quiesce_ask(void);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The calls whose buffers are looked at, in the place of MPI's in the table.
 * They are the wrappers' own callees: a wrapper's frame pointer is what they
 * find saved.  A derived type is looked at when MPI has found it good.
 */
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/mpich/mpich.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/buffers.h"
#include "pmpi-shim/record/comms.h"

#define REAL(name) (*below.MPI_##name)

static struct shim_pmpi below;

/* The wrapper's frame pointer. */
#define FP (*(void *const *)__builtin_frame_address(0))

static void before(enum buffer_use use, const void *fp, const void *at,
		   MPI_Count count, MPI_Datatype type)
{
	if (mpich_type_is_builtin(type))
		buffers_look(use, fp, at, count, type);
}

static void behind(int rc, enum buffer_use use, const void *fp, const void *at,
		   MPI_Count count, MPI_Datatype type)
{
	if (rc == MPI_SUCCESS && !mpich_type_is_builtin(type))
		buffers_look(use, fp, at, count, type);
}

/* Messages to and from nobody have no buffer, nor has who roots nothing. */
static MPI_Count unless_nobody(int peer, MPI_Count count)
{
	return peer == MPI_PROC_NULL ? 0 : count;
}

/* The last parameter, where a call has one more. */
#define NOTHING_PARAMETER
#define NOTHING_ARGUMENT
#define STATUS_PARAMETER  , MPI_Status *status
#define STATUS_ARGUMENT   , status
#define REQUEST_PARAMETER , MPI_Request *request
#define REQUEST_ARGUMENT  , request

#define P2P(name, use, qualified, end)                                         \
	static int name(qualified *at, int count, MPI_Datatype type, int peer, \
			int tag, MPI_Comm comm end##_PARAMETER)                \
	{                                                                      \
		const MPI_Count n = unless_nobody(peer, count);                \
		int rc;                                                        \
                                                                               \
		before(use, FP, at, n, type);                                  \
		rc = REAL(name)(at, count, type, peer, tag,                    \
				comm end##_ARGUMENT);                          \
		behind(rc, use, FP, at, n, type);                              \
		return rc;                                                     \
	}

#define SEND(name, end) P2P(name, BUFFER_SENT, const void, end)
#define RECV(name, end) P2P(name, BUFFER_RECEIVED, void, end)

SEND(Send, NOTHING)
SEND(Bsend, NOTHING)
SEND(Ssend, NOTHING)
SEND(Rsend, NOTHING)
SEND(Isend, REQUEST)
SEND(Ibsend, REQUEST)
SEND(Issend, REQUEST)
SEND(Irsend, REQUEST)
SEND(Send_init, REQUEST)
SEND(Bsend_init, REQUEST)
SEND(Ssend_init, REQUEST)
SEND(Rsend_init, REQUEST)
RECV(Recv, STATUS)
RECV(Irecv, REQUEST)
RECV(Recv_init, REQUEST)

static int Sendrecv(const void *out, int n_out, MPI_Datatype out_type, int to,
		    int tag, void *in, int n_in, MPI_Datatype in_type, int from,
		    int in_tag, MPI_Comm comm, MPI_Status *status)
{
	const MPI_Count sent = unless_nobody(to, n_out);
	const MPI_Count received = unless_nobody(from, n_in);
	int rc;

	before(BUFFER_SENT, FP, out, sent, out_type);
	before(BUFFER_RECEIVED, FP, in, received, in_type);
	rc = REAL(Sendrecv)(out, n_out, out_type, to, tag, in, n_in, in_type,
			    from, in_tag, comm, status);
	behind(rc, BUFFER_SENT, FP, out, sent, out_type);
	behind(rc, BUFFER_RECEIVED, FP, in, received, in_type);
	return rc;
}

#define BCAST(name, end)                                                     \
	static int name(void *at, int count, MPI_Datatype type, int root,    \
			MPI_Comm comm end##_PARAMETER)                       \
	{                                                                    \
		const MPI_Count n = unless_nobody(root, count);              \
		int rc;                                                      \
                                                                             \
		before(BUFFER_RECEIVED, FP, at, n, type);                    \
		rc = REAL(name)(at, count, type, root, comm end##_ARGUMENT); \
		behind(rc, BUFFER_RECEIVED, FP, at, n, type);                \
		return rc;                                                   \
	}

BCAST(Bcast, NOTHING)
BCAST(Ibcast, REQUEST)

/* How many blocks the root's buffer has.  0 at other ranks, after an error, and
 * on intercommunicators. */
static int blocks_at_root(int rc, int root, MPI_Comm comm)
{
	const struct shim_comm *known;

	if (rc != MPI_SUCCESS)
		return 0;
	known = shim_comm_get(comm);
	return known->remote_size == 0 && known->rank == root ? known->size : 0;
}

/* How many blocks a buffer has that every rank has; otherwise as above. */
static int blocks_at_all(int rc, MPI_Comm comm)
{
	const struct shim_comm *known;

	if (rc != MPI_SUCCESS)
		return 0;
	known = shim_comm_get(comm);
	return known->remote_size == 0 ? known->size : 0;
}

#define REDUCE(name, end)                                                   \
	static int name(const void *out, void *in, int count,               \
			MPI_Datatype type, MPI_Op op, int root,             \
			MPI_Comm comm end##_PARAMETER)                      \
	{                                                                   \
		int rc;                                                     \
                                                                            \
		rc = REAL(name)(out, in, count, type, op, root,             \
				comm end##_ARGUMENT);                       \
		if (blocks_at_all(rc, comm))                                \
			buffers_look(BUFFER_SENT, FP, out, count, type);    \
		if (blocks_at_root(rc, root, comm))                         \
			buffers_look(BUFFER_RECEIVED, FP, in, count, type); \
		return rc;                                                  \
	}

REDUCE(Reduce, NOTHING)
REDUCE(Ireduce, REQUEST)

#define ALLREDUCE(name, end)                                      \
	static int name(const void *out, void *in, int count,     \
			MPI_Datatype type, MPI_Op op,             \
			MPI_Comm comm end##_PARAMETER)            \
	{                                                         \
		int rc;                                           \
                                                                  \
		before(BUFFER_SENT, FP, out, count, type);        \
		before(BUFFER_RECEIVED, FP, in, count, type);     \
		rc = REAL(name)(out, in, count, type, op,         \
				comm end##_ARGUMENT);             \
		behind(rc, BUFFER_SENT, FP, out, count, type);    \
		behind(rc, BUFFER_RECEIVED, FP, in, count, type); \
		return rc;                                        \
	}

ALLREDUCE(Allreduce, NOTHING)
ALLREDUCE(Scan, NOTHING)
ALLREDUCE(Iallreduce, REQUEST)
ALLREDUCE(Iscan, REQUEST)

/* The first process gets nothing: its second buffer is not looked at. */
#define EXSCAN(name, end)                                                   \
	static int name(const void *out, void *in, int count,               \
			MPI_Datatype type, MPI_Op op,                       \
			MPI_Comm comm end##_PARAMETER)                      \
	{                                                                   \
		const int rc = REAL(name)(out, in, count, type, op,         \
					  comm end##_ARGUMENT);             \
		if (!blocks_at_all(rc, comm))                               \
			return rc;                                          \
		buffers_look(BUFFER_SENT, FP, out, count, type);            \
		if (!blocks_at_root(rc, 0, comm))                           \
			buffers_look(BUFFER_RECEIVED, FP, in, count, type); \
		return rc;                                                  \
	}

EXSCAN(Exscan, NOTHING)
EXSCAN(Iexscan, REQUEST)

/* Where one side has a block for each process. */
#define ROOTED(name, blocks_out, blocks_in, end)                               \
	static int name(const void *out, int n_out, MPI_Datatype out_type,     \
			void *in, int n_in, MPI_Datatype in_type, int root,    \
			MPI_Comm comm end##_PARAMETER)                         \
	{                                                                      \
		int rc;                                                        \
                                                                               \
		rc = REAL(name)(out, n_out, out_type, in, n_in, in_type, root, \
				comm end##_ARGUMENT);                          \
		if (blocks_out)                                                \
			buffers_look(BUFFER_SENT, FP, out,                     \
				     (MPI_Count)n_out *(blocks_out),           \
				     out_type);                                \
		if (blocks_in)                                                 \
			buffers_look(BUFFER_RECEIVED, FP, in,                  \
				     (MPI_Count)n_in *(blocks_in), in_type);   \
		return rc;                                                     \
	}

#define ROOT blocks_at_root(rc, root, comm)
#define ALL  (blocks_at_all(rc, comm) > 0)
#define EACH blocks_at_all(rc, comm)

ROOTED(Gather, ALL, ROOT, NOTHING)
ROOTED(Igather, ALL, ROOT, REQUEST)
ROOTED(Scatter, ROOT, ALL, NOTHING)
ROOTED(Iscatter, ROOT, ALL, REQUEST)

#define EXCHANGE(name, blocks_out, end)                                    \
	static int name(const void *out, int n_out, MPI_Datatype out_type, \
			void *in, int n_in, MPI_Datatype in_type,          \
			MPI_Comm comm end##_PARAMETER)                     \
	{                                                                  \
		int rc;                                                    \
                                                                           \
		rc = REAL(name)(out, n_out, out_type, in, n_in, in_type,   \
				comm end##_ARGUMENT);                      \
		if (blocks_out)                                            \
			buffers_look(BUFFER_SENT, FP, out,                 \
				     (MPI_Count)n_out *(blocks_out),       \
				     out_type);                            \
		if (EACH)                                                  \
			buffers_look(BUFFER_RECEIVED, FP, in,              \
				     (MPI_Count)n_in *EACH, in_type);      \
		return rc;                                                 \
	}

EXCHANGE(Allgather, ALL, NOTHING)
EXCHANGE(Iallgather, ALL, REQUEST)
EXCHANGE(Alltoall, EACH, NOTHING)
EXCHANGE(Ialltoall, EACH, REQUEST)

#define PUT(name) shim_pmpi.MPI_##name = name

static void put_messages(void)
{
	PUT(Send);
	PUT(Bsend);
	PUT(Ssend);
	PUT(Rsend);
	PUT(Isend);
	PUT(Ibsend);
	PUT(Issend);
	PUT(Irsend);
	PUT(Send_init);
	PUT(Bsend_init);
	PUT(Ssend_init);
	PUT(Rsend_init);
	PUT(Recv);
	PUT(Irecv);
	PUT(Recv_init);
	PUT(Sendrecv);
}

static void put_collectives(void)
{
	PUT(Bcast);
	PUT(Ibcast);
	PUT(Reduce);
	PUT(Ireduce);
	PUT(Allreduce);
	PUT(Iallreduce);
	PUT(Scan);
	PUT(Iscan);
	PUT(Exscan);
	PUT(Iexscan);
	PUT(Gather);
	PUT(Igather);
	PUT(Scatter);
	PUT(Iscatter);
	PUT(Allgather);
	PUT(Iallgather);
	PUT(Alltoall);
	PUT(Ialltoall);
}

void buffers_start(void)
{
	if (!(process.settings.strict & SETTINGS_STRICT_BUFFERS))
		return;
	below = shim_pmpi;
	put_messages();
	put_collectives();
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Every argument of every call that may be scheduled, wrong in each way that
 * MPI looks for: prints what it says of it.  In the end all still works.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static int other;

/* The text without addresses and handles, which differ from run to run. */
static void says(const char *call, int rc)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int class = MPI_SUCCESS;
	int length;

	MPI_Error_class(rc, &class);
	MPI_Error_string(rc, text, &length);
	for (char *at = text; *at; at++)
		*at = *at == '\n' ? ' ' : *at;
	printf("%d %s: %d %s\n", rank, call, class, text);
}
#define SAYS(NAME, ...) says(#NAME "(" #__VA_ARGS__ ")", NAME(__VA_ARGS__))

#define WORLD   MPI_COMM_WORLD
#define NO_TYPE MPI_DATATYPE_NULL
#define NO_COMM MPI_COMM_NULL
/* Handles of other kinds, one of which is as MPI_COMM_SELF but for its kind. */
#define NOT_COMM  ((MPI_Comm)MPI_INT)
#define LIKE_SELF ((MPI_Comm)MPI_MAX)

static int x[16];
static int y[16];
static MPI_Datatype raw;  /* not committed */
static MPI_Datatype pair; /* committed, and begins at its address */
static MPI_Info no_info = (MPI_Info)MPI_INT;
static MPI_Request request = MPI_REQUEST_NULL;
static MPI_Status status;

/* Each: how a call is made of (buffer, count, type, peer, tag, comm). */
#define PLAIN(NAME, ...)  SAYS(NAME, __VA_ARGS__)
#define POSTS(NAME, ...)  SAYS(NAME, __VA_ARGS__, &request)
#define STATUS(NAME, ...) SAYS(NAME, __VA_ARGS__, &status)

#define MESSAGE(HOW, NAME)                                      \
	do {                                                    \
		HOW(NAME, x, -1, MPI_INT, other, 0, WORLD);     \
		HOW(NAME, NULL, 1, MPI_INT, other, 0, WORLD);   \
		HOW(NAME, NULL, 1, pair, other, 0, WORLD);      \
		HOW(NAME, x, 1, NO_TYPE, other, 0, WORLD);      \
		HOW(NAME, x, 1, raw, other, 0, WORLD);          \
		HOW(NAME, x, -1, raw, MPI_PROC_NULL, 0, WORLD); \
		HOW(NAME, x, 1, MPI_INT, 99, 0, WORLD);         \
		HOW(NAME, x, 1, MPI_INT, -9, 0, WORLD);         \
		HOW(NAME, x, 1, MPI_INT, other, -7, WORLD);     \
		HOW(NAME, x, 1, MPI_INT, other, 0, NO_COMM);    \
		HOW(NAME, x, 1, MPI_INT, other, 0, NOT_COMM);   \
		HOW(NAME, x, 1, MPI_INT, other, 0, LIKE_SELF);  \
	} while (0)
#define BOTH(HOW, NAME)                 \
	do {                            \
		MESSAGE(HOW, NAME);     \
		MESSAGE(HOW, NAME##_c); \
	} while (0)
#define NO_REQUEST(NAME)                                              \
	do {                                                          \
		SAYS(NAME, x, 1, MPI_INT, other, 0, WORLD, NULL);     \
		SAYS(NAME##_c, x, 1, MPI_INT, other, 0, WORLD, NULL); \
	} while (0)

static void messages(void)
{
	BOTH(PLAIN, MPI_Send);
	BOTH(PLAIN, MPI_Bsend);
	BOTH(PLAIN, MPI_Ssend);
	BOTH(PLAIN, MPI_Rsend);
	BOTH(POSTS, MPI_Isend);
	BOTH(POSTS, MPI_Ibsend);
	BOTH(POSTS, MPI_Issend);
	BOTH(POSTS, MPI_Irsend);
	BOTH(POSTS, MPI_Irecv);
	BOTH(POSTS, MPI_Send_init);
	BOTH(POSTS, MPI_Bsend_init);
	BOTH(POSTS, MPI_Ssend_init);
	BOTH(POSTS, MPI_Rsend_init);
	BOTH(POSTS, MPI_Recv_init);
	BOTH(STATUS, MPI_Recv);
	NO_REQUEST(MPI_Isend);
	NO_REQUEST(MPI_Ibsend);
	NO_REQUEST(MPI_Issend);
	NO_REQUEST(MPI_Irsend);
	NO_REQUEST(MPI_Irecv);
	NO_REQUEST(MPI_Send_init);
	NO_REQUEST(MPI_Bsend_init);
	NO_REQUEST(MPI_Ssend_init);
	NO_REQUEST(MPI_Rsend_init);
	NO_REQUEST(MPI_Recv_init);
	NO_REQUEST(MPI_Recv);
}

/* The parts of an exchange, each with the other as it should be. */
#define OUT x, 1, MPI_INT, other, 0
#define IN  y, 1, MPI_INT, other, 0
#define HALVES(HOW, NAME)                                                \
	do {                                                             \
		HOW(NAME, x, -1, MPI_INT, other, 0, IN, WORLD);          \
		HOW(NAME, NULL, 1, MPI_INT, other, 0, IN, WORLD);        \
		HOW(NAME, x, 1, NO_TYPE, other, 0, IN, WORLD);           \
		HOW(NAME, x, 1, raw, other, 0, IN, WORLD);               \
		HOW(NAME, x, 1, MPI_INT, 99, 0, IN, WORLD);              \
		HOW(NAME, x, 1, MPI_INT, other, -7, IN, WORLD);          \
		HOW(NAME, x, -1, MPI_INT, MPI_PROC_NULL, 0, IN, WORLD);  \
		HOW(NAME, OUT, y, -1, MPI_INT, other, 0, WORLD);         \
		HOW(NAME, OUT, NULL, 1, MPI_INT, other, 0, WORLD);       \
		HOW(NAME, OUT, y, 1, NO_TYPE, other, 0, WORLD);          \
		HOW(NAME, OUT, y, 1, raw, other, 0, WORLD);              \
		HOW(NAME, OUT, y, 1, MPI_INT, 99, 0, WORLD);             \
		HOW(NAME, OUT, y, 1, MPI_INT, other, -7, WORLD);         \
		HOW(NAME, OUT, y, -1, MPI_INT, MPI_PROC_NULL, 0, WORLD); \
		HOW(NAME, OUT, IN, NO_COMM);                             \
		HOW(NAME, OUT, IN, LIKE_SELF);                           \
	} while (0)
#define REPLACES(HOW, NAME)                                             \
	do {                                                            \
		HOW(NAME, x, -1, MPI_INT, other, 0, other, 0, WORLD);   \
		HOW(NAME, NULL, 1, MPI_INT, other, 0, other, 0, WORLD); \
		HOW(NAME, x, 1, NO_TYPE, other, 0, other, 0, WORLD);    \
		HOW(NAME, x, 1, raw, other, 0, other, 0, WORLD);        \
		HOW(NAME, x, 1, MPI_INT, 99, 0, other, 0, WORLD);       \
		HOW(NAME, x, 1, MPI_INT, other, -7, other, 0, WORLD);   \
		HOW(NAME, x, 1, MPI_INT, other, 0, 99, 0, WORLD);       \
		HOW(NAME, x, 1, MPI_INT, other, 0, other, -7, WORLD);   \
		HOW(NAME, x, 1, MPI_INT, other, 0, other, 0, NO_COMM);  \
	} while (0)

static void exchanges(void)
{
	HALVES(STATUS, MPI_Sendrecv);
	HALVES(STATUS, MPI_Sendrecv_c);
	HALVES(POSTS, MPI_Isendrecv);
	HALVES(POSTS, MPI_Isendrecv_c);
	REPLACES(STATUS, MPI_Sendrecv_replace);
	REPLACES(STATUS, MPI_Sendrecv_replace_c);
	REPLACES(POSTS, MPI_Isendrecv_replace);
	REPLACES(POSTS, MPI_Isendrecv_replace_c);
	SAYS(MPI_Sendrecv, OUT, IN, WORLD, NULL);
	SAYS(MPI_Sendrecv_c, OUT, IN, WORLD, NULL);
	SAYS(MPI_Isendrecv, OUT, IN, WORLD, NULL);
	SAYS(MPI_Isendrecv_c, OUT, IN, WORLD, NULL);
	SAYS(MPI_Sendrecv_replace, OUT, other, 0, WORLD, NULL);
	SAYS(MPI_Isendrecv_replace, OUT, other, 0, WORLD, NULL);
}

#define PROBE(NAME, ...)                                      \
	do {                                                  \
		SAYS(NAME, 99, 0, WORLD, __VA_ARGS__);        \
		SAYS(NAME, -9, 0, WORLD, __VA_ARGS__);        \
		SAYS(NAME, other, -7, WORLD, __VA_ARGS__);    \
		SAYS(NAME, other, 0, NO_COMM, __VA_ARGS__);   \
		SAYS(NAME, other, 0, LIKE_SELF, __VA_ARGS__); \
	} while (0)

static void probes(void)
{
	MPI_Message message;
	MPI_Message taken;
	int flag;

	PROBE(MPI_Probe, &status);
	PROBE(MPI_Iprobe, &flag, &status);
	PROBE(MPI_Mprobe, &message, &status);
	PROBE(MPI_Improbe, &flag, &message, &status);
	SAYS(MPI_Probe, other, 0, WORLD, NULL);
	SAYS(MPI_Iprobe, other, 0, WORLD, NULL, &status);
	SAYS(MPI_Iprobe, other, 0, WORLD, &flag, NULL);
	SAYS(MPI_Mprobe, other, 0, WORLD, NULL, &status);
	SAYS(MPI_Mprobe, other, 0, WORLD, &message, NULL);
	SAYS(MPI_Improbe, other, 0, WORLD, NULL, &message, &status);
	SAYS(MPI_Improbe, other, 0, WORLD, &flag, NULL, &status);
	SAYS(MPI_Improbe, other, 0, WORLD, &flag, &message, NULL);

	MPI_Send(x, 1, MPI_INT, other, 1, WORLD);
	MPI_Mprobe(other, 1, WORLD, &message, &status);
	taken = message;
#define RECEIVES(NAME, LAST)                                  \
	do {                                                  \
		SAYS(NAME, x, -1, MPI_INT, &message, LAST);   \
		SAYS(NAME, NULL, 1, MPI_INT, &message, LAST); \
		SAYS(NAME, x, 1, NO_TYPE, &message, LAST);    \
		SAYS(NAME, x, 1, raw, &message, LAST);        \
		SAYS(NAME, x, 1, MPI_INT, NULL, LAST);        \
		SAYS(NAME, x, 1, MPI_INT, &message, NULL);    \
	} while (0)
	RECEIVES(MPI_Mrecv, &status);
	RECEIVES(MPI_Mrecv_c, &status);
	RECEIVES(MPI_Imrecv, &request);
	RECEIVES(MPI_Imrecv_c, &request);
	SAYS(MPI_Mrecv, x, 1, MPI_INT, &message, &status);
	SAYS(MPI_Mrecv, x, 1, MPI_INT, &taken, &status);
}

/* Completes two requests, one done and one not, in every way. */
static void waits(MPI_Request both[2])
{
	MPI_Request none = (MPI_Request)MPI_INT;
	MPI_Status two[2];
	int indices[2];
	int index;
	int flag;

	SAYS(MPI_Wait, &both[0], NULL);
	SAYS(MPI_Wait, NULL, &status);
	SAYS(MPI_Wait, &none, &status);
	SAYS(MPI_Test, &both[0], NULL, &status);
	SAYS(MPI_Test, &both[0], &flag, NULL);
	SAYS(MPI_Test, NULL, &flag, &status);
	SAYS(MPI_Test, &none, &flag, &status);
	SAYS(MPI_Request_get_status, both[0], NULL, &status);
	SAYS(MPI_Request_get_status, both[0], &flag, NULL);
	SAYS(MPI_Request_get_status, none, &flag, &status);
	SAYS(MPI_Waitall, 2, both, NULL);
	SAYS(MPI_Waitall, -2, both, two);
	SAYS(MPI_Waitall, 2, NULL, two);
	SAYS(MPI_Testall, 2, both, NULL, two);
	SAYS(MPI_Testall, 2, both, &flag, NULL);
	SAYS(MPI_Testall, -2, both, &flag, two);
	SAYS(MPI_Testall, 2, NULL, &flag, two);
	SAYS(MPI_Waitany, 2, both, NULL, &status);
	SAYS(MPI_Waitany, 2, both, &index, NULL);
	SAYS(MPI_Waitany, -2, both, &index, &status);
	SAYS(MPI_Waitany, 2, NULL, &index, &status);
	SAYS(MPI_Testany, 2, both, NULL, &flag, &status);
	SAYS(MPI_Testany, 2, both, &index, NULL, &status);
	SAYS(MPI_Testany, 2, both, &index, &flag, NULL);
	SAYS(MPI_Testany, -2, both, &index, &flag, &status);
	SAYS(MPI_Testany, 2, NULL, &index, &flag, &status);
	SAYS(MPI_Waitsome, 2, both, NULL, indices, two);
	SAYS(MPI_Waitsome, 2, both, &index, NULL, two);
	SAYS(MPI_Waitsome, 2, both, &index, indices, NULL);
	SAYS(MPI_Waitsome, -2, both, &index, indices, two);
	SAYS(MPI_Waitsome, 2, NULL, &index, indices, two);
	SAYS(MPI_Testsome, 2, both, NULL, indices, two);
	SAYS(MPI_Testsome, 2, both, &index, NULL, two);
	SAYS(MPI_Testsome, 2, both, &index, indices, NULL);
	SAYS(MPI_Testsome, -2, both, &index, indices, two);
	SAYS(MPI_Testsome, 2, NULL, &index, indices, two);
}

static void starts(MPI_Request both[2])
{
	MPI_Request none = (MPI_Request)MPI_INT;
	MPI_Status two[2];

	SAYS(MPI_Cancel, &both[1]); /* was not started */
	SAYS(MPI_Cancel, NULL);
	SAYS(MPI_Cancel, &none);
	SAYS(MPI_Start, &both[0]); /* is not persistent */
	SAYS(MPI_Startall, 2, both);
	SAYS(MPI_Start, &none);
	SAYS(MPI_Start, NULL);
	SAYS(MPI_Startall, -1, both);
	SAYS(MPI_Startall, 2, NULL);
	SAYS(MPI_Start, &both[1]);
	SAYS(MPI_Start, &both[1]);
	SAYS(MPI_Startall, 1, &both[1]);
	SAYS(MPI_Request_free, NULL);
	SAYS(MPI_Request_free, &none);
	SAYS(MPI_Waitall, 2, both, two);
	SAYS(MPI_Request_free, &both[1]);
	MPI_Ibarrier(WORLD, &request);
	SAYS(MPI_Cancel, &request);
	SAYS(MPI_Wait, &request, &status);
}

static void completion(void)
{
	MPI_Request both[2];

	MPI_Irecv(y, 1, MPI_INT, other, 2, WORLD, &both[0]);
	MPI_Send_init(x, 1, MPI_INT, other, 2, WORLD, &both[1]);
	waits(both);
	starts(both);
}

/* The three forms of each collective, and each of them with large counts. */
static const int ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
static const int less[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
static const int at[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static const MPI_Count ones_c[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
static const MPI_Count less_c[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };
static const MPI_Aint at_c[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static const MPI_Datatype ints[8] = { MPI_INT, MPI_INT, MPI_INT, MPI_INT };
static const MPI_Datatype nones[8] = { MPI_DATATYPE_NULL, MPI_DATATYPE_NULL,
				       MPI_DATATYPE_NULL, MPI_DATATYPE_NULL };

#define FORMS(NAME, INAME, ...)                                                \
	do {                                                                   \
		SAYS(MPI_##NAME, __VA_ARGS__);                                 \
		SAYS(MPI_##INAME, __VA_ARGS__, &request);                      \
		SAYS(MPI_##NAME##_init, __VA_ARGS__, MPI_INFO_NULL, &request); \
	} while (0)
#define FORMS_C(NAME, INAME, ...)                                     \
	do {                                                          \
		SAYS(MPI_##NAME##_c, __VA_ARGS__);                    \
		SAYS(MPI_##INAME##_c, __VA_ARGS__, &request);         \
		SAYS(MPI_##NAME##_init_c, __VA_ARGS__, MPI_INFO_NULL, \
		     &request);                                       \
	} while (0)
#define ALL(NAME, INAME, ...)                      \
	do {                                       \
		FORMS(NAME, INAME, __VA_ARGS__);   \
		FORMS_C(NAME, INAME, __VA_ARGS__); \
	} while (0)
/* The arguments that only the other forms have. */
#define BESIDES(NAME, INAME, ...)                                          \
	do {                                                               \
		SAYS(MPI_##INAME, __VA_ARGS__, NULL);                      \
		SAYS(MPI_##NAME##_init, __VA_ARGS__, MPI_INFO_NULL, NULL); \
		SAYS(MPI_##NAME##_init, __VA_ARGS__, no_info, &request);   \
	} while (0)

static void blocks(void)
{
	FORMS(Barrier, Ibarrier, NO_COMM);
	FORMS(Barrier, Ibarrier, LIKE_SELF);
	BESIDES(Barrier, Ibarrier, WORLD);

	ALL(Bcast, Ibcast, x, -1, MPI_INT, 0, WORLD);
	ALL(Bcast, Ibcast, NULL, 1, MPI_INT, 0, WORLD);
	ALL(Bcast, Ibcast, x, 1, NO_TYPE, 0, WORLD);
	ALL(Bcast, Ibcast, x, 1, raw, 0, WORLD);
	ALL(Bcast, Ibcast, x, 1, MPI_INT, 99, WORLD);
	ALL(Bcast, Ibcast, x, 1, MPI_INT, -1, WORLD);
	ALL(Bcast, Ibcast, x, 1, MPI_INT, 0, NO_COMM);
	BESIDES(Bcast, Ibcast, x, 1, MPI_INT, 0, WORLD);

#define GATHERS(NAME, INAME, ...)                                             \
	do {                                                                  \
		ALL(NAME, INAME, x, -1, MPI_INT, y, 1, MPI_INT, __VA_ARGS__); \
		ALL(NAME, INAME, NULL, 1, MPI_INT, y, 1, MPI_INT,             \
		    __VA_ARGS__);                                             \
		ALL(NAME, INAME, x, 1, NO_TYPE, y, 1, MPI_INT, __VA_ARGS__);  \
		ALL(NAME, INAME, x, 1, raw, y, 1, MPI_INT, __VA_ARGS__);      \
		ALL(NAME, INAME, x, 1, MPI_INT, y, -1, MPI_INT, __VA_ARGS__); \
		ALL(NAME, INAME, x, 1, MPI_INT, NULL, 1, MPI_INT,             \
		    __VA_ARGS__);                                             \
		ALL(NAME, INAME, x, 1, MPI_INT, y, 1, NO_TYPE, __VA_ARGS__);  \
		ALL(NAME, INAME, x, 1, MPI_INT, y, 1, raw, __VA_ARGS__);      \
	} while (0)
	GATHERS(Allgather, Iallgather, WORLD);
	GATHERS(Alltoall, Ialltoall, WORLD);
	ALL(Allgather, Iallgather, x, 1, MPI_INT, y, 1, MPI_INT, NO_COMM);
	ALL(Alltoall, Ialltoall, x, 1, MPI_INT, y, 1, MPI_INT, NO_COMM);
	BESIDES(Allgather, Iallgather, x, 1, MPI_INT, y, 1, MPI_INT, WORLD);
	BESIDES(Alltoall, Ialltoall, x, 1, MPI_INT, y, 1, MPI_INT, WORLD);
	/* Each rank is the root, and so looks at both sides. */
	GATHERS(Gather, Igather, rank, WORLD);
	GATHERS(Scatter, Iscatter, rank, WORLD);
	ALL(Gather, Igather, x, 1, MPI_INT, y, 1, MPI_INT, 99, WORLD);
	ALL(Scatter, Iscatter, x, 1, MPI_INT, y, 1, MPI_INT, -1, WORLD);
	BESIDES(Gather, Igather, x, 1, MPI_INT, y, 1, MPI_INT, 0, WORLD);
	BESIDES(Scatter, Iscatter, x, 1, MPI_INT, y, 1, MPI_INT, 0, WORLD);
}

/* Counts and places of two widths. */
#define VARY(W, N, A, L)                                                       \
	do {                                                                   \
		W(Gatherv, Igatherv, x, -1, MPI_INT, y, N, A, MPI_INT, rank,   \
		  WORLD);                                                      \
		W(Gatherv, Igatherv, x, 1, MPI_INT, y, L, A, MPI_INT, rank,    \
		  WORLD);                                                      \
		W(Gatherv, Igatherv, x, 1, MPI_INT, NULL, N, A, MPI_INT, rank, \
		  WORLD);                                                      \
		W(Gatherv, Igatherv, x, 1, MPI_INT, y, N, A, raw, rank,        \
		  WORLD);                                                      \
		W(Gatherv, Igatherv, x, 1, MPI_INT, y, N, A, MPI_INT, 99,      \
		  WORLD);                                                      \
		W(Scatterv, Iscatterv, x, L, A, MPI_INT, y, 1, MPI_INT, rank,  \
		  WORLD);                                                      \
		W(Scatterv, Iscatterv, NULL, N, A, MPI_INT, y, 1, MPI_INT,     \
		  rank, WORLD);                                                \
		W(Scatterv, Iscatterv, x, N, A, MPI_INT, y, -1, MPI_INT, rank, \
		  WORLD);                                                      \
		W(Scatterv, Iscatterv, x, N, A, NO_TYPE, y, 1, MPI_INT, rank,  \
		  WORLD);                                                      \
		W(Allgatherv, Iallgatherv, x, -1, MPI_INT, y, N, A, MPI_INT,   \
		  WORLD);                                                      \
		W(Allgatherv, Iallgatherv, x, 1, MPI_INT, y, L, A, MPI_INT,    \
		  WORLD);                                                      \
		W(Allgatherv, Iallgatherv, x, 1, MPI_INT, NULL, N, A, MPI_INT, \
		  WORLD);                                                      \
		W(Allgatherv, Iallgatherv, x, 1, raw, y, N, A, MPI_INT,        \
		  WORLD);                                                      \
		W(Alltoallv, Ialltoallv, x, L, A, MPI_INT, y, N, A, MPI_INT,   \
		  WORLD);                                                      \
		W(Alltoallv, Ialltoallv, x, N, A, MPI_INT, y, L, A, MPI_INT,   \
		  WORLD);                                                      \
		W(Alltoallv, Ialltoallv, NULL, N, A, MPI_INT, y, N, A,         \
		  MPI_INT, WORLD);                                             \
		W(Alltoallv, Ialltoallv, x, N, A, MPI_INT, y, N, A, raw,       \
		  WORLD);                                                      \
		W(Alltoallw, Ialltoallw, x, L, A, ints, y, N, A, ints, WORLD); \
		W(Alltoallw, Ialltoallw, x, N, A, nones, y, N, A, ints,        \
		  WORLD);                                                      \
		W(Alltoallw, Ialltoallw, x, N, A, ints, NULL, N, A, ints,      \
		  WORLD);                                                      \
		W(Reduce_scatter, Ireduce_scatter, x, y, L, MPI_INT, MPI_SUM,  \
		  WORLD);                                                      \
		W(Reduce_scatter, Ireduce_scatter, NULL, y, N, MPI_INT,        \
		  MPI_SUM, WORLD);                                             \
		W(Reduce_scatter, Ireduce_scatter, x, NULL, N, MPI_INT,        \
		  MPI_SUM, WORLD);                                             \
		W(Reduce_scatter, Ireduce_scatter, x, y, N, raw, MPI_SUM,      \
		  WORLD);                                                      \
	} while (0)

/* A sum of no type ends MPICH 5.0 with a failed assertion. */
#define SUM_TYPE (MPICH_NUMVERSION < 50000000 ? NO_TYPE : raw)

/* A count below 0 MPICH does not look for here. */
#define SUMS(NAME, INAME, ...)                                                \
	do {                                                                  \
		ALL(NAME, INAME, NULL, y, 1, MPI_INT, MPI_SUM, __VA_ARGS__);  \
		ALL(NAME, INAME, x, NULL, 1, MPI_INT, MPI_SUM, __VA_ARGS__);  \
		ALL(NAME, INAME, x, x, 1, MPI_INT, MPI_SUM, __VA_ARGS__);     \
		ALL(NAME, INAME, x, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM,        \
		    __VA_ARGS__);                                             \
		ALL(NAME, INAME, x, y, 1, SUM_TYPE, MPI_SUM, __VA_ARGS__);    \
		ALL(NAME, INAME, x, y, 1, raw, MPI_SUM, __VA_ARGS__);         \
		ALL(NAME, INAME, x, y, 1, pair, MPI_SUM, __VA_ARGS__);        \
		ALL(NAME, INAME, x, y, 1, MPI_FLOAT, MPI_BAND, __VA_ARGS__);  \
		ALL(NAME, INAME, x, y, 1, MPI_INT, MPI_OP_NULL, __VA_ARGS__); \
		BESIDES(NAME, INAME, x, y, 1, MPI_INT, MPI_SUM, __VA_ARGS__); \
	} while (0)

static void sums(void)
{
	SUMS(Allreduce, Iallreduce, WORLD);
	SUMS(Scan, Iscan, WORLD);
	SUMS(Exscan, Iexscan, WORLD);
	SUMS(Reduce_scatter_block, Ireduce_scatter_block, WORLD);
	SUMS(Reduce, Ireduce, rank, WORLD);
	ALL(Reduce, Ireduce, x, y, 1, MPI_INT, MPI_SUM, 99, WORLD);
	/* The communicator and the operation in each other's place. */
	ALL(Allreduce, Iallreduce, x, y, 1, MPI_INT, (MPI_Op)MPI_COMM_WORLD,
	    LIKE_SELF);
}

/* Nothing of what was refused is under way. */
static void works(void)
{
	MPI_Status got;
	int n = -1;

	for (int i = 0; i < 16; i++)
		x[i] = rank * 16 + i;
	/* Without elements MPI does not look at the type. */
	MPI_Sendrecv(NULL, 0, NO_TYPE, other, 9, y, 1, MPI_INT, other, 9, WORLD,
		     &got);
	MPI_Get_count(&got, MPI_INT, &n);
	printf("%d received %d\n", rank, n);
	MPI_Sendrecv(x, 4, MPI_INT, other, 9, y, 4, MPI_INT, other, 9, WORLD,
		     &got);
	printf("%d received %d %d\n", rank, y[0], y[3]);
	MPI_Allreduce(x, y, 4, MPI_INT, MPI_SUM, WORLD);
	printf("%d sums %d %d\n", rank, y[0], y[3]);
	MPI_Alltoallv(x, ones, at, MPI_INT, y, ones, at, MPI_INT, WORLD);
	printf("%d exchanged %d %d\n", rank, y[0], y[1]);
	MPI_Barrier(WORLD);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = rank ^ 1;
	MPI_Type_contiguous(2, MPI_INT, &raw);
	MPI_Type_contiguous(2, MPI_INT, &pair);
	MPI_Type_commit(&pair);

	messages();
	exchanges();
	probes();
	completion();
	blocks();
	VARY(FORMS, ones, at, less);
	VARY(FORMS_C, ones_c, at_c, less_c);
	sums();
	works();

	MPI_Type_free(&raw);
	MPI_Type_free(&pair);
	MPI_Finalize();
	return 0;
}

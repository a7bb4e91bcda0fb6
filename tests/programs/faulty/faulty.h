/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef FAULTY_H
#define FAULTY_H

/*
 * Programs that are wrong in one way, and programs that look wrong and are
 * right.  Each is a function of no arguments and a row of a table with the
 * fewest ranks that it needs.  In a wrong one a comment stands before each line
 * that may be told of: `!` and the finding's name (test_faulty.sh).
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

struct faulty {
	const char *name;
	int ranks;
	void (*run)(void);
};

#define CASE(name, ranks)          \
	{                          \
#name, ranks, name \
	}
/* It reaches into MPI_Finalize: no other case comes after it. */
#define ALONE(name, ranks) CASE(name, ranks)

#define MANY     (1 << 20) /* a message that is not sent at once */
#define SOME     1000
#define NOTHING  MPI_STATUS_IGNORE
#define NOTHINGS MPI_STATUSES_IGNORE

extern int rank, size;
extern int other;  /* the rank beside: 0 and 1, 2 and 3 */
extern int after;  /* the next rank in a ring, and */
extern int before; /* the one before */
extern int x[MANY], y[MANY], z[MANY];
extern MPI_Comm comm; /* a program's own */

/* A call each, so that its line is that of the case. */
#define SEND(to, tag)       MPI_Send(x, 1, MPI_INT, to, tag, comm)
#define SSEND(to, tag)      MPI_Ssend(x, 1, MPI_INT, to, tag, comm)
#define RECV(from, tag)     MPI_Recv(y, 1, MPI_INT, from, tag, comm, NOTHING)
#define ISEND(to, tag, r)   MPI_Isend(x, 1, MPI_INT, to, tag, comm, r)
#define IRECV(from, tag, r) MPI_Irecv(y, 1, MPI_INT, from, tag, comm, r)
#define WAIT(r)             MPI_Wait(r, NOTHING)
#define BCAST(root)         MPI_Bcast(x, 1, MPI_INT, root, comm)
#define ALLREDUCE(op)       MPI_Allreduce(x, y, 1, MPI_INT, op, comm)
#define BARRIER()           MPI_Barrier(comm)

/* Each ends with a name of NULL. */
extern const struct faulty faulty_waits[];
extern const struct faulty faulty_requests[];
extern const struct faulty faulty_colls[];
extern const struct faulty faulty_calls[];
extern const struct faulty faulty_left[];
extern const struct faulty faulty_types[];
extern const struct faulty faulty_strict[];
extern const struct faulty faulty_races[];
extern const struct faulty faulty_touched[];
extern const struct faulty faulty_early[];   /* run before MPI_Init */
extern const struct faulty faulty_threads[]; /* likewise */
extern const struct faulty faulty_late[];
extern const struct faulty faulty_buffers[];
extern const struct faulty faulty_signatures[];
extern const struct faulty faulty_overlap[];
extern const struct faulty faulty_windows[];
extern const struct faulty right_messages[];
extern const struct faulty right_requests[];
extern const struct faulty right_colls[];
extern const struct faulty right_objects[];
extern const struct faulty right_buffers[];
extern const struct faulty right_frames[];
extern const struct faulty right_sends[];
extern const struct faulty right_waits[];
extern const struct faulty right_windows[];
extern const struct faulty right_overlap[];
extern const struct faulty right_threads[]; /* run before MPI_Init */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_FINDINGS_H
#define SHIM_FINDINGS_H

/*
 * Faults of the program, for the table `findings` of the record.  A row counts
 * what is alike: the same fault, from one place in the program, with the same
 * peer and tag.  docs/findings.md explains each.
 */
#include <stdbool.h>
#include <stdint.h>

enum finding {
	/* Objects that are alive: a fault if they are at the program's end. */
	FINDING_COMM,
	FINDING_TYPE,
	FINDING_OP,
	FINDING_GROUP,
	FINDING_WIN,
	FINDING_INFO,
	FINDING_ERRHANDLER,
	FINDING_KEYVAL,
	FINDING_FILE,
	FINDING_MEMORY,
	FINDING_BUFFER,
	FINDING_PERSISTENT, /* request */
	FINDING_OBJECTS,
	/* Found in MPI_Finalize. */
	FINDING_REQUEST = FINDING_OBJECTS,
	FINDING_RECEIVE,
	FINDING_PROBED,
	FINDING_MESSAGE,
	/* Found while the program runs. */
	FINDING_UNLIKE,   /* datatypes of a message's ends */
	FINDING_OVERLAP,  /* buffers of receives */
	FINDING_CHANGED,  /* a buffer that is sent */
	FINDING_RACE,     /* of messages for one receive */
	FINDING_FREED,    /* receives that are under way */
	FINDING_THREAD,   /* a call that the thread level forbids */
	FINDING_UNLOCKED, /* access to a process that is not locked */
	FINDING_CONFLICT, /* of one-sided accesses */
	FINDING_OP_TYPE,  /* an operation and a type that it is not for */
	FINDING_TOUCHED,  /* an access to the buffer of an open receive */
	FINDING_IDLE,     /* a request waited for that was never started */
	FINDING_COPIED,   /* buffers of one call that overlap */
	FINDING_READ,     /* what an open receive writes is sent */
	FINDING_KINDS,
};

#define FINDING_NO_CALL UINT64_MAX
#define FINDING_DETAIL  80

/* The subject of a row.  Peer and tag are as MPI gives them. */
struct finding_about {
	uint64_t key;  /* of the cell of the call, or FINDING_NO_CALL */
	uint32_t comm; /* its row; MMDS_NONE: none, and neither peer nor tag */
	int peer;
	int tag;
	enum finding what;
	/* The sender of the message that it is about: */
	uint32_t other;              /* its rank in the world, and 1; 0: none */
	uint32_t other_site;         /* its call path (path.h); 0: unknown */
	char detail[FINDING_DETAIL]; /* the end of a sentence; may be empty */
};

struct finding_row {
	struct finding_about about;
	_Atomic int64_t n;
	struct finding_row *next;
	struct finding_row *alike; /* the next of the same hash */
};

/*
 * The row for that; NULL if there is no room.  Takes a lock: not for the path
 * of a message, nor for a signal handler.
 */
struct finding_row *findings_row(const struct finding_about *about);

/*
 * The program is about to end for an error of this thread's call; it did not:
 * MPI_SUCCESS.  Takes no lock.
 */
void findings_error(int code);

/* process.mismatch is of a communicator of that row.  Takes no lock. */
void findings_mismatch(uint32_t comm);

/*
 * A message did not fit into its receive, which this thread's call ends: what
 * is known of it, if the program ends for that.  Takes no lock.
 */
void findings_truncated(const struct finding_about *about);

/*
 * Counts one more.  Takes a lock: only for what is wrong.  Nothing if this
 * process does not record.
 */
void findings_count(const struct finding_about *about);

/* The thread is in a call that the thread level forbids.  Takes no lock. */
void findings_two_inside(uint64_t key);

/* The program ends in the call of a cell, made too early, or too late. */
void findings_outside(uint64_t key, bool early);

/* The cell of the call that the thread is in, or FINDING_NO_CALL. */
uint64_t findings_key_now(void);

struct record_writer;

/*
 * Writes the table.  `reason` is that of the record: where it is "finalize",
 * what is alive was forgotten.
 */
void findings_write(struct record_writer *writer, const char *reason);

#endif

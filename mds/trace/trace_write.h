/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TRACE_WRITE_H
#define BCS_TRACE_WRITE_H

#include "mds/record/record_pack.h"
#include "mds/trace/trace.h"
#include "mds/trace/trace_tally.h"

/*
 * The file of the trace of a process (FORMAT.md).  A ring has two: when the
 * newer one is full, it begins anew in place of the older one.  Each can be
 * read without the other.  So a process may be killed at any moment.
 */
/* The second file has the name of the first, and this. */
#define TRACE_PART_SUFFIX "2"

#define TRACE_BLOCK     4096 /* rows in a section, at most */
#define TRACE_SHAPES    8192 /* a power of two; then they begin anew */
#define TRACE_COLUMNS   7
#define TRACE_DIGIT_MAX 10 /* bytes of the longest number */

/* How a column is written. */
enum { TRACE_SAME, TRACE_PLAIN };

enum trace_column {
	TRACE_SHAPE,
	TRACE_TAG,
	TRACE_BYTES_SENT,
	TRACE_BYTES_RECEIVED,
	TRACE_REQUEST,
	TRACE_GAP,
	TRACE_TIME,
};

/* Values that many rows share, and the differing ones of the last such row. */
struct trace_shape {
	uint32_t kind;
	uint32_t call;
	uint32_t path;
	uint32_t comm;
	int32_t peer;
	uint32_t phase;
	int64_t tag;
	uint64_t sent;
	uint64_t received;
};

#define TRACE_CALLS_MAX  1024
#define TRACE_PHASES_MAX 64
#define TRACE_COMMS_MAX  TRACE_TALLY_COMMS

/* A communicator as the file names it; "": it does not. */
struct trace_named_comm {
	char text[48];
};

struct trace_file {
	struct record_pack packs[2]; /* of a ring; else only the first */
	struct record_pack *pack;    /* that is written to */
	const char *dir;
	const char *host;
	int rank;
	uint64_t pid;
	char file_names[2][NAME_MAX + 1];
	const struct trace_names *names;
	unsigned shift; /* a unit is 2^shift ticks */
	unsigned part;  /* the number of the file, of a ring; else 0 */
	bool is_closed; /* the next part could not be begun */
	uint64_t events;
	uint64_t older;   /* events of the file before, */
	uint64_t dropped; /* and of those before that one */
	uint64_t lost;
	struct trace_tally tally; /* of a ring */
	unsigned does[TRACE_CALLS_MAX];
	bool anew; /* shapes begin with the next block */
	uint32_t n_shapes;
	struct trace_shape shapes[TRACE_SHAPES];
	uint32_t places[2 * TRACE_SHAPES]; /* number + 1, by hash */
	/* Numbers whose names are in the file. */
	bool named_calls[TRACE_CALLS_MAX];
	bool named_phases[TRACE_PHASES_MAX];
	bool named_comms[TRACE_COMMS_MAX];
	struct trace_named_comm comms[TRACE_COMMS_MAX];
	size_t used;
	size_t n_new;
	uint64_t columns[TRACE_COLUMNS][TRACE_BLOCK];
	struct trace_shape fresh[TRACE_BLOCK];
	unsigned char
		body[TRACE_COLUMNS * (1 + TRACE_BLOCK * TRACE_DIGIT_MAX) + 256];
};

/* Returns 0 or -errno, and then there is nothing to close. */
int trace_file_open(struct trace_file *file,
		    const struct trace_options *options);
/* Rows of one thread, at most TRACE_BLOCK.  After an error does nothing. */
void trace_file_add(struct trace_file *file, struct trace_ring *ring,
		    const struct trace_row *rows, uint32_t n, uint64_t lost);
void trace_file_flush(struct trace_file *file);
/*
 * Begins the next file of a ring.  It must be read without the one before.  So
 * the caller begins the rings' differences anew, too.
 */
void trace_file_turn(struct trace_file *file);
/* The size of the file. */
uint64_t trace_file_bytes(const struct trace_file *file);
/* Writes that a limit was reached: later events are only counted. */
void trace_file_limit(struct trace_file *file);
int trace_file_error(const struct trace_file *file);
void trace_file_close(struct trace_file *file, uint64_t lost);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SCHEDULE_H
#define BCS_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The schedule of a process, rank-N.schedule: outcomes of calls that the
 * program does not determine, in the order of the calls (FORMAT.md). An outcome
 * is a number, or a list of numbers.
 *
 * A receive from any source that does not block has its source later. Sources
 * are a second row, in the order in which such receives were posted.
 *
 * A run in slices has a third row: the slices that took the descriptors, in the
 * order in which these were posted.
 */
#define SCHEDULE_BUILD 40 /* digits of a build id */

struct schedule_about {
	int rank;
	int size; /* ranks of the job */
	char mode[16];
	char build[SCHEDULE_BUILD + 1]; /* of the program; empty: unknown */
};

/* Meaning of an entry in the row of sources; a rank follows SOURCE_RANK. */
enum schedule_source {
	SCHEDULE_SOURCE_UNKNOWN,
	SCHEDULE_SOURCE_NONE, /* no message came: cancelled, or still open */
	SCHEDULE_SOURCE_RANK,
};

/*
 * Writing. One thread writes. After the first error the calls do nothing, and
 * close returns it.
 */
struct schedule_writer;

/* Returns 0 or -errno; *writer_p is set on success only. */
int schedule_create(struct schedule_writer **writer_p, const char *dir,
		    const char *name, const struct schedule_about *about);
/* Names a call and its place.  Calls have numbers from 0 in this order. */
void schedule_put_call(struct schedule_writer *writer, const char *call,
		       const char *place);
void schedule_put(struct schedule_writer *writer, unsigned call,
		  uint64_t value);
void schedule_put_list(struct schedule_writer *writer, unsigned call,
		       const int *list, int n);
void schedule_put_source(struct schedule_writer *writer, uint64_t source);
/* The slice that took a descriptor; they do not decrease. */
void schedule_put_slice(struct schedule_writer *writer, uint64_t slice);
/*
 * Moves what was put to the file.  A signal handler of the writing thread may
 * call it: within another call of the writer it does nothing.
 */
void schedule_flush(struct schedule_writer *writer);
/* Ends the file.  Returns 0 or the first error. */
int schedule_close(struct schedule_writer *writer);

/* Reading.  The whole file is read and checked when it is opened. */
struct schedule;

struct schedule_outcome {
	const char *call; /* its name, */
	const char *place;
	unsigned number;
	bool is_list;
	uint64_t value; /* or the length of the list */
};

/* Returns 0, or -errno with one line in `why`. */
int schedule_open(struct schedule **schedule_p, const char *path, char *why,
		  size_t why_size);
void schedule_free(struct schedule *schedule); /* NULL is fine */

const struct schedule_about *schedule_about(const struct schedule *schedule);
/* True if the process wrote it to its end. */
bool schedule_is_whole(const struct schedule *schedule);
/* The next outcome.  Returns 1, 0 at the end, or -EPROTO. */
int schedule_next(struct schedule *schedule, struct schedule_outcome *outcome);
/* An element of the last outcome's list; 0 past its end. */
uint64_t schedule_list_next(struct schedule *schedule);
/* The next source.  Returns 1, 0 at the end, or -EPROTO. */
int schedule_next_source(struct schedule *schedule, uint64_t *source);
/* The next slice.  Likewise. */
int schedule_next_slice(struct schedule *schedule, uint64_t *slice);

#endif

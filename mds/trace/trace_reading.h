/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TRACE_READING_H
#define BCS_TRACE_READING_H

/* The reader of a trace, for its own files. */
#include <string.h>

#include "mds/record/section_read.h"
#include "mds/trace/trace_read.h"
#include "mds/trace/trace_write.h"

/* The values of a thread that its next row is the difference to. */
struct trace_thread {
	uint64_t last;
	uint64_t begun;
	uint64_t done;
	struct trace_event call; /* that items belong to */
	unsigned phases;         /* that have begun, and not ended */
};

struct trace_name {
	char *text;
	unsigned does;
};

struct trace_reader {
	struct section_file in;
	struct trace_head head;
	struct trace_head clock;
	struct trace_name calls[TRACE_CALLS_MAX];
	char *phases[TRACE_PHASES_MAX];
	struct trace_comm comms[TRACE_COMMS_MAX];
	bool has_comm[TRACE_COMMS_MAX];
	struct trace_shape *shapes;
	uint32_t n_shapes;
	uint32_t room_shapes;
	struct trace_thread *threads;
	uint32_t n_threads;
	unsigned thread; /* of the block */
	uint64_t *columns[TRACE_COLUMNS];
	uint32_t n_rows;
	uint32_t next;
	uint64_t lost;
	char *after; /* the newer file of a ring, not yet read, or NULL */
	uint64_t dropped;
	bool uncounted;
	struct trace_count *counts;
	size_t n_counts;
	size_t room_counts;
	uint64_t colls[TRACE_COMMS_MAX];
	bool limited;
	unsigned n_heads; /* of files of a ring */
	bool has_head;    /* of the current file */
	bool ended;
	/* Callback of trace_skim, or NULL. */
	void (*met)(void *to, const struct trace_comm *comm);
	void *to;
};

/* Whether both are heads of one process's traces. */
static inline bool trace_head_of_same(const struct trace_head *a,
				      const struct trace_head *b)
{
	return a->pid == b->pid && strcmp(a->host, b->host) == 0;
}

/*
 * Take the section that the reader is at.  They return 0 or -errno, and fail by
 * section_fail().
 */

/* trace_read_names.c: sections that say what the numbers of rows mean. */
int trace_reading_head(struct trace_reader *reader);
int trace_reading_names(struct trace_reader *reader);
int trace_reading_shapes(struct trace_reader *reader);
/* Counts what was dropped. */
int trace_reading_counts(struct trace_reader *reader);

/* trace_read_rows.c: a section of rows. */
int trace_reading_block(struct trace_reader *reader);
/* Makes an event of one of its rows.  Call it once for each, in their order. */
void trace_reading_row(struct trace_reader *reader, uint32_t row,
		       struct trace_event *event);

#endif

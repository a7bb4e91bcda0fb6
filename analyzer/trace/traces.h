/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TRACES_H
#define BCS_TRACES_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "analyzer/run/run_files.h"
#include "mds/trace/trace_read.h"

#define TRACES_SUFFIX ".trace"

/* The first process of each host gives all of them its clock. */
struct traces_host {
	struct trace_head head;
	uint64_t zero; /* ns; the first event of the host */
};

/*
 * The traces of a record.  A caller reads them one after the other:
 *
 *	if (traces_open(&traces, path, &filter) != 0)
 *		return;
 *	for (size_t i = 0; i < traces.files.n; i++) {
 *		if (traces_begin(&traces, i, &process) != 0)
 *			continue;
 *		while (trace_next(process.reader, &event) == 1)
 *			...
 *		traces_end(&traces, &process);
 *	}
 *	traces_close(&traces);
 */
struct traces {
	struct run_files files;
	struct traces_host *hosts;
	size_t n_hosts;
	size_t hosts_room;
	struct traces_names *names;
	uint64_t lost;    /* events that the traces that were read lack */
	uint64_t dropped; /* of these, by rings: before their first */
};

/* A process while its trace is read. */
struct traces_process {
	struct trace_reader *reader;
	const struct trace_head *head;
	size_t host;   /* a number in traces.hosts */
	uint64_t zero; /* ns; the first event of its host */
	size_t number; /* of its file */
	struct traces_names *names;
};

/*
 * The file beside a trace with this suffix in place of the trace's own.  The
 * caller frees it.
 */
char *traces_beside(const char *trace, const char *suffix);

/* Whether the folder has a trace. */
bool traces_are_there(const char *path);

/*
 * Finds the traces in folder `path`, or the one file; none without an event is
 * left out.  Returns 0, or -errno after it has said why.  Files that cannot be
 * read are warned of and left out.
 */
int traces_open(struct traces *traces, const char *path,
		const struct run_filter *filter);
void traces_close(struct traces *traces);

/* Returns 0, or -errno after it has said what is wrong with the file. */
int traces_begin(struct traces *traces, size_t file,
		 struct traces_process *process);
/*
 * 0, or -EINVAL after it has said that a ring has dropped its beginning.  Who
 * computes how a program would go needs all ranks from the same point on.
 */
int traces_check_whole(const struct traces_process *process);
/* Warns of what the trace lacks. */
void traces_end(struct traces *traces, struct traces_process *process);

/* ns since `zero`; may be negative, since clocks of processes differ. */
int64_t traces_since(const struct traces_process *process, uint64_t ns);
/* Whether the event has a tag: that of a collective call is its root's. */
bool traces_has_tag(const struct traces_process *process,
		    const struct trace_event *event);

/* Names from the records beside the traces. */
struct traces_names *traces_names_open(const struct run_files *files);
void traces_names_close(struct traces_names *names);
/* The place in the program that a call came from; NULL: it is not known. */
const char *traces_site(const struct traces_process *process, uint32_t path);
/* The frames of the call's path, the innermost first, as far as there is room.
 * Returns how many there are in `texts`. */
size_t traces_path(const struct traces_process *process, uint32_t path,
		   const char **texts, size_t room);
/* The cores that the ranks of the process's node shared in the run; 0: each had
 * its own, or it is not known. */
unsigned traces_shared_cores(const struct traces_process *process);
/* The length of the process's slices in ns; 0 without slices by time, or if it
 * is not known.  `zero`: when the first one began, since the first event of the
 * host. */
uint64_t traces_slices(const struct traces_process *process, int64_t *zero);
/* The name of a communicator; if it is not known its id, put into `room`. */
#define TRACES_COMM 17
const char *traces_comm(const struct traces_names *names, uint64_t id,
			char room[TRACES_COMM]);

#endif

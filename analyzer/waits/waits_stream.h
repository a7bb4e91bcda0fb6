/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_STREAM_H
#define BCS_WAITS_STREAM_H

#include "analyzer/trace/messages.h"
#include "analyzer/waits/waits_coll.h"
#include "analyzer/waits/waits_message.h"

/* Messages and collectives that are under way between the ranks. */
struct waits_joining {
	struct waits *waits;
	struct waits_whatif *whatif; /* or NULL */
	struct waits_messages messages;
	struct waits_colls colls;
	size_t n_processes;
};

/* The trace of a process, read call by call. */
struct waits_stream {
	struct waits_joining *joining;
	struct traces_process process;
	struct trace_event next; /* not yet taken */
	bool has_next;
	uint64_t begin; /* of the next, since the first event of the host */
	bool wanted;    /* set before the first is taken */
	struct messages *messages;
	struct waits_thread **threads;
	size_t n_threads;
	size_t threads_room;
	struct waits_map places; /* of the process's paths and calls: + 1 */
	struct waits_map sends;  /* by request: the message's id */
	struct waits_map begun;  /* by request: a nonblocking collective */
	struct intern comms;
	uint64_t *counts; /* collective calls, by communicator */
	size_t counts_room;
	/* These are of the send that is being taken. */
	uint64_t request;
	bool blocks;
};

/* NULL: the file cannot be read; it has been said why. */
struct waits_stream *waits_stream_open(struct waits_joining *joining,
				       struct traces *traces, size_t file);
/* Takes the next call, with its items. */
void waits_stream_take(struct waits_stream *stream);
/* All was taken: tells of the messages that are left. */
void waits_stream_end(struct waits_stream *stream);
void waits_stream_close(struct waits_stream *stream, struct traces *traces);

#endif

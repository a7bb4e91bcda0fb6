/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the trace of a process call by call. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/waits/waits_add.h"
#include "analyzer/waits/waits_event.h"
#include "analyzer/waits/waits_whatif.h"

static void advance(struct waits_stream *stream)
{
	stream->has_next = trace_next(stream->process.reader, &stream->next) ==
			   1;
	if (stream->has_next)
		stream->begin = waits_event_since(stream, stream->next.begin);
}

void waits_stream_take(struct waits_stream *stream)
{
	do {
		const struct trace_event event = stream->next;

		waits_event_take(stream, &event);
		advance(stream);
	} while (stream->has_next && trace_is_item(stream->next.kind));
}

struct waits_stream *waits_stream_open(struct waits_joining *joining,
				       struct traces *traces, size_t file)
{
	struct waits_stream *stream = mem_alloc(1, sizeof(*stream));

	stream->joining = joining;
	if (traces_begin(traces, file, &stream->process) != 0) {
		free(stream);
		return NULL;
	}
	stream->messages = messages_new(waits_event_met, stream);
	advance(stream);
	return stream;
}

static void thread_end(struct waits_stream *stream, struct waits_thread *thread)
{
	const struct waits_call
		*last = &thread->calls[(thread->n - 1) % WAITS_REMEMBERED];
	const bool finalized = thread->n &&
			       strcmp(waits_call_text(stream->joining->waits,
						      last->place),
				      "MPI_Finalize") == 0;

	waits_whatif_end(stream->joining->whatif, thread, finalized);
	waits_add_thread(stream->joining->waits, thread);
}

void waits_stream_end(struct waits_stream *stream)
{
	messages_end(stream->messages);
	stream->messages = NULL;
	for (size_t i = 0; i < stream->n_threads; i++)
		thread_end(stream, stream->threads[i]);
}

static void free_one(uint64_t value)
{
	free((void *)(uintptr_t)value);
}

void waits_stream_close(struct waits_stream *stream, struct traces *traces)
{
	traces_end(traces, &stream->process);
	for (size_t i = 0; i < stream->n_threads; i++) {
		free(stream->threads[i]->ahead);
		free(stream->threads[i]);
	}
	free(stream->threads);
	waits_map_each(&stream->begun, free_one);
	waits_map_clear(&stream->begun);
	waits_map_clear(&stream->sends);
	waits_map_clear(&stream->places);
	intern_clear(&stream->comms);
	free(stream->counts);
	free(stream);
}

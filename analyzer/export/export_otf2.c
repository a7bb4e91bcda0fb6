/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A trace as an OTF2 archive, by its own library: a folder.  A call is written
 * when the next one comes, since its items are between its enter and leave.
 */
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/export/export_otf2_call.h"

static struct {
	OTF2_Archive *archive;
	bool failed;
	/* The current process's: */
	size_t process;
	struct otf2_thread *threads;
	size_t n_threads;
	size_t threads_room;
	struct otf2_call call; /* not written yet */
	bool has_call;
} now;

static OTF2_FlushType flush_always(void *data, OTF2_FileType type,
				   OTF2_LocationRef location, void *caller,
				   bool final)
{
	(void)data;
	(void)type;
	(void)location;
	(void)caller;
	(void) final;
	return OTF2_FLUSH;
}

/* Prints the first error only, in one line. */
static OTF2_ErrorCode take_error(void *data, const char *file, uint64_t line,
				 const char *function, OTF2_ErrorCode code,
				 const char *format, va_list arguments)
{
	(void)data;
	(void)file;
	(void)line;
	(void)function;
	(void)format;
	(void)arguments;
	if (!now.failed)
		say_error("libotf2: %s", OTF2_Error_GetDescription(code));
	now.failed = true;
	return code;
}

static int begin(const char *output)
{
	static const OTF2_FlushCallbacks callbacks = {
		.otf2_pre_flush = flush_always
	};

	if (!output || access(output, F_OK) == 0) {
		say_error(output ? "%s: is there already"
				 : "this format is a folder: name it with "
				   "--output",
			  output);
		return -1;
	}
	OTF2_Error_RegisterCallback(take_error, NULL);
	now.archive = OTF2_Archive_Open(output, "traces", OTF2_FILEMODE_WRITE,
					OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
					OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
					OTF2_SUBSTRATE_POSIX,
					OTF2_COMPRESSION_NONE);
	if (!now.archive)
		return -1;
	OTF2_Archive_SetFlushCallbacks(now.archive, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(now.archive);
	OTF2_Archive_SetCreator(now.archive, "bcs " BCS_VERSION);
	OTF2_Archive_OpenEvtFiles(now.archive);
	return now.failed ? -1 : 0;
}

static struct otf2_thread *thread_of(unsigned number)
{
	struct otf2_thread *thread;

	for (size_t i = 0; i < now.n_threads; i++)
		if (now.threads[i].number == number)
			return &now.threads[i];
	now.threads = mem_grow(now.threads, &now.threads_room, now.n_threads,
			       sizeof(*now.threads));
	thread = &now.threads[now.n_threads++];
	*thread = (struct otf2_thread){
		.number = number,
		.location = otf2_defs_location(now.process, number),
	};
	thread->writer = OTF2_Archive_GetEvtWriter(now.archive,
						   thread->location);
	return thread;
}

static void call_close(const struct traces_process *process)
{
	if (now.has_call)
		otf2_call_put(process, thread_of(now.call.event.thread),
			      &now.call);
	now.has_call = false;
	now.call.n_items = 0;
}

static void phase_end(struct otf2_thread *t)
{
	if (t->n_phases)
		OTF2_EvtWriter_Leave(t->writer, NULL, t->last,
				     t->phases[--t->n_phases]);
}

static void phase_begin(const struct traces_process *process,
			struct otf2_thread *t, unsigned phase)
{
	const char *name = trace_phase_name(process->reader, phase);

	if (t->n_phases == OTF2_PHASES_DEEP)
		return;
	t->phases[t->n_phases] = otf2_defs_region(name && *name ? name : "?", 0,
						  true);
	OTF2_EvtWriter_Enter(t->writer, NULL, t->last,
			     t->phases[t->n_phases++]);
}

static void moment(const struct traces_process *process,
		   const struct trace_event *event)
{
	struct otf2_thread *t = thread_of(event->thread);

	otf2_call_time(process, t, event->begin);
	if (event->kind == TRACE_PHASE_BEGIN)
		phase_begin(process, t, event->phase);
	else if (event->kind == TRACE_PHASE_END)
		phase_end(t);
	else
		OTF2_EvtWriter_MeasurementOnOff(t->writer, NULL, t->last,
						event->kind == TRACE_ON
							? OTF2_MEASUREMENT_ON
							: OTF2_MEASUREMENT_OFF);
}

static void add_item(const struct trace_event *event)
{
	struct otf2_call *call = &now.call;

	call->items = mem_grow(call->items, &call->items_room, call->n_items,
			       sizeof(*call->items));
	call->items[call->n_items++] = *event;
}

static void event_put(const struct traces_process *process,
		      const struct trace_event *event)
{
	if (trace_is_item(event->kind)) {
		if (now.has_call)
			add_item(event);
		return;
	}
	call_close(process);
	if (event->kind == TRACE_CALL) {
		now.call.event = *event;
		now.has_call = true;
	} else {
		moment(process, event);
	}
}

static void process_begin(const struct traces_process *process)
{
	now.process = otf2_defs_process(process);
	otf2_call_process(now.process);
	thread_of(0);
}

static void process_end(const struct traces_process *process)
{
	uint64_t n;

	call_close(process);
	for (size_t i = 0; i < now.n_threads; i++) {
		struct otf2_thread *t = &now.threads[i];

		while (t->n_phases)
			phase_end(t);
		n = 0;
		OTF2_EvtWriter_GetNumberOfEvents(t->writer, &n);
		otf2_defs_events(t->location, n);
		otf2_defs_time(t->last);
		OTF2_Archive_CloseEvtWriter(now.archive, t->writer);
	}
	now.n_threads = 0;
}

/* Each location has definitions of its own, here none. */
static void write_local_defs(uint64_t n)
{
	OTF2_Archive_OpenDefFiles(now.archive);
	for (uint64_t i = 0; i < n; i++)
		OTF2_Archive_CloseDefWriter(
			now.archive, OTF2_Archive_GetDefWriter(now.archive, i));
	OTF2_Archive_CloseDefFiles(now.archive);
}

static int end(uint64_t lost)
{
	(void)lost; /* traces_end warned of it */
	OTF2_Archive_CloseEvtFiles(now.archive);
	write_local_defs(otf2_defs_locations());
	otf2_defs_write(now.archive);
	OTF2_Archive_Close(now.archive);
	otf2_call_end();
	free(now.threads);
	free(now.call.items);
	return now.failed ? -1 : 0;
}

const struct export_format export_otf2 = {
	.name = "otf2",
	.begin = begin,
	.process = process_begin,
	.event = event_put,
	.process_end = process_end,
	.end = end,
	.makes_folder = true,
};

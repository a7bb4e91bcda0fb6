/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The time of calls by the path that led to them, of all ranks together: lines
 * "main;solve;MPI_Recv NS", as programs for flame graphs read them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/export/export.h"
#include "analyzer/places/intern.h"

#define FRAMES 256

static struct {
	struct intern paths; /* texts */
	uint64_t *times;     /* by path */
	size_t room;
	/* The current process's: */
	struct intern calls; /* pairs of path and call */
	size_t *texts;       /* by pair: a number in `paths` */
	size_t texts_room;
} folded;

static int begin(const char *output)
{
	(void)output;
	return 0;
}

static void process_begin(const struct traces_process *process)
{
	(void)process;
}

/* Semicolons are between frames, and the last space before the time. */
static void put_frame(FILE *to, const char *text)
{
	char *shown = mem_shown(text);

	for (char *c = shown; (c = strchr(c, ';')) != NULL;)
		*c = ',';
	fputs(shown, to);
	free(shown);
}

static size_t path_of(const struct traces_process *process,
		      const struct trace_event *event)
{
	const char *frames[FRAMES];
	const char *name = trace_call_name(process->reader, event->call);
	char *text;
	size_t size;
	size_t n = traces_path(process, event->path, frames, FRAMES);
	FILE *to = mem_stream(&text, &size);

	while (n-- > 0) {
		put_frame(to, frames[n]);
		putc(';', to);
	}
	put_frame(to, name ? name : "?");
	fclose(to);
	n = folded.paths.n;
	size = intern_text(&folded.paths, text);
	free(text);
	if (size == n) {
		folded.times = mem_grow(folded.times, &folded.room, n,
					sizeof(*folded.times));
		folded.times[n] = 0;
	}
	return size;
}

static void event_add(const struct traces_process *process,
		      const struct trace_event *event)
{
	const uint64_t key = (uint64_t)event->path << 32 | event->call;
	const size_t n = folded.calls.n;
	size_t at;

	if (event->kind != TRACE_CALL)
		return;
	at = intern_add(&folded.calls, &key, sizeof(key));
	if (at == n) {
		folded.texts = mem_grow(folded.texts, &folded.texts_room, n,
					sizeof(*folded.texts));
		folded.texts[n] = path_of(process, event);
	}
	folded.times[folded.texts[at]] += event->end - event->begin;
}

static void process_end(const struct traces_process *process)
{
	(void)process;
	intern_clear(&folded.calls);
}

static int end(uint64_t lost)
{
	(void)lost; /* traces_end warned of it */
	for (size_t i = 0; i < folded.paths.n; i++)
		if (folded.times[i])
			printf("%s %" PRIu64 "\n",
			       (const char *)intern_key(&folded.paths, i),
			       folded.times[i]);
	intern_clear(&folded.paths);
	free(folded.times);
	free(folded.texts);
	return 0;
}

const struct export_format export_folded = {
	.name = "folded",
	.begin = begin,
	.process = process_begin,
	.event = event_add,
	.process_end = process_end,
	.end = end,
};

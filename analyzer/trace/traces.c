/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the traces of a record and reads them one after the other. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/trace/traces.h"

bool traces_are_there(const char *path)
{
	const struct run_filter all = { 0 };
	struct run_files files = { 0 };
	const bool there = run_files_list(&files, path, TRACES_SUFFIX, &all) ==
				   0 &&
			   files.from == READING_RECORD && files.n > 0;

	run_files_clear(&files);
	return there;
}

static size_t host_of(struct traces *traces, const struct trace_head *head)
{
	for (size_t i = 0; i < traces->n_hosts; i++)
		if (strcmp(traces->hosts[i].head.host, head->host) == 0)
			return i;
	traces->hosts = mem_grow(traces->hosts, &traces->hosts_room,
				 traces->n_hosts, sizeof(*traces->hosts));
	traces->hosts[traces->n_hosts] = (struct traces_host){
		.head = *head,
		.zero = UINT64_MAX,
	};
	return traces->n_hosts++;
}

/* The first event of a process is the start of its MPI_Init. */
static void look_at(struct traces *traces, struct trace_reader *reader)
{
	const size_t number = host_of(traces, trace_head(reader));
	struct traces_host *host = &traces->hosts[number];
	struct trace_event event;

	trace_clock(reader, &host->head);
	if (trace_next(reader, &event) == 1 && event.begin < host->zero)
		host->zero = event.begin;
}

/* Leaves only files that can be read; says what is wrong with the others. */
static size_t look_at_files(struct traces *traces, char *first_why, size_t size)
{
	struct run_files *files = &traces->files;
	struct trace_reader *reader;
	size_t n = 0;
	char why[512];

	for (size_t i = 0; i < files->n; i++) {
		if (trace_open(&reader, files->paths[i], why, sizeof(why))) {
			if (files->n > 1)
				say_warning("%s; left out", why);
			snprintf(first_why, size, "%s", why);
			free(files->paths[i]);
			continue;
		}
		look_at(traces, reader);
		trace_close(reader);
		files->paths[n++] = files->paths[i];
	}
	files->n = n;
	return n;
}

static int say_none(const char *path, const struct run_filter *filter)
{
	if (filter->ranks)
		say_error("%s: has no trace of these ranks", path);
	else
		say_error("%s: has no trace; record one with bcs run --trace "
			  "(BCS_TRACE=on)",
			  path);
	return -ENOENT;
}

static int find_files(struct traces *traces, const char *path,
		      const struct run_filter *filter)
{
	char why[512];
	const int rc = run_files_list(&traces->files, path, TRACES_SUFFIX,
				      filter);

	if (rc != 0) {
		say_error("%s: %s", path, strerror(-rc));
		return rc;
	}
	if (traces->files.n == 0)
		return say_none(path, filter);
	if (look_at_files(traces, why, sizeof(why)))
		return 0;
	say_error("%s", why);
	return -EINVAL;
}

int traces_open(struct traces *traces, const char *path,
		const struct run_filter *filter)
{
	int rc;

	*traces = (struct traces){ 0 };
	rc = find_files(traces, path, filter);
	if (rc == 0)
		traces->names = traces_names_open(&traces->files);
	else
		traces_close(traces);
	return rc;
}

void traces_close(struct traces *traces)
{
	traces_names_close(traces->names);
	run_files_clear(&traces->files);
	free(traces->hosts);
	*traces = (struct traces){ 0 };
}

int traces_begin(struct traces *traces, size_t file,
		 struct traces_process *process)
{
	char why[512];
	int rc;

	*process = (struct traces_process){ .number = file,
					    .names = traces->names };
	rc = trace_open(&process->reader, traces->files.paths[file], why,
			sizeof(why));
	if (rc != 0) {
		say_warning("%s; left out", why);
		return rc;
	}
	process->head = trace_head(process->reader);
	process->host = host_of(traces, process->head);
	process->zero = traces->hosts[process->host].zero;
	trace_clock(process->reader, &traces->hosts[process->host].head);
	return 0;
}

int traces_check_whole(const struct traces_process *process)
{
	if (process->head->part <= 1)
		return 0;
	say_error("%s: the whole run is needed, and this ring has dropped its "
		  "beginning (BCS_TRACE=ring)",
		  trace_path(process->reader));
	return -EINVAL;
}

void traces_end(struct traces *traces, struct traces_process *process)
{
	const struct trace_reader *reader = process->reader;
	const uint64_t lost = trace_lost(reader);
	const uint64_t dropped = trace_dropped(reader);

	if (trace_fault(reader))
		say_warning("%s", trace_fault(reader));
	if (dropped)
		say_warning("%s: a ring of the last events; %" PRIu64
			    " before them were dropped",
			    trace_path(reader), dropped);
	if (lost && trace_is_limited(reader))
		say_warning("%s: %" PRIu64 " events are not in it, most of "
			    "them beyond BCS_TRACE_LIMIT",
			    trace_path(reader), lost);
	else if (lost > dropped)
		say_warning("%s: %" PRIu64 " events were lost; a larger "
			    "BCS_TRACE_MEMORY may keep them",
			    trace_path(reader), lost - dropped);
	traces->lost += lost;
	traces->dropped += dropped;
	trace_close(process->reader);
	process->reader = NULL;
}

int64_t traces_since(const struct traces_process *process, uint64_t ns)
{
	return (int64_t)(ns - process->zero);
}

bool traces_has_tag(const struct traces_process *process,
		    const struct trace_event *event)
{
	return event->tag != TRACE_NOBODY && event->peer != TRACE_NOBODY &&
	       (trace_is_item(event->kind) ||
		!(trace_call_does(process->reader, event->call) &
		  (TRACE_DOES_ALL | TRACE_DOES_ONE_SIDED)));
}

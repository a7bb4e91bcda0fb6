/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs export`: prints the traces of a record for other programs, one event
 * after the other.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/export/export.h"
#include "analyzer/run/records.h"
#include "analyzer/run/run_files.h"
#include "analyzer/show/output.h"
#include "mds/settings.h"

#define SUFFIX ".trace"

/* The first process of each host gives all of them its clock. */
struct host {
	struct trace_head head;
	uint64_t zero;
};

static struct {
	const struct export_format *format;
	const char *output;
	struct run_filter filter;
	struct run_files files;
	struct host *hosts;
	size_t n_hosts;
	size_t hosts_room;
	uint64_t lost;
} export;

static bool set_format(const struct option_spec *option, const char *value)
{
	(void)option;
	export.format = strcmp(value, "csv") == 0      ? &export_csv
			: strcmp(value, "chrome") == 0 ? &export_chrome
						       : NULL;
	return export.format != NULL;
}

static bool set_output(const struct option_spec *option, const char *value)
{
	(void)option;
	export.output = value;
	return *value != '\0';
}

static bool set_rank(const struct option_spec *option, const char *value)
{
	struct settings scratch;

	(void)option;
	export.filter.ranks = value;
	return settings_find("BCS_RANKS")->set(&scratch, value);
}

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		{ "format", 'f', "FORMAT", "csv or chrome",
		  "csv: a line for each event (the default); chrome: JSON for "
		  "Perfetto, chrome://tracing or Speedscope",
		  set_format },
		{ "output", 'o', "FILE", "a file",
		  "write to FILE; default: standard output", set_output },
		{ "rank", 'r', "LIST", "a list like 0,4-7",
		  "export only these ranks: a list like 0,4-7", set_rank },
		{ NULL, 0, NULL, NULL, NULL, NULL },
	};

	return list;
}

static struct host *host_of(const struct trace_head *head)
{
	for (size_t i = 0; i < export.n_hosts; i++)
		if (strcmp(export.hosts[i].head.host, head->host) == 0)
			return &export.hosts[i];
	export.hosts = mem_grow(export.hosts, &export.hosts_room,
				export.n_hosts, sizeof(*export.hosts));
	export.hosts[export.n_hosts] = (struct host){
		.head = *head,
		.zero = UINT64_MAX,
	};
	return &export.hosts[export.n_hosts++];
}

/* The first event of a process is the start of its MPI_Init. */
static void look_at(struct trace_reader *reader)
{
	struct host *host = host_of(trace_head(reader));
	struct trace_event event;

	trace_clock(reader, &host->head);
	if (trace_next(reader, &event) == 1 && event.begin < host->zero)
		host->zero = event.begin;
}

/* Leaves only files that can be read; says what is wrong with the others. */
static size_t look_at_files(char *first_why, size_t size)
{
	struct run_files *files = &export.files;
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
		look_at(reader);
		trace_close(reader);
		files->paths[n++] = files->paths[i];
	}
	files->n = n;
	return n;
}

static int say_none(const char *path)
{
	if (export.filter.ranks)
		say_error("%s: has no trace of these ranks", path);
	else
		say_error("%s: has no trace; record one with bcs run --trace "
			  "(BCS_TRACE=on)",
			  path);
	return -ENOENT;
}

static int find_files(const char *path)
{
	char why[512];
	const int rc = run_files_list(&export.files, path, SUFFIX,
				      &export.filter);

	if (rc != 0) {
		say_error("%s: %s", path, strerror(-rc));
		return rc;
	}
	if (export.files.n == 0)
		return say_none(path);
	if (look_at_files(why, sizeof(why)))
		return 0;
	say_error("%s", why);
	return -EINVAL;
}

/* The record beside a trace. */
static struct export_sites *sites_of(const char *trace)
{
	const size_t len = strlen(trace);
	struct export_sites *sites;
	char *path;

	if (len > strlen(SUFFIX) &&
	    strcmp(trace + len - strlen(SUFFIX), SUFFIX) == 0)
		path = mem_print("%.*s.gz", (int)(len - strlen(SUFFIX)), trace);
	else
		path = mem_print("%s.gz", trace);
	sites = export_sites_open(path);
	free(path);
	return sites;
}

static void warn_of(const struct trace_reader *reader)
{
	const uint64_t lost = trace_lost(reader);

	if (trace_fault(reader))
		say_warning("%s", trace_fault(reader));
	if (lost && trace_is_limited(reader))
		say_warning("%s: %" PRIu64 " events are not in it, most of "
			    "them beyond BCS_TRACE_LIMIT",
			    trace_path(reader), lost);
	else if (lost)
		say_warning("%s: %" PRIu64 " events were lost; a larger "
			    "BCS_TRACE_MEMORY may keep them",
			    trace_path(reader), lost);
	export.lost += lost;
}

static void process_put(const char *path)
{
	struct export_process process = { 0 };
	struct trace_event event;
	const struct host *host;
	char why[512];

	if (trace_open(&process.reader, path, why, sizeof(why)) != 0) {
		say_warning("%s; left out", why);
		return;
	}
	process.head = trace_head(process.reader);
	host = host_of(process.head);
	process.zero = host->zero;
	trace_clock(process.reader, &host->head);
	process.sites = sites_of(path);
	export.format->process(&process);
	while (!ferror(stdout) && trace_next(process.reader, &event) == 1)
		export.format->event(&process, &event);
	export.format->process_end(&process);
	warn_of(process.reader);
	export_sites_close(process.sites);
	trace_close(process.reader);
}

static void put_all(void)
{
	export.format->begin();
	for (size_t i = 0; i < export.files.n && !ferror(stdout); i++)
		process_put(export.files.paths[i]);
	export.format->end(export.lost);
}

static int export_of(const char *path)
{
	int rc = find_files(path);

	if (rc == 0 && export.output)
		rc = output_to(export.output);
	if (rc == 0)
		put_all();
	run_files_clear(&export.files);
	free(export.hosts);
	return rc;
}

static int export_run(int argc, char **argv)
{
	char newest[PATH_MAX];
	int status;

	if (argc > 1) {
		say_error("one record at a time");
		return 2;
	}
	if (argc == 0 && records_newest(newest) != 0)
		return 2;
	if (!export.format)
		export.format = &export_csv;
	status = export_of(argc ? argv[0] : newest) == 0 ? 0 : 2;
	say_rest();
	return output_end() ? 2 : status;
}

const struct verb verb_export = {
	.name = "export",
	.summary = "print every call of a run for other programs",
	.operands = "[DIR]",
	.about = "Prints the trace in DIR, or in the newest *.bcs of the "
		 "current folder: each call\nof each rank with its times, "
		 "peer, tag, bytes, communicator and place.\n\nMake a trace "
		 "with bcs run --trace (BCS_TRACE=on).  Times begin with the "
		 "first\nevent of a host; clocks of different hosts are not "
		 "compared.\n",
	.options = options,
	.run = export_run,
};

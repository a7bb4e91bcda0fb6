/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs export`: prints the traces of a record for other programs, one event
 * after the other.
 */
#include <limits.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/export/export.h"
#include "analyzer/run/records.h"
#include "analyzer/show/output.h"
#include "mds/settings/settings.h"

#define PROGRESS (1u << 16) /* events between two looks at the time */

static struct {
	const struct export_format *format;
	const char *output;
	struct run_filter filter;
	struct traces traces;
} export;

static const struct export_format *const formats[] = {
	&export_csv,    &export_chrome, &export_perfetto,
	&export_folded, &export_otf2,   &export_paraver,
};

static bool set_format(const struct option_spec *option, const char *value)
{
	(void)option;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(value, formats[i]->name) == 0)
			export.format = formats[i];
	return export.format != NULL;
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
		{ "format", 'f', "FORMAT",
		  "csv, chrome, perfetto, otf2, paraver or folded",
		  "csv: a line for each event (the default); chrome: JSON for "
		  "chrome://tracing or Speedscope; perfetto: Perfetto's own "
		  "format; otf2: a folder for Vampir, Vite and others; "
		  "paraver: FILE.prv, .pcf and .row; folded: time by call "
		  "path, for flame graphs",
		  .set = set_format },
		{ "output", 'o', "FILE", "a file",
		  "write to FILE, a new folder for otf2; default: standard "
		  "output",
		  OPTION_TEXT(&export.output) },
		{ "rank", 'r', "LIST", "a list like 0,4-7",
		  "export only these ranks: a list like 0,4-7",
		  .set = set_rank },
		{ 0 },
	};

	return list;
}

/* Not into events that are shown on the terminal. */
static void show_progress(size_t file, uint64_t events)
{
	char line[96];

	if (events % PROGRESS || isatty(STDOUT_FILENO) || !say_progress_due())
		return;
	snprintf(line, sizeof(line),
		 "exporting trace %zu of %zu: %" PRIu64 " events", file + 1,
		 export.traces.files.n, events);
	say_progress(line);
}

static void process_put(size_t file)
{
	struct traces_process process;
	struct trace_event event;
	uint64_t n = 0;

	if (traces_begin(&export.traces, file, &process) != 0)
		return;
	export.format->process(&process);
	while (!ferror(stdout) && trace_next(process.reader, &event) == 1) {
		export.format->event(&process, &event);
		show_progress(file, ++n);
	}
	export.format->process_end(&process);
	traces_end(&export.traces, &process);
}

static int put_all(void)
{
	int rc = export.format->begin(export.output);

	/* No other thread writes: that saves a tenth of the time. */
	__fsetlocking(stdout, FSETLOCKING_BYCALLER);
	if (rc != 0)
		return rc;
	for (size_t i = 0; i < export.traces.files.n && !ferror(stdout); i++)
		process_put(i);
	rc = export.format->end(export.traces.lost);
	say_progress(NULL);
	return rc;
}

static int export_of(const char *path)
{
	int rc;

	if (export.format->all)
		return export.format->all(path, &export.filter, export.output);
	rc = traces_open(&export.traces, path, &export.filter);
	if (rc != 0)
		return rc;
	if (export.output && !export.format->makes_folder)
		rc = output_to(export.output);
	if (rc == 0)
		rc = put_all();
	traces_close(&export.traces);
	return rc;
}

static int export_run(int argc, char **argv)
{
	char newest[PATH_MAX];
	const char *path = records_one(argc, argv, newest);
	int status;

	if (!path)
		return 2;
	if (!export.format)
		export.format = &export_csv;
	status = export_of(path) == 0 ? 0 : 2;
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

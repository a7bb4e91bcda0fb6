/* SPDX-License-Identifier: BSD-3-Clause */

/* Opens the traces of a record, all at once, since they are read together. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/replay/replay_inside.h"

/* A file stays open for each rank. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* After an error the trace is closed. */
static int begin_whole(struct traces *traces, size_t file,
		       struct traces_process *process)
{
	int rc = traces_begin(traces, file, process);

	if (rc != 0)
		return rc;
	rc = traces_check_whole(process);
	if (rc != 0) {
		trace_close(process->reader);
		process->reader = NULL;
	}
	return rc;
}

static int open_traces(struct replay *replay)
{
	const struct run_filter all = { 0 };
	struct replay_source *source;
	int rc = traces_open(&replay->traces, replay->path, &all);

	if (rc != 0)
		return rc;
	replay->n = (uint32_t)replay->traces.files.n;
	rc = replay_comms_read(&replay->comms, &replay->traces);
	replay->sources = mem_alloc(replay->n, sizeof(*replay->sources));
	while (rc == 0 && replay->n_open < replay->n) {
		source = &replay->sources[replay->n_open];
		source->choice = replay->choice;
		source->events.comms = &replay->comms;
		rc = begin_whole(&replay->traces, replay->n_open,
				 &source->events.of);
		replay->n_open += rc == 0;
	}
	return rc;
}

/* The first process of each host begins at 0. */
static int begin_sources(struct replay *replay)
{
	uint64_t *zero = mem_alloc(replay->traces.n_hosts, sizeof(*zero));
	struct replay_source *source;
	int rc = 0;

	memset(zero, 0xff, replay->traces.n_hosts * sizeof(*zero));
	for (uint32_t i = 0; rc == 0 && i < replay->n; i++) {
		source = &replay->sources[i];
		if (!replay_source_begin(source)) {
			say_error("%s: has no event",
				  trace_path(source->events.of.reader));
			rc = -EINVAL;
		} else if (source->start < zero[source->events.of.host]) {
			zero[source->events.of.host] = source->start;
		}
	}
	for (uint32_t i = 0; rc == 0 && i < replay->n; i++)
		replay_source_offset(&replay->sources[i],
				     zero[replay->sources[i].events.of.host]);
	free(zero);
	return rc;
}

int replay_open(struct replay *replay)
{
	int rc;

	allow_files();
	rc = open_traces(replay);
	return rc == 0 ? begin_sources(replay) : rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs report --timeline`: the trace of a run as letters, ranks over time. */
#include <stdio.h>

#include "analyzer/report/report_choice.h"
#include "analyzer/trace/timeline.h"

#define EVENTS 8000000 /* some 100 bytes each, with their messages */

int report_timeline(const char *path, bool several)
{
	struct timeline timeline;
	const int rc = timeline_load(&timeline, path, &report_choice.filter,
				     EVENTS);

	if (rc != 0)
		return rc;
	if (several)
		printf("%s:\n", path);
	timeline_text(&timeline, stdout, report_choice.options.width);
	if (timeline.is_cut)
		printf("The trace goes on: these are its first %zu calls.\n",
		       timeline.n_events);
	timeline_clear(&timeline);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* The sections of a report, in the order in which they are shown. */
#include "analyzer/report/report.h"

/* In words for people, and as it is for programs. */
static void run_section(struct report *report)
{
	if (report->options->machine)
		report_run(report);
	else
		report_head(report);
}

#define ALWAYS (REPORT_USUAL | REPORT_JSON)

const struct report_section report_sections[] = {
	{ "run", ALWAYS | REPORT_CALLS, run_section },
	{ "now", ALWAYS, report_now },
	{ "tail", ALWAYS, report_tail },
	{ "findings", ALWAYS, report_findings },
	{ "notes", ALWAYS, report_notes },
	{ "account", ALWAYS, report_account },
	{ "efficiencies", ALWAYS, report_efficiencies },
	{ "ranks", REPORT_JSON, report_by_rank },
	{ "threads", ALWAYS, report_threads },
	{ "primitives", ALWAYS | REPORT_CALLS, report_primitives },
	{ "sites", ALWAYS | REPORT_CALLS, report_sites },
	{ "peers", ALWAYS, report_peers },
	{ "matrix", 0, report_matrix },
	{ "communicators", ALWAYS, report_comms },
	{ "traffic", ALWAYS | REPORT_CALLS, report_traffic },
	{ "sizes", ALWAYS | REPORT_CALLS, report_sizes },
	{ "phases", ALWAYS, report_phases },
	{ "waits", REPORT_TRACE, report_waits },
	{ "windows", REPORT_TRACE, report_windows },
	{ "distributions", REPORT_JSON | REPORT_CALLS, report_distributions },
	{ NULL, 0, NULL },
};

/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs hang`: which calls the ranks of a running job are in. */
#include <stdlib.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/hang/hang_job.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/show/output.h"

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		REPORT_OPTION_TOP("10"),
		REPORT_OPTION_WIDTH,
		REPORT_OPTION_COLOR,
		REPORT_OPTION_JSON("print a row for each call as JSON"),
		REPORT_OPTION_CSV("print a row for each call as CSV"),
		{ 0 },
	};

	return list;
}

static int show(struct hang_job *job)
{
	struct run *run;

	if (hang_job_read(job, &run) != 0)
		return 2;
	report_calls_under_way(run);
	run_free(run);
	say_rest();
	return output_end();
}

static int hang(int argc, char **argv)
{
	struct hang_job job;
	int rc = 2;

	if (argc != 1) {
		say_error("takes one operand: a process or a record's folder");
		return 2;
	}
	if (!options_one_at_most(OPTIONS("csv", "json")))
		return 2;
	options_drop_slashes(argv[0]);
	if (hang_job_find(&job, argv[0]) == 0)
		rc = show(&job);
	hang_job_end(&job);
	return rc;
}

const struct verb verb_hang = {
	.name = "hang",
	.summary = "show which calls the ranks of a running job are in",
	.operands = "PID|DIR",
	.about =
		"Shows which call of MPI each rank of a running job is in: for "
		"how long, for what,\nwhere, and which ranks of a collective's "
		"communicator are not in it; also a deadlock that\nwas found "
		"(BCS_DEADLOCK=report).  PID is a rank, mpiexec or bcs run; "
		"DIR is the folder\nof the record.  The job is not touched: "
		"only its flight recorders, files of its last\ncalls "
		"(BCS_FLIGHT), are read.  Those of ranks on other machines "
		"may be out of date.\n",
	.options = options,
	.run = hang,
};

/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs advise`: which blocking calls to make nonblocking, and what it gains. */
#include <limits.h>

#include "analyzer/advise/advise.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/verb.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/run/records.h"
#include "analyzer/show/output.h"

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		REPORT_OPTION_TOP("10"),
		REPORT_OPTION_WIDTH,
		REPORT_OPTION_COLOR,
		REPORT_OPTION_JSON("print all of it as one JSON document"),
		{ 0 },
	};

	return list;
}

static void show(const struct advise *advise)
{
	struct table *tables[ADVISE_TABLES];
	const size_t n = advise_tables(advise, tables,
				       report_choice.options.top);

	report_choice_tables(tables, n);
	for (size_t i = 0; i < n; i++)
		table_free(tables[i]);
}

static int advise_on(char *path)
{
	struct advise advise;
	struct run *run;
	int rc;

	options_drop_slashes(path);
	rc = run_load(&run, path, NULL);
	if (rc != 0)
		return rc;
	rc = advise_load(&advise, run);
	if (rc == 0) {
		show(&advise);
		advise_clear(&advise);
	}
	run_free(run);
	return rc;
}

static int advise(int argc, char **argv)
{
	char newest[PATH_MAX];
	char *path = records_one(argc, argv, newest);
	int status;

	if (!path)
		return 2;
	report_choice_look();
	status = advise_on(path) == 0 ? 0 : 2;
	say_rest();
	return output_end() ? 2 : status;
}

const struct verb verb_advise = {
	.name = "advise",
	.summary =
		"tell which blocking calls to make nonblocking, and the gain",
	.operands = "[DIR]",
	.about =
		"Reads the trace in DIR, or in the newest *.bcs of the current "
		"folder, and tells\nwhich blocking calls to make nonblocking: "
		"where, how, and what the run would gain.\nLists apart the "
		"waiting that no other call would shorten.\n\nMake a trace "
		"with bcs run --advise, which also records where the "
		"program\nuses buffers again.  With a trace of bcs run "
		"--trace the advice says less.\n",
	.options = options,
	.run = advise,
};

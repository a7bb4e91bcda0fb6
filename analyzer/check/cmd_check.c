/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs check`: what is wrong with an MPI program, from its record or a run. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/say.h"
#include "analyzer/check/check.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/launch/advice.h"
#include "analyzer/launch/launch.h"
#include "analyzer/launch/setup.h"
#include "analyzer/run/records.h"
#include "analyzer/show/output.h"

static struct {
	bool json;
	const char *sarif;
	const char *suppress;
} choice;

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		{ "suppress", 0, "FILE", "a file",
		  "leave out what FILE lists: each line has a finding and, "
		  "optionally, a pattern of its place",
		  OPTION_TEXT(&choice.suppress) },
		{ "sarif", 0, "FILE", "a file",
		  "write the findings to FILE as SARIF 2.1.0, too",
		  OPTION_TEXT(&choice.sarif) },
		{ "json", 0, NULL, NULL, "print the findings as JSON",
		  OPTION_FLAG(&choice.json) },
		{ 0 },
	};

	return list;
}

/* Adds the records that the command left; the number of them. */
static size_t add_records(struct check *check, const struct records *records)
{
	char **paths;
	const size_t n = records_list(records, &paths);
	size_t added = 0;

	for (size_t i = 0; i < n; i++) {
		added += check_add(check, paths[i]) == 0;
		free(paths[i]);
	}
	free(paths);
	return added;
}

/* Runs a command and adds what it left; *status is the command's. */
static int run(struct check *check, char **command, int *status)
{
	struct settings settings;
	struct records records;
	size_t n = 0;
	char *why;

	/* There more is known of messages and collectives. */
	setenv("BCS_MODE", "demand", 0);
	setenv("BCS_STRICT", "buffers", 0);
	if (setup_run(&settings, command) != 0)
		return 2;
	records_begin(&records, settings.out, settings.job);
	*status = launch(command, settings.dump_signal, &records, NULL);
	if (*status != 126 && *status != 127)
		n = add_records(check, &records);
	if (n == 0 && *status != 126 && *status != 127) {
		why = advice_no_record(command, *status);
		say_error("no record appeared in %s: %s", settings.out, why);
		free(why);
	}
	records_end(&records);
	return n > 0 ? 0 : 2;
}

static int add_folders(struct check *check, int argc, char **argv)
{
	char newest[PATH_MAX];
	char *one[] = { newest };

	if (argc == 0) {
		if (records_newest(newest) != 0)
			return 2;
		argc = 1;
		argv = one;
	}
	for (int i = 0; i < argc; i++) {
		options_drop_slashes(argv[i]);
		if (access(argv[i], F_OK) != 0) {
			say_error("%s: there is no such record (a command "
				  "goes after --)",
				  argv[i]);
			return 2;
		}
		if (check_add(check, argv[i]) != 0)
			return 2;
	}
	return 0;
}

/* Operands are a command if `--` is before them. */
static bool is_command(char **argv)
{
	return strcmp(argv[-1], "--") == 0;
}

static int show(struct check *check, int status)
{
	size_t n = 0;

	if (choice.suppress && check_suppress(check, choice.suppress) != 0)
		return 2;
	if (choice.sarif && check_sarif(check, choice.sarif) != 0)
		return 2;
	say_rest();
	if (choice.json)
		check_json(check);
	else
		check_text(check);
	for (unsigned level = 0; level <= FINDING_NOTE; level++)
		n += check_count(check, level);
	if (output_end() != 0)
		return 2;
	if (n == 0 && status != 0 && check_count_suppressed(check) == 0) {
		say_error("the command ended with status %d", status);
		return 2;
	}
	return n > 0;
}

static int check(int argc, char **argv)
{
	struct check found = { 0 };
	int status = 0;
	int rc;

	if (is_command(argv))
		rc = setup_has_command(argc, "check")
			     ? run(&found, argv, &status)
			     : 2;
	else
		rc = add_folders(&found, argc, argv);
	if (rc == 0)
		rc = show(&found, status);
	check_clear(&found);
	return rc;
}

const struct verb verb_check = {
	.name = "check",
	.summary = "tell what is wrong with an MPI program",
	.operands = "[DIR...]\n"
		    "       bcs check [options] -- COMMAND [ARGUMENT...]",
	.about = "Runs COMMAND, such as `mpiexec -n 4 ./app`, with the "
		 "recording library preloaded,\nor takes the records in DIR, "
		 "and tells which faults of the program they show:\n"
		 "deadlocks, mismatched collective calls, and what was never "
		 "received, completed or\nfreed, each with its "
		 "place and count.  docs/findings.md explains them.\n"
		 "\n"
		 "The exit status is 1 if anything was found, else 0.\n",
	.options = options,
	.run = check,
};

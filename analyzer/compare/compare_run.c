/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * One run of a command: its record is FOLDER/PROGRAM.a3.bcs and what it prints
 * FOLDER/a3.out, for the third run of A.
 */
#include "analyzer/compare/compare_run.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/launch/launch.h"
#include "analyzer/run/records.h"
#include "analyzer/run/run.h"

char *compare_command_text(const struct compare_command *command)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (size_t i = 0; to && command->words[i]; i++)
		fprintf(to, "%s%s", i ? " " : "", command->words[i]);
	if (to && command->mode)
		fprintf(to, ", mode %s", command->mode);
	if (to)
		fclose(to);
	return text ? text : mem_text("");
}

static int say_failed(const struct compare_command *command, unsigned round,
		      const char *why, const char *output)
{
	say_error("run %u of %c %s; what it printed is in %s", round,
		  command->letter, why, output);
	return COMPARE_FAILED;
}

/* A command whose runs make several records has no time of its own. */
static int take_record(struct compare_command *command,
		       const struct records *records, unsigned round,
		       const char *output)
{
	char **paths;
	const size_t n = records_list(records, &paths);
	struct run *run;

	if (n != 1)
		return say_failed(command, round,
				  n ? "made more than one record"
				    : "made no record (only programs of MPICH "
				      "and Open MPI make one)",
				  output);
	if (run_load(&run, paths[0], NULL) != 0)
		return COMPARE_FAILED;
	command->paths[command->n] = paths[0];
	command->walls[command->n++] = (double)run_wall(run);
	run_free(run);
	free(paths);
	return COMPARE_OK;
}

static int end(struct compare_command *command, const struct records *records,
	       unsigned round, bool is_warmup, int status, const char *output)
{
	char why[64];

	if (launch_ended_by() != 0)
		return COMPARE_INTERRUPTED;
	if (status != 0) {
		snprintf(why, sizeof(why), "ended with status %d", status);
		return say_failed(command, round, why, output);
	}
	return is_warmup ? COMPARE_OK
			 : take_record(command, records, round, output);
}

int compare_run(struct compare_command *command, const char *folder,
		unsigned round, bool is_warmup)
{
	char *job = mem_print("%s%c%u", is_warmup ? "warmup-" : "",
			      tolower(command->letter), round);
	char *output = mem_print("%s/%s.out", folder, job);
	struct records records;
	int rc;

	setenv("LD_PRELOAD", command->preload, 1);
	setenv("BCS_OUT", folder, 1);
	setenv("BCS_JOB", job, 1);
	if (command->mode)
		setenv("BCS_MODE", command->mode, 1);
	records_begin(&records, folder, job);
	rc = end(command, &records, round, is_warmup,
		 launch(command->words, 0, &records, output), output);
	records_end(&records);
	free(output);
	free(job);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs run`: sets the environment of the preload from the options, runs the
 * command, and tells which records it left.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/launch/advice.h"
#include "analyzer/launch/launch.h"
#include "analyzer/launch/setup.h"
#include "analyzer/run/records.h"
#include "mds/settings/settings.h"

#define PREFIX      "BCS_"
#define OPTIONS_MAX 64
#define NAME_ROOM   32

/* BCS_CALLSITE_DEPTH is --callsite-depth. */
static void option_name(char *name, const char *variable)
{
	const char *from = variable + strlen(PREFIX);

	for (; *from; from++)
		*name++ = *from == '_' ? '-' : (char)tolower(*from);
	*name = '\0';
}

static const struct setting *setting_of(const struct option_spec *option)
{
	char name[NAME_ROOM];
	const struct setting *setting = settings_table;

	for (; setting->name; setting++) {
		option_name(name, setting->name);
		if (strcmp(name, option->name) == 0)
			break;
	}
	return setting;
}

/* The preload reads it from the environment, with the same parser. */
static bool set_setting(const struct option_spec *option, const char *value)
{
	const struct setting *setting = setting_of(option);
	struct settings scratch;

	if (!value) /* of a switch */
		value = "on";
	if (!setting->set(&scratch, value))
		return false;
	setenv(setting->name, value, 1);
	return true;
}

/* Options that mean "on" without a value. */
static bool is_switch(const char *name)
{
	return strcmp(name, "trace") == 0 || strcmp(name, "advise") == 0;
}

static void option_of(struct option_spec *option, char *name,
		      const struct setting *setting)
{
	const bool fallback = *setting->fallback != '\0';

	option_name(name, setting->name);
	*option = (struct option_spec){
		.name = name,
		.letter = strcmp(name, "out") == 0 ? 'o' : '\0',
		.argument = is_switch(name) ? "[=VALUE]" : "VALUE",
		.values = setting->values,
		.doc = mem_print("%s (%s%s%s)", setting->doc, setting->values,
				 fallback ? "; default " : "",
				 setting->fallback),
		.set = set_setting,
	};
}

static const struct option_spec *run_options(void)
{
	static struct option_spec options[OPTIONS_MAX + 1];
	static char names[OPTIONS_MAX][NAME_ROOM];

	if (options[0].name)
		return options;
	for (int i = 0; i < OPTIONS_MAX && settings_table[i].name; i++)
		option_of(&options[i], names[i], &settings_table[i]);
	return options;
}

static bool has_slices(const struct settings *settings)
{
	return settings->emds != SETTINGS_EMDS_OFF &&
	       settings->mode != SETTINGS_OBSERVE;
}

/* The commands that show what is in the record. */
static char *see_it(const struct settings *settings, const char *path)
{
	const bool is_there[] = { settings->mmds, has_slices(settings),
				  settings->trace, settings->advise };
	static const char *const verbs[] = { "report", "slices", "export",
					     "advise" };
	char *all = mem_text("");
	char *more;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (!is_there[i])
			continue;
		more = mem_print("%s%sbcs %s %s", all, *all ? ", " : "",
				 verbs[i], path);
		free(all);
		all = more;
	}
	return all;
}

static void say_record(const struct settings *settings, const char *path)
{
	char *verbs = see_it(settings, path);

	if (!records_has_file(path))
		say_error("the record %s is empty: no process %s", path,
			  settings->flight ? "that records came to the end of "
					     "MPI_Init"
					   : "wrote its file");
	else
		say_error("the record is %s; see it with: %s", path, verbs);
	free(verbs);
}

static void say_records(const struct settings *settings,
			const struct records *records, char *const *command,
			int status)
{
	char here[PATH_MAX];
	char *why;
	char **paths;
	const size_t n = records_list(records, &paths);

	for (size_t i = 0; i < n; i++) {
		say_record(settings, records_short(paths[i], here));
		free(paths[i]);
	}
	free(paths);
	if (n > 0)
		return;
	why = advice_no_record(command, status);
	say_error("no record appeared in %s: %s", records->out, why);
	free(why);
}

static void say_end(const struct settings *settings,
		    const struct records *records, char *const *command,
		    int status)
{
	if (settings->mmds || has_slices(settings))
		say_records(settings, records, command, status);
	else
		say_error("no record was made: the recording is off (--mmds, "
			  "BCS_MMDS)");
}

static int run(int argc, char **argv)
{
	struct settings settings;
	struct records records;
	int status;

	if (!setup_has_command(argc, "run") || setup_run(&settings, argv) != 0)
		return 2;
	records_begin(&records, settings.out, settings.job);
	status = launch(argv, settings.dump_signal, &records, NULL);
	if (status != 126 && status != 127)
		say_end(&settings, &records, argv, status);
	records_end(&records);
	return status;
}

const struct verb verb_run = {
	.name = "run",
	.summary = "run a command and record the MPI programs in it",
	.operands = "[--] COMMAND [ARGUMENT...]",
	.about = "Runs COMMAND, such as `mpiexec -n 4 ./app`, with the "
		 "recording "
		 "library\npreloaded, and says where the record is.  Every "
		 "option "
		 "sets the variable of its\nname: --callsite-depth sets "
		 "BCS_CALLSITE_DEPTH.\n"
		 "\n"
		 "An interrupt makes all processes write their records before "
		 "it "
		 "is passed on;\nSIGUSR2 makes them write and go on.  The exit "
		 "status is that of COMMAND.\n",
	.first_ends = true,
	.options = run_options,
	.run = run,
};

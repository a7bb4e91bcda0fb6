/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds a verb by its name, prints its help and runs it. */
#include <stdio.h>
#include <string.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/show/output.h"
#include "mds/base/nearest.h"

#define VERBS_MAX 32

static const char *last_word(const struct verb *verb)
{
	const char *space = strrchr(verb->name, ' ');

	return space ? space + 1 : verb->name;
}

const struct verb *verb_find(const struct verb *const *verbs, const char *name)
{
	while (*verbs && strcmp(last_word(*verbs), name) != 0)
		verbs++;
	return *verbs;
}

void verb_say_unknown(const struct verb *const *verbs, const char *name,
		      const char *what, const char *help)
{
	const char *names[VERBS_MAX + 1] = { NULL };
	const char *found;

	for (size_t i = 0; i < VERBS_MAX && verbs[i]; i++)
		names[i] = last_word(verbs[i]);
	found = nearest_name(name, names);
	if (found)
		say_error("there is no %s '%s': did you mean '%s'? (see %s)",
			  what, name, found, help);
	else
		say_error("there is no %s '%s' (see %s)", what, name, help);
}

void verb_list(const struct verb *const *verbs)
{
	for (; *verbs; verbs++)
		printf("  %-10s %s\n", last_word(*verbs), (*verbs)->summary);
}

static const struct option_spec *options_of(const struct verb *verb)
{
	static const struct option_spec none[] = { { 0 } };

	return verb->options ? verb->options() : none;
}

static int help(const struct verb *verb)
{
	printf("usage: bcs %s %s%s\n\n%s", verb->name,
	       verb->verbs ? "" : "[options] ", verb->operands, verb->about);
	if (verb->verbs) {
		printf("\nverbs:\n");
		verb_list(verb->verbs);
	}
	printf("\noptions:\n");
	options_help(options_of(verb), stdout);
	return output_end();
}

static const struct verb *inner(const struct verb *verb, const char *name)
{
	const struct verb *found = verb_find(verb->verbs, name);

	if (!found)
		verb_say_unknown(verb->verbs, name, "verb or option", "--help");
	return found;
}

int verb_help(const struct verb *verb, int argc, char **argv)
{
	say_as(verb->name);
	if (!verb->verbs || argc < 2)
		return help(verb);
	verb = inner(verb, argv[1]);
	return verb ? verb_help(verb, argc - 1, argv + 1) : 2;
}

/* A verb of verbs has no options of its own but --help. */
static int run_inner(const struct verb *verb, int argc, char **argv)
{
	if (argc < 2) {
		say_error("which verb? (see --help)");
		return 2;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(verb);
	verb = inner(verb, argv[1]);
	return verb ? verb_start(verb, argc - 1, argv + 1) : 2;
}

int verb_start(const struct verb *verb, int argc, char **argv)
{
	int at;

	say_as(verb->name);
	if (verb->verbs)
		return run_inner(verb, argc, argv);
	at = options_parse(options_of(verb), argc, argv, verb->first_ends);
	if (at == OPTIONS_HELP)
		return help(verb);
	if (at == OPTIONS_BAD)
		return 2;
	return verb->run(argc - at, argv + at);
}

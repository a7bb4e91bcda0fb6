/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "analyzer/options.h"
#include "analyzer/output.h"
#include "analyzer/say.h"
#include "analyzer/verb.h"

static const struct verb *const verbs[] = { &verb_run,  &verb_report,
					    &verb_diff, &verb_slices,
					    &verb_tree, &verb_bench };
#define N_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static const struct verb *verb_find(const char *name)
{
	for (size_t i = 0; i < N_VERBS; i++)
		if (strcmp(verbs[i]->name, name) == 0)
			return verbs[i];
	return NULL;
}

static int help_all(void)
{
	printf("usage: bcs VERB [options] ...\n"
	       "\n"
	       "Records what an MPI program spends its time on, and shows it.\n"
	       "\n"
	       "verbs:\n");
	for (size_t i = 0; i < N_VERBS; i++)
		printf("  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
	printf("  %-10s %s\n", "help", "tell about a verb: bcs help VERB");
	printf("\n"
	       "options:\n"
	       "      --version            the version of bcs\n"
	       "  -h, --help               this text\n");
	return output_end();
}

static int help_verb(const struct verb *verb)
{
	printf("usage: bcs %s [options] %s\n\n%s\noptions:\n", verb->name,
	       verb->operands, verb->about);
	options_help(verb->options(), stdout);
	return output_end();
}

static int help(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 2)
		return help_all();
	verb = verb_find(argv[1]);
	if (verb)
		return help_verb(verb);
	say_error("there is no verb '%s' (see bcs --help)", argv[1]);
	return 2;
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
	int at;

	say_as(verb->name);
	at = options_parse(verb->options(), argc, argv, verb->first_ends);
	if (at == OPTIONS_HELP)
		return help_verb(verb);
	if (at == OPTIONS_BAD)
		return 2;
	return verb->run(argc - at, argv + at);
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	const struct verb *verb = verb_find(word);

	if (verb)
		return run_verb(verb, argc - 1, argv + 1);
	if (strcmp(word, "help") == 0)
		return help(argc - 1, argv + 1);
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return help_all();
	if (strcmp(word, "--version") == 0) {
		printf("bcs %s\n", BCS_VERSION);
		return output_end();
	}
	if (*word == '\0')
		say_error("which verb? (see bcs --help)");
	else
		say_error("there is no verb or option '%s' (see bcs --help)",
			  word);
	return 2;
}

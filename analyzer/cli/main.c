/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The command `bcs`: the list of verbs, and the start of the one that was asked
 * for.
 */
#include <stdio.h>
#include <string.h>

#include "analyzer/base/say.h"
#include "analyzer/cli/verb.h"
#include "analyzer/show/output.h"

static const struct verb *const verbs[] = {
	&verb_run,    &verb_report, &verb_check, &verb_advise,  &verb_hang,
	&verb_top,    &verb_html,   &verb_diff,  &verb_compare, &verb_slices,
	&verb_export, &verb_merge,  &verb_tree,  &verb_model,   &verb_bench,
	&verb_doctor, NULL,
};

static int help_all(void)
{
	printf("usage: bcs VERB [options] ...\n"
	       "\n"
	       "Records what an MPI program spends its time on, and shows it.\n"
	       "\n"
	       "verbs:\n");
	verb_list(verbs);
	printf("  %-10s %s\n", "help", "tell about a verb: bcs help VERB");
	printf("\n"
	       "options:\n"
	       "      --version            the version of bcs\n"
	       "  -h, --help               this text\n");
	return output_end();
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int help(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 2 || is_help(argv[1]))
		return help_all();
	verb = verb_find(verbs, argv[1]);
	if (verb)
		return verb_help(verb, argc - 1, argv + 1);
	verb_say_unknown(verbs, argv[1], "verb", "bcs --help");
	return 2;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	const struct verb *verb = verb_find(verbs, word);

	if (verb)
		return verb_start(verb, argc - 1, argv + 1);
	if (strcmp(word, "help") == 0)
		return help(argc - 1, argv + 1);
	if (is_help(word))
		return help_all();
	if (strcmp(word, "--version") == 0) {
		printf("bcs %s\n", BCS_VERSION);
		return output_end();
	}
	if (*word == '\0')
		say_error("which verb? begin with: bcs run -- mpiexec -n 4 "
			  "./app (see bcs --help)");
	else
		verb_say_unknown(verbs, word, "verb or option", "bcs --help");
	return 2;
}

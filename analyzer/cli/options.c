/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Parses the options of a verb by its table, and prints the help from the same
 * table.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "mds/base/nearest.h"

#define LONG_ONLY  256 /* plus its place: what getopt returns for an option */
#define DOC_COLUMN 27
#define WIDTH      79

/* The options of the command line, as often as they were given. */
static struct {
	const char **names;
	size_t n;
	size_t room;
} given;

static int n_options(const struct option_spec *options)
{
	int n = 0;

	while (options[n].name)
		n++;
	return n;
}

static struct option *long_options(const struct option_spec *options)
{
	const int n = n_options(options);
	struct option *longs = mem_alloc((size_t)n + 2, sizeof(*longs));

	for (int i = 0; i < n; i++)
		longs[i] = (struct option){
			.name = options[i].name,
			.has_arg = !options[i].argument ? no_argument
				   : *options[i].argument == '['
					   ? optional_argument
					   : required_argument,
			.val = LONG_ONLY + i,
		};
	longs[n] = (struct option){ .name = "help", .val = LONG_ONLY + n };
	return longs;
}

static void short_options(const struct option_spec *options, bool first_ends,
			  char *letters)
{
	if (first_ends)
		*letters++ = '+';
	*letters++ = ':';
	*letters++ = 'h';
	for (; options->name; options++) {
		if (!options->letter)
			continue;
		*letters++ = options->letter;
		if (options->argument)
			*letters++ = ':';
	}
	*letters = '\0';
}

static int place_of(const struct option_spec *options, int returned)
{
	int i = 0;

	if (returned >= LONG_ONLY)
		return returned - LONG_ONLY;
	/* -h is none of them: it has the place behind the last, as --help. */
	while (options[i].name && options[i].letter != returned)
		i++;
	return i;
}

/* The option that `word`, --NAME or --NAME=VALUE, was probably meant to be. */
static const char *nearest(const struct option_spec *options, const char *word)
{
	const int n = n_options(options);
	const char **names = mem_alloc((size_t)n + 2, sizeof(*names));
	const char *name = word + strspn(word, "-");
	char *mistyped = mem_print("%.*s", (int)strcspn(name, "="), name);
	const char *found;

	for (int i = 0; i < n; i++)
		names[i] = options[i].name;
	names[n] = "help";
	found = nearest_name(mistyped, names);
	free(mistyped);
	free(names);
	return found;
}

static void say_unknown(const struct option_spec *options, const char *word)
{
	const char *name = nearest(options, word);

	if (name)
		say_error("there is no option %s, or it is not unique: did you "
			  "mean '--%s'? (see --help)",
			  word, name);
	else
		say_error("there is no option %s, or it is not unique "
			  "(see --help)",
			  word);
}

static void say_bad(const struct option_spec *options, int returned,
		    char **argv)
{
	const char *word = argv[optind - 1];

	if (returned == ':')
		say_error("%s wants a value (see --help)", word);
	else if (optopt >= LONG_ONLY)
		say_error("%s takes no value (see --help)", word);
	else if (optopt)
		say_error("there is no option -%c (see --help)", optopt);
	else
		say_unknown(options, word);
}

static void say_not_taken(const struct option_spec *option, const char *value)
{
	if (option->values)
		say_error("--%s=%s is not taken; it can be %s", option->name,
			  value, option->values);
	else
		say_error("--%s=%s is not taken; it can be %zu to %zu",
			  option->name, value, option->min, option->max);
}

static bool take(const struct option_spec *option, const char *value)
{
	given.names = mem_grow(given.names, &given.room, given.n,
			       sizeof(*given.names));
	given.names[given.n++] = option->name;
	if (option->set(option, value))
		return true;
	say_not_taken(option, value);
	return false;
}

int options_parse(const struct option_spec *options, int argc, char **argv,
		  bool first_ends)
{
	struct option *longs = long_options(options);
	const int help = n_options(options);
	char letters[128];
	int rc = 0;
	int c;
	int i;

	short_options(options, first_ends, letters);
	optind = 0;
	while (rc == 0 &&
	       (c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		i = place_of(options, c);
		if (c == '?' || c == ':') {
			say_bad(options, c, argv);
			rc = OPTIONS_BAD;
		} else if (i == help) {
			rc = OPTIONS_HELP;
		} else if (!take(&options[i], optarg)) {
			rc = OPTIONS_BAD;
		}
	}
	free(longs);
	return rc ? rc : optind;
}

bool options_given(const char *name)
{
	for (size_t i = 0; i < given.n; i++)
		if (strcmp(given.names[i], name) == 0)
			return true;
	return false;
}

bool options_one_at_most(const char *const names[])
{
	const char *first = NULL;

	for (; *names; names++) {
		if (!options_given(*names))
			continue;
		if (first) {
			say_error("--%s or --%s, not both", first, *names);
			return false;
		}
		first = *names;
	}
	return true;
}

bool options_none(const char *const names[], const char *where)
{
	for (; *names; names++)
		if (options_given(*names)) {
			say_error("--%s has no effect %s", *names, where);
			return false;
		}
	return true;
}

/* Words from column `at` on, wrapped before the end of the line. */
static void wrap(const char *text, int at, FILE *to)
{
	int column = at;
	int len;

	for (; *text; text += len + (text[len] == ' ')) {
		len = (int)strcspn(text, " ");
		if (column > at && column + 1 + len > WIDTH) {
			fprintf(to, "\n%*s", at, "");
			column = at;
		}
		column += fprintf(to, "%s%.*s", column > at ? " " : "", len,
				  text);
	}
	fputc('\n', to);
}

static void help_line(const struct option_spec *option, FILE *to)
{
	int column = 0;

	if (option->letter)
		column += fprintf(to, "  -%c, ", option->letter);
	else
		column += fprintf(to, "      ");
	column += fprintf(to, "--%s%s%s", option->name,
			  option->argument && *option->argument != '[' ? "="
								       : "",
			  option->argument ? option->argument : "");
	if (column + 2 > DOC_COLUMN) {
		fputc('\n', to);
		column = 0;
	}
	fprintf(to, "%*s", DOC_COLUMN - column, "");
	wrap(option->doc, DOC_COLUMN, to);
}

void options_help(const struct option_spec *options, FILE *to)
{
	static const struct option_spec help = {
		.name = "help",
		.letter = 'h',
		.doc = "this text",
	};

	for (; options->name; options++)
		help_line(options, to);
	help_line(&help, to);
}

void options_drop_slashes(char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		path[--len] = '\0';
}

bool options_number(const char *text, unsigned long min, unsigned long max,
		    unsigned long *number)
{
	unsigned long n;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || *end || n < min || n > max)
		return false;
	*number = n;
	return true;
}

bool options_each(const char *list, bool (*one)(const char *word, size_t len))
{
	size_t len;

	do {
		len = strcspn(list, ",");
		if (!one(list, len))
			return false;
		list += len;
	} while (*list++ == ',');
	return true;
}

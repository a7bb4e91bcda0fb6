/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_OPTIONS_H
#define BCS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * The options of a verb: one table that the parser and the help are made of.
 * It ends with a name of NULL.  `-h` and `--help` are understood beside it.
 */
struct option_spec {
	const char *name; /* without the dashes */
	char letter;      /* 0: none */
	/* What help calls it, "[=IT]" if it may be left out; NULL: takes none.
	 */
	const char *argument;
	const char *values; /* that can be taken, told when one cannot */
	const char *doc;
	/* Takes `value` over, NULL if it was left out; false if it cannot be
	 * taken. */
	bool (*set)(const struct option_spec *option, const char *value);
};

enum { OPTIONS_BAD = -1, OPTIONS_HELP = -2 };

/*
 * Returns the place of the first operand; OPTIONS_HELP if help was asked for;
 * OPTIONS_BAD after it has said what is wrong.  Operands are moved behind the
 * options, unless the first operand is to end them.
 */
int options_parse(const struct option_spec *options, int argc, char **argv,
		  bool first_ends);

/* Names of options, for the next three. */
#define OPTIONS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/*
 * What options that were parsed have to do with each other.  Those that return
 * false have said what is wrong: of the options two were given; or one was,
 * which has no effect there ("with --csv").
 */
bool options_given(const char *name);
bool options_one_at_most(const char *const names[]);
bool options_none(const char *const names[], const char *where);

void options_help(const struct option_spec *options, FILE *to);

/* Of the name of a folder: completion in the shell leaves one at its end. */
void options_drop_slashes(char *path);

/* The words of a list with commas between; false if one cannot be taken. */
bool options_each(const char *list, bool (*one)(const char *word, size_t len));

/* A number within limits; false if `text` is none. */
bool options_number(const char *text, unsigned long min, unsigned long max,
		    unsigned long *number);

#endif

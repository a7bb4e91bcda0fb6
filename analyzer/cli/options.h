/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_OPTIONS_H
#define BCS_OPTIONS_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * The options of a verb: one table that the parser and the help are made of.
 * It ends with a name of NULL.  `-h` and `--help` are understood beside it.
 *
 * A row's last field says what values the option takes: one of the OPTION_...
 * types below, or a function of the verb's own.
 */
struct option_spec {
	const char *name; /* without the dashes */
	char letter;      /* 0: none */
	/*
	 * Its name in the help, "[=IT]" for an optional argument; NULL: takes
	 * none.
	 */
	const char *argument;
	/* The values it takes, for the error message; NULL: min to max. */
	const char *values;
	const char *doc;
	/* Takes `value` over, NULL if it was left out; false if it cannot be
	 * taken. */
	bool (*set)(const struct option_spec *option, const char *value);
	/* For the types: where the value goes, and its limits. */
	union {
		bool *flag;
		const char **text;
		size_t *count;
		unsigned *number;
		double *real;
	} to;
	size_t min;
	size_t max;
	double least; /* of a real number */
	double most;
};

/* No value: sets a bool. */
#define OPTION_FLAG(place) .set = option_set_flag, .to.flag = (place)
/* No value: sets an enum, or an unsigned, to `value`. */
#define OPTION_CONSTANT(place, value) \
	.set = option_set_constant, .to.number = (place), .min = (value)
/* Text that is not empty, kept by reference. */
#define OPTION_TEXT(place) .set = option_set_text, .to.text = (place)
/* A whole number within limits: a size_t, or an unsigned. */
#define OPTION_COUNT(place, from, upto)                              \
	.set = option_set_count, .to.count = (place), .min = (from), \
	.max = (upto)
#define OPTION_NUMBER(place, from, upto)                               \
	.set = option_set_number, .to.number = (place), .min = (from), \
	.max = (upto)
/* A real number within limits. */
#define OPTION_REAL(place, from, upto)                               \
	.set = option_set_real, .to.real = (place), .least = (from), \
	.most = (upto)
#define OPTION_ABOVE_1 (1 + DBL_EPSILON) /* the next number after 1 */
/*
 * One of the words in the row's `values`, "one, two or three".  Sets an enum
 * whose members have their order; the first word is `first`.
 */
#define OPTION_WORD(place, first) \
	.set = option_set_word, .to.number = (place), .min = (first)

bool option_set_flag(const struct option_spec *option, const char *value);
bool option_set_constant(const struct option_spec *option, const char *value);
bool option_set_text(const struct option_spec *option, const char *value);
bool option_set_count(const struct option_spec *option, const char *value);
bool option_set_number(const struct option_spec *option, const char *value);
bool option_set_real(const struct option_spec *option, const char *value);
bool option_set_word(const struct option_spec *option, const char *value);

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
 * Checks of options that were parsed.  The last two print an error before they
 * return false.  Either two of the options were given, or one of them has no
 * effect `where` ("with --csv").
 */
bool options_given(const char *name);
bool options_one_at_most(const char *const names[]);
bool options_none(const char *const names[], const char *where);

void options_help(const struct option_spec *options, FILE *to);

/*
 * Removes the slashes at the end of a folder's name, which completion leaves.
 */
void options_drop_slashes(char *path);

/* The words of a list with commas between; false if one cannot be taken. */
bool options_each(const char *list, bool (*one)(const char *word, size_t len));

/* A number within limits; false if `text` is none. */
bool options_number(const char *text, unsigned long min, unsigned long max,
		    unsigned long *number);

#endif

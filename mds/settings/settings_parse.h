/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SETTINGS_PARSE_H
#define BCS_SETTINGS_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#define SETTINGS_SECONDS_MAX 86400

/*
 * Parsers of values.  A list of words ends with NULL.  Those that return bool
 * return false if the value is not one of theirs.
 */

/* The index of `value` in a list of words, or -1. */
int settings_word_in(const char *const words[], const char *value);

/* Parses a decimal number of at most `max`. */
bool settings_parse_number(const char *value, unsigned long max,
			   unsigned long *number);
/* Parses "on" or "off". */
bool settings_parse_switch(const char *value, bool *on);
/* Parses a positive number and a unit, which is steps[i] for units[i]. */
bool settings_parse_amount(const char *value, const char *const units[],
			   const uint64_t steps[], uint64_t *amount);
/* Parses "all", "none", or some words with commas between them, as bits. */
bool settings_parse_some(const char *const words[], const char *value,
			 unsigned *bits);
/* Parses the name of a signal, or "none", which is 0. */
bool settings_parse_signal(const char *value, int *signal);
/*
 * Parses N, or N-M with N <= M, at the start of a list.  Returns the rest of
 * the list, which is empty or begins with a comma, or NULL.
 */
const char *settings_parse_range(const char *list, long *from, long *to);

#endif

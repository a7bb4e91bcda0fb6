/* SPDX-License-Identifier: BSD-3-Clause */

/* Parsers of values that several settings have in common. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "mds/settings/settings_parse.h"

int settings_word_in(const char *const words[], const char *value)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], value) == 0)
			return i;
	return -1;
}

bool settings_parse_number(const char *value, unsigned long max,
			   unsigned long *number)
{
	char *end;

	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	*number = strtoul(value, &end, 10);
	return errno == 0 && *end == '\0' && *number <= max;
}

bool settings_parse_switch(const char *value, bool *on)
{
	const int i = settings_word_in(
		(const char *const[]){ "off", "on", NULL }, value);

	if (i < 0)
		return false;
	*on = i == 1;
	return true;
}

bool settings_parse_amount(const char *value, const char *const units[],
			   const uint64_t steps[], uint64_t *amount)
{
	char *end;
	uint64_t n;
	int i;

	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	n = strtoull(value, &end, 10);
	i = settings_word_in(units, end);
	if (errno || i < 0 || n == 0 || n > UINT64_MAX / steps[i])
		return false;
	*amount = n * steps[i];
	return true;
}

bool settings_parse_some(const char *const words[], const char *value,
			 unsigned *bits)
{
	char word[16];
	unsigned some = 0;
	size_t len;
	int i;

	for (i = 0; strcmp(value, "all") == 0 && words[i]; i++)
		some |= 1u << i;
	if (some != 0 || strcmp(value, "none") == 0)
		value = "";
	for (; *value; value += len + (value[len] == ',')) {
		len = strcspn(value, ",");
		if (len >= sizeof(word))
			return false;
		memcpy(word, value, len);
		word[len] = '\0';
		i = settings_word_in(words, word);
		if (i < 0)
			return false;
		some |= 1u << i;
	}
	*bits = some;
	return true;
}

const char *settings_parse_range(const char *list, long *from, long *to)
{
	char *end;

	if (*list < '0' || *list > '9')
		return NULL;
	*from = *to = strtol(list, &end, 10);
	if (*end == '-') {
		if (end[1] < '0' || end[1] > '9')
			return NULL;
		*to = strtol(end + 1, &end, 10);
	}
	if (*to < *from)
		return NULL;
	return *end == '\0' || (*end == ',' && end[1] != '\0') ? end : NULL;
}

bool settings_parse_signal(const char *value, int *signal)
{
	static const char *const words[] = { "none", "USR1", "USR2",
					     "URG",  "PROF", NULL };
	static const int signals[] = { 0, SIGUSR1, SIGUSR2, SIGURG, SIGPROF };
	const int i = settings_word_in(words, value);

	if (i < 0)
		return false;
	*signal = signals[i];
	return true;
}

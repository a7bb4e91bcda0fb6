/* SPDX-License-Identifier: BSD-3-Clause */

/* Sets the settings of what is recorded, when and where. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/base/hist.h"
#include "mds/emds/emds.h"
#include "mds/settings/settings_parse.h"
#include "mds/settings/settings_set.h"

#define DEPTH_MAX 32

bool settings_set_mmds(struct settings *settings, const char *value)
{
	return settings_parse_switch(value, &settings->mmds);
}

bool settings_set_emds(struct settings *settings, const char *value)
{
	static const char *const words[] = { "off", "on", "every", NULL };
	const int i = settings_word_in(words, value);

	if (i < 0)
		return false;
	settings->emds = (enum settings_emds)i;
	return true;
}

/* Parses N-M, or "all". */
bool settings_set_emds_slices(struct settings *settings, const char *value)
{
	char *end;

	settings->emds_from = 0;
	settings->emds_to = UINT64_MAX;
	if (strcmp(value, "all") == 0)
		return true;
	if (*value < '0' || *value > '9')
		return false;
	settings->emds_from = strtoull(value, &end, 10);
	if (*end != '-' || end[1] < '0' || end[1] > '9')
		return false;
	settings->emds_to = strtoull(end + 1, &end, 10);
	return *end == '\0' && settings->emds_from <= settings->emds_to;
}

static int metric_of(const char *name, size_t len)
{
	for (int i = 0; i < EMDS_COLUMNS; i++) {
		const char *known = emds_names[i];
		const size_t n = strcspn(known, "_");

		if (len == n && strncmp(known, name, n) == 0)
			return i;
	}
	return -1;
}

/* Parses names of columns, without their unit. */
bool settings_set_emds_metrics(struct settings *settings, const char *value)
{
	uint64_t columns = EMDS_BIT(EMDS_SLICE) | EMDS_BIT(EMDS_BEGIN) |
			   EMDS_BIT(EMDS_SLICES);
	size_t len;
	int i;

	if (strcmp(value, "all") == 0) {
		settings->emds_columns = EMDS_ALL;
		return true;
	}
	for (; *value; value += len + (value[len] == ',')) {
		len = strcspn(value, ",");
		i = metric_of(value, len);
		if (i < 0)
			return false;
		columns |= EMDS_BIT(i);
	}
	settings->emds_columns = columns;
	return true;
}

bool settings_set_emds_resolution(struct settings *settings, const char *value)
{
	unsigned long n;

	if (!settings_parse_number(value, 1000000, &n) || n == 0)
		return false;
	settings->emds_resolution = n;
	return true;
}

/* "10000events", "100M" or "60s". */
static bool parse_amount(struct settings_amounts *amounts, const char *word)
{
	static const uint64_t sizes[] = { 1 << 10, 1 << 20, 1 << 30 };
	static const uint64_t times[] = { 1000000, 1000000000 };
	static const uint64_t one[] = { 1 };

	return settings_parse_amount(word,
				     (const char *const[]){ "events", NULL },
				     one, &amounts->events) ||
	       settings_parse_amount(
		       word, (const char *const[]){ "K", "M", "G", NULL },
		       sizes, &amounts->bytes) ||
	       settings_parse_amount(word,
				     (const char *const[]){ "ms", "s", NULL },
				     times, &amounts->ns);
}

/* Amounts with commas between them. */
static bool parse_amounts(struct settings_amounts *amounts, const char *value)
{
	char word[32];
	size_t len;

	for (; *value; value += len + (value[len] == ',')) {
		len = strcspn(value, ",");
		if (len >= sizeof(word))
			return false;
		memcpy(word, value, len);
		word[len] = '\0';
		if (!parse_amount(amounts, word))
			return false;
	}
	return true;
}

static const struct settings_amounts any_amount = {
	UINT64_MAX,
	UINT64_MAX,
	UINT64_MAX,
};

bool settings_set_trace(struct settings *settings, const char *value)
{
	settings->trace_kept = any_amount;
	settings->trace_ring = strncmp(value, "ring:", 5) == 0;
	if (!settings->trace_ring)
		return settings_parse_switch(value, &settings->trace);
	settings->trace = true;
	return value[5] != '\0' &&
	       parse_amounts(&settings->trace_kept, value + 5);
}

bool settings_set_advise(struct settings *settings, const char *value)
{
	return settings_parse_switch(value, &settings->advise);
}

bool settings_set_trace_limit(struct settings *settings, const char *value)
{
	settings->trace_limit = any_amount;
	return strcmp(value, "none") == 0 ||
	       parse_amounts(&settings->trace_limit, value);
}

bool settings_set_depth(struct settings *settings, const char *value)
{
	unsigned long depth;

	if (!settings_parse_number(value, DEPTH_MAX, &depth))
		return false;
	settings->depth = (unsigned)depth;
	return true;
}

bool settings_set_resolution(struct settings *settings, const char *value)
{
	unsigned long bits;

	if (!settings_parse_number(value, HIST_BITS_MAX, &bits))
		return false;
	settings->resolution = (unsigned)bits;
	return true;
}

bool settings_set_metrics(struct settings *settings, const char *value)
{
	static const char *const words[] = { "time",  "size",  "account",
					     "comms", "peers", NULL };

	return settings_parse_some(words, value, &settings->metrics);
}

bool settings_set_dump_signal(struct settings *settings, const char *value)
{
	return settings_parse_signal(value, &settings->dump_signal);
}

bool settings_set_save(struct settings *settings, const char *value)
{
	unsigned long seconds;

	if (!settings_parse_number(value, SETTINGS_SECONDS_MAX, &seconds))
		return false;
	settings->save_s = (int)seconds;
	return true;
}

bool settings_set_flight(struct settings *settings, const char *value)
{
	return settings_parse_switch(value, &settings->flight);
}

bool settings_set_memory(struct settings *settings, const char *value)
{
	static const char *const units[] = { "", "K", "M", "G", NULL };
	char *end;
	uint64_t n;
	int i;

	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	n = strtoull(value, &end, 10);
	i = settings_word_in(units, end);
	if (errno || i < 0 || n > UINT64_MAX >> 30 || n << (10 * i) < 128 << 10)
		return false;
	settings->memory = n << (10 * i);
	return true;
}

bool settings_set_trace_memory(struct settings *settings, const char *value)
{
	static const uint64_t sizes[] = { 1 << 10, 1 << 20, 1 << 30 };

	return settings_parse_amount(
		       value, (const char *const[]){ "K", "M", "G", NULL },
		       sizes, &settings->trace_memory) &&
	       settings->trace_memory >= 128 << 10 &&
	       settings->trace_memory <= (uint64_t)16 << 30;
}

bool settings_set_out(struct settings *settings, const char *value)
{
	settings->out = value;
	return *value != '\0';
}

/* Parses an octal number, as the command umask does. */
bool settings_set_umask(struct settings *settings, const char *value)
{
	const size_t len = strlen(value);

	if (len == 0 || len > 4 || strspn(value, "01234567") != len ||
	    strtoul(value, NULL, 8) > 0777)
		return false;
	settings->umask = (unsigned)strtoul(value, NULL, 8);
	return true;
}

bool settings_set_job(struct settings *settings, const char *value)
{
	settings->job = value;
	return strchr(value, '/') == NULL;
}

bool settings_set_ranks(struct settings *settings, const char *value)
{
	const char *at = value;
	long from;
	long to;

	if (strcmp(value, "all") != 0)
		do {
			at = settings_parse_range(at, &from, &to);
			if (!at)
				return false;
		} while (*at++ == ',');
	settings->ranks = value;
	return true;
}

bool settings_set_calls(struct settings *settings, const char *value)
{
	settings->calls = value;
	return *value != '\0';
}

bool settings_rank_in(const char *list, long rank)
{
	long from;
	long to;

	if (strcmp(list, "all") == 0)
		return true;
	do {
		list = settings_parse_range(list, &from, &to);
		if (list && from <= rank && rank <= to)
			return true;
	} while (list && *list++ == ',');
	return false;
}

bool settings_call_in(const char *list, const char *call)
{
	char pattern[64];
	size_t len;

	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		snprintf(pattern, sizeof(pattern), "%.*s", (int)len, list);
		if (strcmp(pattern, "all") == 0 ||
		    fnmatch(pattern, call, 0) == 0)
			return true;
	}
	return false;
}

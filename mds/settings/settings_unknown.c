/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds what a user mistyped: variables that are nearly a setting, and calls in
 * BCS_CALLS that MPI does not have.  Variables that resemble no setting may
 * belong to other software.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mds/base/nearest.h"
#include "mds/settings/settings.h"

#define PREFIX   "BCS_"
#define SETTINGS 64 /* no more than that are compared */

static void variable_check(const char *name, const char *const *known,
			   void (*warn)(const char *line))
{
	const char *nearest = nearest_name(name, known);
	char line[256];

	if (!nearest || strcmp(nearest, name) == 0)
		return;
	snprintf(line, sizeof(line),
		 PREFIX "%.60s is no setting: did you mean " PREFIX "%s?", name,
		 nearest);
	warn(line);
}

void settings_unknown(void (*warn)(const char *line))
{
	const char *known[SETTINGS + 1] = { NULL };
	const size_t prefix = strlen(PREFIX);
	char name[64];
	size_t len;

	for (int i = 0; i < SETTINGS && settings_table[i].name; i++)
		known[i] = settings_table[i].name + prefix;
	for (char **variable = environ; *variable; variable++) {
		len = strcspn(*variable, "=");
		if (strncmp(*variable, PREFIX, prefix) != 0 ||
		    len - prefix >= sizeof(name))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(len - prefix),
			 *variable + prefix);
		variable_check(name, known, warn);
	}
}

static bool is_of_any(const char *pattern, const char *const *calls)
{
	for (; *calls; calls++)
		if (settings_call_in(pattern, *calls))
			return true;
	return false;
}

void settings_unknown_calls(const char *list, const char *const *calls,
			    void (*warn)(const char *line))
{
	const char *nearest;
	char pattern[64];
	char line[256];
	size_t len;

	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		snprintf(pattern, sizeof(pattern), "%.*s", (int)len, list);
		if (is_of_any(pattern, calls))
			continue;
		nearest = nearest_name(pattern, calls);
		snprintf(line, sizeof(line),
			 "BCS_CALLS: no call of MPI is %s%s%s%s", pattern,
			 nearest ? ": did you mean " : "",
			 nearest ? nearest : "", nearest ? "?" : "");
		warn(line);
	}
}

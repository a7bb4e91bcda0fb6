/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Messages on stderr: errors, warnings that are counted when they become too
 * many, and a line of progress.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/base/say.h"
#include "mds/base/utf8.h"

#define WARNINGS_MAX 10
#define LINE_MAX     2048

static const char *say_verb;
static char warnings[WARNINGS_MAX][LINE_MAX]; /* keys of those said */
static unsigned n_warnings;
static bool in_progress;

void say_as(const char *verb)
{
	say_verb = verb;
}

static void say_line(const char *line)
{
	char shown[UTF8_ESCAPED * LINE_MAX];

	say_progress(NULL);
	utf8_escape(shown, sizeof(shown), line);
	fprintf(stderr, "bcs%s%s: %s\n", say_verb ? " " : "",
		say_verb ? say_verb : "", shown);
}

void say_error(const char *format, ...)
{
	char line[LINE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	say_line(line);
}

/* A verb that reads a file twice would warn of it twice. */
static bool is_said(const char *key)
{
	for (unsigned i = 0; i < n_warnings && i < WARNINGS_MAX; i++)
		if (strcmp(warnings[i], key) == 0)
			return true;
	return false;
}

/* Says the line, unless one of that key was said. */
static void warn(const char *key, const char *line)
{
	if (is_said(key))
		return;
	if (n_warnings < WARNINGS_MAX) {
		snprintf(warnings[n_warnings], LINE_MAX, "%s", key);
		say_line(line);
	}
	n_warnings++;
}

void say_warning(const char *format, ...)
{
	char line[LINE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	warn(line, line);
}

void say_fault(const char *fault, const char *effect)
{
	char line[LINE_MAX];

	snprintf(line, sizeof(line), "%s; %s", fault, effect);
	warn(fault, line);
}

void say_rest(void)
{
	if (n_warnings > WARNINGS_MAX)
		say_error("%u more warnings", n_warnings - WARNINGS_MAX);
	n_warnings = 0;
}

void say_progress(const char *line)
{
	if (!line && !in_progress)
		return;
	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r\033[K%s", line ? line : "");
	in_progress = line != NULL;
}

bool say_progress_due(void)
{
	static time_t shown;
	const time_t now = time(NULL);
	const bool due = now != shown && isatty(STDERR_FILENO);

	shown = now;
	return due;
}

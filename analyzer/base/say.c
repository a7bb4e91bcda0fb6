/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Messages on stderr: errors, warnings that are counted when they become too
 * many, and a line of progress.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/base/say.h"
#include "mds/utf8.h"

#define WARNINGS_MAX 10
#define LINE_MAX     2048

static const char *say_verb;
static unsigned n_warnings;
static bool in_progress;

void say_as(const char *verb)
{
	say_verb = verb;
}

static void say_line(const char *format, va_list args)
{
	char line[LINE_MAX];
	char shown[UTF8_ESCAPED * LINE_MAX];

	say_progress(NULL);
	vsnprintf(line, sizeof(line), format, args);
	utf8_escape(shown, sizeof(shown), line);
	fprintf(stderr, "bcs%s%s: %s\n", say_verb ? " " : "",
		say_verb ? say_verb : "", shown);
}

void say_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line(format, args);
	va_end(args);
}

void say_warning(const char *format, ...)
{
	va_list args;

	if (n_warnings++ >= WARNINGS_MAX)
		return;
	va_start(args, format);
	say_line(format, args);
	va_end(args);
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

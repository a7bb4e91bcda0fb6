/* SPDX-License-Identifier: BSD-3-Clause */

/* The arguments of a call, as its source has them. */
#include "analyzer/places/source_call.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mds/base/reading.h"

#define LINES_MOST 20  /* of a call */
#define LINE_MAX   512 /* bytes of one that are looked at */

static bool is_younger(int fd, const char *program)
{
	struct stat source;
	struct stat made;

	return fstat(fd, &source) != 0 || stat(program, &made) != 0 ||
	       source.st_mtim.tv_sec > made.st_mtim.tv_sec;
}

/* The file's name comes from debug data: it may be of anything. */
static FILE *open_source(const char *file, const char *program)
{
	const int fd = *file == '/' ? reading_open(file, READING_SETTING) : -1;
	FILE *stream;

	if (fd < 0)
		return NULL;
	stream = is_younger(fd, program) ? NULL : fdopen(fd, "r");
	if (!stream)
		close(fd);
	return stream;
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether a word begins here, and is the name. */
static bool is_name(const char *text, const char *at, const char *name)
{
	const size_t n = strlen(name);

	return strncasecmp(at, name, n) == 0 && !is_of_name(at[n]) &&
	       (at == text || !is_of_name(at[-1]));
}

/* The rest of a longer line is passed over. */
static bool line_read(char *text, FILE *stream)
{
	int c = 0;

	if (!fgets(text, LINE_MAX, stream))
		return false;
	if (!strchr(text, '\n'))
		while (c != EOF && c != '\n')
			c = getc(stream);
	return true;
}

struct arguments {
	int depth; /* of parentheses */
	bool has_begun;
	bool has_name;
};

static bool is_over(const struct arguments *a)
{
	return a->has_begun && a->depth <= 0;
}

/* Past the texts and letters in quotes that begin here. */
static const char *quotes_skip(const char *at)
{
	char quote;

	while (*at == '"' || *at == '\'') {
		quote = *at;
		while (*++at && *at != quote)
			if (*at == '\\' && at[1])
				at++;
		at += *at == quote;
	}
	return at;
}

static void look_at(struct arguments *a, const char *text, const char *from,
		    const char *name)
{
	for (const char *at = quotes_skip(from); *at && !is_over(a);
	     at = quotes_skip(at + 1)) {
		a->has_begun |= *at == '(';
		a->depth += (*at == '(') - (*at == ')');
		a->has_name |= a->depth > 0 && is_name(text, at, name);
	}
}

/* A macro's call may stand for it. */
static const char *start_of(const char *text)
{
	const char *call = strcasestr(text, "mpi_");

	return call ? call : text;
}

bool source_call_names(const char *file, int line, const char *program,
		       const char *name)
{
	FILE *stream = line > 0 ? open_source(file, program) : NULL;
	struct arguments a = { 0 };
	char text[LINE_MAX];

	if (!stream)
		return false;
	for (int i = 1; i - LINES_MOST < line; i++) {
		if (is_over(&a))
			break;
		if (!line_read(text, stream))
			break;
		if (i >= line)
			look_at(&a, text, i == line ? start_of(text) : text,
				name);
	}
	fclose(stream);
	return a.has_name;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A file of suppressions: in each line a finding, or `*`, and mostly a pattern
 * of its place.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/input.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/check/check.h"

struct suppression {
	const char *name;
	const char *place; /* empty: any */
};

/* The pattern may be of the function, of file and line, or of the path. */
static bool is_place(const struct check_record *record, const struct finding *f,
		     const char *pattern)
{
	const char *space = strrchr(f->site, ' ');
	char *function = mem_text(f->site);
	const char *file;
	unsigned line;
	bool is;

	if (space)
		function[space - f->site] = '\0';
	is = fnmatch(pattern, function, 0) == 0 ||
	     (space && fnmatch(pattern, space + 1, 0) == 0) ||
	     (check_source(record, f->place, &file, &line) &&
	      fnmatch(pattern, file, 0) == 0);
	free(function);
	return is;
}

static void apply(struct check_record *record, const struct suppression *s)
{
	for (size_t i = 0; i < record->findings.n; i++) {
		struct finding *f = &record->findings.list[i];

		if (fnmatch(s->name, f->name, 0) == 0 &&
		    (*s->place == '\0' || is_place(record, f, s->place)))
			f->suppressed = true;
	}
}

static bool is_known(const char *name)
{
	for (size_t i = 0; finding_kinds[i].name; i++)
		if (fnmatch(name, finding_kinds[i].name, 0) == 0)
			return true;
	return false;
}

static char *skip_blanks(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* Splits a line where it is; false: nothing is in it. */
static bool parse(char *line, struct suppression *s)
{
	char *end;

	line[strcspn(line, "#")] = '\0';
	end = line + strlen(line);
	while (end > line && isspace((unsigned char)end[-1]))
		*--end = '\0';
	line = skip_blanks(line);
	s->name = line;
	line += strcspn(line, " \t");
	if (*line)
		*line++ = '\0';
	s->place = skip_blanks(line);
	return *s->name != '\0';
}

static int take_line(struct check *check, const char *path, size_t number,
		     char *line)
{
	struct suppression s;

	if (!parse(line, &s))
		return 0;
	if (!is_known(s.name)) {
		say_error("%s:%zu: there is no finding '%s'", path, number,
			  s.name);
		return -EINVAL;
	}
	for (size_t i = 0; i < check->n; i++)
		apply(&check->records[i], &s);
	return 0;
}

int check_suppress(struct check *check, const char *path)
{
	size_t size;
	char *read = input_read(path, READING_SETTING, &size);
	char *text = read ? mem_print("%.*s", (int)size, read) : NULL;
	char *rest = text;
	char *line;
	int rc = read ? 0 : -ENOENT;

	free(read);
	for (size_t n = 1; rc == 0 && (line = strsep(&rest, "\n")); n++)
		rc = take_line(check, path, n, line);
	free(text);
	return rc;
}

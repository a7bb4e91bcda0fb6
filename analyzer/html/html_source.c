/* SPDX-License-Identifier: BSD-3-Clause */

/* The lines of source that calls were made from. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/html/html_source.h"
#include "analyzer/places/intern.h"
#include "mds/base/reading.h"
#include "mds/base/utf8.h"

#define FILE_MAX (8 << 20) /* bytes; a larger one was generated */
#define LINE_MAX 120       /* columns that are shown of a line */

/* The name comes from debug data: it may be of anything. */
struct source {
	char *text; /* NULL: cannot be read */
	size_t size;
	struct timespec changed;
};

struct sources {
	struct intern names;
	struct source *list;
	size_t room;
	size_t *newer; /* than the program, by number: 0 or 1 */
	size_t newer_room;
};

static bool read_whole(int fd, struct source *source)
{
	size_t n = 0;
	ssize_t got;

	source->text = mem_alloc(source->size + 1, 1);
	do {
		got = read(fd, source->text + n, source->size - n);
		n += got > 0 ? (size_t)got : 0;
	} while (got > 0 && n < source->size);
	source->size = n;
	return n > 0;
}

static void source_read(struct source *source, const char *name)
{
	const int fd = *name == '/' ? reading_open(name, READING_RECORD) : -1;
	struct stat st;

	*source = (struct source){ 0 };
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_size <= FILE_MAX) {
		source->size = (size_t)st.st_size;
		source->changed = st.st_mtim;
		if (!read_whole(fd, source)) {
			free(source->text);
			source->text = NULL;
		}
	}
	close(fd);
}

static size_t source_find(struct sources *sources, const char *name)
{
	const size_t n = sources->names.n;
	const size_t number = intern_text(&sources->names, name);

	if (number < n)
		return number;
	sources->list = mem_grow(sources->list, &sources->room, n,
				 sizeof(*sources->list));
	sources->newer = mem_grow(sources->newer, &sources->newer_room, n,
				  sizeof(*sources->newer));
	source_read(&sources->list[n], name);
	sources->newer[n] = 0;
	return n;
}

/* Whether the source was changed after the program was built. */
static bool is_newer(const struct source *source, const char *program)
{
	struct stat st;

	if (stat(program, &st) != 0)
		return true;
	return source->changed.tv_sec > st.st_mtim.tv_sec ||
	       (source->changed.tv_sec == st.st_mtim.tv_sec &&
		source->changed.tv_nsec > st.st_mtim.tv_nsec);
}

static const char *line_find(const struct source *source, uint64_t line)
{
	const char *at = source->text;
	const char *end = at + source->size;

	for (uint64_t i = 1; i < line && at; i++) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	return at;
}

/* Without the blanks around it; a tab is one. */
static char *line_text(const struct source *source, uint64_t line)
{
	const char *at = line_find(source, line);
	char *text;

	if (!at)
		return NULL;
	at += strspn(at, " \t");
	text = mem_print("%.*s", (int)strcspn(at, "\r\n"), at);
	for (char *c = text; *c; c++)
		if (*c == '\t')
			*c = ' ';
	utf8_cut(text, LINE_MAX);
	if (*text)
		return text;
	free(text);
	return NULL;
}

static const struct table_cell *cell_of(const struct table *table, size_t row,
					const char *column)
{
	for (size_t i = 0; i < table->n_columns; i++)
		if (strcmp(table->columns[i].name, column) == 0)
			return &table->rows[row].cells[i];
	return NULL;
}

static void add_line(struct sources *sources, struct table *table, size_t row)
{
	const struct table_cell *file = cell_of(table, row, "file");
	const struct table_cell *line = cell_of(table, row, "line");
	const struct table_cell *module = cell_of(table, row, "module");
	const struct source *source;
	size_t number;

	if (!file || !line || !module || file->is != TABLE_WORDS ||
	    line->is != TABLE_NUMBER || module->is != TABLE_WORDS)
		return;
	number = source_find(sources, file->words);
	source = &sources->list[number];
	if (!source->text || line->number == 0)
		return;
	if (is_newer(source, module->words))
		sources->newer[number] = 1;
	else if (!table->rows[row].below)
		table->rows[row].below = line_text(source, line->number);
}

static char *newer_text(const struct sources *sources)
{
	size_t n = 0;

	for (size_t i = 0; i < sources->names.n; i++)
		n += sources->newer[i];
	if (n == 0)
		return NULL;
	return mem_print("%zu source file%s newer than the program: the "
			 "lines are left out.",
			 n, n == 1 ? " is" : "s are");
}

void html_source(struct table *table)
{
	struct sources sources = { 0 };

	for (size_t i = 0; i < table->n_rows; i++)
		if (!table_is_hidden(table, i))
			add_line(&sources, table, i);
	if (!table->remark)
		table->remark = newer_text(&sources);
	for (size_t i = 0; i < sources.names.n; i++)
		free(sources.list[i].text);
	free(sources.list);
	free(sources.newer);
	intern_clear(&sources.names);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Places in the sentences that a running program has told.  It names them by
 * file and address, because looking up lines takes memory and time that it may
 * not have.
 */
#include "analyzer/findings/finding_text.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "mds/base/utf8.h"

#define MARK "+0x"

static bool is_named(const struct code_module *module, const char *name,
		     size_t len)
{
	const char *slash = strrchr(module->file, '/');
	char shown[256];

	utf8_escape(shown, sizeof(shown), slash ? slash + 1 : module->file);
	return strlen(shown) == len && memcmp(shown, name, len) == 0;
}

/* The one module of that name; INTERN_NONE if there is none, or several. */
static size_t module_of(const struct run *run, const char *name, size_t len)
{
	size_t found = INTERN_NONE;

	for (size_t i = 0; i < run->code.modules_by_key.n; i++) {
		if (!is_named(&run->code.modules[i], name, len))
			continue;
		if (found != INTERN_NONE)
			return INTERN_NONE;
		found = i;
	}
	return found;
}

/* The begin of the name that ends at `end`. */
static const char *name_before(const char *text, const char *end)
{
	while (end > text && end[-1] != ' ' && end[-1] != '(')
		end--;
	return end;
}

static char *line_of(const struct run *run, struct symbols *symbols,
		     const char *name, const char *mark, char **rest)
{
	const uint64_t place = strtoull(mark + strlen(MARK), rest, 16);
	const size_t module = module_of(run, name, (size_t)(mark - name));

	return module == INTERN_NONE || *rest == mark + strlen(MARK)
		       ? NULL
		       : symbols_line(symbols, module, place);
}

char *finding_text(const struct run *run, struct symbols *symbols,
		   const char *text)
{
	char *told = mem_text("");
	const char *from = text;
	const char *mark = text;

	while ((mark = strstr(mark, MARK))) {
		const char *name = name_before(from, mark);
		char *before = told;
		char *rest;
		char *line = line_of(run, symbols, name, mark, &rest);

		mark += strlen(MARK);
		if (!line)
			continue;
		told = mem_print("%s%.*s%s", before, (int)(name - from), from,
				 line);
		from = mark = rest;
		free(before);
		free(line);
	}
	mark = told;
	told = mem_print("%s%s", mark, from);
	free((char *)mark);
	return told;
}

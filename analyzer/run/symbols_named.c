/* SPDX-License-Identifier: BSD-3-Clause */

/* Variables that a call names, by the lines of debug data and the source. */
#include "analyzer/run/symbols_named.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/source_call.h"

struct line {
	const char *file; /* NULL: unknown */
	int number;
};

/* The last function that was inlined into that scope; -1: there is none. */
static int inlined_into(const struct symbols_call *call, int scope)
{
	int i = scope - 1;

	while (i >= 0 &&
	       dwarf_tag(&call->scopes[i]) != DW_TAG_inlined_subroutine)
		i--;
	return i;
}

static bool has_child(Dwarf_Die *scope, const char *name)
{
	const char *of_child;
	Dwarf_Die child;

	if (dwarf_child(scope, &child) != 0)
		return false;
	do {
		of_child = dwarf_diename(&child);
		if (of_child && strcasecmp(of_child, name) == 0)
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static int attribute(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, name, &attr), &value) != 0)
		return 0;
	return (int)value;
}

static struct line line_of_inlined(const struct symbols_call *call,
				   Dwarf_Die *inlined)
{
	const int file = attribute(inlined, DW_AT_call_file);
	Dwarf_Files *files;

	if (dwarf_getsrcfiles(call->unit, &files, NULL) != 0)
		return (struct line){ 0 };
	return (struct line){ dwarf_filesrc(files, (size_t)file, NULL, NULL),
			      attribute(inlined, DW_AT_call_line) };
}

static struct line line_of_pc(const struct symbols_call *call)
{
	Dwarf_Line *found = dwarf_getsrc_die(call->unit, call->pc);
	struct line line = { 0 };

	if (found && dwarf_lineno(found, &line.number) == 0)
		line.file = dwarf_linesrc(found, NULL, NULL);
	return line;
}

static bool line_names(const struct symbols_call *call, struct line line,
		       const char *name)
{
	Dwarf_Attribute attr;
	const char *folder = dwarf_formstring(
		dwarf_attr(call->unit, DW_AT_comp_dir, &attr));
	char *path = *line.file == '/' || !folder
			     ? mem_text(line.file)
			     : mem_print("%s/%s", folder, line.file);
	const bool is = source_call_names(path, line.number, call->program,
					  name);

	free(path);
	return is;
}

bool symbols_named(const struct symbols_call *call, int scope, const char *name)
{
	const int inlined = inlined_into(call, scope);
	const struct line line = inlined < 0 ? line_of_pc(call)
					     : line_of_inlined(
						       call,
						       &call->scopes[inlined]);

	for (int i = inlined + 1; i < scope; i++)
		if (has_child(&call->scopes[i], name))
			return false;
	return line.file && line_names(call, line, name);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Variables that a call names, by the lines of debug data and the source. */
#include "analyzer/places/symbols_named.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/places/source_call.h"
#include "analyzer/places/symbols_dwarf.h"

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

static bool line_names(const struct symbols_call *call,
		       struct symbols_line line, const char *name)
{
	Dwarf_Attribute attr;
	const char *folder = dwarf_formstring(
		dwarf_attr(call->unit, DW_AT_comp_dir, &attr));
	char *path = *line.file == '/' || !folder
			     ? mem_text(line.file)
			     : mem_print("%s/%s", folder, line.file);
	const bool is = source_call_names(path, (int)line.number, call->program,
					  name);

	free(path);
	return is;
}

bool symbols_named(const struct symbols_call *call, int scope, const char *name)
{
	const int inlined = inlined_into(call, scope);
	const struct symbols_line line =
		inlined < 0 ? symbols_dwarf_line(call->unit, call->pc)
			    : symbols_dwarf_call(call->unit,
						 &call->scopes[inlined]);

	for (int i = inlined + 1; i < scope; i++)
		if (has_child(&call->scopes[i], name))
			return false;
	return line.file && line_names(call, line, name);
}

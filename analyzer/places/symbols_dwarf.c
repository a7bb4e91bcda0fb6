/* SPDX-License-Identifier: BSD-3-Clause */

/* What debug data says of an address: its unit, its scopes, its line. */
#include "analyzer/places/symbols_dwarf.h"

#include <dwarf.h>
#include <stdlib.h>

/*
 * Not every compiler writes the table that finds it at once.
 */
Dwarf_Die *symbols_dwarf_unit(Dwfl_Module *module, Dwarf_Addr address,
			      Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(module, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

int symbols_dwarf_scopes(Dwarf_Die *unit, Dwarf_Addr address,
			 Dwarf_Die **scopes)
{
	Dwarf_Die innermost;
	int n = dwarf_getscopes(unit, address, scopes);

	if (n <= 0)
		return 0;
	/*
	 * Behind an inlined function dwarf_getscopes lists the scopes where it
	 * was written.  The scopes of the call are wanted.
	 */
	innermost = (*scopes)[0];
	free(*scopes);
	n = dwarf_getscopes_die(&innermost, scopes);
	return n > 0 ? n : 0;
}

struct symbols_line symbols_dwarf_line(Dwarf_Die *unit, Dwarf_Addr address)
{
	Dwarf_Line *found = dwarf_getsrc_die(unit, address);
	struct symbols_line line = { 0 };
	int number = 0;

	if (!found)
		return line;
	line.file = dwarf_linesrc(found, NULL, NULL);
	dwarf_lineno(found, &number);
	line.number = (unsigned)number;
	return line;
}

static unsigned attribute(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, name, &attr), &value) != 0)
		return 0;
	return (unsigned)value;
}

struct symbols_line symbols_dwarf_call(Dwarf_Die *unit, Dwarf_Die *inlined)
{
	const unsigned file = attribute(inlined, DW_AT_call_file);
	Dwarf_Files *files;

	if (dwarf_getsrcfiles(unit, &files, NULL) != 0)
		return (struct symbols_line){ 0 };
	return (struct symbols_line){ dwarf_filesrc(files, file, NULL, NULL),
				      attribute(inlined, DW_AT_call_line) };
}

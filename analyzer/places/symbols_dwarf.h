/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SYMBOLS_DWARF_H
#define BCS_SYMBOLS_DWARF_H

/* For the files that read debug data.  No others use libdw's types. */
#include <elfutils/libdwfl.h>

struct symbols_elf;

/* NULL if it has no debug data, or is not the file that ran. */
Dwfl_Module *symbols_elf_module(struct symbols_elf *elf, GElf_Addr *bias);

/*
 * The unit that the instruction was compiled in; its address there is less by
 * *bias.
 */
Dwarf_Die *symbols_dwarf_unit(Dwfl_Module *module, Dwarf_Addr address,
			      Dwarf_Addr *bias);

/*
 * The scopes around an address, from the inside; returns how many.  The caller
 * frees them, if there are any.
 */
int symbols_dwarf_scopes(Dwarf_Die *unit, Dwarf_Addr address,
			 Dwarf_Die **scopes);

struct symbols_line {
	const char *file; /* NULL: unknown */
	unsigned number;
};

/* The source line of an instruction, where the innermost function is. */
struct symbols_line symbols_dwarf_line(Dwarf_Die *unit, Dwarf_Addr address);
/* Where an inlined function was called: in the function around it. */
struct symbols_line symbols_dwarf_call(Dwarf_Die *unit, Dwarf_Die *inlined);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SYMBOLS_NAMED_H
#define BCS_SYMBOLS_NAMED_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* A call: its unit, an address in it, and the scopes around it. */
struct symbols_call {
	const char *program; /* its file */
	Dwarf_Die *unit;
	Dwarf_Addr pc;
	Dwarf_Die *scopes; /* the innermost first */
};

/*
 * Whether the call names a variable of that scope, in the text of its source.
 * If the call is in a function that was inlined there, the text is that of this
 * function's call.
 */
bool symbols_named(const struct symbols_call *call, int scope,
		   const char *name);

#endif

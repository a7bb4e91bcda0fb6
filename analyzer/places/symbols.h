/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SYMBOLS_H
#define BCS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/places/code.h"
#include "analyzer/places/symbols_variable.h"

/*
 * Names for places in code, from the symbols and the DWARF data of the files on
 * this machine.  A name that was looked up once is remembered.
 */
struct symbols;

/* A function that a return address lies in. */
struct symbol {
	char *function; /* NULL: unknown */
	char *file;     /* of its source, with its path; NULL: unknown */
	unsigned line;
	bool inlined; /* into the next one */
};

struct symbols *symbols_new(const struct code *code); /* kept by reference */
void symbols_free(struct symbols *symbols);

/*
 * The functions of a frame, the innermost first: more than one where some were
 * inlined.  *n is 0 where nothing is known.  They live as long as `symbols`.
 */
const struct symbol *symbols_get(struct symbols *symbols, size_t frame,
				 size_t *n);

/*
 * "solve app.c:120", as much of it as is known, else "app+0x1234".  The caller
 * frees it.
 */
char *symbols_text(struct symbols *symbols, size_t frame);
char *symbols_one_text(const struct symbol *symbol);
char *symbols_address(const struct symbols *symbols, size_t frame);

/*
 * "app.c:120" of the instruction at a place in a module's file; NULL: it is not
 * known.  The caller frees it.
 */
char *symbols_line(struct symbols *symbols, size_t module, uint64_t place);

/* The variable at a place in a module; without a name: it is not known. */
void symbols_variable(struct symbols *symbols, size_t module,
		      const struct symbols_place *place,
		      struct symbols_variable *variable);

enum symbols_state {
	SYMBOLS_FOUND,
	SYMBOLS_MISSING,  /* the file is not here, or is no program */
	SYMBOLS_CHANGED,  /* it is not the one that ran */
	SYMBOLS_NO_LINES, /* it was built without -g */
};
enum symbols_state symbols_state(struct symbols *symbols, size_t module);

#endif

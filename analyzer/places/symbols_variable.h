/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SYMBOLS_VARIABLE_H
#define BCS_SYMBOLS_VARIABLE_H

#include <stdbool.h>
#include <stdint.h>

struct symbols_elf;

/* Where a variable is, as the table `buffers` of a record has it. */
struct symbols_place {
	uint64_t code;  /* offset of a return address in its function, or 0 */
	uint64_t below; /* so far below that frame's CFA; 0: it is data */
	uint64_t data;  /* offset of it then */
};

struct symbols_variable {
	char *name;     /* the caller's; NULL: nothing is known */
	bool is_sure;   /* false: something without a name may be there, too */
	uint64_t left;  /* bytes from the place to the variable's end */
	uint64_t room;  /* bytes from there to what surely is something else */
	char *type;     /* of an element; NULL: unknown, or no number */
	char kind;      /* i, u or f: integer, unsigned, real */
	unsigned width; /* bytes of an element */
};

/* The variable at a place in the file; false if it is not known. */
bool symbols_variable_find(struct symbols_elf *elf,
			   const struct symbols_place *place,
			   struct symbols_variable *variable);

#endif

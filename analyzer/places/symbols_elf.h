/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SYMBOLS_ELF_H
#define BCS_SYMBOLS_ELF_H

#include "analyzer/places/symbols.h"

/* One file of code.  If it is not the one that ran it is not looked into. */
struct symbols_elf;

struct symbols_elf *symbols_elf_open(const char *file, const char *build_id);
void symbols_elf_close(struct symbols_elf *elf); /* NULL is fine */
enum symbols_state symbols_elf_state(const struct symbols_elf *elf);

/*
 * The functions that the instruction at `offset` is part of, the innermost
 * first; returns how many.  *list is the caller's.
 */
size_t symbols_elf_find(struct symbols_elf *elf, uint64_t offset,
			struct symbol **list);

/* The offset of what is loaded from a place in the file; false: none is. */
bool symbols_elf_offset(const struct symbols_elf *elf, uint64_t place,
			uint64_t *offset);

#endif

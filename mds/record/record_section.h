/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_SECTION_H
#define BCS_RECORD_SECTION_H

#include <stddef.h>

struct record;
struct record_fault;

/* The position of a reader in the unpacked text. */
struct record_reader {
	struct record *record;
	struct record_fault *fault;
	size_t at;
	size_t line;
	int last; /* table of the last section; -1: unknown or none */
};

/*
 * Reads the next section into the record's tables, or skips an unknown one.
 * Returns 0, or -EPROTO or -ENOMEM with the fault noted.
 */
int record_section_take(struct record_reader *reader);
/* Notes a fault at the reader's position; returns -EPROTO. */
int record_section_fault(struct record_reader *reader, const char *what);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_FAULT_H
#define BCS_RECORD_FAULT_H

#include <stdbool.h>
#include <stddef.h>

/* The first fault of a file, in one line. */
struct record_fault {
	const char *file;
	char *why; /* the reader's caller's, `size` bytes */
	size_t size;
	bool found;
};

void record_fault_init(struct record_fault *fault, const char *file, char *why,
		       size_t size);
/*
 * Notes "FILE: ..." if nothing is noted yet.  Characters that could upset a
 * terminal become question marks.  Returns `rc`.
 */
int record_fault_note(struct record_fault *fault, int rc, const char *format,
		      ...) __attribute__((format(printf, 3, 4)));
/* Appends to the line. */
void record_fault_add(struct record_fault *fault, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SOURCE_CALL_H
#define BCS_SOURCE_CALL_H

#include <stdbool.h>

/*
 * Whether the call that begins on that line of a source file has `name` among
 * its arguments.  False if the file cannot be read, or is younger than the
 * `program`.  Case does not matter, as in Fortran.
 */
bool source_call_names(const char *file, int line, const char *program,
		       const char *name);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FUZZ_SECTIONS_H
#define BCS_FUZZ_SECTIONS_H

#include <stddef.h>

/*
 * Writes an input to a file, which is removed at the end, and returns its path.
 * An input that begins with '@' is made of sections: "@NAME VERSION\n..." up to
 * the next "\n@" becomes a section of the right length.  Nothing is packed: a
 * file that is not in gzip's form is read as it is.
 */
const char *fuzz_sections_file(const char *data, size_t size);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_SAVE_H
#define BCS_TREE_SAVE_H

/*
 * A tree as a text file, with single spaces between fields.  Its lines, in this
 * order:
 *
 *     bcs-tree 1
 *     collective bcast
 *     method binomial 0      algorithm and segment, a line for each method
 *     bytes 0 1024 65536     smallest size of each column; the first is 0
 *     row 0 0 0 1            smallest number of processes (0 in the first row),
 *     row 8 0 1 1            then the method of each column, counted from 0
 *     end
 */
#include <stdio.h>

#include "tree/tree_flat.h"

void tree_save(const struct tree_flat *flat, FILE *to);

/* Whether the text begins as such a file does. */
bool tree_save_is(const char *text, size_t size);

/*
 * Returns 0; -EINVAL with the reason in `fault`; or -ENOMEM.  Clear with
 * tree_flat_clear.
 */
int tree_save_read(struct tree_flat *flat, const char *text, size_t size,
		   struct tree_fault *fault);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_SAVE_H
#define BCS_TREE_SAVE_H

/*
 * A tree as a text file, of lines in this order, with single spaces:
 *
 *     bcs-tree 1
 *     collective bcast
 *     method binomial 0         one for each method: algorithm and segment
 *     bytes 0 1024 65536        from where on a column counts; the first from 0
 *     row 0 0 0 1               from how many processes on, and for each column
 *     row 8 0 1 1                  its method, counted from 0; the first from 0
 *     end
 */
#include <stdio.h>

#include "tree/tree_flat.h"

void tree_save(const struct tree_flat *flat, FILE *to);

/* Whether a text means to be such a file. */
bool tree_save_is(const char *text, size_t size);

/*
 * Returns 0 or, with the reason in `fault`, -EINVAL; or -ENOMEM.  To be cleared
 * by tree_flat_clear.
 */
int tree_save_read(struct tree_flat *flat, const char *text, size_t size,
		   struct tree_fault *fault);

#endif

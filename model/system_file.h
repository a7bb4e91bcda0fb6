/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SYSTEM_FILE_H
#define BCS_SYSTEM_FILE_H

#include <stdio.h>

#include "model/formula.h"
#include "tree/tree_fault.h"

/*
 * A cluster as text that can be written by hand: `bcs-system 1` in the first
 * line, then a name and a value in each.  The names are those of the parameters
 * (formula_param_name), `name` and `log_base`.  A line that begins with # is
 * left out.  What is linear in pieces follows as
 *
 *	curve p2p
 *	row PROCESSES         0 for what does not depend on them
 *	piece FROM T K        T + K x from x = FROM on
 *
 * Returns 0 or, with the reason in `fault`, -EINVAL; or -ENOMEM.  What is read
 * is the caller's to clear.
 */
int system_file_read(struct formula_system *system, const char *text,
		     size_t size, struct tree_fault *fault);

void system_file_write(const struct formula_system *system, FILE *to);

#endif

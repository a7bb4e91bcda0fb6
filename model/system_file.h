/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SYSTEM_FILE_H
#define BCS_SYSTEM_FILE_H

#include <stdio.h>

#include "model/formula.h"
#include "tree/tree_fault.h"

/*
 * A cluster as a text that can be written by hand.  The first line is
 * `bcs-system 1`.  Each other line is a name and a value.  The names are those
 * of the parameters (formula_param_name), `name` and `log_base`.  Lines that
 * begin with # are skipped.  `spread OPERATION FACTOR` says that 95 % of times
 * are within the predicted one divided and multiplied by FACTOR.  A piecewise
 * linear curve is written as
 *
 *	curve p2p
 *	row PROCESSES         0 if it does not depend on processes
 *	piece FROM T K        T + K x from x = FROM on
 *
 * Returns 0; -EINVAL with the reason in `fault`; or -ENOMEM.  The caller clears
 * the system.
 */
int system_file_read(struct formula_system *system, const char *text,
		     size_t size, struct tree_fault *fault);

void system_file_write(const struct formula_system *system, FILE *to);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_EMIT_H
#define BCS_TREE_EMIT_H

/*
 * A decision in the words of others.  Each writes to `to`, whose errors are the
 * caller's to look for.
 */
#include <stdio.h>

#include "tree/tree_flat.h"

/*
 * C: `unsigned bcs_bcast_choose(unsigned processes, unsigned long long bytes)`,
 * and bcs_bcast_methods[], which its result is an index of.
 */
void tree_emit_c(const struct tree_flat *flat, FILE *to);

/*
 * Whether MPICH, or Open MPI's `tuned`, can be told to take that method, which
 * was measured of it: what it takes by itself, too.
 */
bool tree_emit_mpich_has(const char *collective,
			 const struct tree_method *method);
bool tree_emit_openmpi_has(const char *collective,
			   const struct tree_method *method);

/*
 * The file of MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE, all other collectives
 * as MPICH has them: of 4.0, and of 4.1 to 5.0, which abort with each other's.
 * The one of coll_tuned_dynamic_rules_filename.  All only with methods that the
 * above say yes to.
 */
void tree_emit_mpich_4_0(const struct tree_flat *flat, FILE *to);
void tree_emit_mpich_4_1(const struct tree_flat *flat, FILE *to);
void tree_emit_openmpi(const struct tree_flat *flat, FILE *to);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_EMIT_H
#define BCS_TREE_EMIT_H

/*
 * Writes `n` decision tables, of a collective each, in the formats of other
 * programs.  The caller checks `to` for write errors.
 */
#include <stdio.h>

#include "tree/tree_flat.h"

/*
 * C: `unsigned bcs_bcast_choose(unsigned processes, unsigned long long bytes)`,
 * and bcs_bcast_methods[], which its result is an index of.
 */
void tree_emit_c(const struct tree_flat *flats, size_t n, FILE *to);

/*
 * Whether the library can be told to use this method.  False if the method was
 * measured with another library.  True for the library's own default choice.
 */
bool tree_emit_mpich_has(const char *collective,
			 const struct tree_method *method);
bool tree_emit_openmpi_has(const char *collective,
			   const struct tree_method *method);

/*
 * Rule files that use only methods for which the functions above return true.
 *
 * MPICH reads its file through MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE.  The
 * file keeps MPICH's own rules for all other collectives.  MPICH 4.0 and MPICH
 * 4.1 to 5.0 each abort on the other's file.
 *
 * Open MPI reads its file through coll_tuned_dynamic_rules_filename.
 */
void tree_emit_mpich_4_0(const struct tree_flat *flats, size_t n, FILE *to);
void tree_emit_mpich_4_1(const struct tree_flat *flats, size_t n, FILE *to);
void tree_emit_openmpi(const struct tree_flat *flats, size_t n, FILE *to);

#endif

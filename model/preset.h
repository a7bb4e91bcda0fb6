/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PRESET_H
#define BCS_PRESET_H

#include "model/formula.h"

/*
 * The clusters of table 3 of the paper, as printed there.  Two entries are
 * suspect and kept as they are: K_bcast of KASK is thirty times that of the
 * other two, K_gath of Galera an eighth of its K_scat while both are alike
 * elsewhere.  Constants below 0 make times below 0 possible.
 */
struct preset {
	struct formula_system system;
	/* What is to be said whenever it is used for `suspect`. */
	enum formula_operation suspect; /* FORMULA_OPERATIONS: none */
	const char *doubt;
};

#define PRESETS 3

extern const struct preset presets[PRESETS];

/* NULL if there is none of that name. */
const struct preset *preset_find(const char *name);

#endif

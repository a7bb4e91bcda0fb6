/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PRESET_H
#define BCS_PRESET_H

#include "model/formula.h"

/*
 * The clusters of table 3 of the paper, as printed there.  Two entries are
 * suspect but kept.  K_bcast of KASK is thirty times that of the other two.
 * K_gath of Galera is an eighth of its K_scat, while elsewhere both are alike.
 * Constants below 0 can give times below 0.
 */
struct preset {
	struct formula_system system;
	/* `doubt` is shown whenever the preset is used for operation
	 * `suspect`. */
	enum formula_operation suspect; /* FORMULA_OPERATIONS: none */
	const char *doubt;
};

#define PRESETS 3

extern const struct preset presets[PRESETS];

/* NULL if there is no preset of that name. */
const struct preset *preset_find(const char *name);

#endif

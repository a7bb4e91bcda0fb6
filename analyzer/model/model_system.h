/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MODEL_SYSTEM_H
#define BCS_MODEL_SYSTEM_H

#include "model/preset.h"

/*
 * The cluster of a preset's name, or of a file (system_file.h).  Returns 0, or
 * 2 after it has printed the error. model_system_doubt warns of doubtful parts
 * of a preset, for the operation that is asked for.
 */
int model_system_load(struct formula_system *system, const char *name);
/* Likewise, of the text of a file. */
int model_system_read(struct formula_system *system, const char *path,
		      const char *text, size_t size);
void model_system_doubt(const struct formula_system *system,
			enum formula_operation operation);

#endif

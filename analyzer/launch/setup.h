/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SETUP_H
#define BCS_SETUP_H

#include <stdbool.h>

#include "mds/settings/settings.h"

/* Whether the operands have a command; if not, it has said so. */
bool setup_has_command(int argc, const char *verb);

/*
 * Prepares the environment for a command that is to be recorded: the preload,
 * the folder of its record and the name of the job.  Returns 0 with the
 * settings as they are then, or -errno after it has said what is wrong.
 */
int setup_run(struct settings *settings, char *const *command);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SETTINGS_EMDS_H
#define BCS_SETTINGS_EMDS_H

#include "mds/emds/emds.h"
#include "mds/settings/settings.h"

/* Returns what the settings say of recorded slices, for one of `local_ranks`
 * processes of a machine.  The caller fills in the others. */
struct emds_options settings_emds_options(const struct settings *settings,
					  unsigned local_ranks);

#endif

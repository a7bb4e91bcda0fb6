/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PARTS_H
#define BCS_PARTS_H

/* What bcs_start and bcs_stop are made of.  Each is collective. */
#include "libbcs/api/bcs_state.h"
#include "mds/settings.h"

/* bcs_board.c: true if it is in all processes. */
bool bcs_all_have(bool there);
int bcs_cores(void);
/* Memory of the node's processes, bcs_state.board; false in all if one cannot
 * have it. */
bool bcs_board_share(uint64_t bytes);

/* bcs_demand.c; 0 or -errno, alike in all processes. */
int bcs_demand_start(const struct bcs_options *options);
void bcs_demand_stop(void);

/* bcs_emds.c: what the environment says; not collective.  False if it says
 * something that it may not. */
bool bcs_settings_load(struct settings *settings);
/* bcs_state.emds, if this process writes a file.  0 or -errno, alike in all. */
int bcs_emds_start(const struct settings *settings, uint64_t slice_ns,
		   uint64_t zero_ns);
void bcs_emds_stop(void);

#endif

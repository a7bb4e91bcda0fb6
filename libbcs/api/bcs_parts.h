/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PARTS_H
#define BCS_PARTS_H

/* The parts of bcs_start and bcs_stop.  Each is collective. */
#include "libbcs/api/bcs_state.h"
#include "mds/settings/settings.h"

/* bcs_board.c: true if `there` is true in all processes. */
bool bcs_all_have(bool there);
/* Cores that this process may use; not collective. */
int bcs_cores(void);
/* Makes bcs_state.board, memory that the node's processes share.  False in all
 * processes if one of them cannot have it. */
bool bcs_board_share(uint64_t bytes);
/* Not collective; does nothing if there is none. */
void bcs_board_free(void);

/* bcs_demand.c; 0 or -errno, alike in all processes. */
int bcs_demand_start(const struct bcs_options *options);
void bcs_demand_stop(void);

/* bcs_emds.c: reads settings from the environment; not collective.  False if
 * one has a value that is not allowed. */
bool bcs_settings_load(struct settings *settings);
/* Starts bcs_state.emds if this process writes a file.  `budget`: bytes that a
 * slice may move.  0 or -errno, alike in all processes. */
int bcs_emds_start(const struct settings *settings, uint64_t slice_ns,
		   uint64_t zero_ns, uint64_t budget);
void bcs_emds_stop(void);

#endif

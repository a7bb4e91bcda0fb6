/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SETTINGS_SET_H
#define BCS_SETTINGS_SET_H

/*
 * One function for each setting of the table.  It parses a value and sets it.
 * Returns false if the value is not one of the setting's.
 */
#include "mds/settings/settings.h"

/* settings_set_run.c */
bool settings_set_mode(struct settings *settings, const char *value);
bool settings_set_slice(struct settings *settings, const char *value);
bool settings_set_budget(struct settings *settings, const char *value);
bool settings_set_bcast(struct settings *settings, const char *value);
bool settings_set_reduce(struct settings *settings, const char *value);
bool settings_set_trees(struct settings *settings, const char *value);
bool settings_set_polite(struct settings *settings, const char *value);
bool settings_set_deadlock(struct settings *settings, const char *value);
bool settings_set_strict(struct settings *settings, const char *value);
bool settings_set_node_size(struct settings *settings, const char *value);
bool settings_set_quiesce_signal(struct settings *settings, const char *value);
bool settings_set_quiesce_wait(struct settings *settings, const char *value);
bool settings_set_record(struct settings *settings, const char *value);
bool settings_set_replay(struct settings *settings, const char *value);
bool settings_set_diverged(struct settings *settings, const char *value);

/* settings_set_record.c */
bool settings_set_mmds(struct settings *settings, const char *value);
bool settings_set_emds(struct settings *settings, const char *value);
bool settings_set_emds_slices(struct settings *settings, const char *value);
bool settings_set_emds_metrics(struct settings *settings, const char *value);
bool settings_set_emds_resolution(struct settings *settings, const char *value);
bool settings_set_trace(struct settings *settings, const char *value);
bool settings_set_advise(struct settings *settings, const char *value);
bool settings_set_trace_limit(struct settings *settings, const char *value);
bool settings_set_depth(struct settings *settings, const char *value);
bool settings_set_resolution(struct settings *settings, const char *value);
bool settings_set_metrics(struct settings *settings, const char *value);
bool settings_set_dump_signal(struct settings *settings, const char *value);
bool settings_set_save(struct settings *settings, const char *value);
bool settings_set_flight(struct settings *settings, const char *value);
bool settings_set_memory(struct settings *settings, const char *value);
bool settings_set_trace_memory(struct settings *settings, const char *value);
bool settings_set_out(struct settings *settings, const char *value);
bool settings_set_umask(struct settings *settings, const char *value);
bool settings_set_job(struct settings *settings, const char *value);
bool settings_set_ranks(struct settings *settings, const char *value);
bool settings_set_calls(struct settings *settings, const char *value);

#endif

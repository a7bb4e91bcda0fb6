/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EXPORT_H
#define BCS_EXPORT_H

#include "analyzer/trace/traces.h"

/*
 * Functions that print a format on stdout, in the order of the calls.  `begin`
 * and `end` return 0, or a negative number after they have said why not.
 */
struct export_format {
	const char *name;
	/* `output` is the name that the user gave, or NULL. */
	int (*begin)(const char *output);
	void (*process)(const struct traces_process *process);
	void (*event)(const struct traces_process *process,
		      const struct trace_event *event);
	void (*process_end)(const struct traces_process *process);
	int (*end)(uint64_t lost); /* events of all processes */
	bool makes_folder;         /* `output`, and nothing on stdout */
	/* In place of the others, for a format with another order. */
	int (*all)(const char *path, const struct run_filter *filter,
		   const char *output);
};

extern const struct export_format export_csv;
extern const struct export_format export_chrome;
extern const struct export_format export_folded;
extern const struct export_format export_otf2;
extern const struct export_format export_paraver;
extern const struct export_format export_perfetto;

/* "call", "received" ... */
const char *export_kind(enum trace_kind kind);
/* The peer: a number, or with quotes "any"; nothing if there is none. */
void export_put_peer(const struct trace_event *event);
bool export_has_peer(const struct trace_event *event);

#endif

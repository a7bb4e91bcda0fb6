/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EXPORT_H
#define BCS_EXPORT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "mds/trace_read.h"

/* A process of a record and its trace, on their way out. */
struct export_process {
	struct trace_reader *reader;
	const struct trace_head *head;
	uint64_t zero; /* ns; the first event of its host */
	struct export_sites *sites;
};

/* Functions that print a format on stdout, in the order of the calls. */
struct export_format {
	const char *name;
	void (*begin)(void);
	void (*process)(const struct export_process *process);
	void (*event)(const struct export_process *process,
		      const struct trace_event *event);
	void (*process_end)(const struct export_process *process);
	void (*end)(uint64_t lost); /* events of all processes */
};

extern const struct export_format export_csv;
extern const struct export_format export_chrome;

/* "call", "received" ... */
const char *export_kind(enum trace_kind kind);
/* Since zero; of another process's clock it may be before. */
int64_t export_since(const struct export_process *process, uint64_t ns);
/* The peer: a number, or with quotes "any"; nothing if there is none. */
void export_put_peer(const struct trace_event *event);
bool export_has_peer(const struct trace_event *event);
bool export_has_tag(const struct export_process *process,
		    const struct trace_event *event);

/*
 * The places in the program that the calls of a process came from, from the
 * record `path`; without it none is known.
 */
struct export_sites *export_sites_open(const char *path);
/* NULL: it is not known. */
const char *export_site(struct export_sites *sites, uint32_t path);
void export_sites_close(struct export_sites *sites);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EXPORT_OTF2_H
#define BCS_EXPORT_OTF2_H

#include <otf2/otf2.h>

#include "analyzer/export/export.h"

/*
 * Definitions, which events refer to by numbers.  They are gathered while
 * events are written, and are written at the end.
 */
enum { OTF2_PLACE, OTF2_PLACE_TEXT, OTF2_ATTRIBUTES };

uint32_t otf2_defs_string(const char *text); /* NULL is "" */
/* A call of MPI, or a phase of the program. */
uint32_t otf2_defs_region(const char *name, unsigned does, bool is_phase);
/* "main app.c:12"; false if it tells no line. */
bool otf2_defs_place(const char *site, uint32_t *place);
/* A communicator, and that the process with this number is its member. */
uint32_t otf2_defs_comm(const struct traces_process *process,
			const struct trace_comm *comm, size_t member);
/* A process, and a thread of it with so many events. */
size_t otf2_defs_process(const struct traces_process *process);
uint64_t otf2_defs_location(size_t process, unsigned thread);
uint64_t otf2_defs_locations(void); /* how many */
void otf2_defs_events(uint64_t location, uint64_t n);
void otf2_defs_time(uint64_t end);

/* Writes all definitions, and forgets them. */
void otf2_defs_write(OTF2_Archive *archive);

/* The operation of a collective call, and the role of a call or phase. */
OTF2_CollectiveOp otf2_operation(const char *name);
OTF2_RegionRole otf2_role(const char *name, unsigned does, bool is_phase);

#endif

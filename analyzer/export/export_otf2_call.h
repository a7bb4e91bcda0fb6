/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EXPORT_OTF2_CALL_H
#define BCS_EXPORT_OTF2_CALL_H

#include "analyzer/export/export_otf2.h"

#define OTF2_PHASES_DEEP 64

/* A thread of the process whose trace is being written. */
struct otf2_thread {
	unsigned number;
	uint64_t location;
	OTF2_EvtWriter *writer;
	uint64_t last; /* time, which must not go back */
	uint32_t phases[OTF2_PHASES_DEEP];
	size_t n_phases;
};

/* A call, and the items that belong to it. */
struct otf2_call {
	struct trace_event event;
	struct trace_event *items;
	size_t n_items;
	size_t items_room;
};

/* Begins a process, by its number in the definitions. */
void otf2_call_process(size_t process);
/* Moves the thread's `last` on to `ns`, and returns it. */
uint64_t otf2_call_time(const struct traces_process *process,
			struct otf2_thread *thread, uint64_t ns);
void otf2_call_put(const struct traces_process *process,
		   struct otf2_thread *thread, const struct otf2_call *call);
/* Frees what the calls of all processes needed. */
void otf2_call_end(void);

#endif

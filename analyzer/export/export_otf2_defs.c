/* SPDX-License-Identifier: BSD-3-Clause */

/* The definitions of an OTF2 archive: numbers for texts, places, regions,
 * communicators, processes and their threads. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/export/export_otf2.h"
#include "analyzer/places/intern.h"

#define SECOND 1000000000

#define MACHINE    "machine"
#define NODE       "node"
#define LINE       "call site"
#define LINE_TEXT  "line of the call"
#define PLACE      "place"
#define PLACE_TEXT "place of the call in the program"

struct region {
	uint32_t name;
	unsigned does;
	bool is_phase;
	char text[64];
};

struct comm {
	uint32_t name;
	uint32_t size;
	uint64_t *members; /* processes by rank */
};

struct process {
	size_t host;
	uint32_t host_name;
	uint32_t name;
};

struct location {
	size_t process;
	uint32_t name;
	uint64_t n_events;
};

static struct {
	struct intern strings;
	struct intern regions; /* by name */
	struct region *region;
	size_t regions_room;
	struct intern places; /* of (file, line) */
	struct intern comms;  /* of ids */
	struct comm *comm;
	size_t comms_room;
	struct process *process;
	size_t n_processes;
	size_t processes_room;
	struct location *location;
	size_t n_locations;
	size_t locations_room;
	uint64_t end;
} defs;

uint32_t otf2_defs_string(const char *text)
{
	if (defs.strings.n == 0)
		intern_text(&defs.strings, "");
	return (uint32_t)intern_text(&defs.strings, text ? text : "");
}

uint32_t otf2_defs_region(const char *name, unsigned does, bool is_phase)
{
	const size_t n = defs.regions.n;
	const size_t at = intern_text(&defs.regions, name);

	if (at < n)
		return (uint32_t)at;
	defs.region = mem_grow(defs.region, &defs.regions_room, n,
			       sizeof(*defs.region));
	defs.region[n] = (struct region){
		.name = otf2_defs_string(name),
		.does = does,
		.is_phase = is_phase,
	};
	snprintf(defs.region[n].text, sizeof(defs.region[n].text), "%s", name);
	return (uint32_t)at;
}

bool otf2_defs_place(const char *site, uint32_t *place)
{
	const char *colon = site ? strrchr(site, ':') : NULL;
	const char *file = colon;
	uint32_t key[2];
	char *text;

	if (!colon || colon[1] < '0' || colon[1] > '9')
		return false;
	while (file > site && file[-1] != ' ')
		file--;
	text = mem_print("%.*s", (int)(colon - file), file);
	key[0] = otf2_defs_string(text);
	key[1] = (uint32_t)strtoul(colon + 1, NULL, 10);
	free(text);
	*place = (uint32_t)intern_add(&defs.places, key, sizeof(key));
	return true;
}

uint32_t otf2_defs_comm(const struct traces_process *process,
			const struct trace_comm *comm, size_t member)
{
	const size_t n = defs.comms.n;
	const size_t at = intern_add(&defs.comms, &comm->id, sizeof(comm->id));
	char id[TRACES_COMM];

	if (at == n) {
		defs.comm = mem_grow(defs.comm, &defs.comms_room, n,
				     sizeof(*defs.comm));
		defs.comm[n] = (struct comm){
			.name = otf2_defs_string(
				traces_comm(process->names, comm->id, id)),
			.size = comm->size,
			.members = mem_alloc(comm->size + 1, sizeof(uint64_t)),
		};
		for (uint32_t i = 0; i < comm->size; i++)
			defs.comm[n].members[i] = OTF2_UNDEFINED_UINT64;
	}
	if (comm->rank < defs.comm[at].size)
		defs.comm[at].members[comm->rank] = member;
	return (uint32_t)at;
}

size_t otf2_defs_process(const struct traces_process *process)
{
	const struct trace_head *head = process->head;
	char *name = mem_print("%s %" PRIu64, head->ranked ? "rank" : "process",
			       head->ranked ? head->rank : head->pid);

	defs.process = mem_grow(defs.process, &defs.processes_room,
				defs.n_processes, sizeof(*defs.process));
	defs.process[defs.n_processes] = (struct process){
		.host = process->host,
		.host_name = otf2_defs_string(head->host),
		.name = otf2_defs_string(name),
	};
	free(name);
	return defs.n_processes++;
}

uint64_t otf2_defs_location(size_t process, unsigned thread)
{
	char name[32];

	snprintf(name, sizeof(name), "thread %u", thread);
	defs.location = mem_grow(defs.location, &defs.locations_room,
				 defs.n_locations, sizeof(*defs.location));
	defs.location[defs.n_locations] = (struct location){
		.process = process,
		.name = otf2_defs_string(name),
	};
	return defs.n_locations++;
}

uint64_t otf2_defs_locations(void)
{
	return defs.n_locations;
}

void otf2_defs_events(uint64_t location, uint64_t n)
{
	defs.location[location].n_events = n;
}

void otf2_defs_time(uint64_t end)
{
	if (end > defs.end)
		defs.end = end;
}

/* All others refer to them, so they come first. */
static void write_strings(OTF2_GlobalDefWriter *to)
{
	static const char *const texts[] = { MACHINE,   NODE,  LINE,
					     LINE_TEXT, PLACE, PLACE_TEXT };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		otf2_defs_string(texts[i]);
	for (uint32_t i = 0; i < defs.strings.n; i++)
		OTF2_GlobalDefWriter_WriteString(to, i,
						 intern_key(&defs.strings, i));
}

static void write_code(OTF2_GlobalDefWriter *to)
{
	const uint32_t none = otf2_defs_string("");

	for (uint32_t i = 0; i < defs.places.n; i++) {
		const uint32_t *key = intern_key(&defs.places, i);

		OTF2_GlobalDefWriter_WriteSourceCodeLocation(to, i, key[0],
							     key[1]);
	}
	for (uint32_t i = 0; i < defs.regions.n; i++) {
		const struct region *r = &defs.region[i];

		OTF2_GlobalDefWriter_WriteRegion(
			to, i, r->name, r->name, none,
			otf2_role(r->text, r->does, r->is_phase),
			r->is_phase ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI,
			OTF2_REGION_FLAG_NONE, none, 0, 0);
	}
}

/* The nodes are below one machine, the processes below their node. */
static void write_tree(OTF2_GlobalDefWriter *to)
{
	size_t hosts = 0;

	OTF2_GlobalDefWriter_WriteSystemTreeNode(
		to, 0, otf2_defs_string(MACHINE), otf2_defs_string(MACHINE),
		OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (size_t i = 0; i < defs.n_processes; i++) {
		const struct process *p = &defs.process[i];

		for (; hosts <= p->host; hosts++)
			OTF2_GlobalDefWriter_WriteSystemTreeNode(
				to, (uint32_t)hosts + 1, p->host_name,
				otf2_defs_string(NODE), 0);
		OTF2_GlobalDefWriter_WriteLocationGroup(
			to, (uint32_t)i, p->name,
			OTF2_LOCATION_GROUP_TYPE_PROCESS, (uint32_t)p->host + 1,
			OTF2_UNDEFINED_LOCATION_GROUP);
	}
	for (size_t i = 0; i < defs.n_locations; i++) {
		const struct location *l = &defs.location[i];

		OTF2_GlobalDefWriter_WriteLocation(
			to, i, l->name, OTF2_LOCATION_TYPE_CPU_THREAD,
			l->n_events, (uint32_t)l->process);
	}
}

/* The first thread of each process stands for it in communicators. */
static void write_comms(OTF2_GlobalDefWriter *to)
{
	const uint32_t none = otf2_defs_string("");
	uint64_t *first = mem_alloc(defs.n_processes + 1, sizeof(*first));

	for (size_t i = defs.n_locations; i-- > 0;)
		first[defs.location[i].process] = i;
	OTF2_GlobalDefWriter_WriteGroup(
		to, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
		OTF2_GROUP_FLAG_NONE, (uint32_t)defs.n_processes, first);
	for (uint32_t i = 0; i < defs.comms.n; i++) {
		OTF2_GlobalDefWriter_WriteGroup(
			to, i + 1, none, OTF2_GROUP_TYPE_COMM_GROUP,
			OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
			defs.comm[i].size, defs.comm[i].members);
		OTF2_GlobalDefWriter_WriteComm(to, i, defs.comm[i].name, i + 1,
					       OTF2_UNDEFINED_COMM,
					       OTF2_COMM_FLAG_NONE);
	}
	free(first);
}

static void write_attributes(OTF2_GlobalDefWriter *to)
{
	OTF2_GlobalDefWriter_WriteAttribute(
		to, OTF2_PLACE, otf2_defs_string(LINE),
		otf2_defs_string(LINE_TEXT), OTF2_TYPE_SOURCE_CODE_LOCATION);
	OTF2_GlobalDefWriter_WriteAttribute(
		to, OTF2_PLACE_TEXT, otf2_defs_string(PLACE),
		otf2_defs_string(PLACE_TEXT), OTF2_TYPE_STRING);
}

static void forget(void)
{
	for (size_t i = 0; i < defs.comms.n; i++)
		free(defs.comm[i].members);
	free(defs.comm);
	free(defs.region);
	free(defs.process);
	free(defs.location);
	intern_clear(&defs.strings);
	intern_clear(&defs.regions);
	intern_clear(&defs.places);
	intern_clear(&defs.comms);
}

void otf2_defs_write(OTF2_Archive *archive)
{
	OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(archive);

	OTF2_GlobalDefWriter_WriteClockProperties(to, SECOND, 0, defs.end + 1,
						  OTF2_UNDEFINED_TIMESTAMP);
	write_strings(to);
	write_attributes(to);
	write_code(to);
	write_tree(to);
	write_comms(to);
	OTF2_Archive_CloseGlobalDefWriter(archive, to);
	forget();
}

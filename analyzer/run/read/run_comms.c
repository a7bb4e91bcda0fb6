/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the table of communicators of a file. */
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"

enum {
	NUMBER,
	ID,
	NAME,
	SIZE,
	RANK,
	USES,
	CALLS,
	TIME,
	SENT,
	RECEIVED,
	N_COLUMNS
};

static const char *const names[N_COLUMNS] = {
	"communicator", "id_hex", "name",    "size",       "rank",
	"uses",         "calls",  "time_ns", "sent_bytes", "received_bytes",
};

/* Communicators of one member have no number of their own: they go by name. */
static size_t comm_at(struct run *run, const struct record_table *t, size_t row,
		      const int *at)
{
	const uint64_t id = record_u64(t, row, at[ID]);
	const size_t n = run->comm_keys.n;
	size_t number;

	if (record_u64(t, row, at[SIZE]) == 1)
		number = intern_text(&run->comm_keys,
				     record_str(t, row, at[NAME]));
	else
		number = intern_add(&run->comm_keys, &id, sizeof(id));
	if (number < n)
		return number;
	run->comms = mem_grow(run->comms, &run->comms_room, n,
			      sizeof(*run->comms));
	run->comms[n] = (struct run_comm){
		.size = record_u64(t, row, at[SIZE]),
		.first_rank = UINT64_MAX,
	};
	return number;
}

static size_t name_comm(struct run *run, const struct record_table *t,
			size_t row, const int *at)
{
	const size_t number = comm_at(run, t, row, at);
	struct run_comm *comm = &run->comms[number];
	const size_t name = intern_text(&run->words,
					record_str(t, row, at[NAME]));

	if (!comm->name || *comm->name == '\0')
		comm->name = intern_key(&run->words, name);
	return number;
}

/* Whom a collective call waits for is asked of jobs that hang only. */
static void add_member(const struct run_reading *reading, size_t number,
		       uint64_t place)
{
	struct run *run = reading->run;

	if (strcmp(run_rank_fact(run, reading->rank, RUN_REASON), "finalize") ==
	    0)
		return;
	run->members = mem_grow(run->members, &run->members_room,
				run->n_members, sizeof(*run->members));
	run->members[run->n_members++] = (struct run_member){
		.comm = number,
		.rank = reading->rank->rank,
		.place = place,
	};
}

static void read_comm(struct run_reading *reading, const struct record_table *t,
		      size_t row, const int *at)
{
	struct run *run = reading->run;
	const size_t number = name_comm(run, t, row, at);
	struct run_comm *comm = &run->comms[number];
	const uint64_t uses = record_u64(t, row, at[USES]);

	run_map_set(&reading->comms, record_u64(t, row, at[NUMBER]), number);
	add_member(reading, number, record_u64(t, row, at[RANK]));
	if (uses > comm->uses)
		comm->uses = uses;
	if (reading->rank->rank < comm->first_rank)
		comm->first_rank = reading->rank->rank;
	comm->members = sat_add(comm->members, 1);
	comm->calls = sat_add(comm->calls, record_u64(t, row, at[CALLS]));
	comm->time = sat_add(comm->time, record_u64(t, row, at[TIME]));
	comm->sent = sat_add(comm->sent, record_u64(t, row, at[SENT]));
	comm->received = sat_add(comm->received,
				 record_u64(t, row, at[RECEIVED]));
}

void run_map_comms(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record,
						    "communicators");
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++)
		run_map_set(&reading->comms, record_u64(t, row, at[NUMBER]),
			    name_comm(reading->run, t, row, at));
}

void run_read_comms(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record,
						    "communicators");
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++)
		read_comm(reading, t, row, at);
}

static size_t phase_at(struct run *run, const char *name)
{
	const size_t n = run->phase_names.n;
	const size_t number = intern_text(&run->phase_names, name);

	if (number < n)
		return number;
	run->phases = mem_grow(run->phases, &run->phases_room, n,
			       sizeof(*run->phases));
	run->phases[n] = (struct run_phase){ 0 };
	return number;
}

/* Older records have no such columns. */
static void add_span(struct run_reading *reading, const struct record_table *t,
		     size_t row, size_t phase)
{
	const int computation = record_column(t, "computation_ns");
	const int communication = record_column(t, "communication_ns");
	const int path = record_column(t, "path_ns");

	if (computation < 0 || communication < 0)
		return;
	run_span_add(reading,
		     &(struct run_span){
			     .phase = phase,
			     .computation = record_u64(t, row, computation),
			     .communication = record_u64(t, row, communication),
			     .path = record_u64(t, row, path),
			     .has_path = path >= 0,
		     });
}

/* A phase is the same in all processes if its name is. */
void run_read_phases(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "phases");
	const int number = record_column(t, "phase");
	const int name = record_column(t, "name");
	const int count = record_column(t, "count");
	const int time = record_column(t, "time_ns");

	for (size_t row = 0; row < record_rows(t); row++) {
		const size_t at = phase_at(reading->run,
					   record_str(t, row, name));
		struct run_phase *phase = &reading->run->phases[at];

		run_map_set(&reading->phases, record_u64(t, row, number), at);
		add_span(reading, t, row, at);
		phase->ranks = sat_add(phase->ranks, 1);
		phase->count = sat_add(phase->count, record_u64(t, row, count));
		phase->time = sat_add(phase->time, record_u64(t, row, time));
	}
}

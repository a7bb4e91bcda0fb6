/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads one file of a record into the run, and maps its numbers to those of the
 * run.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"
#include "mds/base/hist.h"

static void read_facts(struct run_reading *reading)
{
	static const char *const keys[RUN_FACTS] = {
		[RUN_PROGRAM] = "program",
		[RUN_ARGUMENTS] = "arguments",
		[RUN_HOST] = "host",
		[RUN_MPI] = "mpi",
		[RUN_MODE] = "mode",
		[RUN_CLOCK] = "clock",
		[RUN_THREAD_LEVEL] = "thread_level",
		[RUN_REASON] = "reason",
		[RUN_STATUS] = "status",
		[RUN_RANKS] = "ranks",
		[RUN_CALL_DEPTH] = "call_depth",
		[RUN_RESOLUTION] = "resolution",
		[RUN_POLITE] = "polite",
		[RUN_GUESSED_IN] = "guessed_in",
	};
	const char *value;

	for (size_t i = 0; i < RUN_FACTS; i++) {
		value = record_value(reading->record, "process", keys[i]);
		reading->rank->facts[i] = intern_text(&reading->run->words,
						      value ? value : "");
	}
}

void run_read_process(struct run_reading *reading)
{
	const struct record *record = reading->record;
	struct run_rank *rank = reading->rank;
	struct run *run = reading->run;
	uint64_t bits = run_process_u64(record, "resolution");

	read_facts(reading);
	rank->pid = run_process_u64(record, "pid");
	rank->started = run_process_u64(record, "started");
	rank->start = run_process_u64(record, "start_ns");
	rank->wall = run_process_u64(record, "wall_ns");
	rank->clock_hz = run_process_u64(record, "clock_hz");
	rank->local_ranks = run_process_u64(record, "local_ranks");
	rank->cores = run_process_u64(record, "cores");
	rank->yields = run_process_u64(record, "yields");
	rank->sleeps = run_process_u64(record, "sleeps");
	rank->given_up = run_process_u64(record, "given_up_ns");
	rank->dropped_calls = run_process_u64(record, "dropped_calls");
	rank->cut_calls = run_process_u64(record, "cut_calls");
	rank->cut = run_process_u64(record, "cut_ns");
	rank->guessed_calls = run_process_u64(record, "guessed_calls");
	rank->guessed = run_process_u64(record, "guessed_ns");
	rank->no_core = run_process_u64(record, "no_core_ns");
	rank->overhead = run_process_u64(record, "overhead_ns");
	rank->memory = run_process_u64(record, "memory_bytes");
	rank->whole = record_state(record) == RECORD_WHOLE;
	if (run->n_ranks == 1 || rank->start < run->start)
		run->start = rank->start;
	if (bits > HIST_BITS_MAX)
		bits = HIST_BITS_MAX;
	if (run->n_ranks == 1 || bits < run->bits)
		run->bits = (unsigned)bits;
}

static void add_thread(struct run_reading *reading,
		       const struct run_thread *thread)
{
	struct run_rank *rank = reading->rank;
	struct run *run = reading->run;

	run->threads = mem_grow(run->threads, &run->threads_room,
				run->n_threads, sizeof(*run->threads));
	run->threads[run->n_threads++] = *thread;
	rank->n_threads++;
	rank->computation = sat_add(rank->computation, thread->computation);
	rank->communication = sat_add(rank->communication,
				      thread->communication);
	rank->waiting = sat_add(rank->waiting, thread->waiting);
	rank->yielded = sat_add(rank->yielded, thread->yielded);
	rank->off = sat_add(rank->off, thread->off);
	rank->calls = sat_add(rank->calls, thread->calls);
}

/* A record without threads is of a process that recorded nothing. */
static void add_whole(struct run_reading *reading, const struct record_table *t)
{
	const int path = record_column(t, "path_ns");
	struct run_span whole = { .phase = RUN_WHOLE, .has_path = path >= 0 };
	uint64_t most = 0;

	for (size_t row = 0; row < record_rows(t); row++) {
		const struct run_thread *thread =
			&reading->run
				 ->threads[reading->rank->first_thread + row];
		const uint64_t time = sat_add(thread->computation,
					      thread->communication);

		if (time < most)
			continue;
		most = time;
		whole.computation = thread->computation;
		whole.communication = thread->communication;
		whole.path = record_u64(t, row, path);
	}
	if (record_rows(t))
		run_span_add(reading, &whole);
}

void run_read_threads(struct run_reading *reading)
{
	static const char *const names[] = {
		"thread",     "computation_ns", "communication_ns",
		"waiting_ns", "yielded_ns",     "off_ns",
		"calls"
	};
	const struct record_table *t = record_table(reading->record, "threads");
	int at[7];

	run_columns(t, names, 7, at);
	reading->rank->first_thread = reading->run->n_threads;
	for (size_t row = 0; row < record_rows(t); row++)
		add_thread(reading,
			   &(struct run_thread){
				   .rank = reading->rank->rank,
				   .thread = record_u64(t, row, at[0]),
				   .computation = record_u64(t, row, at[1]),
				   .communication = record_u64(t, row, at[2]),
				   .waiting = record_u64(t, row, at[3]),
				   .yielded = record_u64(t, row, at[4]),
				   .off = record_u64(t, row, at[5]),
				   .calls = record_u64(t, row, at[6]),
			   });
	add_whole(reading, t);
}

/* More texts than anybody would read are left out. */
#define NOTES_MAX 1000

void run_read_notes(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "notes");
	const int text = record_column(t, "text");
	struct run *run = reading->run;

	for (size_t row = 0; row < record_rows(t); row++) {
		const size_t n = run->note_texts.n;
		size_t at;

		if (n == NOTES_MAX)
			return;
		at = intern_text(&run->note_texts, record_str(t, row, text));
		run->notes = mem_grow(run->notes, &run->notes_room, at,
				      sizeof(*run->notes));
		if (at == n)
			run->notes[at] = (struct run_note){
				.first_rank = reading->rank->rank
			};
		run->notes[at].ranks++;
	}
}

static struct run_rank *rank_add(struct run *run, uint64_t number)
{
	run->ranks = mem_grow(run->ranks, &run->ranks_room, run->n_ranks,
			      sizeof(*run->ranks));
	run->ranks[run->n_ranks] = (struct run_rank){ .rank = number,
						      .file = INTERN_NONE };
	return &run->ranks[run->n_ranks++];
}

void run_read_beside(struct run *run, const struct record *record,
		     struct run_rank *rank)
{
	const char *reason = run_rank_fact(run, rank, RUN_REASON);

	struct run_reading reading = {
		.run = run,
		.record = record,
		.rank = rank,
	};

	run_read_paths(&reading);
	run_map_comms(&reading);
	if (strcmp(reason, "saved") == 0) {
		run_forget_now(run, rank->rank);
		run_read_now(&reading);
	}
	run_read_tail(&reading);
	run_paths_end(&reading);
	run_map_clear(&reading.comms);
}

void run_read(struct run *run, const struct record *record, uint64_t number,
	      const struct run_filter *filter)
{
	struct run_reading reading = {
		.run = run,
		.record = record,
		.filter = filter,
		.rank = rank_add(run, number),
	};

	run_read_process(&reading);
	run_read_threads(&reading);
	run_read_notes(&reading);
	run_read_paths(&reading);
	run_read_phases(&reading);
	run_read_comms(&reading);
	run_read_cells(&reading);
	run_read_histograms(&reading);
	run_read_peers(&reading);
	run_read_now(&reading);
	run_read_findings(&reading);
	run_read_buffers(&reading);
	run_read_reuses(&reading);
	run_read_tail(&reading);
	run_paths_end(&reading);
	run_map_clear(&reading.phases);
	run_map_clear(&reading.comms);
	run_map_clear(&reading.cells);
}

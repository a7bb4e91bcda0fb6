/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_READ_H
#define BCS_RUN_READ_H

#include "analyzer/run/run.h"
#include "mds/record/record.h"

/*
 * One file on its way into a run.  The numbers that it gives to its paths,
 * cells and so on are its own: each map leads from them to those of the run.
 */
struct run_map {
	struct intern numbers;
	size_t *to;
	size_t room;
};

struct run_reading {
	struct run *run;
	const struct record *record;
	const struct run_filter *filter;
	struct run_rank *rank;
	struct run_map modules; /* to numbers in run.code */
	struct run_map paths;
	size_t *frames; /* numbers in run.code, by those of the file */
	size_t n_frames;
	struct run_map phases;
	struct run_map comms; /* to numbers in run.comms */
	struct run_map cells; /* to numbers in run.paths */
};

/* Maps the file's number; INTERN_NONE where it is not mapped. */
void run_map_set(struct run_map *map, uint64_t from, size_t to);
size_t run_map_get(const struct run_map *map, uint64_t from);
void run_map_clear(struct run_map *map);

/* The places of `n` columns by their names. */
void run_columns(const struct record_table *table, const char *const *names,
		 size_t n, int *places);
/* The number of the text in run.words. */
size_t run_word_at(struct run *run, const struct record_table *table,
		   size_t row, int column);
/* The number in run.comms; INTERN_NONE: a call may have none. */
size_t run_comm_at(const struct run_reading *reading,
		   const struct record_table *table, size_t row, int column);

/* Adds what the rank did in a part of the run. */
void run_span_add(struct run_reading *reading, const struct run_span *span);

/* Parts of a file, in the order in which they have to be read. */
void run_read_process(struct run_reading *reading);
void run_read_threads(struct run_reading *reading);
void run_read_paths(struct run_reading *reading);
void run_read_phases(struct run_reading *reading);
void run_read_comms(struct run_reading *reading);
/* Only finds them, for what names them. */
void run_map_comms(struct run_reading *reading);
void run_read_cells(struct run_reading *reading);
void run_read_histograms(struct run_reading *reading);
void run_read_peers(struct run_reading *reading);
void run_read_now(struct run_reading *reading);
void run_read_findings(struct run_reading *reading);
void run_read_buffers(struct run_reading *reading);
void run_read_reuses(struct run_reading *reading);
void run_read_notes(struct run_reading *reading);
void run_read_tail(struct run_reading *reading);

/*
 * Distributions are collected by path alone as files are read; when all are,
 * this adds them up by site and by call.
 */
void run_cells_finish(struct run *run);

/*
 * A path in run.code by the file's number, once run_read_paths was called;
 * INTERN_NONE: unknown.
 */
size_t run_path(struct run_reading *reading, uint64_t number);
/* A module in run.code by the file's number; INTERN_NONE: unknown. */
size_t run_module(const struct run_reading *reading, uint64_t number);
void run_paths_end(struct run_reading *reading);

/* A key's value as a number; 0 where there is none. */
uint64_t run_process_u64(const struct record *record, const char *key);

/* Forgets the calls of a rank that were under way. */
void run_forget_now(struct run *run, uint64_t rank);

/*
 * Adds what a flight recorder has beside the rank's file: its last calls.  If
 * the file was saved while the program went on, the calls that were under way
 * then are replaced by those of the end.
 */
void run_read_beside(struct run *run, const struct record *record,
		     struct run_rank *rank);

/* Adds a whole file, whose rank goes by `number`, to a run. */
void run_read(struct run *run, const struct record *record, uint64_t number,
	      const struct run_filter *filter);

#endif

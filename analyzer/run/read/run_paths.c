/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads where calls came from: the tables `modules`, `frames` and `callers`, or
 * `paths` of bcs 0.1.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"
#include "mds/callpath/callpath_shared.h"

/* The tables `modules` and `paths` of a file. */
static void read_modules(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "modules");
	const int number = record_column(t, "module");
	const int file = record_column(t, "file");
	const int id = record_column(t, "build_id");

	for (size_t row = 0; row < record_rows(t); row++)
		run_map_set(&reading->modules, record_u64(t, row, number),
			    code_module(&reading->run->code,
					record_str(t, row, file),
					record_str(t, row, id)));
}

size_t run_module(const struct run_reading *reading, uint64_t number)
{
	return run_map_get(&reading->modules, number);
}

enum { PATH, MODULE, OFFSET, N_COLUMNS };

static const char *const names[N_COLUMNS] = { "path", "module", "offset_hex" };

/* The frame of a row with the columns `names`, or with those behind PATH. */
static size_t frame_of(const struct run_reading *reading,
		       const struct record_table *t, size_t row, const int *at)
{
	size_t known = INTERN_NONE;

	if (*record_str(t, row, at[MODULE]))
		known = run_module(reading, record_u64(t, row, at[MODULE]));
	return code_frame(&reading->run->code,
			  known == INTERN_NONE ? CODE_UNKNOWN : known,
			  record_u64(t, row, at[OFFSET]));
}

/* The rows of a path stand together, the innermost frame first. */
static void read_old(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "paths");
	int at[N_COLUMNS];
	size_t *frames = NULL;
	size_t room = 0;
	size_t n = 0;

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++) {
		const uint64_t path = record_u64(t, row, at[PATH]);

		frames = mem_grow(frames, &room, n, sizeof(*frames));
		frames[n++] = frame_of(reading, t, row, at);
		if (row + 1 < record_rows(t) &&
		    record_u64(t, row + 1, at[PATH]) == path)
			continue;
		run_map_set(&reading->paths, path,
			    code_path(&reading->run->code, frames, n));
		n = 0;
	}
	free(frames);
}

static void read_frames(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "frames");
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	reading->n_frames = record_rows(t);
	reading->frames = mem_alloc(reading->n_frames + 1,
				    sizeof(*reading->frames));
	for (size_t row = 0; row < reading->n_frames; row++)
		reading->frames[row] = frame_of(reading, t, row, at);
}

void run_read_paths(struct run_reading *reading)
{
	read_modules(reading);
	read_old(reading);
	read_frames(reading);
}

/*
 * Row `number` - 1 has the outermost frame, and how far back the row of the
 * next one is.  False where that is no path.
 */
static bool take_callers(const struct run_reading *reading, uint64_t number,
			 size_t frames[CALLPATH_DEPTH], size_t *n)
{
	const struct record_table *t = record_table(reading->record, "callers");
	const int back_at = record_column(t, "back");
	const int frame_at = record_column(t, "frame");
	uint64_t back;
	uint64_t frame;

	for (*n = 0; number > 0; number -= back) {
		if (number > record_rows(t) || *n == CALLPATH_DEPTH)
			return false;
		back = record_u64(t, number - 1, back_at);
		frame = record_u64(t, number - 1, frame_at);
		if (back == 0 || back > number || frame >= reading->n_frames)
			return false;
		frames[(*n)++] = reading->frames[frame];
	}
	return *n > 0;
}

static void turn_round(size_t *frames, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const size_t frame = frames[i];

		frames[i] = frames[n - 1 - i];
		frames[n - 1 - i] = frame;
	}
}

size_t run_path(struct run_reading *reading, uint64_t number)
{
	size_t path = run_map_get(&reading->paths, number);
	size_t frames[CALLPATH_DEPTH];
	size_t n;

	if (path != INTERN_NONE || !take_callers(reading, number, frames, &n))
		return path;
	turn_round(frames, n);
	path = code_path(&reading->run->code, frames, n);
	run_map_set(&reading->paths, number, path);
	return path;
}

void run_paths_end(struct run_reading *reading)
{
	run_map_clear(&reading->modules);
	run_map_clear(&reading->paths);
	free(reading->frames);
}

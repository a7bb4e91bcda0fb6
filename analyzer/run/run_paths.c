/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the tables `modules` and `paths`: where calls came from. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run_read.h"

/* The tables `modules` and `paths` of a file. */
static void read_modules(const struct run_reading *reading,
			 struct run_map *modules)
{
	const struct record_table *t = record_table(reading->record, "modules");
	const int number = record_column(t, "module");
	const int file = record_column(t, "file");
	const int id = record_column(t, "build_id");

	for (size_t row = 0; row < record_rows(t); row++)
		run_map_set(modules, record_u64(t, row, number),
			    code_module(&reading->run->code,
					record_str(t, row, file),
					record_str(t, row, id)));
}

enum { PATH, MODULE, OFFSET, N_COLUMNS };

static const char *const names[N_COLUMNS] = { "path", "module", "offset_hex" };

static size_t frame_of(const struct run_reading *reading,
		       const struct run_map *modules,
		       const struct record_table *t, size_t row, const int *at)
{
	size_t known = INTERN_NONE;

	if (*record_str(t, row, at[MODULE]))
		known = run_map_get(modules, record_u64(t, row, at[MODULE]));
	return code_frame(&reading->run->code,
			  known == INTERN_NONE ? CODE_UNKNOWN : known,
			  record_u64(t, row, at[OFFSET]));
}

/* The rows of a path stand together, the innermost frame first. */
void run_read_paths(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "paths");
	int at[N_COLUMNS];
	struct run_map modules = { 0 };
	size_t *frames = NULL;
	size_t room = 0;
	size_t n = 0;

	run_columns(t, names, N_COLUMNS, at);
	read_modules(reading, &modules);
	for (size_t row = 0; row < record_rows(t); row++) {
		const uint64_t path = record_u64(t, row, at[PATH]);

		frames = mem_grow(frames, &room, n, sizeof(*frames));
		frames[n++] = frame_of(reading, &modules, t, row, at);
		if (row + 1 < record_rows(t) &&
		    record_u64(t, row + 1, at[PATH]) == path)
			continue;
		run_map_set(&reading->paths, path,
			    code_path(&reading->run->code, frames, n));
		n = 0;
	}
	free(frames);
	run_map_clear(&modules);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads where the buffers of blocking calls were used again. */
#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"

enum { CALL, PATH, USE, AT_CALL, AT_PATH, COUNT, COMPUTATION, N_COLUMNS };

static const char *const names[N_COLUMNS] = {
	"call", "path", "use", "at_call", "at_path", "count", "computation_ns",
};

static void read_row(struct run_reading *reading, const struct record_table *t,
		     size_t row, const int *at)
{
	struct run *run = reading->run;
	const size_t path = run_path(reading, record_u64(t, row, at[PATH]));

	if (path == INTERN_NONE)
		return;
	run->reuses = mem_grow(run->reuses, &run->reuses_room, run->n_reuses,
			       sizeof(*run->reuses));
	run->reuses[run->n_reuses++] = (struct run_reuse){
		.rank = reading->rank->rank,
		.place = code_site(&run->code, path),
		.call = run_word_at(run, t, row, at[CALL]),
		.use = run_word_at(run, t, row, at[USE]),
		.at_call = run_word_at(run, t, row, at[AT_CALL]),
		.at_path = run_path(reading, record_u64(t, row, at[AT_PATH])),
		.count = record_u64(t, row, at[COUNT]),
		.computation = record_u64(t, row, at[COMPUTATION]),
	};
}

void run_read_reuses(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "reuses");
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++)
		read_row(reading, t, row, at);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads which variables were buffers. */
#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"

enum { CALL, PATH, USE, TYPE, BYTES, MODULE, OFFSET, BELOW, N_COLUMNS };

static const char *const names[N_COLUMNS] = {
	"call", "path", "use", "type", "bytes", "module", "offset", "below",
};

static void read_row(struct run_reading *reading, const struct record_table *t,
		     size_t row, const int *at)
{
	struct run *run = reading->run;
	const size_t path = run_path(reading, record_u64(t, row, at[PATH]));

	run->buffers = mem_grow(run->buffers, &run->buffers_room,
				run->n_buffers, sizeof(*run->buffers));
	run->buffers[run->n_buffers++] = (struct run_buffer){
		.rank = reading->rank->rank,
		.place = path == INTERN_NONE ? INTERN_NONE
					     : code_site(&run->code, path),
		.call = run_word_at(run, t, row, at[CALL]),
		.use = run_word_at(run, t, row, at[USE]),
		.type = run_word_at(run, t, row, at[TYPE]),
		.bytes = record_u64(t, row, at[BYTES]),
		.module = run_module(reading, record_u64(t, row, at[MODULE])),
		.offset = record_u64(t, row, at[OFFSET]),
		.below = record_u64(t, row, at[BELOW]),
	};
}

void run_read_buffers(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "buffers");
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++)
		read_row(reading, t, row, at);
}

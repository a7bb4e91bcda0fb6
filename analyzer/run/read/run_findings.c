/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the faults of the program that a file tells of. */
#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"

enum {
	NAME,
	CALL,
	PATH,
	COUNT,
	COMM,
	PEER,
	TAG,
	TEXT,
	OTHER,
	OTHER_PATH,
	DETAIL,
	N_COLUMNS
};

static const char *const names[N_COLUMNS] = {
	"finding", "call", "path",  "count",      "communicator", "peer",
	"tag",     "text", "other", "other_path", "detail",
};

/* Nobody, in older records. */
static uint64_t other_at(const struct record_table *t, size_t row, int column)
{
	return *record_str(t, row, column) ? record_u64(t, row, column)
					   : UINT64_MAX;
}

static void read_row(struct run_reading *reading, const struct record_table *t,
		     size_t row, const int *at)
{
	struct run *run = reading->run;
	const size_t path = run_path(reading, record_u64(t, row, at[PATH]));

	run->findings = mem_grow(run->findings, &run->findings_room,
				 run->n_findings, sizeof(*run->findings));
	run->findings[run->n_findings++] = (struct run_finding){
		.rank = reading->rank->rank,
		.count = record_u64(t, row, at[COUNT]),
		.place = path == INTERN_NONE ? INTERN_NONE
					     : code_site(&run->code, path),
		.name = run_word_at(run, t, row, at[NAME]),
		.call = run_word_at(run, t, row, at[CALL]),
		.peer = run_word_at(run, t, row, at[PEER]),
		.tag = run_word_at(run, t, row, at[TAG]),
		.text = run_word_at(run, t, row, at[TEXT]),
		.detail = run_word_at(run, t, row, at[DETAIL]),
		.comm = run_comm_at(reading, t, row, at[COMM]),
		.other = other_at(t, row, at[OTHER]),
		.other_path = record_u64(t, row, at[OTHER_PATH]),
		.other_place = UINT64_MAX,
	};
}

void run_read_findings(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record,
						    "findings");
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++)
		read_row(reading, t, row, at);
}

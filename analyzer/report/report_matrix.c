/* SPDX-License-Identifier: BSD-3-Clause */

/* The section `matrix`: bytes from each rank to each other. */
#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/base/units.h"
#include "analyzer/report/report.h"

#define RANKS_MAX   512
#define FIRST_WIDTH 10
#define CELL_WIDTH  8

/* A column for each rank, behind the one that names the row. */
static struct table_column *make_columns(struct report *report, uint64_t size)
{
	struct table_column *columns = mem_alloc(size + 2, sizeof(*columns));
	char *name;

	report_keep(report, columns);
	columns[0] = (struct table_column){ "from", "From", TABLE_RANK, 0, 0 };
	for (uint64_t i = 0; i < size; i++) {
		name = report_keep(report, mem_print("to_%" PRIu64, i));
		columns[i + 1] = (struct table_column){ name, name + 3,
							TABLE_COUNT, 0, 0 };
	}
	return columns;
}

static uint64_t ranks_of(const struct run *run)
{
	uint64_t size = run->size;

	for (size_t i = 0; i < run->n_ranks; i++)
		if (run->ranks[i].rank < RUN_UNRANKED &&
		    run->ranks[i].rank >= size)
			size = run->ranks[i].rank + 1;
	return size;
}

static uint64_t *sent_bytes(const struct run *run, uint64_t size)
{
	uint64_t *bytes = mem_alloc(size * size, sizeof(*bytes));

	for (size_t i = 0; i < run->n_peers; i++) {
		const struct run_peer *p = &run->peers[i];

		if (p->rank < size && p->peer < size)
			bytes[p->rank * size + p->peer] = p->sent;
	}
	return bytes;
}

/*
 * One unit for all numbers, so that a column's title is not longer than they.
 */
static struct unit unit_of(const struct report *report, const uint64_t *bytes,
			   uint64_t n)
{
	uint64_t max = 0;

	for (uint64_t i = 0; i < n; i++)
		if (bytes[i] > max)
			max = bytes[i];
	return units_bytes(0, report->options->machine ? 0 : max);
}

static void add_rows(struct table *table, const uint64_t *bytes, uint64_t size,
		     const struct unit *unit)
{
	for (uint64_t from = 0; from < size; from++) {
		table_row(table, 0);
		table_number(table, from);
		for (uint64_t to = 0; to < size; to++) {
			const uint64_t n = bytes[from * size + to];

			table_number(table,
				     (uint64_t)((double)n / unit->per + 0.5));
		}
	}
}

static bool has_room(const struct report *report, uint64_t size)
{
	const uint64_t width = FIRST_WIDTH + size * CELL_WIDTH;

	if (size > RANKS_MAX) {
		say_warning("the matrix of %" PRIu64 " ranks is left out; "
			    "--section=peers has the same by pairs",
			    size);
		return false;
	}
	if (!report->options->machine && width > report->options->width) {
		say_warning("the matrix of %" PRIu64 " ranks is left out; it "
			    "takes --width=%" PRIu64,
			    size, width);
		return false;
	}
	return size > 0 && report->run->n_peers > 0;
}

void report_matrix(struct report *report)
{
	const uint64_t size = ranks_of(report->run);
	struct table *table;
	struct unit unit;
	uint64_t *bytes;

	if (!has_room(report, size))
		return;
	bytes = sent_bytes(report->run, size);
	unit = unit_of(report, bytes, size * size);
	table = report_table(
		report, "matrix",
		report_keep(report, mem_print("Sent from rank (line) to "
					      "rank (column), %s",
					      unit.name)),
		make_columns(report, size), 0);
	add_rows(table, bytes, size, &unit);
	free(bytes);
}

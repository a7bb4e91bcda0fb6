/* SPDX-License-Identifier: BSD-3-Clause */

/* Tables, their order, words and places: shared by the report's sections. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/report/report.h"

struct table *report_table(struct report *report, const char *name,
			   const char *title,
			   const struct table_column *columns, unsigned flags)
{
	struct table *table = table_new(name, title, columns, flags);

	report->tables = mem_grow(report->tables, &report->room,
				  report->n_tables, sizeof(*report->tables));
	report->tables[report->n_tables++] = table;
	return table;
}

void report_arrange(const struct report *report, struct table *table,
		    enum table_sort otherwise)
{
	table_sort(table, report->options->sort, otherwise);
	table_cut(table, report->options->top);
}

void report_arrange_all(const struct report *report, struct table *table,
			enum table_sort otherwise)
{
	table_sort(table, report->options->sort, otherwise);
	if (report->options->top_given)
		table_cut(table, report->options->top);
}

void *report_keep(struct report *report, void *memory)
{
	report->kept = mem_grow(report->kept, &report->kept_room,
				report->n_kept, sizeof(*report->kept));
	report->kept[report->n_kept++] = memory;
	return memory;
}

double report_error(const struct run *run)
{
	return 100.0 / (double)(2u << run->bits);
}

double report_imbalance(uint64_t max, uint64_t sum, uint64_t n)
{
	if (sum == 0)
		return 0;
	return 100.0 * ((double)max * (double)n / (double)sum - 1);
}

char *report_place(const struct report *report, uint64_t frame)
{
	if (frame == UINT64_MAX)
		return mem_text("(unknown)");
	return symbols_text(report->symbols, frame);
}

void report_note(struct table *table, char *text)
{
	table_row(table, 0);
	table_words(table, text);
	free(text);
}

void report_percentiles(struct table *table, const struct dist *dist,
			uint64_t min, uint64_t max)
{
	static const double percents[] = { 50, 90, 99 };

	for (int i = 0; i < 3; i++)
		table_number_if(table, dist->n > 0,
				dist_percentile(dist, percents[i], min, max));
}

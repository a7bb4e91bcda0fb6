/* SPDX-License-Identifier: BSD-3-Clause */

/* Shows the findings of `bcs diff` as one part of a page. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/diff/diff_choice.h"
#include "analyzer/html/html_diff.h"
#include "analyzer/show/table_html.h"

#define TOP 1000 /* rows of a table, unless asked for */

static void put(FILE *to, const struct table *table)
{
	char *id = mem_print("changes-%s", table->name);

	fprintf(to, "<h3 id=\"%s\">", id);
	table_html_text(to, table->title);
	fputs("</h3>\n", to);
	table_html(to, table, id);
	free(id);
}

void html_diff_add(struct html_page *page, const struct diff *diff,
		   const struct html_choice *choice)
{
	const struct report_options options = {
		.top = choice->top_given ? choice->top : TOP,
	};
	struct html_part *part = html_page_part(page, "changes",
						"Changes from A to B");
	size_t size;
	FILE *to = mem_stream(&part->whole, &size);

	for (size_t i = 0; diff_sections[i].name; i++) {
		struct table *table = diff_sections[i].build(diff, &options);

		if (table->n_rows > 0 && !(table->flags & TABLE_MACHINE))
			put(to, table);
		table_free(table);
	}
	fclose(to);
}

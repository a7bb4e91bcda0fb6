/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes tables, places of charts, and the data of charts into a part of a
 * page.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/html/html_run.h"
#include "analyzer/show/table_html.h"

void html_put_data(struct html_run *r, struct table *table)
{
	fputs(r->any_data ? ",\n" : "", r->data);
	table_json_to(r->data, table);
	r->any_data = true;
	table_free(table);
}

void html_put_chart(struct html_run *r, const char *chart, const char *title)
{
	fprintf(r->body,
		"<div class=\"chart\" data-chart=\"%s\" data-run=\"%zu\" "
		"data-title=\"%s\"></div>\n",
		chart, r->number, title);
}

bool html_put_shows(const struct table *table)
{
	return table->n_rows > 0 && !(table->flags & TABLE_MACHINE);
}

void html_put_tables(struct html_run *r, struct table *const tables[], size_t n)
{
	bool first = true;

	for (size_t i = 0; i < n; i++) {
		char *id;

		if (!html_put_shows(tables[i]))
			continue;
		id = mem_print("t%zu-%s", r->number, tables[i]->name);
		fprintf(r->body, "<h3 id=\"%s\"%s>", id,
			first ? " class=\"first\"" : "");
		table_html_text(r->body, tables[i]->title);
		fputs("</h3>\n", r->body);
		table_html(r->body, tables[i], id);
		free(id);
		first = false;
	}
}

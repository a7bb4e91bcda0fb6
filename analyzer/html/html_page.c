/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts the page together: its head, its parts by run, the data of its charts.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/html/html_page.h"
#include "analyzer/show/table_html.h"

enum { BEFORE_TITLE, BEFORE_MAIN, BEFORE_DATA, AFTER_DATA };

struct html_part *html_page_part(struct html_page *page, const char *id,
				 const char *title)
{
	struct html_part *part;

	for (size_t i = 0; i < page->n_parts; i++)
		if (strcmp(page->parts[i].id, id) == 0)
			return &page->parts[i];
	page->parts = mem_grow(page->parts, &page->room, page->n_parts,
			       sizeof(*page->parts));
	part = &page->parts[page->n_parts++];
	*part = (struct html_part){
		.id = mem_text(id),
		.title = mem_text(title),
		.texts = mem_alloc(page->n_runs, sizeof(*part->texts)),
	};
	return part;
}

static bool is_empty(const struct html_page *page, const struct html_part *part)
{
	for (size_t i = 0; i < page->n_runs; i++)
		if (part->texts[i])
			return false;
	return !part->whole;
}

static void put_link(const struct html_page *page, const struct html_part *part,
		     FILE *to)
{
	(void)page;
	fprintf(to, "<li><a href=\"#%s\">%s</a></li>\n", part->id, part->id);
}

static void put_run(const struct html_page *page, const struct html_part *part,
		    size_t run, FILE *to)
{
	fputs("<div class=\"run\">\n", to);
	if (page->n_runs > 1) {
		fputs("<p class=\"label\">", to);
		table_html_text(to, page->labels[run]);
		fputs("</p>\n", to);
	}
	fputs(part->texts[run] ? part->texts[run]
			       : "<p class=\"none\">nothing on record</p>\n",
	      to);
	fputs("</div>\n", to);
}

static void put_part(const struct html_page *page, const struct html_part *part,
		     FILE *to)
{
	fprintf(to, "<section id=\"%s\"><h2 id=\"%s-title\">", part->id,
		part->id);
	table_html_text(to, part->title);
	fputs("</h2>\n", to);
	if (part->whole) {
		fputs(part->whole, to);
	} else {
		fprintf(to, "<div class=\"runs%s\">\n",
			page->n_runs > 1 ? " several" : "");
		for (size_t i = 0; i < page->n_runs; i++)
			put_run(page, part, i, to);
		fputs("</div>\n", to);
	}
	fputs("</section>\n", to);
}

/* Parts that all runs share come first. */
static void each_part(const struct html_page *page, FILE *to,
		      void (*put)(const struct html_page *page,
				  const struct html_part *part, FILE *to))
{
	for (size_t i = 0; i < page->n_parts; i++)
		if (page->parts[i].whole)
			put(page, &page->parts[i], to);
	for (size_t i = 0; i < page->n_parts; i++)
		if (!is_empty(page, &page->parts[i]) && !page->parts[i].whole)
			put(page, &page->parts[i], to);
}

static void put_data(const struct html_page *page, FILE *to)
{
	char *text;
	size_t size;
	FILE *json = mem_stream(&text, &size);

	fputs("{\"runs\": [", json);
	for (size_t i = 0; i < page->n_runs; i++)
		fprintf(json, "%s{%s}", i ? ",\n" : "", page->data[i]);
	fputs("]}", json);
	fclose(json);
	html_pack(to, text, size);
	free(text);
}

static void put_traces(const struct html_page *page, FILE *to)
{
	for (size_t i = 0; i < page->n_runs; i++) {
		const struct html_block *block = &page->traces[i];

		if (!block->bytes)
			continue;
		fprintf(to,
			"<script type=\"application/octet-stream;base64\" "
			"id=\"trace-%zu\">",
			i);
		html_pack(to, block->bytes, block->size);
		fputs("</script>\n", to);
	}
}

void html_page_write(const struct html_page *page, FILE *to)
{
	fputs(html_page_parts[BEFORE_TITLE], to);
	table_html_text(to, page->title);
	fputs(html_page_parts[BEFORE_MAIN], to);
	fputs("<header><h1>", to);
	table_html_text(to, page->title);
	fputs("</h1></header>\n", to);
	fputs("<nav aria-label=\"Parts\"><ul>\n", to);
	each_part(page, to, put_link);
	fputs("</ul></nav>\n<main>\n", to);
	each_part(page, to, put_part);
	fputs("</main>\n", to);
	put_traces(page, to);
	fputs(html_page_parts[BEFORE_DATA], to);
	put_data(page, to);
	fputs(html_page_parts[AFTER_DATA], to);
}

void html_page_clear(struct html_page *page)
{
	for (size_t i = 0; i < page->n_parts; i++) {
		struct html_part *part = &page->parts[i];

		for (size_t run = 0; run < page->n_runs; run++)
			free(part->texts[run]);
		free(part->texts);
		free(part->whole);
		free(part->title);
		free(part->id);
	}
	free(page->parts);
	for (size_t i = 0; i < page->n_runs; i++) {
		free(page->labels ? page->labels[i] : NULL);
		free(page->data ? page->data[i] : NULL);
		free(page->traces ? page->traces[i].bytes : NULL);
	}
	free(page->labels);
	free(page->data);
	free(page->traces);
	free(page->title);
}

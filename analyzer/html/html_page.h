/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HTML_PAGE_H
#define BCS_HTML_PAGE_H

#include <stddef.h>
#include <stdio.h>

/*
 * The page that is being made.  Each part has a text for every run, so that
 * runs stand side by side.  The data is for the charts.
 */
struct html_part {
	char *id;
	char *title;
	char **texts; /* by run; NULL: a run has nothing there */
	char *whole;  /* or a text of all runs together */
};

/* Bytes for the script. */
struct html_block {
	char *bytes; /* NULL: none */
	size_t size;
};

struct html_page {
	size_t n_runs;
	char *title;
	char **labels;             /* of the runs */
	char **data;               /* by run: members of a JSON object */
	struct html_block *traces; /* by run: columns of its timeline */
	struct html_part *parts;
	size_t n_parts;
	size_t room;
};

/* Every page begins with this mark; other files do not. */
#define HTML_PAGE_MARK "<!DOCTYPE html>\n<!-- A page of bcs html. -->\n"

/* page.html around its slots, made by embed.py. */
extern const char *const html_page_parts[];

/*
 * The part `id`, added behind all others if there is none.  The title of the
 * first call counts.
 */
struct html_part *html_page_part(struct html_page *page, const char *id,
				 const char *title);
void html_page_write(const struct html_page *page, FILE *to);
void html_page_clear(struct html_page *page);

/* The bytes, compressed as gzip does, in base64. */
void html_pack(FILE *to, const char *bytes, size_t size);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HTML_RUN_H
#define BCS_HTML_RUN_H

#include <stdbool.h>

#include "analyzer/html/html_page.h"
#include "analyzer/report/report.h"

struct html_choice {
	size_t top; /* rows of a table; 0: all */
	bool top_given;
	bool source;   /* show lines of it */
	size_t events; /* calls of a trace; 0: no timeline */
};

/* A run that becomes part of a page. */
struct html_run {
	struct html_page *page;
	size_t number; /* in the page */
	const struct html_choice *choice;
	struct report report;
	FILE *body; /* text of the part that is being made */
	FILE *data; /* members of the JSON object for the charts */
	bool any_data;
};

/*
 * Adds the sections of `bcs report`, the charts and the slices of a run.
 * Returns 0, or -errno after it has said what of it cannot be read.
 */
int html_run_add(struct html_page *page, size_t number, const struct run *run,
		 const struct html_choice *choice);

/* By html_put.c: a table for the charts, which is freed. */
void html_put_data(struct html_run *r, struct table *table);
/* The place of a chart in the body, which page.js fills. */
void html_put_chart(struct html_run *r, const char *chart, const char *title);
/* Whether a table is for people, and has rows. */
bool html_put_shows(const struct table *table);
/* Tables as HTML, with the titles of all but the first. */
void html_put_tables(struct html_run *r, struct table *const tables[],
		     size_t n);

/* The data of two charts: time by rank, and bytes by pair. */
void html_bars(struct html_run *r);
/* False if no messages are on record. */
bool html_matrix(struct html_run *r);

/* Slices over time, and the tables of `bcs slices`. */
int html_slices(struct html_run *r, bool *any);

/* The timeline, if the run has a trace. */
int html_timeline(struct html_run *r);

/* The first part: the main numbers, and sentences on them. */
void html_overview(struct html_run *r);

#endif

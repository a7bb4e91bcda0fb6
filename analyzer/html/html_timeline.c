/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The timeline of a run with a trace.  A sentence and letters can be read
 * without a script.  The calls are columns of numbers for timeline_data.js.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/html/html_run.h"
#include "analyzer/show/table_show.h"
#include "analyzer/trace/timeline.h"

#define WIDTH 100 /* of the letters */

/* Seven bits a byte, the lowest first. */
static void put_number(FILE *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		putc((int)(value & 0x7f) | 0x80, to);
	putc((int)value, to);
}

static void put_signed(FILE *to, int64_t value)
{
	put_number(to, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

enum { CALL, SITE, COMM, PHASE, PEER, TAG, SENT, RECEIVED, STATE, N_SHAPE };

static uint64_t shape_value(const struct timeline_shape *shape, int column)
{
	switch (column) {
	case CALL:
		return shape->call;
	case SITE:
		return shape->site;
	case COMM:
		return shape->comm;
	case PHASE:
		return shape->phase;
	case PEER:
		return (uint64_t)(shape->peer - TRACE_ANYBODY);
	case TAG:
		return (uint64_t)((int64_t)shape->tag - TRACE_NOBODY);
	case SENT:
		return shape->sent;
	case RECEIVED:
		return shape->received;
	default:
		return shape->state;
	}
}

static void put_shapes(FILE *to, const struct timeline *t)
{
	for (int column = 0; column < N_SHAPE; column++)
		for (size_t i = 0; i < t->shapes.n; i++)
			put_number(to,
				   shape_value(timeline_shape(t, (uint32_t)i),
					       column));
}

enum { GAP, TIME, WAIT, SHAPE, N_EVENT };

static void put_event_column(FILE *to, const struct timeline_lane *lane,
			     int column)
{
	uint64_t last = 0;

	for (size_t i = 0; i < lane->n; i++) {
		const struct timeline_event *e = &lane->events[i];

		if (column == GAP)
			put_signed(to, (int64_t)(e->begin - last));
		else
			put_number(to, column == TIME   ? e->time
				       : column == WAIT ? e->wait
							: e->shape);
		last = e->begin + e->time;
	}
}

static void put_events(FILE *to, const struct timeline *t)
{
	for (int column = 0; column < N_EVENT; column++)
		for (size_t i = 0; i < t->n_lanes; i++)
			put_event_column(to, &t->lanes[i], column);
}

static void put_messages(FILE *to, const struct timeline *t)
{
	const struct timeline_message *m = t->messages;
	const size_t n = t->n_messages;

	for (size_t i = 0; i < n; i++)
		put_signed(to, (int64_t)(m[i].from - (i ? m[i - 1].from : 0)));
	for (size_t i = 0; i < n; i++)
		put_signed(to, (int64_t)(m[i].to - m[i].from));
	for (size_t i = 0; i < n; i++)
		put_signed(to, m[i].tag);
	for (size_t i = 0; i < n; i++)
		put_number(to, m[i].bytes);
}

static void put_lanes(FILE *to, const struct timeline *t)
{
	fputs("\"lanes\": [", to);
	for (size_t i = 0; i < t->n_lanes; i++) {
		char *name = timeline_lane_text(&t->lanes[i]);

		fprintf(to, "%s[\"%s\", %zu]", i ? ", " : "", name,
			t->lanes[i].n);
		free(name);
	}
	putc(']', to);
}

/* The head, which timeline_data.js needs before it can read the columns. */
static void put_head(struct html_run *r, const struct timeline *t)
{
	fprintf(r->data,
		"%s \"timeline\": {\"from\": %" PRIu64 ", \"to\": %" PRIu64
		", \"end\": %" PRIu64
		", \"shapes\": %zu, \"messages\": %zu, \"texts\": [",
		r->any_data ? ",\n" : "", t->main_from, t->main_to, t->end,
		t->shapes.n, t->n_messages);
	r->any_data = true;
	for (size_t i = 0; i < t->texts.n; i++) {
		fputs(i ? ", " : "", r->data);
		table_json_text_to(r->data, intern_key(&t->texts, i));
	}
	fputs("], ", r->data);
	put_lanes(r->data, t);
	putc('}', r->data);
}

static void put_columns(struct html_run *r, const struct timeline *t)
{
	struct html_block *block = &r->page->traces[r->number];
	FILE *to = mem_stream(&block->bytes, &block->size);

	put_shapes(to, t);
	put_events(to, t);
	put_messages(to, t);
	fclose(to);
}

static void put_letters(struct html_run *r, const struct timeline *t)
{
	char *text;
	size_t size;
	FILE *to = mem_stream(&text, &size);

	timeline_text(t, to, WIDTH);
	fclose(to);
	fputs("<pre class=\"letters\">", r->body);
	fputs(text, r->body); /* ranks and letters alone */
	fputs("</pre>\n", r->body);
	free(text);
}

static void put_sentences(struct html_run *r, const struct timeline *t)
{
	fprintf(r->body,
		"<p>%zu call%s of %zu thread%s and %zu message%s between "
		"them.",
		t->n_events, t->n_events == 1 ? "" : "s", t->n_lanes,
		t->n_lanes == 1 ? "" : "s", t->n_messages,
		t->n_messages == 1 ? "" : "s");
	if (t->is_cut)
		fputs(" The trace goes on; --events has more of it.", r->body);
	if (t->dropped)
		fprintf(r->body,
			" It is a ring of the last calls: %" PRIu64
			" events before them were dropped.",
			t->dropped);
	if (t->lost)
		fprintf(r->body,
			" %" PRIu64 " events were lost: messages behind "
			"them may lead to the wrong call.",
			t->lost);
	fputs("</p>\n", r->body);
}

int html_timeline(struct html_run *r)
{
	const struct run_filter all = { 0 };
	struct timeline timeline;
	int rc;

	if (r->choice->events == 0 || !traces_are_there(r->report.run->path))
		return 0;
	rc = timeline_load(&timeline, r->report.run->path, &all,
			   r->choice->events);
	if (rc != 0)
		return rc;
	put_sentences(r, &timeline);
	put_letters(r, &timeline);
	put_head(r, &timeline);
	put_columns(r, &timeline);
	html_put_chart(r, "timeline", "Timeline");
	timeline_clear(&timeline);
	return 0;
}

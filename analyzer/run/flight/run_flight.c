/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Makes a record of a flight recorder's file, so that its calls, their places
 * and communicators are read as those of any record.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/flight/run_flight.h"
#include "analyzer/run/flight/run_flight_text.h"
#include "mds/base/clock.h"
#include "mds/mmds/mmds.h"
#include "mds/record/record_encode.h"

int run_flight_open(struct flight **flight_p, const char *path,
		    enum reading_from from, enum run_alive *alive, char *why,
		    size_t why_size)
{
	const int rc = flight_open(flight_p, path, from, why, why_size);
	const struct flight_head *head;

	if (rc != 0)
		return rc;
	head = flight_head(*flight_p);
	*alive = run_alive(head->host, head->pid, head->started);
	if (*alive == RUN_ALIVE || *alive == RUN_STOPPED)
		flight_go_on(*flight_p, clock_monotonic_ns());
	return 0;
}

static void put_value(const struct run_flight_making *m, const char *key,
		      uint64_t value)
{
	fprintf(m->table, "%s %" PRIu64 "\n", key, value);
}

static void put_text(const struct run_flight_making *m, const char *key,
		     const char *text)
{
	fprintf(m->table, "%s ", key);
	run_flight_put_word(m, text);
	fputc('\n', m->table);
}

static void put_process(struct run_flight_making *m, const char *reason)
{
	const struct flight_head *head = flight_head(m->flight);

	run_flight_begin(m, "key value");
	if (head->rank >= 0) {
		put_value(m, "rank", (uint64_t)head->rank);
		put_value(m, "size", head->size);
	}
	put_text(m, "program", head->program);
	put_text(m, "host", head->host);
	put_text(m, "mode", head->mode);
	put_text(m, "reason", reason);
	put_value(m, "pid", head->pid);
	put_value(m, "started", head->started);
	put_value(m, "start_ns", head->start_ns);
	put_value(m, "wall_ns", flight_since(m->flight, head->begun));
	put_value(m, "local_ranks", head->local_ranks);
	run_flight_end(m, "process");
}

static void put_threads(struct run_flight_making *m)
{
	run_flight_begin(m, "thread computation_ns communication_ns calls");
	for (unsigned i = 0; i < flight_n_threads(m->flight); i++) {
		const struct flight_thread *t = flight_thread(m->flight, i);
		const struct flight_look *look = &t->look;

		if (!t->n_calls || !look->ticks)
			continue;
		fprintf(m->table, "%u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
			t->id, flight_ns(m->flight, (double)look->computation),
			flight_ns(m->flight, (double)look->communication),
			look->calls);
	}
	run_flight_end(m, "threads");
}

static void put_modules(struct run_flight_making *m)
{
	const struct flight_entry *entry = NULL;
	const struct flight_module *module;

	run_flight_begin(m, "module file build_id");
	while ((entry = flight_next(m->flight, entry))) {
		if (entry->kind != FLIGHT_MODULE)
			continue;
		module = (const struct flight_module *)entry;
		fprintf(m->table, "%u ", entry->number);
		run_flight_put_word(m, flight_text(entry, sizeof(*module)));
		fputs(module->id_len ? " " : " %", m->table);
		for (uint32_t i = 0; i < module->id_len && i < FLIGHT_ID_BYTES;
		     i++)
			fprintf(m->table, "%02x", module->id[i]);
		fputc('\n', m->table);
	}
	run_flight_end(m, "modules");
}

/* The next path, if it is the one of that number; else NULL. */
static const struct flight_path *next_path(const struct run_flight_making *m,
					   const struct flight_entry **entry,
					   uint32_t number)
{
	while ((*entry = flight_next(m->flight, *entry)))
		if ((*entry)->kind == FLIGHT_PATH)
			break;
	return *entry && (*entry)->number == number
		       ? (const struct flight_path *)*entry
		       : NULL;
}

/* Each path has a frame of its own: that of its number less one. */
static void put_paths(struct run_flight_making *m)
{
	const struct flight_entry *entry = NULL;
	const struct flight_path *path;

	run_flight_begin(m, "module offset_hex");
	for (uint32_t n = 1; (path = next_path(m, &entry, n)); n++)
		if (path->module == UINT32_MAX)
			fprintf(m->table, "%% %" PRIx64 "\n", path->offset);
		else
			fprintf(m->table, "%u %" PRIx64 "\n", path->module,
				path->offset);
	run_flight_end(m, "frames");

	entry = NULL;
	run_flight_begin(m, "back frame");
	for (uint32_t n = 1; (path = next_path(m, &entry, n)); n++)
		fprintf(m->table, "%u %u\n", n - path->parent, n - 1);
	run_flight_end(m, "callers");
}

/* The last entry counts: a communicator may have got its name later. */
static void put_comms(struct run_flight_making *m)
{
	const struct flight_comm *last[MMDS_COMMS] = { NULL };
	const struct flight_entry *entry = NULL;

	while ((entry = flight_next(m->flight, entry)))
		if (entry->kind == FLIGHT_COMM && entry->number < MMDS_COMMS)
			last[entry->number] = (const struct flight_comm *)entry;
	run_flight_begin(m, "communicator id_hex name size rank uses");
	for (uint32_t i = 0; i < MMDS_COMMS; i++) {
		if (!last[i])
			continue;
		fprintf(m->table, "%u %" PRIx64 " ", i, last[i]->id);
		run_flight_put_word(
			m, flight_text(&last[i]->entry, sizeof(*last[i])));
		fprintf(m->table, " %u %u 1\n", last[i]->size, last[i]->rank);
	}
	run_flight_end(m, "communicators");
}

static void put_all(struct run_flight_making *m, const char *reason)
{
	run_flight_begin(m, "key value");
	put_value(m, "format", RECORD_FORMAT);
	run_flight_end(m, "record");
	put_process(m, reason);
	put_threads(m);
	put_modules(m);
	put_paths(m);
	put_comms(m);
	run_flight_put_now(m);
	run_flight_put_findings(m);
	run_flight_put_tail(m);
	run_flight_begin(m, "key value");
	run_flight_end(m, "end");
}

int run_flight_record(struct record **record_p, const struct flight *flight,
		      const char *reason, const char *name, char *why,
		      size_t why_size)
{
	struct run_flight_making m = { .flight = flight };
	char *text;
	size_t size;

	m.all = mem_stream(&text, &size);
	put_all(&m, reason);
	fclose(m.all);
	return record_parse_text(record_p, text, size, name, why, why_size);
}

void run_flight_read(struct run_opened *opened, const char *path,
		     enum reading_from from, bool living)
{
	static const char *const reasons[] = {
		[RUN_ALIVE] = "request",
		[RUN_STOPPED] = "request",
		[RUN_ENDED] = "killed",
		[RUN_UNKNOWN] = "saved",
	};
	struct flight *flight;
	enum run_alive alive;

	*opened = (struct run_opened){ .record = NULL };
	opened->rc = run_flight_open(&flight, path, from, &alive, opened->why,
				     sizeof(opened->why));
	if (opened->rc != 0)
		return;
	if (!living || alive != RUN_ENDED)
		opened->rc = run_flight_record(
			&opened->record, flight, reasons[alive], path,
			opened->why, sizeof(opened->why));
	flight_close(flight);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Takes a picture of a running job from the flight recorders of its ranks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/run.h"
#include "analyzer/run/run_files.h"
#include "analyzer/top/top_job.h"
#include "analyzer/top/top_slices.h"
#include "mds/mmds/mmds.h"

struct taking {
	struct top_picture *picture;
	const struct top_picture *before;
	struct top_places *places;
	const struct flight *flight;
	enum run_alive alive;
};

static uint64_t number_of(const struct taking *t)
{
	const struct flight_head *head = flight_head(t->flight);

	return head->rank >= 0 ? (uint64_t)head->rank
			       : RUN_UNRANKED + t->picture->n_living;
}

/* The last entry of a number counts. */
static const struct flight_comm *find_comm(const struct flight *flight,
					   uint32_t number)
{
	const struct flight_entry *entry = NULL;
	const struct flight_comm *found = NULL;

	while (number < MMDS_COMMS && (entry = flight_next(flight, entry)))
		if (entry->kind == FLIGHT_COMM && entry->number == number)
			found = (const void *)entry;
	return found;
}

/* ", on NAME"; nothing of MPI_COMM_WORLD. */
static char *comm_text(const struct taking *t, uint32_t number)
{
	const struct flight_comm *comm = find_comm(t->flight, number);
	const char *name = comm ? flight_text(&comm->entry, sizeof(*comm))
				: "MPI_COMM_WORLD";

	if (strcmp(name, "MPI_COMM_WORLD") == 0)
		return mem_text("");
	return mem_print(", on %s", *name ? name : "a communicator");
}

/* "any rank", "rank 2, tag 7" */
static char *peer_text(const struct taking *t, int peer, int tag)
{
	const struct flight_head *head = flight_head(t->flight);
	char *who = peer == head->any_source ? mem_text("any rank")
					     : mem_print("rank %d", peer);
	char *text = tag == head->any_tag || tag < 0
			     ? mem_text(who)
			     : mem_print("%s, tag %d", who, tag);

	free(who);
	return text;
}

static char *with_peer(const struct taking *t, const char *way, int peer,
		       int tag, uint32_t comm, uint32_t more)
{
	char *who = peer_text(t, peer, tag);
	char *on = comm_text(t, comm);
	char *rest = more ? mem_print(" and %u more", more) : mem_text("");
	char *text = mem_print("%s %s%s%s", way, who, on, rest);

	free(who);
	free(on);
	free(rest);
	return text;
}

static char *coll_text(const struct taking *t, const struct flight_wait *wait)
{
	const char *name = flight_name(t->flight, (uint32_t)wait->peer);
	char *on = comm_text(t, wait->comm);
	char *text = mem_print("%s%s", name && *name ? name : "?", on);

	free(on);
	return text;
}

static const char *way_of(const char *call)
{
	if (strcasestr(call, "recv") || strstr(call, "robe"))
		return "from";
	return strcasestr(call, "send") ? "to" : "root";
}

static char *waits_text(const struct taking *t, unsigned i,
			const struct flight_call *call, const char *name)
{
	const struct flight_look *look = &flight_thread(t->flight, i)->look;
	const struct flight_wait *wait = &look->waits[0];
	const int any = flight_head(t->flight)->any_source;

	if (call->took != 0)
		return mem_text("");
	if (flight_has_waits(t->flight, i) && wait->what == FLIGHT_COLLECTIVE)
		return coll_text(t, wait);
	if (flight_has_waits(t->flight, i))
		return with_peer(
			t,
			wait->what == FLIGHT_SEND ? "send to" : "receive from",
			wait->peer, wait->tag, wait->comm, look->n_waits - 1);
	if (call->peer >= 0 || call->peer == any)
		return with_peer(t, way_of(name), call->peer, call->tag,
				 call->comm, 0);
	return mem_text("");
}

static const struct top_row *find_row(const struct top_picture *picture,
				      uint64_t rank, uint32_t thread)
{
	for (size_t i = 0; i < picture->n; i++)
		if (picture->rows[i].rank == rank &&
		    picture->rows[i].thread == thread)
			return &picture->rows[i];
	return NULL;
}

static double rate(uint64_t now, uint64_t before, uint64_t ns)
{
	return now > before ? (double)(now - before) * 1e9 / (double)ns : 0;
}

/* A process that was not looked at since has the rates of before. */
static void set_rates(struct top_row *row, const struct top_row *before)
{
	static const struct top_row start;
	const struct top_sums *now = &row->sums;
	const struct top_sums *was = &(before ? before : &start)->sums;
	const uint64_t ns = now->computation + now->communication -
			    was->computation - was->communication;

	if (now->ns <= was->ns) {
		row->share = before ? before->share : 0;
		row->calls = before ? before->calls : 0;
		row->bytes = before ? before->bytes : 0;
		return;
	}
	if (ns && ns < UINT64_MAX / 2)
		row->share = rate(now->communication, was->communication, ns) /
			     1e7;
	row->calls = rate(now->calls, was->calls, now->ns - was->ns);
	row->bytes = rate(now->bytes, was->bytes, now->ns - was->ns);
}

static void set_sums(const struct taking *t, struct top_row *row,
		     const struct flight_look *look)
{
	const struct flight *flight = t->flight;
	const uint64_t begun = flight_head(flight)->begun;

	row->sums = (struct top_sums){
		.ns = look->ticks > begun
			      ? flight_ns(flight, (double)(look->ticks - begun))
			      : 0,
		.calls = look->calls,
		.computation = flight_ns(flight, (double)look->computation),
		.communication = flight_ns(flight, (double)look->communication),
		.bytes = look->sent + look->received,
	};
}

static void set_call(const struct taking *t, struct top_row *row, unsigned i,
		     const struct top_row *before)
{
	const struct flight_call *call = flight_call(t->flight, i, 0);
	const struct flight_comm *comm = find_comm(t->flight, call->comm);
	const char *name = flight_name(t->flight, call->call);

	free(row->call);
	free(row->waits_for);
	free(row->site);
	row->in_call = call->took == 0;
	row->since = call->start ? flight_since(t->flight, call->start) : 0;
	row->path = call->path;
	row->comm = comm ? comm->id : 0;
	row->call = mem_text(name && *name ? name : "?");
	row->waits_for = waits_text(t, i, call, row->call);
	row->site = before && before->path == row->path
			    ? mem_text(before->site)
			    : top_places_text(t->places, t->flight, row->path);
}

static void add_thread(struct taking *t, unsigned i)
{
	const struct flight_thread *thread = flight_thread(t->flight, i);
	struct top_picture *picture = t->picture;
	const struct top_row *before = find_row(t->before, number_of(t),
						thread->id);
	struct top_row *row;

	picture->rows = mem_grow(picture->rows, &picture->room, picture->n,
				 sizeof(*picture->rows));
	row = &picture->rows[picture->n++];
	*row = (struct top_row){
		.rank = number_of(t),
		.thread = thread->id,
		.alive = t->alive,
		.recording = flight_head(t->flight)->recording,
		.call = mem_text(""),
		.waits_for = mem_text(""),
		.site = mem_text(""),
	};
	set_sums(t, row, &thread->look);
	set_rates(row, before);
	if (flight_n_calls(t->flight, i) > 0)
		set_call(t, row, i, before);
}

static void add_members(const struct taking *t)
{
	const struct flight_entry *entry = NULL;
	struct top_picture *to = t->picture;

	while ((entry = flight_next(t->flight, entry))) {
		if (entry->kind != FLIGHT_COMM)
			continue;
		to->members = mem_grow(to->members, &to->members_room,
				       to->n_members, sizeof(*to->members));
		to->members[to->n_members++] = (struct top_member){
			.rank = number_of(t),
			.comm = ((const struct flight_comm *)entry)->id,
		};
	}
}

static void add_process(struct taking *t)
{
	const struct flight_head *head = flight_head(t->flight);
	struct top_picture *picture = t->picture;
	const uint64_t wall = flight_since(t->flight, head->begun);

	if (!picture->program) {
		picture->program = mem_text(head->program);
		picture->mode = mem_text(head->mode);
		picture->size = head->size;
	}
	if (wall > picture->wall)
		picture->wall = wall;
	for (unsigned i = 0; i < flight_n_threads(t->flight); i++)
		if (flight_thread(t->flight, i)->n_calls)
			add_thread(t, i);
	add_members(t);
	top_slices_add(picture, t->before, t->flight);
	picture->n_living++;
}

void top_picture_take(struct top_picture *picture, const char *dir,
		      const struct top_picture *before,
		      struct top_places *places)
{
	const struct run_filter all = { 0 };
	struct taking t = { picture, before, places, NULL, RUN_ALIVE };
	struct run_files files = { 0 };
	struct flight *flight;
	char why[512];

	*picture = (struct top_picture){ 0 };
	if (run_files_list(&files, dir, FLIGHT_SUFFIX, &all) != 0)
		files.n = 0;
	/* A process that ends removes its file: that is no fault. */
	for (size_t i = 0; i < files.n; i++) {
		if (run_flight_open(&flight, files.paths[i], READING_RECORD,
				    &t.alive, why, sizeof(why)) != 0)
			continue;
		t.flight = flight;
		if (t.alive != RUN_ENDED)
			add_process(&t);
		flight_close(flight);
	}
	run_files_clear(&files);
}

void top_picture_clear(struct top_picture *picture)
{
	for (size_t i = 0; i < picture->n; i++) {
		free(picture->rows[i].call);
		free(picture->rows[i].waits_for);
		free(picture->rows[i].site);
	}
	free(picture->rows);
	free(picture->members);
	top_slices_clear(picture);
	free(picture->program);
	free(picture->mode);
	*picture = (struct top_picture){ 0 };
}

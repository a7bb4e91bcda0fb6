/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Faults of messages that mostly do no harm and cost something to find.  Two
 * receives go into the same memory.  The program changes a buffer while it is
 * sent.  A receive from any source had several messages to take.
 */
#include <stdio.h>
#include <string.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/requests.h"
#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/route/base/route_overlap.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/p2p/route_guard.h"
#include "pmpi-shim/route/p2p/route_strict.h"

/* Receives that may be open; later ones are not compared. */
#define RECENT 64

static struct route_request *recent[RECENT];
static unsigned n_recent;

static struct finding_about about_of(enum finding what,
				     const struct route_request *r)
{
	const struct shim_request *made = r ? shim_request_find(r->handle)
					    : NULL;

	return (struct finding_about){
		.key = made ? made->key : findings_key_now(),
		.comm = MMDS_NONE,
		.what = what,
	};
}

static void count(enum finding what, const struct route_request *r)
{
	const struct finding_about about = about_of(what, r);

	findings_count(&about);
}

static bool is_open(const struct route_request *r)
{
	return r->active && !r->ended && !r->kind && r->op.op.kind == OP_RECV &&
	       r->op.op.bytes;
}

/* Receives into exactly the same memory do not count: the program only wants to
 * know that something came. */
static bool overlap(const struct route_op *a, const struct route_op *b)
{
	if (a->buffer.address == b->buffer.address &&
	    a->op.bytes == b->op.bytes)
		return false;
	return route_buffers_overlap(&a->buffer, &b->buffer);
}

/* Leaves out those that ended meanwhile, and this one's last time. */
static void look_at_others(const struct route_op *op)
{
	bool found = false;
	unsigned n = 0;

	for (unsigned i = 0; i < n_recent; i++) {
		if (&recent[i]->op == op || !is_open(recent[i]))
			continue;
		recent[n++] = recent[i];
		found = found || (op->op.bytes && overlap(op, &recent[i]->op));
	}
	n_recent = n;
	if (found)
		count(FINDING_OVERLAP, NULL);
}

static uint64_t sum_of(const struct op *op)
{
	uint64_t sum = op->bytes;
	uint64_t word;
	uint64_t i;

	for (i = 0; i + sizeof(word) <= op->bytes; i += sizeof(word)) {
		memcpy(&word, op->buf + i, sizeof(word));
		sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
		sum ^= sum >> 32;
	}
	for (; i < op->bytes; i++)
		sum = (sum ^ op->buf[i]) * 0x9e3779b97f4a7c15u;
	return sum;
}

/*
 * Nothing is looked at where the program has several threads: each would see
 * buffers whose sends others are about to end.  Between nodes there is a thread
 * of ours, which takes no part.
 */
static bool threads_allow(void)
{
	return process.thread_asked != MPI_THREAD_MULTIPLE;
}

static bool looks_at_buffers(void)
{
	return route_strict & SETTINGS_STRICT_BUFFERS && threads_allow();
}

static void look_begin(const struct route_op *op, struct route_request *r)
{
	if (op->op.kind == OP_SEND && r && !op->packed)
		r->sum = sum_of(&op->op);
	if (op->op.kind == OP_SEND)
		return;
	look_at_others(op);
	if (r && n_recent < RECENT)
		recent[n_recent++] = r;
}

void route_strict_look_begin(const struct route_op *op, struct route_request *r)
{
	if (!op->packed)
		route_guard_open(op->op.buf, op->op.bytes,
				 op->op.kind == OP_SEND);
	if (looks_at_buffers())
		look_begin(op, r);
	if (r && op->op.kind == OP_RECV)
		route_guard_begin(r);
}

/* The other end is the message that was not taken. */
static void race_count(const struct route_op *op, const struct route_request *r,
		       const struct engine_found *found)
{
	struct finding_about about = about_of(FINDING_RACE, r);
	const struct route_comm *comm = route_comm_find(op->comm);

	if (comm && comm->context == op->op.key.context) {
		about.other = shim_comm_world_rank(op->comm, found->source) + 1;
		about.other_site = found->site;
		snprintf(about.detail, sizeof(about.detail),
			 "that of rank %d was taken", op->op.source);
	}
	findings_count(&about);
}

void route_strict_look_send(const struct route_buffer *out)
{
	if (!looks_at_buffers())
		return;
	for (unsigned i = 0; i < n_recent; i++)
		if (is_open(recent[i]) && !route_guard_has(recent[i]) &&
		    route_buffers_overlap(out, &recent[i]->op.buffer)) {
			count(FINDING_READ, NULL);
			return;
		}
}

void route_strict_look_exchange(const struct route_buffer *out,
				const struct route_buffer *in)
{
	if (looks_at_buffers() && route_buffers_overlap(out, in))
		count(FINDING_COPIED, NULL);
}

/*
 * By the strobe a look is a descriptor of its own.  A schedule has a place for
 * each descriptor of the program's, and none for these.
 */
static bool races_are_seen(void)
{
	return !route_engines.strobe ||
	       (!process.settings.schedule && !*process.settings.replay);
}

static void look_for_race(const struct route_op *op,
			  const struct route_request *r)
{
	struct engine_found found;

	if (op->op.key.source != MATCH_ANY || op->op.error ||
	    !races_are_seen() ||
	    !engines_probe(&route_engines, &op->op.key, false, &found))
		return;
	if (found.source != op->op.source)
		race_count(op, r, &found);
}

void route_strict_look_end(const struct route_op *op, struct route_request *r)
{
	if (r && op->op.kind == OP_RECV)
		route_guard_end(r);
	if (op->op.kind == OP_RECV && route_strict & SETTINGS_STRICT_RACES)
		look_for_race(op, r);
	if (r && looks_at_buffers() && op->op.kind == OP_SEND && !op->packed &&
	    !r->buffered && r->sum != sum_of(&op->op))
		count(FINDING_CHANGED, r);
}

/* MPI's own calls in the place of each other: a message costs nothing more. */
void route_strict_start(void)
{
	route_strict = process.settings.strict & ~SETTINGS_STRICT_SENDS;
	if (route_strict & SETTINGS_STRICT_PAGES && threads_allow())
		route_guard_start();
	if (!(process.settings.strict & SETTINGS_STRICT_SENDS))
		return;
	shim_pmpi.MPI_Send = shim_pmpi.MPI_Ssend;
	shim_pmpi.MPI_Send_c = shim_pmpi.MPI_Ssend_c;
	shim_pmpi.MPI_Isend = shim_pmpi.MPI_Issend;
	shim_pmpi.MPI_Isend_c = shim_pmpi.MPI_Issend_c;
	shim_pmpi.MPI_Send_init = shim_pmpi.MPI_Ssend_init;
	shim_pmpi.MPI_Send_init_c = shim_pmpi.MPI_Ssend_init_c;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds programs that touch the buffer of an open receive.  The whole pages of
 * the buffer are closed (closed.h) while the receive is open.  The message goes
 * to memory of ours, as with a type with gaps.  The first access is a finding,
 * with its place.
 *
 * Other processes and helper threads access the buffers of calls, and their
 * faults cannot be mended.  So a call first opens the buffers that it is given.
 * A buffer that is still sent from stays open.
 */
#include "pmpi-shim/route/p2p/route_guard.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "mds/mmds/mmds.h"
#include "pmpi-shim/record/buffers/closed.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/requests.h"
#include "pmpi-shim/record/findings/findings.h"

#define GUARDS 64 /* guarded at a time; more receives are not guarded */

static struct guard {
	const struct route_request *r; /* NULL: it is not used */
	struct closed *closed;
} guards[GUARDS];
static bool guards_pages;

/* NULL: an unused one. */
static struct guard *find(const struct route_request *r)
{
	for (unsigned i = 0; i < GUARDS; i++)
		if (guards[i].r == r)
			return &guards[i];
	return NULL;
}

static void tell(const struct route_request *r, const ucontext_t *at)
{
	const struct shim_request *made = r ? shim_request_find(r->handle)
					    : NULL;
	const uint64_t now = findings_key_now();

	if (made)
		findings_count(&(struct finding_about){
			.key = (uint64_t)(now == FINDING_NO_CALL
						  ? closed_path(at)
						  : mmds_key_path(now))
				       << 32 |
			       mmds_key_call(made->key),
			.comm = made->row,
			.peer = made->peer,
			.tag = made->tag,
			.what = FINDING_TOUCHED,
		});
}

static void touched(void *owner, const ucontext_t *at)
{
	const struct guard *g = owner;

	tell(g->r, at);
}

void route_guard_begin(struct route_request *r)
{
	struct route_op *op = &r->op;
	struct guard *g = guards_pages ? find(NULL) : NULL;
	void *room;

	if (!g || op->packed || route_requests_send(op->op.buf, op->op.bytes))
		return;
	/* Memory as for a packed one; without it the buffer stays open. */
	room = malloc(op->op.bytes);
	g->r = r;
	g->closed = room ? closed_begin(op->buffer.address, op->op.bytes,
					PROT_NONE, touched, g)
			 : NULL;
	if (!g->closed) {
		g->r = NULL;
		free(room);
		return;
	}
	op->packed = room;
	op->op.buf = room;
}

bool route_guard_has(const struct route_request *r)
{
	return guards_pages && find(r);
}

void route_guard_end(const struct route_request *r)
{
	struct guard *g = guards_pages ? find(r) : NULL;

	if (!g)
		return;
	closed_end(g->closed);
	g->r = NULL;
}

void route_guard_open(const void *at, uint64_t bytes, bool tells)
{
	for (unsigned i = 0; i < GUARDS; i++) {
		struct guard *g = &guards[i];

		if (g->r && closed_meets(g->closed, (uintptr_t)at, bytes) &&
		    closed_open(g->closed) && tells)
			tell(g->r, NULL);
	}
}

void route_guard_start(void)
{
	closed_start();
	guards_pages = true;
}

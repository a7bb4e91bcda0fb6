/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Joins the calls of a collective: which ranks each waits for, and the
 * completion after the first one was done.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/waits/waits_coll.h"

struct member {
	struct waits_ref begun;
	struct waits_ref waiting; /* no thread: it does not wait */
	uint64_t end;
	uint32_t rank;
	bool blocks;
	bool is_root;
};

struct coll {
	enum waits_state state;
	uint32_t n;
	uint32_t size;
	struct member members[];
};

static const struct {
	const char *prefix;
	enum waits_state state;
} kinds[] = {
	{ "Barrier", WAITS_BARRIER },        { "Bcast", WAITS_LATE_BROADCAST },
	{ "Scatter", WAITS_LATE_BROADCAST }, { "Reduce_scatter", WAITS_NXN },
	{ "Reduce", WAITS_EARLY_REDUCE },    { "Gather", WAITS_EARLY_REDUCE },
	{ "Scan", WAITS_EARLY_SCAN },        { "Exscan", WAITS_EARLY_SCAN },
};

/* MPI_Ibcast as MPI_Bcast. */
static bool begins_with(const char *name, const char *prefix)
{
	name += strlen("MPI_");
	if (name[0] == 'I')
		return strncasecmp(name + 1, prefix, strlen(prefix)) == 0;
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static enum waits_state state_of(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (begins_with(name, kinds[i].prefix))
			return kinds[i].state;
	return WAITS_NXN;
}

static struct coll *coll_get(const struct waits_colls *colls, uint64_t id)
{
	return (struct coll *)(uintptr_t)waits_map_get(&colls->map, id);
}

static struct coll *coll_of(struct waits_colls *colls,
			    const struct waits_coll_call *call)
{
	struct coll *coll = coll_get(colls, call->id);

	if (coll)
		return coll;
	coll = mem_alloc(1,
			 sizeof(*coll) + call->size * sizeof(coll->members[0]));
	coll->state = state_of(call->name);
	coll->size = call->size;
	waits_map_put(&colls->map, call->id, (uintptr_t)coll);
	return coll;
}

static bool share_clock(const struct member *a, const struct member *b)
{
	return a->begun.thread->host == b->begun.thread->host;
}

/* Whether the other one's begin is needed for `m` to go on. */
static bool needs(const struct coll *coll, const struct member *m,
		  const struct member *other)
{
	switch (coll->state) {
	case WAITS_LATE_BROADCAST:
		return !m->is_root && other->is_root;
	case WAITS_EARLY_REDUCE:
		return m->is_root;
	case WAITS_EARLY_SCAN:
		return other->rank < m->rank;
	default:
		return true;
	}
}

/* By host, and from the last begin back. */
static int by_begin(const void *a_p, const void *b_p)
{
	const struct member *a = a_p;
	const struct member *b = b_p;

	if (a->begun.thread->host != b->begun.thread->host)
		return a->begun.thread->host < b->begun.thread->host ? -1 : 1;
	if (a->begun.begin != b->begun.begin)
		return a->begun.begin > b->begun.begin ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* The members of one host: `m` waits for the last begin that it needs. */
static void join_member(const struct coll *coll, const struct member *members,
			uint32_t n, const struct member *m)
{
	const struct waits_ref *waits = m->blocks ? &m->begun : &m->waiting;

	for (uint32_t i = 0; i < n; i++)
		if (&members[i] != m && needs(coll, m, &members[i])) {
			waits_call_waits(waits, coll->state, &members[i].begun);
			return;
		}
}

/* What of the call is after all have begun and the first one has ended. */
static void complete(const struct coll *coll, const struct member *members,
		     uint32_t n, uint64_t from)
{
	for (uint32_t i = 0; i < n; i++) {
		struct waits_call *call = waits_call_open(&members[i].begun);

		if (!call || !members[i].blocks || call->end <= from)
			continue;
		call->complete_from = from;
		call->complete_state = coll->state == WAITS_NXN
					       ? WAITS_NXN_COMPLETION
					       : WAITS_BARRIER_COMPLETION;
	}
}

static void join_host(const struct coll *coll, const struct member *members,
		      uint32_t n)
{
	uint64_t first_end = UINT64_MAX;

	for (uint32_t i = 0; i < n; i++) {
		join_member(coll, members, n, &members[i]);
		if (members[i].blocks && members[i].end < first_end)
			first_end = members[i].end;
	}
	if (first_end < members[0].begun.begin)
		first_end = members[0].begun.begin;
	if (coll->state == WAITS_NXN || coll->state == WAITS_BARRIER)
		complete(coll, members, n, first_end);
}

static void join(struct coll *coll)
{
	struct member *m = coll->members;
	uint32_t n;

	qsort(m, coll->n, sizeof(*m), by_begin);
	for (uint32_t i = 0; i < coll->n; i += n) {
		for (n = 1; i + n < coll->n; n++)
			if (!share_clock(&m[i], &m[i + n]))
				break;
		join_host(coll, &m[i], n);
	}
}

void waits_coll_begun(struct waits_colls *colls,
		      const struct waits_coll_call *call)
{
	struct coll *coll = coll_of(colls, call);

	if (coll->n == coll->size)
		return;
	coll->members[coll->n++] = (struct member){
		.begun = call->call,
		.end = call->end,
		.rank = call->rank,
		.blocks = call->blocks,
		.is_root = call->is_root,
	};
	if (coll->n < coll->size)
		return;
	join(coll);
	free((void *)(uintptr_t)waits_map_take(&colls->map, call->id));
}

void waits_coll_awaited(struct waits_colls *colls, uint64_t id,
			const struct waits_ref *begun,
			const struct waits_ref *waiting)
{
	struct coll *coll = coll_get(colls, id);

	for (uint32_t i = 0; coll && i < coll->n; i++)
		if (coll->members[i].begun.thread == begun->thread &&
		    coll->members[i].begun.number == begun->number)
			coll->members[i].waiting = *waiting;
}

static void free_one(uint64_t value)
{
	free((void *)(uintptr_t)value);
}

void waits_coll_clear(struct waits_colls *colls)
{
	waits_map_each(&colls->map, free_one);
	waits_map_clear(&colls->map);
}

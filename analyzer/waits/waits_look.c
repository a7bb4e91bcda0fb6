/* SPDX-License-Identifier: BSD-3-Clause */

/* Looks back at what a late rank did while another one waited for it. */
#include "analyzer/waits/waits_look.h"
#include "analyzer/base/mem.h"

static void cause_add(struct waits *waits, const struct waits_cause_key *key,
		      uint64_t time)
{
	const size_t n = waits->cause_keys.n;
	const size_t at = intern_add(&waits->cause_keys, key, sizeof(*key));

	if (at == n) {
		waits->causes = mem_grow(waits->causes, &waits->causes_room, n,
					 sizeof(*waits->causes));
		waits->causes[n] = 0;
	}
	waits->causes[at] += time;
}

/* What the other one did, from the end of the wait back to its begin. */
struct looking {
	struct waits *waits;
	uint32_t row;
	uint64_t from;
	uint64_t to;
	struct waits_instance *instance;
	uint64_t longest;
};

/* The part of the time from `begin` to `end` that is looked at. */
static void piece_add(struct looking *looking, enum waits_doing doing,
		      uint32_t from, uint32_t to, uint64_t begin, uint64_t end)
{
	const struct waits_cause_key key = { looking->row, doing, from, to };
	struct waits_row *row = &looking->waits->rows[looking->row];

	if (begin < looking->from)
		begin = looking->from;
	if (end > looking->to)
		end = looking->to;
	if (begin >= end)
		return;
	cause_add(looking->waits, &key, end - begin);
	if (doing == WAITS_FORGOTTEN)
		row->unknown += end - begin;
	else if (doing == WAITS_WAITED)
		row->propagated += end - begin;
	else
		row->direct += end - begin;
	if (end - begin > looking->longest) {
		looking->longest = end - begin;
		looking->instance->cause = key;
	}
}

bool waits_is_off(const struct waits *waits, const struct waits_call *call)
{
	return *waits_call_text(waits, call->place) == '\0';
}

static void call_look(struct looking *looking, const struct waits_call *call)
{
	if (waits_is_off(looking->waits, call)) {
		piece_add(looking, WAITS_FORGOTTEN, WAITS_NOWHERE,
			  WAITS_NOWHERE, call->begin, call->end);
		return;
	}
	piece_add(looking, WAITS_WAITED, call->place, WAITS_NOWHERE,
		  call->begin, call->wait_to);
	piece_add(looking, WAITS_IN_MPI, call->place, WAITS_NOWHERE,
		  call->wait_to, call->end);
}

void waits_look(struct waits *waits, struct waits_instance *instance,
		const struct waits_ref *other)
{
	struct looking looking = {
		.waits = waits,
		.row = instance->row,
		.from = instance->since,
		.to = instance->since + instance->time,
		.instance = instance,
	};
	struct waits_ref at = *other;
	const struct waits_call *call = waits_call_at(&at);
	const struct waits_call *before;

	while (call && call->begin > looking.from) {
		at.number--;
		before = at.number == UINT64_MAX ? NULL : waits_call_at(&at);
		if (!before)
			break;
		piece_add(&looking, WAITS_COMPUTED, before->place, call->place,
			  before->end, call->begin);
		call_look(&looking, before);
		call = before;
	}
	piece_add(&looking, WAITS_FORGOTTEN, WAITS_NOWHERE, WAITS_NOWHERE, 0,
		  call ? call->begin : looking.to);
}

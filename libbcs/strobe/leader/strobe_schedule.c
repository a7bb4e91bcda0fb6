/* SPDX-License-Identifier: BSD-3-Clause */
#include "libbcs/strobe/leader/strobe_schedule.h"

void strobe_schedule_init(struct strobe_schedule *schedule)
{
	*schedule = (struct strobe_schedule){ .first = NULL };
	schedule->end = &schedule->first;
}

void strobe_schedule_add(struct strobe_schedule *schedule,
			 struct strobe_transfer *transfer)
{
	transfer->moved = 0;
	transfer->next = schedule->found;
	schedule->found = transfer;
	schedule->n++;
}

/* Sequences count on and on. */
static bool is_before(const struct strobe_transfer *a,
		      const struct strobe_transfer *b)
{
	if (a->source != b->source)
		return a->source < b->source;
	return (int32_t)(a->sequence - b->sequence) < 0;
}

static struct strobe_transfer *merge(struct strobe_transfer *a,
				     struct strobe_transfer *b)
{
	struct strobe_transfer *first = NULL;
	struct strobe_transfer **end = &first;

	while (a && b) {
		struct strobe_transfer **least = is_before(b, a) ? &b : &a;

		*end = *least;
		*least = (*end)->next;
		end = &(*end)->next;
	}
	*end = a ? a : b;
	return first;
}

/* Each other one to the other half. */
static struct strobe_transfer *sorted(struct strobe_transfer *list)
{
	struct strobe_transfer *halves[2] = { NULL, NULL };
	struct strobe_transfer *next;

	if (!list || !list->next)
		return list;
	for (unsigned i = 0; list; list = next, i ^= 1) {
		next = list->next;
		list->next = halves[i];
		halves[i] = list;
	}
	return merge(sorted(halves[0]), sorted(halves[1]));
}

void strobe_schedule_seal(struct strobe_schedule *schedule)
{
	*schedule->end = sorted(schedule->found);
	while (*schedule->end)
		schedule->end = &(*schedule->end)->next;
	schedule->found = NULL;
}

static void remove_at(struct strobe_schedule *schedule,
		      struct strobe_transfer **link)
{
	*link = (*link)->next;
	if (!*link)
		schedule->end = link;
	schedule->n--;
}

/* How much of it can be moved; STROBE_WAITS: nothing now. */
static uint64_t piece_of(const struct strobe_mover *mover,
			 const struct strobe_transfer *transfer, uint64_t left)
{
	const uint64_t all = transfer->bytes - transfer->moved;
	const uint64_t most = all < left ? all : left;

	/* The limit is asked for an empty one, too: its grant takes room. */
	return mover->limit ? mover->limit(mover->arg, transfer, most) : most;
}

uint64_t strobe_schedule_run(struct strobe_schedule *schedule, uint64_t budget,
			     const struct strobe_mover *mover)
{
	struct strobe_transfer **link = &schedule->first;
	struct strobe_transfer *transfer;
	uint64_t left = budget;
	uint64_t bytes;

	while ((transfer = *link)) {
		if (!left && transfer->bytes)
			break;
		bytes = piece_of(mover, transfer, left);
		if (bytes == STROBE_WAITS) {
			link = &transfer->next;
			continue;
		}
		left -= bytes;
		if (transfer->moved + bytes == transfer->bytes) {
			remove_at(schedule, link);
			/* It may be gone when the call returns. */
			mover->move(mover->arg, transfer, bytes, true);
		} else {
			mover->move(mover->arg, transfer, bytes, false);
			transfer->moved += bytes;
			link = &transfer->next;
			/* The transfers behind it wait, too. */
			if (!left)
				break;
		}
	}
	return budget - left;
}

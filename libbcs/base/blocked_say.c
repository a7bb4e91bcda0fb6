/* SPDX-License-Identifier: BSD-3-Clause */

/* Builds the description of a wait, and puts it on the board. */
#include <string.h>

#include "libbcs/base/blocked_say.h"

struct blocked_group *blocked_group_add(struct blocked *b, bool any)
{
	struct blocked_group *group = &b->record.groups[b->record.n_groups];

	if (b->record.n_groups == BLOCKED_GROUPS)
		return NULL;
	b->group = b->record.n_groups++;
	memset(group, 0, sizeof(*group));
	group->any = any;
	return group;
}

bool blocked_coll_begin(struct blocked *b, const struct blocked_comm *comm,
			int32_t number, uint32_t signature)
{
	const struct blocked_want want = { .by = BLOCKED_COLL,
					   .context = comm->context,
					   .number = number };
	struct blocked_group *group;

	if (b->record.n_groups == BLOCKED_GROUPS ||
	    b->record.n_wants == BLOCKED_WANTS || !blocked_want_add(b, &want))
		return false;
	group = blocked_group_add(b, false);
	group->world = comm->world;
	group->context = comm->context;
	group->number = number;
	group->size = comm->size;
	group->signature = signature;
	return true;
}

bool blocked_any(const struct blocked *b)
{
	return b->record.groups[b->group].any;
}

bool blocked_want_add(struct blocked *b, const struct blocked_want *want)
{
	struct blocked_want *next = &b->record.wants[b->record.n_wants];

	if (b->record.n_wants == BLOCKED_WANTS)
		return !blocked_any(b);
	memcpy(next, want, sizeof(*next));
	next->group = (uint8_t)b->group;
	b->record.n_wants++;
	return true;
}

void blocked_peer_set(struct blocked_want *want, uint32_t peer,
		      const struct blocked_comm *comm)
{
	want->rank = comm->rank_of(peer);
	blocked_peer_add(want, (uint32_t)want->rank);
}

void blocked_source_add(struct blocked_want *want, int32_t source,
			const struct blocked_comm *comm)
{
	if (source != MATCH_ANY) {
		blocked_peer_set(
			want, rank_map_at(comm->peers, (uint32_t)source), comm);
		return;
	}
	for (int32_t rank = 0; rank < comm->size; rank++)
		blocked_peer_set(want, rank_map_at(comm->peers, (uint32_t)rank),
				 comm);
	want->rank = -1;
}

enum blocked_near blocked_nearness(const struct match_key *key,
				   const struct match_key *is)
{
	const bool source = key->source == MATCH_ANY ||
			    key->source == is->source;
	const bool tag = key->tag == MATCH_ANY || key->tag == is->tag;

	if (key->context != is->context)
		return source && tag ? BLOCKED_NEAR_COMM : BLOCKED_NEAR_NONE;
	if (source)
		return BLOCKED_NEAR_TAG;
	return tag ? BLOCKED_NEAR_SOURCE : BLOCKED_NEAR_NONE;
}

/* A wrong tag is likelier than a wrong source or communicator. */
void blocked_near_add(struct blocked_want *want, enum blocked_near near,
		      int32_t rank, int32_t tag)
{
	if (near == BLOCKED_NEAR_NONE || (want->near && near >= want->near))
		return;
	want->near = (uint8_t)near;
	want->near_rank = rank;
	want->near_tag = tag;
}

static bool is_shown(const struct board_blocked *waits)
{
	return atomic_load(&waits->epoch) & 1;
}

/* Epochs of those that read it change only where it does. */
void blocked_show(struct board_blocked *waits,
		  const struct blocked_record *record)
{
	if (is_shown(waits) &&
	    memcmp(&waits->record, record, sizeof(*record)) == 0)
		return;
	blocked_hide(waits);
	memcpy(&waits->record, record, sizeof(*record));
	/* Orders the record before the word that shows it. */
	atomic_fetch_add(&waits->epoch, 1);
}

void blocked_hide(struct board_blocked *waits)
{
	/* Before all that the process does next, which others may see. */
	if (is_shown(waits))
		atomic_fetch_add(&waits->epoch, 1);
}

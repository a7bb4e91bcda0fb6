/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads what the processes of this node say on the board about their waits, and
 * looks again whether it still holds.
 */
#include <signal.h>
#include <string.h>

#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/hang/hang_board.h"

static uint32_t epoch_of(uint32_t slot)
{
	return atomic_load(&route_slots[slot]->waits.epoch);
}

static uint32_t ended_of(uint32_t slot)
{
	return atomic_load(&route_slots[slot]->waits.ended);
}

/* Its owner may change it meanwhile: then the epoch tells. */
__attribute__((no_sanitize("thread"))) static void copy(struct hang_entry *to,
							uint32_t slot)
{
	const struct board_blocked *waits = &route_slots[slot]->waits;

	memcpy(&to->record, &waits->record, sizeof(to->record));
}

void hang_board_read(uint32_t slot, struct hang_entry *entry)
{
	entry->rank = route_slots[slot]->waits.rank;
	entry->ended = ended_of(slot);
	entry->epoch = epoch_of(slot);
	if (!hang_is_blocked(entry))
		return;
	copy(entry, slot);
	if (epoch_of(slot) != entry->epoch)
		entry->epoch = 0;
}

/* Whether a page was shown, by the one process that it is of. */
static bool is_shown(const struct blocked_want *want)
{
	uint32_t slot = 0;
	const char *at;

	while (slot < (uint32_t)route_n_slots &&
	       !blocked_peer_is(want, (uint32_t)route_slots[slot]->waits.rank))
		slot++;
	if (slot == (uint32_t)route_n_slots)
		return false;
	at = (const char *)route_slots[slot] + want->op;
	return atomic_load((const _Atomic uint64_t *)at) == want->word;
}

static bool has_come(const struct blocked_want *want)
{
	switch ((enum blocked_by)want->by) {
	case BLOCKED_PAGE:
		return is_shown(want);
	case BLOCKED_CALL:
		return strobe_blocked_has_called(route_engines.strobe, want);
	default:
		return false;
	}
}

/* Nothing has come for it since, and no message of its is under way. */
static bool is_still(uint32_t slot, const struct blocked_record *record)
{
	const struct strobe *strobe = route_engines.strobe;

	if (!strobe)
		return atomic_load(&route_slots[slot]->tail) == record->tail;
	/* In this order: a message that is done changes the word first. */
	return !strobe_blocked_moves(strobe, slot) &&
	       strobe_blocked_word(strobe, slot) == record->tail;
}

bool hang_board_holds(uint32_t slot, const struct hang_entry *entry)
{
	const struct blocked_record *record = &entry->record;

	if (epoch_of(slot) != entry->epoch)
		return false;
	for (uint32_t i = 0; i < record->n_wants; i++)
		if (has_come(&record->wants[i]))
			return false;
	return is_still(slot, record) && epoch_of(slot) == entry->epoch;
}

bool hang_board_may_be(void)
{
	for (uint32_t i = 0; i < (uint32_t)route_n_slots; i++)
		if ((epoch_of(i) & 1) || ended_of(i))
			return true;
	return false;
}

uint32_t hang_board_slot(int32_t rank)
{
	uint32_t slot = 0;

	while (slot < (uint32_t)route_n_slots &&
	       route_slots[slot]->waits.rank != rank)
		slot++;
	return slot;
}

uint32_t hang_board_sent(uint32_t slot)
{
	return atomic_load(&route_slots[slot]->waits.sent);
}

void hang_board_places(uint32_t slot, const struct blocked_record *record,
		       hang_places *places)
{
	const struct blocked_group *group;

	for (uint32_t i = 0; i < record->n_groups; i++) {
		group = &record->groups[i];
		(*places)[i][0] = '\0';
		if (group->site)
			site_text(route_slots[slot]->pid, group->site,
				  (*places)[i], HANG_PLACE);
	}
}

void hang_board_stop(uint32_t slot)
{
	kill(route_slots[slot]->pid, SIGSTOP);
}

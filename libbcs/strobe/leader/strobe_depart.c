/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Descriptors of messages, and calls and shares of collectives, that leave for
 * other nodes.  Messages and shares wait for room in a block, in order.
 */
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/copy.h"
#include "libbcs/strobe/leader/strobe_parcel.h"
#include "mds/base/clock.h"

/* A share, as it travels: to several nodes. */
struct strobe_image {
	unsigned n;
	uint64_t bytes;
	uint64_t data[];
};

/* So that so many can be added. */
static bool departing_reserve(struct strobe_exchange *exchange, uint32_t n)
{
	struct strobe_departing *out;

	for (; exchange->n_spare < n; exchange->n_spare++) {
		out = malloc(sizeof(*out));
		if (!out)
			return false;
		out->next = exchange->spare;
		exchange->spare = out;
	}
	return true;
}

static struct strobe_departing *departing_add(struct strobe_leader *leader,
					      struct strobe_departings *list,
					      const struct strobe_work *work)
{
	struct strobe_exchange *exchange = leader->exchange;
	struct strobe_departing *out = exchange->spare;

	exchange->spare = out->next;
	exchange->n_spare--;
	*out = (struct strobe_departing){ .work = *work };
	strobe_moves_begin(leader, work->slot);
	*list->end = out;
	list->end = &out->next;
	return out;
}

static void departing_remove(struct strobe_leader *leader,
			     struct strobe_departings *list)
{
	struct strobe_exchange *exchange = leader->exchange;
	struct strobe_departing *out = list->first;

	strobe_moves_end(leader, out->work.slot);
	list->first = out->next;
	if (!list->first)
		list->end = &list->first;
	out->next = exchange->spare;
	exchange->spare = out;
	exchange->n_spare++;
}

bool strobe_exchange_send(struct strobe_leader *leader,
			  struct strobe_work *work)
{
	struct strobe *strobe = leader->strobe;
	const uint32_t world = strobe_world(strobe, work->d.to);
	const uint32_t node = strobe_node(strobe, work->d.to);
	struct strobe_departing *out;

	if (!departing_reserve(leader->exchange, 1))
		return false;
	out = departing_add(leader, &leader->exchange->others[node].sends,
			    work);
	out->work.d.to = rank_map_at(strobe->options.slot_of, world);
	out->keep = work;
	return true;
}

static uint64_t share_total(const struct strobe_share *share)
{
	uint64_t bytes = strobe_padded(
		sizeof(*share) + share->n_parts * sizeof(share->parts[0]));

	for (uint32_t i = 0; i < share->n_parts; i++)
		bytes += strobe_padded(share->parts[i].bytes);
	return bytes;
}

/* The parts that lie in the process's memory are read from there. */
static struct strobe_image *image_make(struct strobe *strobe, uint64_t place)
{
	const struct strobe_share *from = strobe_at(strobe, place);
	const uint64_t bytes = share_total(from);
	struct strobe_image *image = calloc(1, sizeof(*image) + bytes);
	struct strobe_share *to;
	uint64_t next = strobe_padded(sizeof(*from) +
				      from->n_parts * sizeof(from->parts[0]));

	if (!image)
		return NULL;
	image->bytes = bytes;
	to = (struct strobe_share *)image->data;
	*to = *from;
	to->path = clock_to_ns(from->path);
	for (uint32_t i = 0; i < from->n_parts; i++) {
		const struct strobe_part *part = &from->parts[i];

		to->parts[i] = *part;
		to->parts[i].inlined = next;
		strobe_dma_fetch(strobe, from->slot, part->address,
				 part->inlined ? place + part->inlined : 0,
				 (char *)to + next, part->bytes);
		next += strobe_padded(part->bytes);
	}
	return image;
}

bool strobe_exchange_reserve(struct strobe_leader *leader, uint32_t n)
{
	return departing_reserve(leader->exchange, n * strobe_n_nodes(leader));
}

static bool is_another(const struct strobe_leader *leader,
		       const struct strobe_work *work, uint32_t node)
{
	return node != leader->strobe->options.node &&
	       work->d.nodes >> node & 1;
}

void strobe_exchange_share(struct strobe_leader *leader,
			   const struct strobe_work *work)
{
	struct strobe_image *image = work->d.block ? image_make(leader->strobe,
								work->d.block)
						   : NULL;
	struct strobe_departing *out;

	for (uint32_t node = 0; node < strobe_n_nodes(leader); node++) {
		if (!is_another(leader, work, node))
			continue;
		out = departing_add(
			leader, &leader->exchange->others[node].shares, work);
		out->image = image;
		if (image)
			image->n++;
	}
}

static struct strobe_parcel *parcel_of(struct strobe_leader *leader,
				       uint32_t node,
				       const struct strobe_departing *out,
				       uint64_t bytes)
{
	struct strobe_parcel *parcel = strobe_parcel_add(leader, node, bytes);

	if (!parcel)
		return NULL;
	parcel->d = out->work.d;
	parcel->d.path = clock_to_ns(out->work.d.path);
	parcel->world = out->work.transfer.source;
	parcel->sequence = out->work.transfer.sequence;
	parcel->handle = (uintptr_t)out->keep;
	return parcel;
}

void strobe_payload_free(struct strobe_leader *leader, struct strobe_work *work)
{
	struct strobe *strobe = leader->strobe;

	if (work->d.block)
		strobe_arena_put(strobe->memory,
				 &strobe_slot(strobe, work->slot)->returned,
				 work->d.block);
	strobe_work_free(leader, work);
}

static bool send_message(struct strobe_leader *leader, uint32_t node,
			 struct strobe_departing *out)
{
	struct strobe *strobe = leader->strobe;
	const struct strobe_descriptor *d = &out->work.d;
	const bool whole = d->eager &&
			   (!d->bytes ||
			    strobe_takes(leader, node) == STROBE_TAKES_ALL);
	struct strobe_parcel *parcel = parcel_of(leader, node, out,
						 whole ? d->bytes : 0);

	if (!parcel)
		return false;
	parcel->kind = STROBE_PARCEL_SEND;
	parcel->d.eager = whole;
	if (!whole)
		return true;
	memcpy(parcel + 1, strobe_at(strobe, d->block), d->bytes);
	strobe_payload_free(leader, out->keep);
	return true;
}

/* A share without bytes is one that there was no memory for. */
static bool send_lost(struct strobe_leader *leader, uint32_t node,
		      const struct strobe_departing *out)
{
	struct strobe_parcel *parcel = parcel_of(leader, node, out, 0);

	if (!parcel)
		return false;
	parcel->kind = STROBE_PARCEL_SHARE;
	parcel->last = true;
	return true;
}

static bool send_share(struct strobe_leader *leader, uint32_t node,
		       struct strobe_departing *out)
{
	struct strobe_image *image = out->image;
	const uint64_t bytes = copy_at_most(image->bytes - out->sent,
					    strobe_parcel_room(leader, node));
	struct strobe_parcel *parcel;

	if (!bytes)
		return false;
	parcel = parcel_of(leader, node, out, bytes);
	parcel->kind = STROBE_PARCEL_SHARE;
	parcel->begin = out->sent;
	parcel->total = image->bytes;
	memcpy(parcel + 1, (char *)image->data + out->sent, bytes);
	out->sent += bytes;
	parcel->last = out->sent == image->bytes;
	if (parcel->last && --image->n == 0)
		free(image);
	return parcel->last;
}

bool strobe_exchange_ask(struct strobe_leader *leader, int64_t word,
			 uint64_t nodes)
{
	struct strobe_parcel *parcel = strobe_parcel_add(leader, 0, 0);

	if (!parcel)
		return false;
	parcel->kind = STROBE_PARCEL_ASK;
	parcel->handle = (uint64_t)word;
	parcel->total = nodes;
	return true;
}

bool strobe_exchange_tell(struct strobe_leader *leader,
			  const struct strobe_work *work)
{
	struct strobe_parcel *parcel;

	for (uint32_t node = 0; node < strobe_n_nodes(leader); node++)
		if (is_another(leader, work, node) &&
		    !strobe_parcel_room(leader, node))
			return false;
	for (uint32_t node = 0; node < strobe_n_nodes(leader); node++) {
		if (!is_another(leader, work, node))
			continue;
		parcel = strobe_parcel_add(leader, node, 0);
		parcel->kind = STROBE_PARCEL_CALL;
		parcel->d = work->d;
	}
	return true;
}

/* In the order in which they were posted. */
static void send_messages(struct strobe_leader *leader, uint32_t node)
{
	struct strobe_departings *list = &leader->exchange->others[node].sends;

	if (!list->first || strobe_takes(leader, node) == STROBE_TAKES_NOTHING)
		return;
	while (list->first && send_message(leader, node, list->first))
		departing_remove(leader, list);
}

void strobe_exchange_send_descriptors(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < strobe_n_nodes(leader);
	     i++)
		send_messages(leader, i);
	strobe_parcels_send(leader);
}

static void send_shares(struct strobe_leader *leader, uint32_t node)
{
	struct strobe_departings *list = &leader->exchange->others[node].shares;

	while (list->first &&
	       (list->first->image ? send_share(leader, node, list->first)
				   : send_lost(leader, node, list->first)))
		departing_remove(leader, list);
}

void strobe_exchange_send_shares(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < strobe_n_nodes(leader);
	     i++)
		send_shares(leader, i);
	strobe_parcels_send(leader);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Leaders send each other parcels.  In a microphase a leader puts one block of
 * them into the global memory of each other leader that it has some for
 * (Xfer-And-Signal).  That leader reads them in the next microphase.
 *
 *   DEM  descriptors, and the shares of collectives, in pieces
 *   MSM  grants: the receiver's side asks for bytes of a message
 *   GET  the bytes
 *
 * A leader sets aside the memory for what others may send it in a slice.  Where
 * there is not enough it tells them when the slice begins.  Then payloads stay
 * with their senders until they are granted, or descriptors wait.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "libbcs/base/copy.h"
#include "libbcs/strobe/strobe_exchange.h"
#include "mds/clock.h"

#define REGION ((uint64_t)STROBE_REGION)

enum parcel_kind { PARCEL_SEND, PARCEL_SHARE, PARCEL_GRANT, PARCEL_DATA };

struct parcel {
	uint64_t bytes; /* that follow */
	uint8_t kind;
	bool last;
	uint32_t world; /* of whom it is, */
	uint32_t sequence;
	uint32_t slot;   /* GRANT, DATA: whom the order is for */
	uint64_t handle; /* what the sender's leader knows it by */
	uint64_t begin;
	uint64_t total;
	struct strobe_descriptor d;
	struct strobe_order order;
};

struct block {
	uint64_t microstrobe; /* in which it was sent */
	uint64_t bytes;
	unsigned char parcels[REGION - 16];
};

/* A share, as it travels: to several nodes. */
struct image {
	unsigned n;
	uint64_t bytes;
	uint64_t data[];
};

/* A descriptor that waits for room in a block. */
struct departing {
	struct departing *next;
	struct strobe_work work;
	struct strobe_work *keep; /* a send, until it left or was granted */
	struct image *image;
	uint64_t sent;
};

/* Parcels of a block, at most. */
#define PARCELS \
	(sizeof(((struct block *)NULL)->parcels) / sizeof(struct parcel))

/* How much a node takes of the others in this slice. */
enum takes { TAKES_ALL, TAKES_NO_PAYLOAD, TAKES_NOTHING };

struct other {
	struct block *block; /* being filled */
	struct departing *first;
	struct departing **end;
	uint64_t room; /* for bytes of messages from there, in this slice */
};

struct strobe_exchange {
	struct strobe_work *arriving; /* shares: pieces are still to come */
	uint64_t granted;             /* a block for the next grant; or 0 */
	uint64_t takes;               /* as the others know it */
	struct departing *spare;
	uint32_t n_spare;
	struct other others[];
};

uint64_t strobe_fabric_bytes(uint32_t n_nodes)
{
	return STROBE_REGIONS_AT + 2 * n_nodes * REGION +
	       n_nodes * sizeof(uint64_t);
}

/*
 * Where the blocks of a node lie: two, for whoever is faster sends the next one
 * while the other still looks at the last.
 */
static uint64_t region_at(uint32_t node, uint64_t microstrobe)
{
	return STROBE_REGIONS_AT + (2 * node + microstrobe % 2) * REGION;
}

/* Where a node says what it takes: behind all blocks. */
static uint64_t takes_at(uint32_t n_nodes, uint32_t node)
{
	return STROBE_REGIONS_AT + 2 * n_nodes * REGION +
	       node * sizeof(uint64_t);
}

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 15) & ~15ull;
}

static uint32_t n_nodes(const struct strobe_leader *leader)
{
	return leader->strobe->options.n_nodes;
}

int strobe_exchange_start(struct strobe_leader *leader)
{
	const uint32_t n = n_nodes(leader);
	struct strobe_exchange *exchange;

	if (n <= 1)
		return 0;
	exchange = calloc(1, sizeof(*exchange) + n * sizeof(struct other));
	if (!exchange)
		return -ENOMEM;
	leader->exchange = exchange;
	for (uint32_t i = 0; i < n; i++) {
		exchange->others[i].end = &exchange->others[i].first;
		exchange->others[i].block = calloc(1, sizeof(struct block));
		if (!exchange->others[i].block)
			return -ENOMEM;
	}
	return 0;
}

void strobe_exchange_stop(struct strobe_leader *leader)
{
	struct strobe_exchange *exchange = leader->exchange;

	struct departing *next;

	if (!exchange)
		return;
	for (uint32_t i = 0; i < n_nodes(leader); i++)
		free(exchange->others[i].block);
	for (; exchange->spare; exchange->spare = next) {
		next = exchange->spare->next;
		free(exchange->spare);
	}
	free(exchange);
}

bool strobe_exchange_has_work(const struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < n_nodes(leader); i++)
		if (leader->exchange->others[i].first)
			return true;
	return false;
}

/* Bytes for the parcels of a slice: a block may be twice as long as asked. */
static uint64_t reserve(const struct strobe_leader *leader)
{
	return 2 * REGION * (n_nodes(leader) - 1);
}

static enum takes takes_now(struct strobe_leader *leader)
{
	if (!strobe_works_reserve(leader, PARCELS * (n_nodes(leader) - 1)))
		return TAKES_NOTHING;
	return leader->arena.end - leader->arena.next < reserve(leader)
		       ? TAKES_NO_PAYLOAD
		       : TAKES_ALL;
}

void strobe_exchange_begin(struct strobe_leader *leader)
{
	struct strobe_exchange *exchange = leader->exchange;
	struct core_xfer xfer = { .local_event = CORE_NO_EVENT,
				  .remote_event = CORE_NO_EVENT };
	enum takes takes;

	if (!exchange)
		return;
	takes = takes_now(leader);
	if (takes == exchange->takes)
		return;
	exchange->takes = takes;
	xfer.offset = takes_at(n_nodes(leader), leader->strobe->options.node);
	xfer.block = &exchange->takes;
	xfer.bytes = sizeof(exchange->takes);
	core_xfer_and_signal(leader->fabric, &leader->all, &xfer);
}

static enum takes takes_of(const struct strobe_leader *leader, uint32_t node)
{
	const uint64_t *takes = core_block(leader->fabric,
					   takes_at(n_nodes(leader), node),
					   sizeof(*takes));

	return (enum takes)(*takes);
}

/* Room for a parcel and what follows it; or NULL. */
static struct parcel *parcel_add(struct strobe_leader *leader, uint32_t node,
				 uint64_t bytes)
{
	struct block *block = leader->exchange->others[node].block;
	struct parcel *parcel = (struct parcel *)(block->parcels +
						  block->bytes);

	if (sizeof(block->parcels) - block->bytes <
	    sizeof(*parcel) + padded(bytes))
		return NULL;
	block->bytes += sizeof(*parcel) + padded(bytes);
	*parcel = (struct parcel){ .bytes = bytes };
	return parcel;
}

/* How much may follow one. */
static uint64_t parcel_room(const struct strobe_leader *leader, uint32_t node)
{
	const struct block *block = leader->exchange->others[node].block;
	const uint64_t left = sizeof(block->parcels) - block->bytes;

	return left < sizeof(struct parcel) + 16
		       ? 0
		       : left - sizeof(struct parcel) - 16;
}

static void block_send(struct strobe_leader *leader, uint32_t node)
{
	struct block *block = leader->exchange->others[node].block;
	uint64_t words[CORE_SET_WORDS(STROBE_NODES)];
	struct core_set to = { words, n_nodes(leader) };
	const struct core_xfer xfer = {
		.offset = region_at(leader->strobe->options.node,
				    (uint64_t)leader->microstrobes),
		.block = block,
		.bytes = offsetof(struct block, parcels) + block->bytes,
		.local_event = CORE_NO_EVENT,
		.remote_event = CORE_NO_EVENT,
	};

	core_set_clear(&to);
	core_set_add(&to, node);
	block->microstrobe = (uint64_t)leader->microstrobes;
	core_xfer_and_signal(leader->fabric, &to, &xfer);
	block->bytes = 0;
}

static void blocks_send(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < n_nodes(leader); i++)
		if (leader->exchange->others[i].block->bytes)
			block_send(leader, i);
}

/* Reads the parcels that were sent in the microphase before. */
static void parcels_read(struct strobe_leader *leader, uint32_t node,
			 void (*read)(struct strobe_leader *leader,
				      uint32_t node, const struct parcel *))
{
	const struct block *block = core_block(
		leader->fabric,
		region_at(node, (uint64_t)leader->microstrobes - 1), REGION);
	const struct parcel *parcel;

	if (block->microstrobe + 1 != (uint64_t)leader->microstrobes)
		return;
	for (uint64_t at = 0; at < block->bytes;
	     at += sizeof(*parcel) + padded(parcel->bytes)) {
		parcel = (const struct parcel *)(block->parcels + at);
		read(leader, node, parcel);
	}
}

/* So that so many can be added. */
static bool departing_reserve(struct strobe_exchange *exchange, uint32_t n)
{
	struct departing *out;

	for (; exchange->n_spare < n; exchange->n_spare++) {
		out = malloc(sizeof(*out));
		if (!out)
			return false;
		out->next = exchange->spare;
		exchange->spare = out;
	}
	return true;
}

static struct departing *departing_add(struct strobe_leader *leader,
				       uint32_t node,
				       const struct strobe_work *work)
{
	struct strobe_exchange *exchange = leader->exchange;
	struct other *other = &exchange->others[node];
	struct departing *out = exchange->spare;

	exchange->spare = out->next;
	exchange->n_spare--;
	*out = (struct departing){ .work = *work };
	strobe_moves_begin(leader, work->slot);
	*other->end = out;
	other->end = &out->next;
	return out;
}

static void departing_remove(struct strobe_leader *leader, struct other *other)
{
	struct strobe_exchange *exchange = leader->exchange;
	struct departing *out = other->first;

	strobe_moves_end(leader, out->work.slot);
	other->first = out->next;
	if (!other->first)
		other->end = &other->first;
	out->next = exchange->spare;
	exchange->spare = out;
	exchange->n_spare++;
}

bool strobe_exchange_send(struct strobe_leader *leader,
			  struct strobe_work *work)
{
	struct strobe *strobe = leader->strobe;
	const uint32_t world = strobe_world(strobe, work->d.to);
	struct departing *out;

	if (!departing_reserve(leader->exchange, 1))
		return false;
	out = departing_add(leader, strobe_node(strobe, work->d.to), work);
	out->work.d.to = numbers_at(strobe->options.slot_of, world);
	out->keep = work;
	return true;
}

static uint64_t share_total(const struct strobe_share *share)
{
	uint64_t bytes = padded(sizeof(*share) +
				share->n_parts * sizeof(share->parts[0]));

	for (uint32_t i = 0; i < share->n_parts; i++)
		bytes += padded(share->parts[i].bytes);
	return bytes;
}

/* The parts that lie in the process's memory are read from there. */
static struct image *image_make(struct strobe *strobe, uint64_t place)
{
	const struct strobe_share *from = strobe_at(strobe, place);
	const uint64_t bytes = share_total(from);
	struct image *image = calloc(1, sizeof(*image) + bytes);
	struct strobe_share *to;
	uint64_t next = padded(sizeof(*from) +
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
		next += padded(part->bytes);
	}
	return image;
}

bool strobe_exchange_share(struct strobe_leader *leader,
			   const struct strobe_work *work)
{
	struct departing *out;
	struct image *image;

	if (!departing_reserve(leader->exchange, n_nodes(leader)))
		return false;
	image = image_make(leader->strobe, work->d.block);
	if (!image)
		return false;
	for (uint32_t node = 0; node < n_nodes(leader); node++) {
		if (node == leader->strobe->options.node ||
		    !(work->d.nodes >> node & 1))
			continue;
		out = departing_add(leader, node, work);
		out->image = image;
		image->n++;
	}
	return true;
}

static struct parcel *parcel_of(struct strobe_leader *leader, uint32_t node,
				const struct departing *out, uint64_t bytes)
{
	struct parcel *parcel = parcel_add(leader, node, bytes);

	if (!parcel)
		return NULL;
	parcel->d = out->work.d;
	parcel->d.path = clock_to_ns(out->work.d.path);
	parcel->world = out->work.transfer.source;
	parcel->sequence = out->work.transfer.sequence;
	parcel->handle = (uintptr_t)out->keep;
	return parcel;
}

/* A payload that travelled in its descriptor, or lay where it was posted. */
static void payload_free(struct strobe_leader *leader, struct strobe_work *work)
{
	struct strobe *strobe = leader->strobe;

	if (work->d.block)
		strobe_arena_put(strobe->memory,
				 &strobe_slot(strobe, work->slot)->returned,
				 work->d.block);
	strobe_work_free(leader, work);
}

static bool send_message(struct strobe_leader *leader, uint32_t node,
			 struct departing *out)
{
	struct strobe *strobe = leader->strobe;
	const struct strobe_descriptor *d = &out->work.d;
	const bool whole = d->eager &&
			   (!d->bytes || takes_of(leader, node) == TAKES_ALL);
	struct parcel *parcel = parcel_of(leader, node, out,
					  whole ? d->bytes : 0);

	if (!parcel)
		return false;
	parcel->kind = PARCEL_SEND;
	parcel->d.eager = whole;
	if (!whole)
		return true;
	memcpy(parcel + 1, strobe_at(strobe, d->block), d->bytes);
	payload_free(leader, out->keep);
	return true;
}

static bool send_share(struct strobe_leader *leader, uint32_t node,
		       struct departing *out)
{
	struct image *image = out->image;
	const uint64_t bytes = copy_at_most(image->bytes - out->sent,
					    parcel_room(leader, node));
	struct parcel *parcel;

	if (!bytes)
		return false;
	parcel = parcel_of(leader, node, out, bytes);
	parcel->kind = PARCEL_SHARE;
	parcel->handle = (uintptr_t)out;
	parcel->begin = out->sent;
	parcel->total = image->bytes;
	memcpy(parcel + 1, (char *)image->data + out->sent, bytes);
	out->sent += bytes;
	parcel->last = out->sent == image->bytes;
	if (parcel->last && --image->n == 0)
		free(image);
	return parcel->last;
}

/* In the order in which they were posted. */
void strobe_exchange_send_descriptors(struct strobe_leader *leader)
{
	struct other *other;

	for (uint32_t i = 0; leader->exchange && i < n_nodes(leader); i++) {
		other = &leader->exchange->others[i];
		if (other->first && takes_of(leader, i) == TAKES_NOTHING)
			continue;
		while (other->first &&
		       (other->first->image
				? send_share(leader, i, other->first)
				: send_message(leader, i, other->first)))
			departing_remove(leader, other);
	}
	blocks_send(leader);
}

static struct strobe_work *work_of(struct strobe_leader *leader, uint32_t node,
				   const struct parcel *parcel)
{
	struct strobe_work *work = strobe_work_reserved(leader);

	*work = (struct strobe_work){ .d = parcel->d,
				      .slot = STROBE_FAR,
				      .node = node,
				      .handle = parcel->handle };
	work->d.block = 0;
	work->d.path = clock_of_ns(parcel->d.path);
	work->transfer.source = parcel->world;
	work->transfer.sequence = parcel->sequence;
	return work;
}

static void message_came(struct strobe_leader *leader, uint32_t node,
			 const struct parcel *parcel)
{
	struct strobe_work *work = work_of(leader, node, parcel);

	if (parcel->bytes) {
		/* Without room, this node would not have taken it. */
		work->d.block = strobe_arena_get(&leader->arena, parcel->bytes,
						 0);
		memcpy(strobe_at(leader->strobe, work->d.block), parcel + 1,
		       parcel->bytes);
	}
	strobe_works_add(&leader->sends, work);
}

static struct strobe_work **arriving_find(struct strobe_leader *leader,
					  uint32_t node, uint64_t handle)
{
	struct strobe_work **link = &leader->exchange->arriving;

	while (*link && ((*link)->node != node || (*link)->handle != handle))
		link = &(*link)->next;
	return link;
}

/* Without room for it, no process of this node gets the collective's result. */
static void arriving_add(struct strobe_leader *leader, uint32_t node,
			 const struct parcel *parcel)
{
	struct strobe_work *work = work_of(leader, node, parcel);

	work->d.block = strobe_arena_get(&leader->arena, parcel->total,
					 reserve(leader));
	/* Its process is not here: nobody is to be told. */
	work->d.eager = true;
	work->next = leader->exchange->arriving;
	leader->exchange->arriving = work;
}

/* All of it is here.  Ticks are those of a node: it came in nanoseconds. */
static void share_end(struct strobe_leader *leader, struct strobe_work *work)
{
	struct strobe_share *share = strobe_at(leader->strobe, work->d.block);

	if (work->d.block)
		share->path = clock_of_ns(share->path);
	strobe_works_add(&leader->others, work);
}

static void share_came(struct strobe_leader *leader, uint32_t node,
		       const struct parcel *parcel)
{
	struct strobe_work **link;
	struct strobe_work *share;

	if (parcel->begin == 0)
		arriving_add(leader, node, parcel);
	link = arriving_find(leader, node, parcel->handle);
	share = *link;
	if (share->d.block)
		memcpy((char *)strobe_at(leader->strobe, share->d.block) +
			       parcel->begin,
		       parcel + 1, parcel->bytes);
	if (!parcel->last)
		return;
	*link = share->next;
	share_end(leader, share);
}

static void descriptor_came(struct strobe_leader *leader, uint32_t node,
			    const struct parcel *parcel)
{
	if (parcel->kind == PARCEL_SEND)
		message_came(leader, node, parcel);
	else if (parcel->kind == PARCEL_SHARE)
		share_came(leader, node, parcel);
}

void strobe_exchange_receive_descriptors(struct strobe_leader *leader,
					 uint32_t node)
{
	if (!leader->exchange || node == leader->strobe->options.node)
		return;
	leader->exchange->others[node].room = sizeof(
		leader->exchange->others[node].block->parcels);
	parcels_read(leader, node, descriptor_came);
}

uint64_t strobe_exchange_limit(struct strobe_leader *leader,
			       const struct strobe_work *send, uint64_t bytes)
{
	struct strobe_exchange *exchange = leader->exchange;
	const struct other *other = &exchange->others[send->node];
	const uint64_t least = sizeof(struct parcel) + 16;
	uint64_t most;

	/* The grant, and the bytes that it brings. */
	if (other->room <= least || !parcel_room(leader, send->node))
		return 0;
	most = copy_at_most(bytes, other->room - least);
	exchange->granted = strobe_arena_get(&leader->arena, most, 0);
	return exchange->granted ? most : 0;
}

void strobe_exchange_grant(struct strobe_leader *leader,
			   const struct strobe_work *send, uint32_t slot,
			   const struct strobe_order *order)
{
	struct other *other = &leader->exchange->others[send->node];
	struct parcel *parcel = parcel_add(leader, send->node, 0);

	other->room -= sizeof(*parcel) + padded(order->bytes);
	parcel->kind = PARCEL_GRANT;
	parcel->handle = send->handle;
	parcel->slot = slot;
	parcel->last = order->last;
	parcel->order = *order;
	parcel->order.block = leader->exchange->granted;
	leader->exchange->granted = 0;
}

void strobe_exchange_send_grants(struct strobe_leader *leader)
{
	blocks_send(leader);
}

static void grant_came(struct strobe_leader *leader, uint32_t node,
		       const struct parcel *grant)
{
	struct strobe_work *work = (struct strobe_work *)(uintptr_t)
					   grant->handle;
	struct parcel *data;
	int rc;

	if (grant->kind != PARCEL_GRANT)
		return;
	data = parcel_add(leader, node, grant->order.bytes);
	data->kind = PARCEL_DATA;
	data->slot = grant->slot;
	data->order = grant->order;
	rc = strobe_dma_fetch(leader->strobe, work->slot,
			      work->d.address + grant->order.begin,
			      work->d.block ? work->d.block + grant->order.begin
					    : 0,
			      data + 1, grant->order.bytes);
	if (rc != 0)
		data->order.error = rc;
	if (!grant->last)
		return;
	/* A send that was posted with its payload is done already. */
	if (!work->d.eager)
		strobe_order_done(leader, work->slot, work->d.op, 0);
	payload_free(leader, work);
}

void strobe_exchange_send_data(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < n_nodes(leader); i++)
		if (i != leader->strobe->options.node)
			parcels_read(leader, i, grant_came);
	blocks_send(leader);
}

static void data_came(struct strobe_leader *leader, uint32_t node,
		      const struct parcel *data)
{
	struct strobe_order order = data->order;

	(void)node;
	if (data->kind != PARCEL_DATA)
		return;
	order.frees = order.block;
	if (order.block)
		memcpy(strobe_at(leader->strobe, order.block), data + 1,
		       order.bytes);
	strobe_order_give(leader, data->slot, &order);
}

void strobe_exchange_receive_data(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->exchange && i < n_nodes(leader); i++)
		if (i != leader->strobe->options.node)
			parcels_read(leader, i, data_came);
}

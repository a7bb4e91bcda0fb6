/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/helper.h"
#include "libbcs/net.h"
#include "libbcs/net_block.h"
#include "libbcs/wait.h"

#define WINDOW_BYTES (32u << 20)
#define RING_LEAST   2048u
#define RING_MOST    (1u << 20)
#define BLOCK_MOST   65536u /* so that sending and taking overlap */
/* Kept free for blocks that only tell how far was taken. */
#define RESERVE (8 * NET_UNIT)
/* Turns in vain until what is under way is flushed. */
#define PATIENCE 512

/* Positions in rings count bytes since the beginning. */
struct link {
	/* To the other node: a copy of its ring, put there block by block. */
	unsigned char *staging;
	uint64_t put;   /* so far */
	uint64_t taken; /* by the other side, as far as is known */
	uint64_t put_number;
	uint64_t filled; /* bytes in the block that is being made */
	bool is_open;
	bool is_flushed; /* all that was put */

	/* From it. */
	const unsigned char *ring;
	uint64_t at;
	uint64_t number;     /* of the block that was taken last */
	uint64_t inside;     /* bytes of the next that were handed out */
	uint64_t told;       /* how far, by our blocks */
	bool is_whole;       /* the next one was looked at */
	unsigned char *part; /* a record that was cut, */
	uint32_t n_part;     /* so much of it */
};

struct net {
	struct net_options options;
	_Atomic uint32_t token;
	struct board_inbox inbox;
	uint64_t n_sent; /* bytes of the inbox's first record that are */
	_Atomic uint32_t n_waiting; /* blocks that find an inbox full */
	unsigned in_vain;
	uint64_t *heads; /* of the inboxes, as last seen */
	struct link *links;
};

#define RECORD_MOST \
	(sizeof(struct net_record) + BOARD_INLINE + sizeof(uint64_t))

static uint64_t at_most(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t round_up(uint64_t bytes)
{
	return (bytes + NET_UNIT - 1) / NET_UNIT * NET_UNIT;
}

uint64_t net_ring_bytes(uint32_t n_nodes)
{
	const uint64_t share = WINDOW_BYTES / n_nodes / NET_UNIT * NET_UNIT;

	if (share < RING_LEAST)
		return RING_LEAST;
	return at_most(share, RING_MOST);
}

/* What is left of the ring behind a position, in a row. */
static uint64_t row_of(const struct net *net, uint64_t position)
{
	return net->options.ring - position % net->options.ring;
}

static struct net_block *block_at(const struct net *net,
				  const struct link *link)
{
	return (struct net_block *)(link->staging +
				    link->put % net->options.ring);
}

static uint64_t room_of(const struct net *net, const struct link *link)
{
	return net->options.ring - (link->put - link->taken);
}

/* As it lies in the staging; `bytes` in all. */
static void block_put(struct net *net, struct link *link, uint64_t bytes)
{
	const uint32_t node = (uint32_t)(link - net->links);
	const uint64_t ring = net->options.ring;
	struct net_block *block = block_at(net, link);

	block->number = ++link->put_number;
	block->taken = link->at;
	net_block_seal(block);
	link->told = link->at;
	link->is_flushed = false;
	net->options.ops->put(node, ring * net->options.me + link->put % ring,
			      block, bytes);
}

static void wrap(struct net *net, struct link *link)
{
	block_at(net, link)->bytes = NET_BLOCK_WRAP;
	block_put(net, link, sizeof(struct net_block));
	link->put += row_of(net, link->put);
}

/* A block that has its head, and bytes if any. */
static void block_close(struct net *net, struct link *link)
{
	const uint64_t bytes = sizeof(struct net_block) + link->filled;

	block_at(net, link)->bytes = link->filled;
	block_put(net, link, bytes);
	link->put += round_up(bytes);
	link->is_open = false;
	link->filled = 0;
}

/* Bytes that the block which is being made may have in all. */
static uint64_t block_room(const struct net *net, const struct link *link)
{
	const uint64_t room = room_of(net, link);
	const uint64_t most = at_most(
		room > RESERVE ? room - RESERVE : 0,
		at_most(row_of(net, link->put), BLOCK_MOST));

	return most > sizeof(struct net_block) ? most - sizeof(struct net_block)
					       : 0;
}

/* Room in a row for a head and a little; false if the ring is full. */
static bool block_open(struct net *net, struct link *link)
{
	if (link->is_open)
		return true;
	if (row_of(net, link->put) <= NET_UNIT &&
	    room_of(net, link) > RESERVE + NET_UNIT)
		wrap(net, link);
	link->is_open = block_room(net, link) > 0;
	return link->is_open;
}

/* How many of the bytes found room. */
static uint64_t append(struct net *net, struct link *link,
		       const unsigned char *from, uint64_t bytes)
{
	uint64_t done = 0;
	uint64_t n;

	while (done < bytes && block_open(net, link)) {
		n = at_most(bytes - done, block_room(net, link) - link->filled);
		memcpy((unsigned char *)(block_at(net, link) + 1) +
			       link->filled,
		       from + done, n);
		link->filled += n;
		done += n;
		if (link->filled == block_room(net, link))
			block_close(net, link);
	}
	return done;
}

/* The first record of the inbox; false if it did not all find room. */
static bool send_record(struct net *net, struct board_cell *cell)
{
	struct link *link = &net->links[net->options.node_of[cell->context]];
	const unsigned char *record = board_payload(cell);

	net->n_sent += append(net, link, record + net->n_sent,
			      cell->bytes - net->n_sent);
	if (net->n_sent < cell->bytes)
		return false;
	net->n_sent = 0;
	return true;
}

/* Descriptor exchange: all that there is, in a block for each node. */
static bool gather(struct net *net)
{
	struct board_cell *cell;
	bool moved = false;

	while ((cell = board_next(&net->inbox, 0))) {
		if (cell->kind == BOARD_FAR && !send_record(net, cell))
			break;
		board_done(&net->inbox, cell->lines);
		moved = true;
	}
	for (uint32_t i = 0; moved && i < net->options.n_nodes; i++)
		if (net->links[i].is_open && net->links[i].filled)
			block_close(net, &net->links[i]);
	return moved;
}

/* Into the inbox of the process that it is for; false if that is full. */
static bool hand_out(struct net *net, const struct net_record *record)
{
	const int to = net->options.slot_of[record->to];
	struct board_slot *slot = net->options.slots[to];
	struct board_cell head = { .kind = record->cell.kind };
	const uint64_t n_head = board_head(head.kind);
	const uint64_t payload = head.kind == BOARD_EAGER ||
						 head.kind == BOARD_PART
					 ? record->cell.bytes
					 : 0;
	const uint32_t lines = board_lines(head.kind, payload);
	struct board_cell *cell = board_reserve(slot, &net->heads[to], lines);

	if (!cell) {
		helper_wake(slot);
		return false;
	}
	memcpy(&head, &record->cell, n_head);
	head.from = record->cell.from + net->options.n_slots;
	board_fill(cell, &head, (const unsigned char *)&record->cell + n_head,
		   payload);
	board_show(cell, lines);
	wait_wake(slot);
	/* Others are taken in when their process next looks. */
	if (head.kind != BOARD_EAGER || head.error)
		helper_wake(slot);
	return true;
}

/* What a record still lacks, of which the beginning is there. */
static uint64_t part_lacks(const struct link *link)
{
	const struct net_record *record = (struct net_record *)link->part;

	return (link->n_part < NET_RECORD_HEAD ? NET_RECORD_HEAD
					       : record->bytes) -
	       link->n_part;
}

/* Bytes that were taken of a record that was cut, or of one that will be. */
static uint64_t part_add(struct link *link, const unsigned char *from,
			 uint64_t bytes)
{
	uint64_t done = 0;
	uint64_t n;

	while (done < bytes && (n = at_most(part_lacks(link), bytes - done))) {
		memcpy(link->part + link->n_part, from + done, n);
		link->n_part += (uint32_t)n;
		done += n;
	}
	return done;
}

static bool part_is_whole(const struct link *link)
{
	return link->n_part >= NET_RECORD_HEAD && part_lacks(link) == 0;
}

/* The bytes of the next record that were taken; 0: an inbox is full. */
static uint64_t take_record(struct net *net, struct link *link,
			    const unsigned char *from, uint64_t bytes)
{
	const struct net_record *record = (const struct net_record *)from;

	if (!link->n_part && bytes >= NET_RECORD_HEAD && bytes >= record->bytes)
		return hand_out(net, record) ? record->bytes : 0;
	return part_add(link, from, bytes);
}

/* A whole block; whether all of it was handed out. */
static bool take(struct net *net, struct link *link,
		 const struct net_block *block)
{
	const unsigned char *bytes = (const unsigned char *)(block + 1);
	uint64_t n;

	for (;;) {
		if (part_is_whole(link)) {
			if (!hand_out(net, (struct net_record *)link->part))
				return false;
			link->n_part = 0;
		}
		if (link->inside == block->bytes)
			return true;
		n = take_record(net, link, bytes + link->inside,
				block->bytes - link->inside);
		if (n == 0)
			return false;
		link->inside += n;
	}
}

static void next_block(struct net *net, struct link *link,
		       const struct net_block *block)
{
	link->at += block->bytes == NET_BLOCK_WRAP
			    ? row_of(net, link->at)
			    : round_up(sizeof(*block) + block->bytes);
	link->number++;
	link->inside = 0;
	link->is_whole = false;
}

/* The next block from a node, if it is there; whether it was. */
static bool look(struct net *net, struct link *link)
{
	const uint64_t place = link->at % net->options.ring;
	const struct net_block *block = (const struct net_block *)(link->ring +
								   place);
	const uint64_t room = net->options.ring - place - sizeof(*block);
	const bool was_whole = link->is_whole;

	if (!was_whole &&
	    net_block_look(block, link->number + 1, room) != NET_WHOLE)
		return false;
	link->is_whole = true;
	if (block->taken > link->taken)
		link->taken = block->taken;
	if (block->bytes == NET_BLOCK_WRAP || take(net, link, block)) {
		next_block(net, link, block);
		net->n_waiting -= was_whole;
		return true;
	}
	net->n_waiting += !was_whole;
	return false;
}

/* Who sends nothing tells how far it took by a block without bytes. */
static void tell(struct net *net, struct link *link)
{
	if (link->at - link->told < net->options.ring / 2 || link->is_open)
		return;
	if (row_of(net, link->put) <= NET_UNIT &&
	    room_of(net, link) > 2 * NET_UNIT)
		wrap(net, link);
	if (room_of(net, link) >= NET_UNIT)
		block_close(net, link);
}

static bool look_all(struct net *net)
{
	bool moved = false;

	for (uint32_t i = 0; i < net->options.n_nodes; i++) {
		if (i == net->options.me)
			continue;
		while (look(net, &net->links[i]))
			moved = true;
		tell(net, &net->links[i]);
	}
	return moved;
}

/* Puts that nobody waits for need not get on by themselves. */
static void flush_all(struct net *net)
{
	for (uint32_t i = 0; i < net->options.n_nodes; i++) {
		struct link *link = &net->links[i];

		if (i == net->options.me || link->is_flushed)
			continue;
		net->options.ops->flush(i);
		link->is_flushed = true;
	}
}

bool net_turn(struct net *net)
{
	bool moved;

	if (net->token || atomic_exchange(&net->token, 1))
		return false;
	moved = gather(net);
	net->options.ops->progress();
	moved |= look_all(net);
	net->in_vain = moved ? 0 : net->in_vain + 1;
	if (net->in_vain == PATIENCE)
		flush_all(net);
	atomic_store(&net->token, 0);
	return moved;
}

bool net_has_work(struct net *net)
{
	return board_peek(&net->inbox) || net->n_waiting;
}

static int link_start(struct net *net, uint32_t node)
{
	const uint64_t ring = net->options.ring;
	struct link *link = &net->links[node];

	link->ring = net->options.window + ring * node;
	link->is_flushed = true;
	if (node == net->options.me)
		return 0;
	link->staging = calloc(1, ring);
	link->part = malloc(RECORD_MOST);
	return link->staging && link->part ? 0 : -ENOMEM;
}

int net_start(struct net **net_p, const struct net_options *options)
{
	struct net *net = calloc(1, sizeof(*net));
	int rc = net ? 0 : -ENOMEM;

	if (!net)
		return rc;
	net->options = *options;
	net->inbox.slot = options->gateway;
	net->links = calloc(options->n_nodes, sizeof(*net->links));
	net->heads = calloc(options->n_slots, sizeof(*net->heads));
	if (!net->links || !net->heads)
		rc = -ENOMEM;
	for (uint32_t i = 0; rc == 0 && i < options->n_nodes; i++)
		rc = link_start(net, i);
	if (rc == 0)
		*net_p = net;
	else
		net_stop(net);
	return rc;
}

void net_stop(struct net *net)
{
	if (!net)
		return;
	for (uint32_t i = 0; net->links && i < net->options.n_nodes; i++) {
		free(net->links[i].staging);
		free(net->links[i].part);
	}
	free(net->links);
	free(net->heads);
	free(net);
}

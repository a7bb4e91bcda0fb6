/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The leader's part between nodes: collects descriptors for each node into
 * blocks, and puts those that came into the inboxes of this node.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/wake.h"
#include "libbcs/demand/net/net.h"

_Static_assert(NET_BLOCK >= sizeof(struct net_record) + NET_INLINE + 8,
	       "a record fits into a block");

enum buffer_state { BUFFER_FREE, BUFFER_OPEN, BUFFER_SENDING };

struct buffer {
	enum buffer_state state;
	uint32_t node;
	uint64_t used; /* bytes */
	unsigned char *block;
};

struct net {
	struct net_options options;
	_Atomic uint32_t token;
	struct board_inbox inbox;
	uint64_t *heads; /* of the inboxes, as last seen */
	struct buffer buffers[NET_BUFFERS];
	unsigned char *open; /* by node: the buffer that is, from 1; 0: none */
	/* The block that came, and how much of it was handed out. */
	const unsigned char *block;
	uint64_t bytes;
	uint64_t taken;
	_Atomic bool waits; /* for an inbox that is full */
	unsigned char *memory;
	_Atomic uint32_t *delivered; /* by number in the world */
};

static void buffer_send(struct net *net, struct buffer *buffer)
{
	buffer->state = BUFFER_SENDING;
	net->open[buffer->node] = 0;
	net->options.ops->send((unsigned)(buffer - net->buffers), buffer->node,
			       buffer->block, buffer->used);
}

static bool is_sending(struct net *net, unsigned i)
{
	struct buffer *buffer = &net->buffers[i];

	if (buffer->state == BUFFER_SENDING && net->options.ops->is_sent(i))
		buffer->state = BUFFER_FREE;
	return buffer->state == BUFFER_SENDING;
}

/* NULL if all are under way. */
static struct buffer *buffer_new(struct net *net, uint32_t node)
{
	for (unsigned i = 0; i < NET_BUFFERS; i++) {
		struct buffer *buffer = &net->buffers[i];

		if (is_sending(net, i) || buffer->state != BUFFER_FREE)
			continue;
		buffer->state = BUFFER_OPEN;
		buffer->node = node;
		buffer->used = 0;
		net->open[node] = (unsigned char)(i + 1);
		return buffer;
	}
	return NULL;
}

/* One with room for a record, or NULL. */
static struct buffer *buffer_for(struct net *net, uint32_t node, uint64_t bytes)
{
	struct buffer *buffer;

	if (!net->open[node])
		return buffer_new(net, node);
	buffer = &net->buffers[net->open[node] - 1];
	if (NET_BLOCK - buffer->used >= bytes)
		return buffer;
	buffer_send(net, buffer);
	return buffer_new(net, node);
}

/* The first of the gateway; false if there is no room for it. */
static bool gather_one(struct net *net, struct board_cell *cell)
{
	struct buffer *buffer;

	if (cell->kind != BOARD_REMOTE)
		return true;
	buffer = buffer_for(net,
			    rank_map_at(net->options.node_of, cell->context),
			    cell->bytes);
	if (!buffer)
		return false;
	copy_here(buffer->block + buffer->used, board_payload(cell),
		  cell->bytes);
	buffer->used += cell->bytes;
	return true;
}

/* Descriptor exchange: all that there is, in a block for each node. */
static bool gather(struct net *net)
{
	struct board_cell *cell;
	bool moved = false;

	while ((cell = board_next(&net->inbox, 0)) && gather_one(net, cell)) {
		board_done(&net->inbox, board_lines_of(cell));
		moved = true;
	}
	for (unsigned i = 0; moved && i < NET_BUFFERS; i++)
		if (net->buffers[i].state == BUFFER_OPEN)
			buffer_send(net, &net->buffers[i]);
	return moved;
}

static uint64_t payload_of(const struct board_cell *cell)
{
	return cell->kind == BOARD_EAGER ? cell->bytes : 0;
}

/* Into the inbox of the process that it is for; false if that is full. */
static bool hand_out(struct net *net, const struct net_record *record)
{
	const uint32_t to = rank_map_at(net->options.peer_of, record->to);
	struct board_slot *slot = net->options.slots[to];
	const uint64_t n_head = board_head(record->cell.kind);
	const uint64_t payload = payload_of(&record->cell);
	const uint32_t lines = board_lines(record->cell.kind, payload);
	struct board_cell *cell = board_reserve(slot, &net->heads[to], lines);
	struct board_cell head;

	if (!cell) {
		wake_helper(slot);
		return false;
	}
	memcpy(&head, &record->cell, n_head);
	/* The inbox's tail has moved: who counts this sees that. */
	atomic_fetch_add(&net->delivered[record->cell.from], 1);
	head.from = record->cell.from + net->options.n_slots;
	board_fill(cell, &head, (const unsigned char *)&record->cell + n_head,
		   payload);
	board_show(cell, lines);
	wake_slot(slot);
	/* A process takes other descriptors when it next looks. */
	if (head.kind != BOARD_EAGER || head.error)
		wake_helper(slot);
	return true;
}

/*
 * Hands out the block that came, as far as inboxes have room.  Returns how many
 * records it handed out.
 */
static unsigned hand_out_all(struct net *net)
{
	const struct net_record *record;
	unsigned n = 0;

	for (; net->taken < net->bytes; n++) {
		record = (const struct net_record *)(net->block + net->taken);
		if (!hand_out(net, record))
			break;
		net->taken += record->bytes;
	}
	net->waits = net->taken < net->bytes;
	return n;
}

/* Finds the block that is being handed out, or takes the next that came. */
static bool block_is_there(struct net *net)
{
	if (net->block)
		return true;
	net->block = net->options.ops->come(&net->bytes);
	if (!net->block)
		return false;
	net->taken = 0;
	return true;
}

/*
 * Hands out blocks from other nodes.  Returns true if any record was handed
 * out.
 */
static bool scatter(struct net *net)
{
	unsigned n = 0;

	while (block_is_there(net)) {
		n += hand_out_all(net);
		if (net->waits)
			break;
		net->block = NULL;
		net->options.ops->taken();
	}
	return n != 0;
}

static bool token_try(struct net *net)
{
	return !atomic_load_explicit(&net->token, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&net->token, 1, memory_order_acquire);
}

static void token_give(struct net *net)
{
	/* Orders what this thread did before the next one's work. */
	atomic_store_explicit(&net->token, 0, memory_order_release);
}

bool net_turn(struct net *net)
{
	bool moved;

	if (!token_try(net))
		return false;
	moved = gather(net);
	moved |= scatter(net);
	token_give(net);
	return moved;
}

uint32_t net_delivered(struct net *net, uint32_t world)
{
	return atomic_load(&net->delivered[world]);
}

bool net_is_quiet(struct net *net)
{
	bool quiet = true;

	if (!token_try(net))
		return false;
	for (unsigned i = 0; i < NET_BUFFERS; i++)
		quiet &= !is_sending(net, i);
	token_give(net);
	return quiet;
}

bool net_has_work(struct net *net)
{
	return board_peek(&net->inbox) || net->waits;
}

int net_start(struct net **net_p, const struct net_options *options)
{
	struct net *net = calloc(1, sizeof(*net));

	if (!net)
		return -ENOMEM;
	net->options = *options;
	net->inbox.slot = options->gateway;
	net->open = calloc(options->n_nodes, sizeof(*net->open));
	net->heads = calloc(options->n_slots, sizeof(*net->heads));
	net->delivered = calloc(options->node_of->n, sizeof(*net->delivered));
	net->memory = malloc(NET_BUFFERS * NET_BLOCK);
	if (!net->open || !net->heads || !net->memory || !net->delivered) {
		net_stop(net);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < NET_BUFFERS; i++)
		net->buffers[i].block = net->memory + i * NET_BLOCK;
	*net_p = net;
	return 0;
}

void net_stop(struct net *net)
{
	if (!net)
		return;
	free(net->memory);
	free(net->delivered);
	free(net->heads);
	free(net->open);
	free(net);
}

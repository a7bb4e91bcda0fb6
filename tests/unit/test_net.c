/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Nodes that are turned one after the other, by a wire that puts the words of a
 * block in any order, some now and some later.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/net.h"
#include "libbcs/net_block.h"

#define NODES   3
#define EACH    2 /* processes of a node */
#define N       (NODES * EACH)
#define WIRES   256
#define HEAD    offsetof(struct board_cell, address)
#define MESSAGE 8192

/* A put that is under way: which of its words are not there yet. */
struct wire {
	unsigned char *to;
	const unsigned char *from;
	uint64_t words;
	uint64_t left;
	unsigned char *done;
	uint32_t node;
};

static struct node {
	struct net *net;
	struct board_slot *slots[EACH];
	struct board_inbox inboxes[EACH];
	struct board_slot *gateway;
	uint64_t known; /* of the gateway's head */
	unsigned char *window;
	int slot_of[N];
} nodes[NODES];

static uint32_t node_of[N];
static uint64_t ring;
static struct wire wires[WIRES];
static unsigned n_flushed;
static bool holds_back; /* the last word of each put */
static uint32_t turning;
static unsigned seed;

static unsigned any(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

static void word_put(struct wire *wire, uint64_t i)
{
	if (wire->done[i])
		return;
	memcpy(wire->to + 8 * i, wire->from + 8 * i, 8);
	wire->done[i] = 1;
	wire->left--;
}

static void wire_end(struct wire *wire)
{
	for (uint64_t i = 0; i < wire->words; i++)
		word_put(wire, i);
	free(wire->done);
	wire->to = NULL;
}

static struct wire *wire_get(void)
{
	for (int i = 0; i < WIRES; i++)
		if (!wires[i].to)
			return &wires[i];
	ck_abort_msg("too many puts under way");
	return NULL;
}

static void put(uint32_t node, uint64_t offset, const void *from,
		uint64_t bytes)
{
	struct wire *wire = wire_get();

	ck_assert_uint_ne(node, turning);
	ck_assert_uint_le(offset + bytes, ring * NODES);
	*wire = (struct wire){ .to = nodes[node].window + offset,
			       .from = from,
			       .words = (bytes + 7) / 8,
			       .left = (bytes + 7) / 8,
			       .node = node,
			       .done = calloc(1, (bytes + 7) / 8) };
}

static void flush(uint32_t node)
{
	n_flushed++;
	for (int i = 0; i < WIRES; i++)
		if (wires[i].to && wires[i].node == node)
			wire_end(&wires[i]);
}

static void wire_step(struct wire *wire)
{
	const uint64_t n = wire->words - holds_back;

	for (unsigned i = any(40); n && i > 0; i--)
		word_put(wire, any((unsigned)n));
	if (!holds_back && any(4) == 0)
		wire_end(wire);
}

static void progress(void)
{
	for (int i = 0; i < WIRES; i++)
		if (wires[i].to)
			wire_step(&wires[i]);
}

static const struct net_ops ops = { put, flush, progress };

static void node_start(uint32_t node, uint64_t ring_bytes)
{
	struct node *n = &nodes[node];
	const struct net_options options = {
		.ops = &ops,
		.n_nodes = NODES,
		.me = node,
		.window = n->window = calloc(NODES, ring_bytes),
		.ring = ring_bytes,
		.node_of = node_of,
		.slot_of = n->slot_of,
		.slots = n->slots,
		.n_slots = EACH,
		.gateway = n->gateway = board_alone(),
	};

	for (int i = 0; i < N; i++) {
		node_of[i] = (uint32_t)i / EACH;
		n->slot_of[i] = node_of[i] == node ? i % EACH : -1;
	}
	for (int i = 0; i < EACH; i++) {
		n->slots[i] = board_alone();
		n->inboxes[i] = (struct board_inbox){ .slot = n->slots[i] };
	}
	ck_assert_int_eq(net_start(&n->net, &options), 0);
}

static void start(uint64_t ring_bytes)
{
	ring = ring_bytes;
	seed = 1;
	n_flushed = 0;
	holds_back = false;
	for (uint32_t i = 0; i < NODES; i++)
		node_start(i, ring_bytes);
}

static void stop(void)
{
	for (int i = 0; i < WIRES; i++)
		if (wires[i].to)
			wire_end(&wires[i]);
	for (int i = 0; i < NODES; i++) {
		net_stop(nodes[i].net);
		free(nodes[i].window);
		free(nodes[i].gateway);
		for (int k = 0; k < EACH; k++)
			free(nodes[i].slots[k]);
		nodes[i] = (struct node){ 0 };
	}
}

static void turn_all(void)
{
	for (turning = 0; turning < NODES; turning++)
		net_turn(nodes[turning].net);
}

/* The bytes of a message follow from its sender and number. */
static unsigned char byte_of(uint32_t from, uint32_t number, uint64_t i)
{
	return (unsigned char)(from * 131 + number * 17 + i * 7 + (i >> 8));
}

/* As outbox.c does; false if the gateway is full. */
static bool send(uint32_t from, uint32_t to, uint32_t number, uint64_t bytes)
{
	struct node *node = &nodes[node_of[from]];
	const struct board_cell far = { .kind = BOARD_FAR,
					.context = to,
					.bytes = net_record_bytes(BOARD_EAGER,
								  bytes) };
	struct net_record record = { .to = to,
				     .bytes = (uint32_t)far.bytes,
				     .cell = { .kind = BOARD_EAGER,
					       .from = from,
					       .tag = (int)number,
					       .bytes = bytes } };
	const uint32_t lines = board_lines(BOARD_FAR, far.bytes);
	struct board_cell *cell = board_reserve(node->gateway, &node->known,
						lines);
	unsigned char *payload;

	if (!cell)
		return false;
	board_fill(cell, &far, &record, NET_RECORD_HEAD + HEAD);
	payload = (unsigned char *)board_payload(cell) + NET_RECORD_HEAD + HEAD;
	for (uint64_t i = 0; i < bytes; i++)
		payload[i] = byte_of(from, number, i);
	board_show(cell, lines);
	return true;
}

/* The numbers that are expected next, by receiver and sender. */
static uint32_t next[N][N];

static void check_message(uint32_t me, struct board_cell *cell)
{
	const uint32_t from = cell->from - EACH;
	const unsigned char *payload = board_payload(cell);

	ck_assert_uint_lt(from, N);
	if ((uint32_t)cell->tag != next[me][from]++)
		ck_abort_msg("message %d of %u to %u is out of order",
			     cell->tag, from, me);
	for (uint64_t i = 0; i < cell->bytes; i++)
		if (payload[i] != byte_of(from, (uint32_t)cell->tag, i))
			ck_abort_msg("byte %u of message %d", (unsigned)i,
				     cell->tag);
}

/* How many came to a process. */
static unsigned receive(uint32_t me)
{
	struct board_inbox *inbox = &nodes[node_of[me]].inboxes[me % EACH];
	struct board_cell *cell;
	unsigned n = 0;

	while ((cell = board_next(inbox, 0))) {
		if (cell->kind != BOARD_PAD) {
			check_message(me, cell);
			n++;
		}
		board_done(inbox, cell->lines);
	}
	board_tidy(inbox);
	return n;
}

/* One of any process to any of another node; whether there was room. */
static bool send_any(uint32_t sent[N][N])
{
	const uint32_t from = any(N);
	uint32_t to;

	do
		to = any(N);
	while (node_of[to] == node_of[from]);
	if (!send(from, to, sent[from][to], any(8) ? any(100) : any(MESSAGE)))
		return false;
	sent[from][to]++;
	return true;
}

static const uint64_t rings[] = { 2048, 2048 + 64, 16384, 1 << 20 };

START_TEST(test_any)
{
	uint32_t sent[N][N] = { 0 };
	unsigned n_sent = 0;
	unsigned n_got = 0;

	memset(next, 0, sizeof(next));
	start(rings[_i]);
	for (unsigned i = 0; i < 2000000 && n_got < 3000; i++) {
		if (n_sent < 3000 && any(2))
			n_sent += send_any(sent);
		if (any(3) == 0)
			turn_all();
		if (any(5) == 0)
			n_got += receive(any(N));
	}
	ck_assert_uint_eq(n_got, 3000);
	stop();
}
END_TEST

/* The other side has nothing to say but how far it took. */
START_TEST(test_one_way)
{
	unsigned n_sent = 0;
	unsigned n_got = 0;

	memset(next, 0, sizeof(next));
	start(rings[_i]);
	for (unsigned i = 0; i < 2000000 && n_got < 1000; i++) {
		if (n_sent < 1000)
			n_sent += send(0, N - 1, n_sent, any(3000));
		turn_all();
		n_got += receive(N - 1);
	}
	ck_assert_uint_eq(n_got, 1000);
	stop();
}
END_TEST

/* A process that takes nothing holds up its own messages, and loses none. */
START_TEST(test_full)
{
	unsigned n_sent = 0;
	unsigned n_got = 0;

	memset(next, 0, sizeof(next));
	start(2048);
	for (unsigned i = 0; i < 100000; i++) {
		n_sent += send(0, N - 1, n_sent, MESSAGE);
		turn_all();
	}
	/* The inbox, and the gateway. */
	ck_assert_uint_lt(n_sent, 2 * BOARD_LINES * BOARD_LINE / MESSAGE + 2);
	ck_assert(net_has_work(nodes[NODES - 1].net));
	ck_assert(net_has_work(nodes[0].net));
	for (unsigned i = 0; i < 2000000 && n_got < n_sent; i++) {
		n_got += receive(N - 1);
		turn_all();
	}
	ck_assert_uint_eq(n_got, n_sent);
	ck_assert(!net_has_work(nodes[NODES - 1].net));
	ck_assert(!net_has_work(nodes[0].net));
	stop();
}
END_TEST

/* Nothing is taken that is not all there; what does not get on is flushed. */
START_TEST(test_held_back)
{
	memset(next, 0, sizeof(next));
	start(16384);
	holds_back = true;
	send(0, N - 1, 0, 1000);
	for (int i = 0; i < 400; i++)
		turn_all();
	ck_assert_uint_eq(receive(N - 1), 0);
	ck_assert_uint_eq(n_flushed, 0);
	for (int i = 0; i < 400; i++)
		turn_all();
	ck_assert_uint_eq(n_flushed, 1);
	ck_assert_uint_eq(receive(N - 1), 1);
	stop();
}
END_TEST

/* A bit that is wrong anywhere is noticed. */
START_TEST(test_seal)
{
	unsigned char memory[sizeof(struct net_block) + 100];
	struct net_block *block = (struct net_block *)memory;

	for (size_t i = 0; i < sizeof(memory); i++)
		memory[i] = (unsigned char)(i * 7);
	block->number = 5;
	block->taken = 77;
	block->bytes = 100;
	net_block_seal(block);
	ck_assert_int_eq(net_block_look(block, 5, 100), NET_WHOLE);
	ck_assert_int_eq(net_block_look(block, 6, 100), NET_NOTHING);
	ck_assert_int_eq(net_block_look(block, 5, 99), NET_PART);
	for (size_t i = 8 * sizeof(block->number); i < 8 * sizeof(memory);
	     i++) {
		memory[i / 8] ^= (unsigned char)(1 << i % 8);
		ck_assert_int_eq(net_block_look(block, 5, 100), NET_PART);
		memory[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	ck_assert_int_eq(net_block_look(block, 5, 100), NET_WHOLE);
}
END_TEST

START_TEST(test_ring_bytes)
{
	ck_assert_uint_eq(net_ring_bytes(2), 1 << 20);
	for (uint32_t n = 2; n <= 10000; n++) {
		ck_assert_uint_eq(net_ring_bytes(n) % NET_UNIT, 0);
		ck_assert_uint_le(net_ring_bytes(n) * n, 32 << 20);
		ck_assert_uint_ge(net_ring_bytes(n), 2048);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("net");
	TCase *tc = tcase_create("net");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, test_any, 0, 4);
	tcase_add_loop_test(tc, test_one_way, 0, 4);
	tcase_add_test(tc, test_full);
	tcase_add_test(tc, test_held_back);
	tcase_add_test(tc, test_seal);
	tcase_add_test(tc, test_ring_bytes);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}

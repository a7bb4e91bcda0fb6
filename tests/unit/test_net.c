/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Nodes that are turned one after the other, and a wire that takes its time.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/board_memory.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/net/net.h"
#include "mds/base/clock.h"

#define NODES   3
#define EACH    2 /* processes of a node */
#define N       (NODES * EACH)
#define WIRES   256
#define HEAD    board_head(BOARD_EAGER)
#define MESSAGE 8192

/* A block that is under way. */
struct wire {
	uint32_t from;
	uint32_t to;
	unsigned buffer;
	const void *block;
	uint64_t bytes;
	bool came;
};

static struct node {
	struct net *net;
	struct board_slot *slots[EACH];
	struct board_inbox inboxes[EACH];
	struct board_slot *gateway;
	uint64_t known; /* of the gateway's head */
	bool is_sending[NET_BUFFERS];
	void *came;
	struct rank_map peer_of;
} nodes[NODES];

static uint32_t node_each[N];
static struct rank_map node_of = { .n = N, .each = node_each };
static struct wire wires[WIRES]; /* oldest first */
static unsigned n_wires;
static bool holds_back; /* whatever was sent */
static uint32_t turning;
static unsigned seed;

static unsigned any(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

static void send_block(unsigned buffer, uint32_t node, const void *block,
		       uint64_t bytes)
{
	struct wire *wire = &wires[n_wires++];

	ck_assert_uint_le(n_wires, WIRES);
	ck_assert_uint_ne(node, turning);
	ck_assert_uint_lt(bytes, NET_BLOCK + 1);
	ck_assert(!nodes[turning].is_sending[buffer]);
	nodes[turning].is_sending[buffer] = true;
	*wire = (struct wire){ turning, node, buffer, block, bytes, false };
}

static void wire_end(unsigned i)
{
	nodes[wires[i].from].is_sending[wires[i].buffer] = false;
	memmove(&wires[i], &wires[i + 1],
		(--n_wires - i) * sizeof(struct wire));
}

/* Some time after it came. */
static bool is_sent(unsigned buffer)
{
	for (unsigned i = 0; i < n_wires; i++)
		if (wires[i].from == turning && wires[i].buffer == buffer &&
		    wires[i].came && any(3) == 0) {
			wire_end(i);
			break;
		}
	return !nodes[turning].is_sending[buffer];
}

/* The oldest to this node, or that of another sender. */
static struct wire *wire_next(void)
{
	const uint32_t from = any(NODES);

	for (unsigned i = 0; i < n_wires; i++)
		if (wires[i].to == turning && !wires[i].came &&
		    wires[i].from == from)
			return &wires[i];
	return NULL;
}

static const void *come(uint64_t *bytes)
{
	struct wire *wire = holds_back ? NULL : wire_next();

	if (!wire)
		return NULL;
	ck_assert_ptr_null(nodes[turning].came);
	wire->came = true;
	*bytes = wire->bytes;
	nodes[turning].came = malloc(wire->bytes);
	return memcpy(nodes[turning].came, wire->block, wire->bytes);
}

static void taken(void)
{
	free(nodes[turning].came);
	nodes[turning].came = NULL;
}

static const struct net_ops ops = { send_block, is_sent, come, taken };

/* The numbers that are expected next, by receiver and sender. */
static uint32_t next[N][N];

static void node_start(uint32_t node)
{
	struct node *n = &nodes[node];
	uint32_t peers[N];
	const struct net_options options = {
		.ops = &ops,
		.n_nodes = NODES,
		.node_of = &node_of,
		.peer_of = &n->peer_of,
		.slots = n->slots,
		.n_slots = EACH,
		.gateway = n->gateway = board_alone(),
	};

	for (uint32_t i = 0; i < N; i++) {
		node_each[i] = i / EACH;
		peers[i] = i / EACH == node ? i % EACH : EACH + i;
	}
	ck_assert_int_eq(rank_map_keep(&n->peer_of, peers, N), 0);
	for (int i = 0; i < EACH; i++) {
		n->slots[i] = board_alone();
		n->inboxes[i] = (struct board_inbox){ .slot = n->slots[i] };
	}
	ck_assert_int_eq(net_start(&n->net, &options), 0);
}

static void start(void)
{
	memset(next, 0, sizeof(next));
	seed = 1;
	n_wires = 0;
	holds_back = false;
	for (uint32_t i = 0; i < NODES; i++)
		node_start(i);
}

static void stop(void)
{
	for (int i = 0; i < NODES; i++) {
		net_stop(nodes[i].net);
		free(nodes[i].came);
		board_memory_free(nodes[i].gateway, sizeof(struct board_slot));
		rank_map_free(&nodes[i].peer_of);
		for (int k = 0; k < EACH; k++)
			board_memory_free(nodes[i].slots[k],
					  sizeof(struct board_slot));
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

/* Puts a record as outbox.c does; false if the gateway is full. */
static bool send(uint32_t from, uint32_t to, uint32_t number, uint64_t bytes)
{
	struct node *node = &nodes[from / EACH];
	const struct board_cell remote = { .kind = BOARD_REMOTE,
					   .context = to,
					   .bytes = net_record_bytes(
						   BOARD_EAGER, bytes) };
	struct net_record record = { .to = to,
				     .bytes = (uint32_t)remote.bytes,
				     .cell = { .kind = BOARD_EAGER,
					       .from = from,
					       .tag = (int)number,
					       .bytes = bytes } };
	const uint32_t lines = board_lines(BOARD_REMOTE, remote.bytes);
	struct board_cell *cell = board_reserve(node->gateway, &node->known,
						lines);
	unsigned char *payload;

	if (!cell)
		return false;
	board_fill(cell, &remote, &record, NET_RECORD_HEAD + HEAD);
	payload = (unsigned char *)board_payload(cell) + NET_RECORD_HEAD + HEAD;
	for (uint64_t i = 0; i < bytes; i++)
		payload[i] = byte_of(from, number, i);
	board_show(cell, lines);
	return true;
}

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
	struct board_inbox *inbox = &nodes[me / EACH].inboxes[me % EACH];
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
	while (to / EACH == from / EACH);
	if (!send(from, to, sent[from][to], any(8) ? any(100) : any(MESSAGE)))
		return false;
	sent[from][to]++;
	return true;
}

START_TEST(test_any)
{
	uint32_t sent[N][N] = { 0 };
	unsigned n_sent = 0;
	unsigned n_got = 0;

	start();
	seed = (unsigned)_i;
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

/* A process that takes nothing holds up its own messages, and loses none. */
START_TEST(test_full)
{
	unsigned n_sent = 0;
	unsigned n_got = 0;

	start();
	for (unsigned i = 0; i < 100000; i++) {
		n_sent += send(0, N - 1, n_sent, MESSAGE);
		turn_all();
	}
	/* The inbox, the gateway, and blocks of three. */
	ck_assert_uint_lt(n_sent, 2 * BOARD_LINES * BOARD_LINE / MESSAGE +
					  4 * NET_BUFFERS);
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

/* A small message does not wake the helper of a process that computes. */
START_TEST(test_helper)
{
	_Atomic uint32_t *word;

	start();
	word = &nodes[NODES - 1].slots[EACH - 1]->helper;
	atomic_store(word, HELPER_IDLE);
	ck_assert(send(0, N - 1, 0, 8));
	for (unsigned i = 0; i < 100000 && !receive(N - 1); i++)
		turn_all();
	ck_assert_uint_eq(next[N - 1][0], 1);
	ck_assert_uint_eq(atomic_load(word), HELPER_IDLE);
	stop();
}
END_TEST

/* A message that is not sent stays as it is, and what comes after it waits. */
START_TEST(test_held_back)
{
	unsigned n_sent = 0;
	unsigned n_got = 0;

	start();
	holds_back = true;
	for (unsigned i = 0; i < 1000; i++) {
		n_sent += send(0, N - 1, n_sent, MESSAGE);
		turn_all();
	}
	ck_assert_uint_eq(n_wires, NET_BUFFERS);
	turning = 0;
	ck_assert(!net_is_quiet(nodes[0].net));
	holds_back = false;
	for (unsigned i = 0; i < 100000 && n_got < n_sent; i++) {
		turn_all();
		n_got += receive(N - 1);
	}
	ck_assert_uint_eq(n_got, n_sent);
	for (unsigned i = 0; i < 1000 && n_wires; i++) {
		turning = 0;
		net_is_quiet(nodes[0].net);
	}
	ck_assert(net_is_quiet(nodes[0].net));
	stop();
}
END_TEST

/* All that is there at once for a node goes as one block. */
START_TEST(test_one_block)
{
	start();
	for (unsigned i = 0; i < 20; i++)
		send(i % 2, N - 1 - i / 2 % 2, i / 4, 100);
	send(0, 2, 0, 100);
	turning = 0;
	ck_assert(net_turn(nodes[0].net));
	ck_assert_uint_eq(n_wires, 2);
	stop();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("net");
	TCase *tc = tcase_create("net");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, test_any, 0, 8);
	tcase_add_test(tc, test_full);
	tcase_add_test(tc, test_helper);
	tcase_add_test(tc, test_held_back);
	tcase_add_test(tc, test_one_block);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}

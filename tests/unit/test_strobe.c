/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The parts of the strobe: schedules, budgets, shared records, the arena, and
 * messages.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libbcs/core/fabric_node.h"
#include "libbcs/demand/coll_post.h"
#include "libbcs/strobe/leader/strobe_leader.h"
#include "mds/base/clock.h"

/* The pieces that a schedule moved, in turn. */
static struct {
	uint32_t source;
	uint32_t sequence;
	uint64_t begin;
	uint64_t bytes;
	bool last;
} moves[64];
static unsigned n_moves;

static void move(void *unused, struct strobe_transfer *transfer, uint64_t bytes,
		 bool last)
{
	(void)unused;
	moves[n_moves].source = transfer->source;
	moves[n_moves].sequence = transfer->sequence;
	moves[n_moves].begin = transfer->moved;
	moves[n_moves].bytes = bytes;
	moves[n_moves++].last = last;
}

static const struct strobe_mover mover = { NULL, move, NULL };

static struct strobe_transfer transfers[16];

static void add(struct strobe_schedule *schedule, unsigned i, uint32_t source,
		uint32_t sequence, uint64_t bytes)
{
	transfers[i] = (struct strobe_transfer){ .source = source,
						 .sequence = sequence,
						 .bytes = bytes };
	strobe_schedule_add(schedule, &transfers[i]);
}

/* In whatever order matches are found, they run by source and sequence. */
START_TEST(test_order)
{
	static const unsigned orders[][6] = { { 0, 1, 2, 3, 4, 5 },
					      { 5, 4, 3, 2, 1, 0 },
					      { 3, 0, 5, 1, 4, 2 } };
	struct strobe_schedule schedule;

	n_moves = 0;
	strobe_schedule_init(&schedule);
	/* One of an earlier slice stays before them. */
	add(&schedule, 6, 9, 9, 8);
	strobe_schedule_seal(&schedule);
	/* Sequences wrap around. */
	for (unsigned i = 0; i < 6; i++)
		add(&schedule, i, orders[_i][i] / 2,
		    UINT32_MAX + orders[_i][i] % 2, 8);
	strobe_schedule_seal(&schedule);
	ck_assert_uint_eq(strobe_schedule_run(&schedule, 1000, &mover), 56);
	ck_assert_uint_eq(n_moves, 7);
	ck_assert_uint_eq(moves[0].source, 9);
	for (unsigned i = 0; i < 6; i++) {
		ck_assert_uint_eq(moves[i + 1].source, i / 2);
		ck_assert_uint_eq(moves[i + 1].sequence,
				  (uint32_t)(UINT32_MAX + i % 2));
	}
	ck_assert_ptr_null(schedule.first);
}
END_TEST

/* The next message has the budget that the first one left. */
START_TEST(test_budget)
{
	struct strobe_schedule schedule;

	n_moves = 0;
	strobe_schedule_init(&schedule);
	add(&schedule, 0, 0, 0, 30);
	add(&schedule, 1, 0, 1, 100);
	add(&schedule, 2, 1, 0, 0);
	strobe_schedule_seal(&schedule);
	ck_assert_uint_eq(strobe_schedule_run(&schedule, 80, &mover), 80);
	ck_assert_uint_eq(n_moves, 2);
	ck_assert_uint_eq(moves[0].bytes, 30);
	ck_assert(moves[0].last);
	ck_assert_uint_eq(moves[1].bytes, 50);
	ck_assert(!moves[1].last);
	/* A message with a rest, and one that has not begun. */
	ck_assert_uint_eq(schedule.n, 2);
	/* The rest in the next slice, before what comes new. */
	add(&schedule, 3, 0, 2, 5);
	strobe_schedule_seal(&schedule);
	ck_assert_uint_eq(strobe_schedule_run(&schedule, 80, &mover), 55);
	ck_assert_uint_eq(n_moves, 5);
	ck_assert_uint_eq(moves[2].begin, 50);
	ck_assert_uint_eq(moves[2].bytes, 50);
	ck_assert(moves[2].last);
	ck_assert_uint_eq(moves[3].source, 1);
	ck_assert_uint_eq(moves[4].bytes, 5);
	ck_assert_ptr_null(schedule.first);
	ck_assert_uint_eq(schedule.n, 0);
}
END_TEST

static unsigned slices_of(unsigned n, uint64_t bytes, uint64_t budget)
{
	struct strobe_schedule schedule;
	unsigned slices = 0;

	strobe_schedule_init(&schedule);
	for (unsigned i = 0; i < n; i++)
		add(&schedule, i, i, 0, bytes);
	strobe_schedule_seal(&schedule);
	for (; schedule.first; slices++) {
		n_moves = 0;
		strobe_schedule_run(&schedule, budget, &mover);
	}
	return slices;
}

/* Many messages take no more slices than one of as many bytes. */
START_TEST(test_shared)
{
	ck_assert_uint_eq(slices_of(1, 1600, 500), 4);
	ck_assert_uint_eq(slices_of(8, 200, 500), 4);
	ck_assert_uint_eq(slices_of(16, 100, 500), 4);
}
END_TEST

static struct strobe_ring ring;
static _Atomic uint64_t sealed;

static void ring_post(uint64_t by_clock, uint64_t op)
{
	struct strobe_descriptor descriptor = { .slice = by_clock, .op = op };

	strobe_ring_post(&ring, &sealed, &descriptor);
}

/* Takes what slice takes; how many, the first of which is `op`. */
static unsigned ring_slice(uint64_t slice, uint64_t op)
{
	const struct strobe_descriptor *next;
	unsigned n = 0;
	uint32_t end;

	atomic_store(&sealed, slice);
	end = strobe_ring_seal(&ring);
	for (; (next = strobe_ring_next(&ring, end, slice)); n++) {
		ck_assert_uint_eq(next->op, op + n);
		strobe_ring_take(&ring);
	}
	return n;
}

/* A slice takes what was posted before it, by the clock or by its seal. */
START_TEST(test_seal)
{
	memset(&ring, 0, sizeof(ring));
	atomic_store(&sealed, 0);
	ring_post(3, 0);
	ring_post(3, 1);
	ck_assert_uint_eq(ring_slice(3, 0), 0);
	ring_post(4, 2);
	ck_assert_uint_eq(ring_slice(4, 0), 2);
	/* The clock of the poster was read before the seal. */
	ring_post(3, 3);
	ck_assert_uint_eq(ring_slice(4, 2), 0);
	ck_assert_uint_eq(ring_slice(5, 2), 2);
	ck_assert(strobe_ring_is_empty(&ring));
}
END_TEST

/* A clock that is far ahead does not hold a descriptor back for long. */
START_TEST(test_seal_drift)
{
	memset(&ring, 0, sizeof(ring));
	atomic_store(&sealed, 0);
	ring_post(1000, 0);
	ck_assert_uint_eq(ring_slice(4, 0), 0);
	ck_assert_uint_eq(ring_slice(5, 0), 0);
	ring_post(1000, 1);
	ck_assert_uint_eq(ring_slice(6, 0), 1);
	ck_assert_uint_eq(ring_slice(7, 1), 0);
	ck_assert_uint_eq(ring_slice(8, 1), 1);
}
END_TEST

#define POSTS 200000

static void *post_all(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < POSTS; i++) {
		while (i - atomic_load(&ring.taken) >= STROBE_RING)
			;
		ring_post(0, i);
	}
	return NULL;
}

/*
 * Threads post while slices begin: a descriptor that a slice has not taken
 * carries the number of that slice or of a later one.
 */
START_TEST(test_seal_races)
{
	const struct strobe_descriptor *next;
	uint64_t slice = 0;
	pthread_t thread;
	uint32_t n = 0;
	uint32_t end;

	memset(&ring, 0, sizeof(ring));
	atomic_store(&sealed, 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, post_all, NULL), 0);
	while (n < POSTS) {
		atomic_store(&sealed, ++slice);
		end = strobe_ring_seal(&ring);
		while ((next = strobe_ring_next(&ring, end, slice))) {
			ck_assert_uint_eq(next->op, n);
			/* Else the slice before would have taken it. */
			ck_assert_uint_eq(next->slice, slice - 1);
			strobe_ring_take(&ring);
			n++;
		}
	}
	pthread_join(thread, NULL);
}
END_TEST

START_TEST(test_arena)
{
	static unsigned char memory[1 << 16];
	static struct strobe_returned returned;
	struct strobe_arena arena = {
		memory, &returned, 64, sizeof(memory), { 0 }
	};
	const uint64_t one = strobe_arena_get(&arena, 128, 0);
	const uint64_t two = strobe_arena_get(&arena, 128, 0);

	ck_assert_uint_ne(one, 0);
	ck_assert_uint_eq(one % 16, 0);
	/* Neither reaches into the other, nor into the head before it. */
	memset(memory + one, 0xff, 128);
	memset(memory + two, 0xff, 128);
	strobe_arena_put(memory, &returned, two);
	strobe_arena_put(memory, &returned, one);
	ck_assert_uint_eq(strobe_arena_get(&arena, 128, 0), two);
	ck_assert_uint_eq(strobe_arena_get(&arena, 128, 0), one);
	/* Some has to stay; and what is not there is not given. */
	ck_assert_uint_eq(strobe_arena_get(&arena, 1000, sizeof(memory)), 0);
	ck_assert_uint_eq(strobe_arena_get(&arena, sizeof(memory), 0), 0);
	ck_assert_uint_ne(strobe_arena_get(&arena, 1000, 0), 0);
}
END_TEST

/* Threads stand for processes. */
#define PROCESSES 2
#define LARGE     3000000u

static struct strobe *strobes[PROCESSES];
static void *memory;
static struct slice_tally tally;

/* Without cores nobody's copies are shared. */
static void engines_make(uint32_t cores, uint64_t budget)
{
	const struct strobe_options options = {
		.slice_ns = 200000,
		.zero_ns = clock_monotonic_ns(),
		.budget = budget,
		.cores = cores,
		.tally = &tally,
	};

	memory = mmap(NULL, strobe_memory_bytes(PROCESSES),
		      PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	for (uint32_t i = 0; i < PROCESSES; i++)
		ck_assert_int_eq(strobe_engine_new(&strobes[i], memory,
						   PROCESSES, i, &options),
				 0);
}

static void engines_start_on(uint32_t cores, uint64_t budget)
{
	engines_make(cores, budget);
	for (uint32_t i = 0; i < PROCESSES; i++)
		ck_assert_int_eq(strobe_engine_start(strobes[i], NULL), 0);
}

static void engines_start(uint64_t budget)
{
	engines_start_on(0, budget);
}

static void engines_end(void)
{
	for (uint32_t i = 0; i < PROCESSES; i++)
		strobe_engine_stop(strobes[i]);
	munmap(memory, strobe_memory_bytes(PROCESSES));
}

static struct op op_make(enum op_kind kind, int32_t source, int32_t tag,
			 void *buf, uint64_t bytes)
{
	return (struct op){ .kind = kind,
			    .peer = 1,
			    .key = { 1, source, tag },
			    .buf = buf,
			    .bytes = bytes };
}

static unsigned char large[2][LARGE];

static void *send_all(void *unused)
{
	struct op small = op_make(OP_SEND, 0, 1, large[0], 100);
	struct op big = op_make(OP_SEND, 0, 2, large[0], LARGE);

	(void)unused;
	strobe_engine_post(strobes[0], &small);
	strobe_engine_post(strobes[0], &big);
	strobe_engine_wait(strobes[0], &small);
	strobe_engine_wait(strobes[0], &big);
	ck_assert_int_eq(big.error, 0);
	return NULL;
}

/* Small and large ones, the latter in pieces, and in the order of receives. */
START_TEST(test_messages)
{
	unsigned char few[60];
	struct op big = op_make(OP_RECV, MATCH_ANY, 2, large[1], LARGE);
	struct op small = op_make(OP_RECV, 0, MATCH_ANY, few, sizeof(few));
	pthread_t thread;

	engines_start(LARGE / 7);
	for (unsigned i = 0; i < LARGE; i++)
		large[0][i] = (unsigned char)(i * 7 + i / 1000);
	ck_assert_int_eq(pthread_create(&thread, NULL, send_all, NULL), 0);
	strobe_engine_post(strobes[1], &big);
	strobe_engine_post(strobes[1], &small);
	strobe_engine_wait(strobes[1], &small);
	ck_assert_int_eq(small.error, -EMSGSIZE);
	ck_assert_uint_eq(small.got, sizeof(few));
	ck_assert_mem_eq(few, large[0], sizeof(few));
	strobe_engine_wait(strobes[1], &big);
	ck_assert_int_eq(big.error, 0);
	ck_assert_uint_eq(big.got, LARGE);
	ck_assert_mem_eq(large[0], large[1], LARGE);
	pthread_join(thread, NULL);
	engines_end();
	/* Seven slices were full, and one has the rest. */
	ck_assert_uint_eq(slice_tally_get(&tally.length_ns), 200000);
	ck_assert_uint_eq(slice_tally_get(&tally.budget), LARGE / 7);
	ck_assert_uint_ge(slice_tally_get(&tally.n), 8);
	ck_assert_uint_ge(slice_tally_get(&tally.slice),
			  slice_tally_get(&tally.n) - 1);
	ck_assert_uint_eq(slice_tally_get(&tally.bytes), LARGE + sizeof(few));
	ck_assert_uint_gt(slice_tally_get(&tally.ticks), 0);
}
END_TEST

/* In three messages, of the same slice mostly. */
#define PARTS 3
#define PART  (LARGE / PARTS)

static void parts_go(struct strobe *strobe, enum op_kind kind,
		     unsigned char *buf)
{
	struct op ops[PARTS];

	for (int i = 0; i < PARTS; i++) {
		ops[i] = op_make(kind, 0, i, buf + (unsigned)i * PART, PART);
		strobe_engine_post(strobe, &ops[i]);
	}
	for (int i = 0; i < PARTS; i++) {
		strobe_engine_wait(strobe, &ops[i]);
		ck_assert_int_eq(ops[i].error, 0);
	}
}

static void *send_large(void *unused)
{
	(void)unused;
	parts_go(strobes[0], OP_SEND, large[0]);
	return NULL;
}

static void large_goes(unsigned char seed)
{
	pthread_t thread;

	for (unsigned i = 0; i < LARGE; i++)
		large[0][i] = (unsigned char)(i * 7 + i / 1000 + seed);
	ck_assert_int_eq(pthread_create(&thread, NULL, send_large, NULL), 0);
	parts_go(strobes[1], OP_RECV, large[1]);
	ck_assert_mem_eq(large[0], large[1], LARGE);
	pthread_join(thread, NULL);
}

/* Both copy; or the sender may not, and what it took is left to the receiver.
 */
START_TEST(test_split)
{
	struct strobe_split *split;
	bool shared = false;

	engines_start_on(PROCESSES, 2 * LARGE);
	split = &strobe_slot(strobes[0], 1)->splits[0];
	if (_i == 1)
		strobe_slot(strobes[0], 1)->pid = -1;
	for (unsigned i = 0; i < 1000 && !shared; i++) {
		large_goes((unsigned char)i);
		shared = _i == 1 ? atomic_load(&split->refused) != 0
				 : atomic_load(&split->taken) != 0;
	}
	ck_assert(shared);
	engines_end();
}
END_TEST

static void *send_later(void *send)
{
	usleep(20000);
	strobe_engine_post(strobes[0], send);
	strobe_engine_wait(strobes[0], send);
	return NULL;
}

START_TEST(test_probes)
{
	const struct match_key key = { 1, 0, MATCH_ANY };
	struct op send = op_make(OP_SEND, 0, 5, large[0], 10);
	struct op later = op_make(OP_SEND, 0, 6, large[0], 20);
	struct op recv = op_make(OP_RECV, 0, 6, large[1], 10);
	struct message *message;
	struct engine_found found;
	pthread_t thread;

	engines_start(LARGE);
	ck_assert(!strobe_engine_probe(strobes[1], &key, false, NULL, &found));
	strobe_engine_post(strobes[0], &send);
	ck_assert(strobe_engine_probe(strobes[1], &key, true, NULL, &found));
	ck_assert_int_eq(found.tag, 5);
	ck_assert_uint_eq(found.bytes, 10);
	ck_assert(
		strobe_engine_probe(strobes[1], &key, true, &message, &found));
	ck_assert(!strobe_engine_probe(strobes[1], &key, false, NULL, &found));
	/* It was not matched, so it is cancelled. */
	strobe_engine_post(strobes[1], &recv);
	ck_assert(strobe_engine_cancel(strobes[1], &recv));
	strobe_engine_wait(strobes[1], &recv);
	ck_assert_int_eq(recv.error, -ECANCELED);
	strobe_engine_post_taken(strobes[1], &recv, message);
	strobe_engine_wait(strobes[1], &recv);
	ck_assert_int_eq(recv.error, 0);
	ck_assert_int_eq(recv.tag, 5);
	ck_assert(!strobe_engine_cancel(strobes[1], &recv));
	strobe_engine_wait(strobes[0], &send);
	/* A probe waits for one that the cancelled receive does not take. */
	ck_assert_int_eq(pthread_create(&thread, NULL, send_later, &later), 0);
	ck_assert(
		strobe_engine_probe(strobes[1], &key, true, &message, &found));
	ck_assert_int_eq(found.tag, 6);
	recv = op_make(OP_RECV, 0, 6, large[1], 20);
	strobe_engine_post_taken(strobes[1], &recv, message);
	strobe_engine_wait(strobes[1], &recv);
	ck_assert_uint_eq(recv.got, 20);
	pthread_join(thread, NULL);
	engines_end();
}
END_TEST

/* A receive whose message is on its way cannot be cancelled. */
START_TEST(test_cancel_late)
{
	struct op send = op_make(OP_SEND, 0, 1, large[0], LARGE);
	struct op recv = op_make(OP_RECV, 0, 1, large[1], LARGE);

	engines_start(LARGE / 100);
	strobe_engine_post(strobes[0], &send);
	strobe_engine_post(strobes[1], &recv);
	usleep(2000);
	ck_assert(!strobe_engine_cancel(strobes[1], &recv));
	strobe_engine_wait(strobes[1], &recv);
	ck_assert_int_eq(recv.error, 0);
	ck_assert_uint_eq(recv.got, LARGE);
	strobe_engine_wait(strobes[0], &send);
	engines_end();
}
END_TEST

/* The next slice executes a descriptor, and shows it as done at its end. */
START_TEST(test_ends)
{
	struct op send;
	struct op recv;
	uint64_t slice;

	engines_start(LARGE);
	for (int i = 0; i < 50; i++) {
		send = op_make(OP_SEND, 0, 1, large[0], 8);
		recv = op_make(OP_RECV, 0, 1, large[1], 8);
		slice = strobe_slice_now(strobes[1]);
		strobe_engine_post(strobes[0], &send);
		strobe_engine_post(strobes[1], &recv);
		strobe_engine_wait(strobes[1], &recv);
		ck_assert_uint_ge(strobe_slice_now(strobes[1]), slice + 2);
		strobe_engine_wait(strobes[0], &send);
	}
	engines_end();
}
END_TEST

/* Orders a copy of the process's own bytes, as the leader would. */
static void copy_order(struct strobe_slot *slot, struct op *op, uint64_t bytes)
{
	const uint32_t at = atomic_load(&slot->given);

	slot->orders[at] = (struct strobe_order){
		.kind = STROBE_COPY,
		.from = 1,
		.op = (uintptr_t)op,
		.address = (uintptr_t)large[0],
		.bytes = bytes,
	};
	atomic_store(&slot->given, at + 1);
}

/* A slice is over that ended one; the next has a short copy and a long one. */
static struct strobe_slot *copies_make(struct op *op, struct op *ended)
{
	struct strobe_slot *slot;

	engines_make(0, LARGE);
	op_list_add(&strobes[1]->closing, ended);
	slot = strobes[1]->slot;
	copy_order(slot, op, 100);
	copy_order(slot, op, LARGE);
	/* Two slices ago. */
	strobes[1]->options.zero_ns -= 3 * strobes[1]->options.slice_ns;
	atomic_store(&slot->ends[0], UINT64_C(1) << 32);
	return slot;
}

/*
 * A thread that waits is shown what a slice ended before it copies for the next
 * one.  If it does not wait any more, its helper does what takes long.
 */
START_TEST(test_leave)
{
	struct op op = op_make(OP_RECV, 0, 0, large[1], LARGE);
	struct op ended = { .due = 1 };
	struct strobe_slot *slot = copies_make(&op, &ended);

	ck_assert(strobe_dma_run_some(strobes[1]));
	ck_assert(op_is_done(&ended));
	ck_assert_uint_eq(atomic_load(&slot->done), 0);
	strobe_dma_leave(strobes[1]);
	ck_assert_uint_eq(atomic_load(&slot->done), 1);
	ck_assert_uint_eq(atomic_load(&slot->helper), 1);
	ck_assert(strobe_dma_run_some(strobes[1]));
	ck_assert_uint_eq(atomic_load(&slot->done), 2);
	engines_end();
}
END_TEST

/* Nor does a test leave orders to a helper that was not called. */
START_TEST(test_turn)
{
	struct op op = op_make(OP_RECV, 0, 0, large[1], LARGE);
	struct op ended = { .due = 1 };
	struct strobe_slot *slot = copies_make(&op, &ended);

	ck_assert(strobe_engine_turn(strobes[1]));
	ck_assert(op_is_done(&ended));
	ck_assert_uint_eq(atomic_load(&slot->done), 1);
	ck_assert_uint_eq(atomic_load(&slot->helper), 1);
	strobe_dma_run(strobes[1]);
	engines_end();
}
END_TEST

/*
 * Two nodes of one process.  The second has little memory, or none, for what
 * comes from the first.
 */
#define NODES 2
#define SENDS 100
#define FEW   8000u
#define SMALL 4096u

static void *node_memories[NODES];
static void *fabric_memory;
static struct fabric *fabrics[NODES];
static struct rank_map_run node_run = { .step = 1 };
static struct rank_map_run slot_run = { .step = 0 };
static struct rank_map node_of = { .n = NODES, .n_runs = 1, .runs = &node_run };
static struct rank_map slot_of = { .n = NODES, .n_runs = 1, .runs = &slot_run };
static _Atomic bool no_works; /* in the second node's helper thread */

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
	return no_works && pthread_equal(pthread_self(), strobes[1]->helper)
		       ? NULL
		       : __real_malloc(bytes);
}

static void node_start(uint32_t node)
{
	const struct strobe_options options = {
		.slice_ns = 200000,
		.zero_ns = clock_monotonic_ns(),
		.budget = LARGE,
		.world = node,
		.node = node,
		.n_nodes = NODES,
		.node_of = &node_of,
		.slot_of = &slot_of,
		.fabric = fabrics[node],
	};

	node_memories[node] = mmap(
		NULL, strobe_memory_bytes(1), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	ck_assert_ptr_ne(node_memories[node], MAP_FAILED);
	ck_assert_int_eq(strobe_engine_new(&strobes[node], node_memories[node],
					   1, 0, &options),
			 0);
}

/* So many bytes are left for what comes. */
static void nodes_start(uint64_t left)
{
	const size_t size = (fabric_node_size(NODES,
					      strobe_fabric_bytes(NODES)) +
			     63) &
			    ~(size_t)63;
	struct strobe_arena *arena;

	fabric_memory = aligned_alloc(64, size);
	memset(fabric_memory, 0, size);
	ck_assert_int_eq(fabric_node_format(fabric_memory, size, NODES), 0);
	for (uint32_t i = 0; i < NODES; i++)
		ck_assert_int_eq(
			fabric_node_attach(&fabrics[i], fabric_memory, size, i),
			0);
	for (uint32_t i = 0; i < NODES; i++)
		node_start(i);
	arena = &strobes[1]->leader->arena;
	arena->end = arena->next + left;
	for (uint32_t i = 0; i < NODES; i++)
		ck_assert_int_eq(strobe_engine_start(strobes[i], NULL), 0);
}

static void nodes_end(void)
{
	for (uint32_t i = 0; i < NODES; i++)
		strobe_engine_stop(strobes[i]);
	for (uint32_t i = 0; i < NODES; i++) {
		munmap(node_memories[i], strobe_memory_bytes(1));
		fabric_node_detach(fabrics[i]);
	}
	free(fabric_memory);
}

static struct op sends[SENDS];

/* The peer is one of another node: its number lies behind those of slots. */
static void post_sends(void)
{
	for (int i = 0; i < SENDS; i++) {
		memset(large[0] + i * FEW, i + 1, FEW);
		sends[i] = op_make(OP_SEND, 0, i, large[0] + i * FEW, FEW);
		sends[i].peer = 1 + 1;
		strobe_engine_post(strobes[0], &sends[i]);
	}
}

static void receive_sends(void)
{
	struct op recv;

	for (int i = SENDS - 1; i >= 0; i--) {
		recv = op_make(OP_RECV, 0, i, large[1] + i * FEW, FEW);
		strobe_engine_post(strobes[1], &recv);
		strobe_engine_wait(strobes[1], &recv);
		ck_assert_int_eq(recv.error, 0);
		ck_assert_uint_eq(recv.got, FEW);
	}
	ck_assert_mem_eq(large[0], large[1], SENDS * FEW);
	for (int i = 0; i < SENDS; i++)
		strobe_engine_wait(strobes[0], &sends[i]);
}

/* Payloads that no memory is there for stay with their senders. */
START_TEST(test_no_payload)
{
	static const uint64_t left[] = { STROBE_ARENA_REMOTE, 20000 };

	nodes_start(left[_i]);
	post_sends();
	/* They are done, received or not: they were posted with a payload. */
	for (int i = 0; i < SENDS; i++)
		strobe_engine_wait(strobes[0], &sends[i]);
	receive_sends();
	nodes_end();
}
END_TEST

/* Without memory for descriptors they wait, until there is some. */
START_TEST(test_no_works)
{
	nodes_start(STROBE_ARENA_REMOTE);
	no_works = true;
	post_sends();
	usleep(5000);
	no_works = false;
	receive_sends();
	nodes_end();
}
END_TEST

/* Empty synchronous sends beside a large one, whose bytes leave no room in the
 * block of their slice. */
START_TEST(test_empty)
{
	struct op receives[SENDS];

	nodes_start(STROBE_ARENA_REMOTE);
	for (int i = 0; i < SENDS; i++) {
		receives[i] = op_make(OP_RECV, 0, i, large[1], i ? 0 : LARGE);
		strobe_engine_post(strobes[1], &receives[i]);
	}
	for (int i = 0; i < SENDS; i++) {
		sends[i] = op_make(OP_SEND, 0, i, large[0], i ? 0 : LARGE);
		sends[i].peer = 1 + 1;
		sends[i].synchronous = true;
		strobe_engine_post(strobes[0], &sends[i]);
	}
	for (int i = 0; i < SENDS; i++) {
		strobe_engine_wait(strobes[1], &receives[i]);
		strobe_engine_wait(strobes[0], &sends[i]);
		ck_assert_uint_eq(receives[i].got, i ? 0 : LARGE);
	}
	nodes_end();
}
END_TEST

static struct rank_map peers[NODES];

static struct coll *bcast_make(int rank, unsigned char *buf, uint64_t bytes)
{
	struct coll *coll = coll_new(NODES);

	ck_assert_ptr_nonnull(coll);
	coll->kind = COLL_BCAST;
	coll->context = 3;
	coll->peers = &peers[rank];
	coll->rank = rank;
	coll->in = buf;
	coll->bytes = bytes;
	return coll;
}

static bool coll_ready(void *coll)
{
	return coll_is_done(coll);
}

/* A broadcast that finds no room fails where that is so, and nowhere else. */
START_TEST(test_no_share)
{
	uint32_t each[NODES][NODES] = { { 0, 2 }, { 1, 0 } };
	struct coll *colls[NODES];

	nodes_start(SMALL);
	for (int i = 0; i < NODES; i++) {
		/* Each by its own numbers of slots. */
		peers[i] = (struct rank_map){ .n = NODES, .each = each[i] };
		colls[i] = bcast_make(i, large[i], LARGE);
		ck_assert_int_eq(strobe_engine_coll_post(strobes[i], colls[i]),
				 0);
	}
	for (int i = 0; i < NODES; i++) {
		strobe_engine_wait_until(strobes[i], coll_ready, colls[i]);
		ck_assert_int_eq(colls[i]->error, i == 0 ? 0 : -ENOMEM);
		coll_free(colls[i]);
	}
	nodes_end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("strobe");
	TCase *tc = tcase_create("strobe");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tc, 100);
	tcase_add_loop_test(tc, test_order, 0, 3);
	tcase_add_test(tc, test_budget);
	tcase_add_test(tc, test_shared);
	tcase_add_test(tc, test_seal);
	tcase_add_test(tc, test_seal_drift);
	tcase_add_test(tc, test_seal_races);
	tcase_add_test(tc, test_arena);
	tcase_add_test(tc, test_messages);
	tcase_add_loop_test(tc, test_split, 0, 2);
	tcase_add_test(tc, test_probes);
	tcase_add_test(tc, test_cancel_late);
	tcase_add_test(tc, test_ends);
	tcase_add_test(tc, test_leave);
	tcase_add_test(tc, test_turn);
	tcase_add_loop_test(tc, test_no_payload, 0, 2);
	tcase_add_test(tc, test_no_works);
	tcase_add_test(tc, test_empty);
	tcase_add_test(tc, test_no_share);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

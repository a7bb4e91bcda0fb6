/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ENGINE_RANKS_H
#define BCS_ENGINE_RANKS_H

/*
 * For the tests of libbcs/demand: engines that are threads of one process, on
 * slots of shared memory.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/base/rouse.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/helper.h"

/* An engine, and what a test of traffic knows of it. */
struct rank {
	struct engine engine;
	struct board_slot **slots;
	uint32_t n;
	uint32_t me;
	unsigned seed;
	int errors;
};

static const struct engine_options demand = { .budget = 10000,
					      .crowded = true };

/* A number that follows from two. */
static inline uint32_t mix(uint32_t a, uint32_t b)
{
	uint64_t x = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;

	x ^= x >> 29;
	return (uint32_t)((x * 0xbf58476d1ce4e5b9u) >> 32);
}

static inline struct board_slot **slots_make(uint32_t n)
{
	struct board_slot **slots = calloc(n, sizeof(*slots));
	struct board_slot *memory;

	memory = mmap(NULL, n * sizeof(*memory), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	for (uint32_t i = 0; i < n; i++)
		slots[i] = &memory[i];
	return slots;
}

static inline void slots_free(struct board_slot **slots, uint32_t n)
{
	munmap(slots[0], n * sizeof(*slots[0]));
	free(slots);
}

static inline void rank_start(struct rank *rank, struct board_slot **slots,
			      uint32_t n, uint32_t me,
			      const struct engine_options *options)
{
	*rank = (struct rank){ .slots = slots, .n = n, .me = me };
	ck_assert_int_eq(engine_start(&rank->engine, slots, n, me, options), 0);
}

static inline struct op recv_op(void *buf, uint64_t bytes, int source, int tag)
{
	return (struct op){ .kind = OP_RECV,
			    .buf = buf,
			    .bytes = bytes,
			    .key = { 1, source, tag } };
}

/* Without a helper, so that nothing moves but what the test moves. */
static inline void rank_start_alone(struct rank *rank,
				    struct board_slot **slots, uint32_t n,
				    uint32_t me,
				    const struct engine_options *options)
{
	rank_start(rank, slots, n, me, options);
	helper_stop(&rank->engine);
}

/* Sends a number to rank 1; the caller frees op->buf. */
static inline void post_number(struct rank *rank, struct op *op,
			       uint32_t number)
{
	*op = (struct op){ .kind = OP_SEND,
			   .buf = malloc(4),
			   .bytes = 4,
			   .peer = 1,
			   .key = { 1, 0, 0 } };
	memcpy(op->buf, &number, 4);
	engine_post(&rank->engine, op);
}

/* Runs the tests of a suite, and ends the program. */
static inline int suite_run(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif

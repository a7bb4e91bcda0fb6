/* SPDX-License-Identifier: BSD-3-Clause */

/* An application's thread posts descriptors: those of messages are made here.
 */
#include <string.h>

#include "libbcs/strobe/process/strobe_process.h"
#include "mds/mmds/path.h"

static bool has_room(struct strobe *strobe, uint32_t place)
{
	return place - atomic_load(&strobe->over) < STROBE_RING;
}

static bool post(struct strobe *strobe, struct strobe_descriptor *descriptor,
		 uintptr_t eager)
{
	struct strobe_ring *ring = &strobe->slot->ring;
	const uint32_t place = (uint32_t)atomic_load(&ring->tail);

	if (!has_room(strobe, place))
		return false;
	/* Before the leader can see it. */
	strobe->eager[place % STROBE_RING] = eager;
	descriptor->slice = strobe_slice_now(strobe);
	if (strobe->again.is_there)
		strobe_again_post(strobe, place, descriptor);
	strobe_ring_post(ring, &strobe->head->sealed, descriptor);
	if (strobe->again.is_there)
		strobe_again_posted(strobe);
	return true;
}

void strobe_descriptor_post(struct strobe *strobe,
			    struct strobe_descriptor *descriptor,
			    uintptr_t eager)
{
	bool posted;

	do {
		strobe_posting_begin(strobe);
		posted = post(strobe, descriptor, eager);
		strobe_posting_end(strobe);
		/* Full: a slice makes room, and it is shown when it ends. */
		if (!posted)
			strobe_engine_help(strobe);
	} while (!posted);
	strobe_arm(strobe);
}

static void op_begin(struct strobe *strobe, struct op *op)
{
	strobe_stop_here(strobe);
	op->error = 0;
	atomic_store_explicit(&op->landing, false, memory_order_relaxed);
	atomic_store_explicit(&op->due, 0, memory_order_relaxed);
	atomic_store_explicit(&op->done, 0, memory_order_relaxed);
	atomic_fetch_add(&strobe->n_open, 1);
}

/* If there is no room for its payload it waits for its receive. */
static bool make_eager(struct strobe *strobe, const struct op *op,
		       struct strobe_descriptor *descriptor)
{
	if (op->kind != OP_SEND || op->synchronous || op->bytes > STROBE_EAGER)
		return false;
	if (op->bytes == 0)
		return true;
	descriptor->block = strobe_block_get(strobe, op->bytes,
					     STROBE_ARENA / 2);
	if (!descriptor->block)
		return false;
	memcpy(strobe_at(strobe, descriptor->block), op->buf, op->bytes);
	return true;
}

void strobe_engine_post(struct strobe *strobe, struct op *op)
{
	struct strobe_descriptor descriptor = {
		.kind = op->kind == OP_SEND ? STROBE_SEND : STROBE_RECV,
		.to = op->peer,
		.op = (uintptr_t)op,
		.address = (uintptr_t)op->buf,
		.bytes = op->bytes,
		.path = path_now(),
		.key = op->key,
		.signature = op->signature,
		.site = path_site(),
	};

	op_begin(strobe, op);
	descriptor.eager = make_eager(strobe, op, &descriptor);
	strobe_descriptor_post(strobe, &descriptor,
			       descriptor.eager ? (uintptr_t)op : 0);
}

void strobe_engine_post_taken(struct strobe *strobe, struct op *op,
			      struct message *message)
{
	struct strobe_descriptor descriptor = {
		.kind = STROBE_TAKEN,
		.op = (uintptr_t)op,
		.about = (uintptr_t)message,
		.address = (uintptr_t)op->buf,
		.bytes = op->bytes,
	};

	op_begin(strobe, op);
	strobe_descriptor_post(strobe, &descriptor, 0);
}

bool strobe_answer_ready(void *answer)
{
	return op_is_done(answer);
}

/* Asks the leader, and waits for what it says. */
static int ask(struct strobe *strobe, struct strobe_descriptor *descriptor,
	       struct op *answer)
{
	*answer = (struct op){ .kind = OP_RECV };
	descriptor->op = (uintptr_t)answer;
	op_begin(strobe, answer);
	strobe_descriptor_post(strobe, descriptor, 0);
	strobe_engine_wait_until(strobe, strobe_answer_ready, answer);
	return answer->error;
}

bool strobe_engine_probe(struct strobe *strobe, const struct match_key *key,
			 bool waits, struct message **message,
			 struct engine_found *found)
{
	struct strobe_descriptor descriptor = {
		.kind = STROBE_PROBE,
		.waits = waits,
		.takes = message != NULL,
		.key = *key,
	};
	struct op answer;

	if (ask(strobe, &descriptor, &answer) != 0)
		return false;
	*found = (struct engine_found){ answer.source, answer.tag, answer.got,
					answer.site };
	if (message)
		*message = answer.message;
	return true;
}

bool strobe_engine_cancel(struct strobe *strobe, struct op *op)
{
	struct strobe_descriptor descriptor = {
		.kind = STROBE_CANCEL,
		.about = (uintptr_t)op,
	};
	struct op answer;

	return op->kind == OP_RECV && !op_is_done(op) &&
	       ask(strobe, &descriptor, &answer) == 0;
}

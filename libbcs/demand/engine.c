/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The engine of a process: its start and end, and what a thread posts.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "libbcs/base/copy.h"
#include "libbcs/demand/base/kept.h"
#include "libbcs/demand/base/outbox.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/coll/coll.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/helper.h"
#include "libbcs/demand/p2p/p2p.h"
#include "libbcs/demand/p2p/p2p_post.h"
#include "libbcs/demand/slice.h"
#include "libbcs/demand/spread.h"
#include "libbcs/demand/turn.h"
#include "libbcs/demand/wait.h"
#include "mds/mmds/path.h"

#define PROBE_WORD UINT64_C(0x6263732d70726f62)

static int slot_start(struct engine *engine)
{
	struct board_slot *slot = engine->slot;

	slot->pid = getpid();
	slot->probe_word = PROBE_WORD ^ (uint64_t)slot->pid << 32 ^ engine->me;
	slot->probe = (uintptr_t)&slot->probe_word;
	engine->inbox.slot = slot;
	return copy_allow();
}

int engine_start(struct engine *engine, struct board_slot **slots,
		 uint32_t n_slots, uint32_t me,
		 const struct engine_options *options)
{
	int rc;

	*engine = (struct engine){ .options = *options,
				   .slots = slots,
				   .n_slots = n_slots,
				   .me = me,
				   .slot = slots[me],
				   .from = ENGINE_ALL };
	op_list_clear(&engine->posted);
	op_list_clear(&engine->matched);
	op_list_clear(&engine->jobs);
	op_list_clear(&engine->streams);
	coll_list_clear(&engine->moved);
	coll_list_clear(&engine->work);
	coll_list_clear(&engine->callers_work);
	engine->page_sets = UINT32_MAX;
	engine->copies = calloc(n_slots, sizeof(*engine->copies));
	engine->outboxes = calloc(n_slots + 1, sizeof(*engine->outboxes));
	rc = engine->copies && engine->outboxes ? match_new(&engine->match)
						: -ENOMEM;
	if (rc == 0)
		wait_start(options->crowded);
	if (rc == 0 && !options->crowded)
		spread_start(engine);
	if (rc == 0)
		rc = slot_start(engine);
	if (rc == 0)
		rc = helper_start(engine);
	if (rc != 0)
		engine_stop(engine);
	return rc;
}

void engine_stop(struct engine *engine)
{
	copy_forbid();
	helper_stop(engine);
	slice_end(engine);
	kept_free(engine);
	pages_free(engine);
	match_free(engine->match);
	free(engine->outboxes);
	free(engine->copies);
}

bool engine_send_now(struct engine *engine, uint32_t peer,
		     const struct match_key *key, uint32_t signature,
		     const void *buf, uint64_t bytes)
{
	const struct board_cell head = p2p_send_head(engine, key, bytes,
						     signature, path_now());

	if (!p2p_fits_descriptor(engine, peer, bytes) ||
	    p2p_may_offer(engine, peer, bytes) ||
	    !outbox_is_empty(engine, peer) ||
	    !outbox_put(engine, peer, &head, buf, bytes, false))
		return false;
	if (!engine_is_local(engine, peer))
		engine_remote(engine);
	return true;
}

static inline void post(struct engine *engine, struct op *op)
{
	token_take(engine);
	p2p_post_begun(engine, op);
	token_give(engine);
}

void engine_post(struct engine *engine, struct op *op)
{
	post(engine, op);
	turn_leave(engine);
}

void engine_run(struct engine *engine, struct op *op)
{
	post(engine, op);
	engine_wait(engine, op);
}

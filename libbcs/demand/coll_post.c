/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Collectives as a process posts them: by shared pages if they fit there, else
 * by messages.  Reading pages counts as a slice of the process's own.  A
 * message that comes in a page's place is received like others.  Both need
 * turns, of which the files of pages know nothing.
 */
#include "libbcs/demand/coll_post.h"
#include "libbcs/base/wake.h"
#include "libbcs/demand/base/token.h"
#include "libbcs/demand/engine.h"

/* Nothing is reduced: nobody has to wait for it. */
static bool is_empty(const struct coll *coll)
{
	return coll->fold && coll->bytes == 0;
}

static void end_at_once(struct engine *engine, struct coll *coll)
{
	token_take(engine);
	coll_finish(engine, coll);
	token_give(engine);
}

int coll_post(struct engine *engine, struct coll *coll)
{
	int rc;

	coll_prepare(coll);
	if (is_empty(coll)) {
		end_at_once(engine, coll);
		return 0;
	}
	coll->on_pages = pages_write(coll);
	if (coll->on_pages)
		return 0;
	rc = coll_post_messages(engine, coll);
	if (rc == 0 && coll->in_background)
		engine_leave(engine);
	return rc;
}

/* A descriptor came from each whose page was read. */
static void record(struct engine *engine, const struct coll *coll)
{
	const unsigned n = coll->kind == COLL_BCAST ? 1
						    : (unsigned)coll->size - 1;
	uint64_t *row = engine->row.value;

	token_take(engine);
	engine_slice(engine);
	row[EMDS_COLL_DEM] += n;
	row[EMDS_COLL_MSM]++;
	row[EMDS_BYTES] += n * coll->bytes;
	token_give(engine);
	wake_slot(engine->slot);
	engine_leave(engine);
}

void coll_post_record(struct coll *coll)
{
	struct engine *engine = coll->pages->engine;

	if (engine->options.emds && coll->size > 1 && !coll->n_ops &&
	    !coll->error)
		record(engine, coll);
}

/* The message that came in a page's place is the only round's operation. */
static void message_take(struct engine *engine, struct coll *coll)
{
	const struct match_key key = { coll->context, coll->root,
				       coll->number };
	struct engine_found found;
	struct message *message = engine_take(engine, &key, &found);

	if (!message)
		return;
	coll->n_ops = 1;
	coll->ops[0] = (struct op){ .kind = OP_RECV,
				    .key = key,
				    .buf = coll->in,
				    .bytes = coll->bytes,
				    .signature = coll->signature };
	engine_post_taken(engine, &coll->ops[0], message);
	token_take(engine);
	engine->row.value[EMDS_COLL_MSM]++;
	token_give(engine);
}

/* A message that has come is mostly received at once. */
bool coll_post_late(struct coll *coll)
{
	if (!pages_bcast_is_late(coll))
		return false;
	message_take(coll->pages->engine, coll);
	return coll->n_ops && pages_read(coll);
}

void coll_give_up(struct engine *engine, struct coll *coll, int culprit)
{
	if (!coll->on_pages)
		coll_end_in_vain(engine, coll, culprit);
	else if (!coll->n_ops)
		/* Else a message has come, which will end it. */
		pages_give_up(coll, culprit);
}

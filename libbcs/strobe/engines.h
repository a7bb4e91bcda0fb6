/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ENGINES_H
#define BCS_ENGINES_H

#include "libbcs/demand/blocked.h"
#include "libbcs/demand/coll_post.h"
#include "libbcs/demand/engine.h"
#include "libbcs/strobe/process/strobe_blocked.h"
#include "libbcs/strobe/strobe_engine.h"

/*
 * The engine that carries a process's messages: on demand, or by the strobe
 * where there is one.  Each function does what the one of the same name in
 * engine.h or coll_post.h does.
 */
struct engines {
	struct engine demand;
	struct strobe *strobe; /* or NULL */
};

static inline void engines_post(struct engines *engines, struct op *op)
{
	if (engines->strobe)
		strobe_engine_post(engines->strobe, op);
	else
		engine_post(&engines->demand, op);
}

static inline void engines_wait(struct engines *engines, struct op *op)
{
	if (engines->strobe)
		strobe_engine_wait(engines->strobe, op);
	else
		engine_wait(&engines->demand, op);
}

static inline void engines_run(struct engines *engines, struct op *op)
{
	if (engines->strobe) {
		strobe_engine_post(engines->strobe, op);
		strobe_engine_wait(engines->strobe, op);
	} else {
		engine_run(&engines->demand, op);
	}
}

/* By the strobe every send is a descriptor that outlives the call. */
static inline bool engines_send_now(struct engines *engines, uint32_t peer,
				    const struct match_key *key,
				    uint32_t signature, const void *buf,
				    uint64_t bytes)
{
	return !engines->strobe && engine_send_now(&engines->demand, peer, key,
						   signature, buf, bytes);
}

static inline void engines_wait_until(struct engines *engines,
				      bool (*ready)(void *arg), void *arg)
{
	if (engines->strobe)
		strobe_engine_wait_until(engines->strobe, ready, arg);
	else
		engine_wait_until(&engines->demand, ready, arg);
}

static inline void engines_wait_shown(struct engines *engines,
				      bool (*ready)(void *arg), void *arg)
{
	if (engines->strobe)
		strobe_engine_wait_until(engines->strobe, ready, arg);
	else
		engine_wait_shown(&engines->demand, ready, arg);
}

static inline void engines_help(struct engines *engines)
{
	if (engines->strobe)
		strobe_engine_help(engines->strobe);
	else
		engine_help(&engines->demand);
}

static inline bool engines_turn(struct engines *engines)
{
	return engines->strobe ? strobe_engine_turn(engines->strobe)
			       : engine_turn(&engines->demand);
}

static inline bool engines_settle(struct engines *engines,
				  bool (*ready)(void *arg),
				  bool (*soon)(void *arg), void *arg)
{
	return engines->strobe
		       ? strobe_engine_settle(engines->strobe, ready, arg)
		       : engine_settle(&engines->demand, ready, soon, arg);
}

static inline bool engines_is_soon(const struct engines *engines,
				   const struct op *op)
{
	return !engines->strobe && engine_is_soon(op);
}

static inline bool engines_has_work(struct engines *engines)
{
	return engines->strobe ? strobe_engine_has_work(engines->strobe)
			       : engine_has_work(&engines->demand);
}

static inline bool engines_cancel(struct engines *engines, struct op *op)
{
	return engines->strobe ? strobe_engine_cancel(engines->strobe, op)
			       : engine_cancel(&engines->demand, op);
}

static inline void engines_post_taken(struct engines *engines, struct op *op,
				      struct message *message)
{
	if (engines->strobe)
		strobe_engine_post_taken(engines->strobe, op, message);
	else
		engine_post_taken(&engines->demand, op, message);
}

/* Whether there is a message now; `waits`: by the strobe, until there is. */
static inline bool engines_probe(struct engines *engines,
				 const struct match_key *key, bool waits,
				 struct engine_found *found)
{
	return engines->strobe ? strobe_engine_probe(engines->strobe, key,
						     waits, NULL, found)
			       : engine_probe(&engines->demand, key, found);
}

static inline struct message *engines_take(struct engines *engines,
					   const struct match_key *key,
					   bool waits,
					   struct engine_found *found)
{
	struct message *message = NULL;

	if (!engines->strobe)
		return engine_take(&engines->demand, key, found);
	strobe_engine_probe(engines->strobe, key, waits, &message, found);
	return message;
}

static inline int engines_coll_post(struct engines *engines, struct coll *coll)
{
	return engines->strobe ? strobe_engine_coll_post(engines->strobe, coll)
			       : coll_post(&engines->demand, coll);
}

static inline void engines_coll_give_up(struct engines *engines,
					struct coll *coll, int culprit)
{
	if (engines->strobe)
		strobe_engine_coll_give_up(engines->strobe, coll, culprit);
	else
		coll_give_up(&engines->demand, coll, culprit);
}

static inline bool engines_blocked_op(const struct engines *engines,
				      struct blocked *b, const struct op *op,
				      const struct blocked_comm *comm)
{
	return engines->strobe ? strobe_blocked_op(engines->strobe, b, op, comm)
			       : blocked_op(&engines->demand, b, op, comm);
}

static inline bool engines_blocked_probe(const struct engines *engines,
					 struct blocked *b,
					 const struct match_key *key,
					 const struct blocked_comm *comm)
{
	return engines->strobe
		       ? strobe_blocked_probe(engines->strobe, b, key, comm)
		       : blocked_probe(&engines->demand, b, key, comm);
}

static inline bool engines_blocked_coll(const struct engines *engines,
					struct blocked *b,
					const struct coll *coll,
					const struct blocked_comm *comm)
{
	return engines->strobe
		       ? strobe_blocked_coll(engines->strobe, b, coll, comm)
		       : blocked_coll(&engines->demand, b, coll, comm);
}

static inline bool engines_blocked_is_quiet(struct engines *engines)
{
	return engines->strobe ? strobe_blocked_is_quiet(engines->strobe)
			       : blocked_is_quiet(&engines->demand);
}

#endif

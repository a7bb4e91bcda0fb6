/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TOKEN_H
#define BCS_TOKEN_H

/*
 * One thread of a process at a time holds the token: it alone runs a turn and
 * changes the engine's state.
 */
#include "libbcs/demand/base/state.h"

static inline bool token_try(struct engine *engine)
{
	return !atomic_load_explicit(&engine->token, memory_order_relaxed) &&
	       !atomic_exchange_explicit(&engine->token, 1,
					 memory_order_acquire);
}

/* True in the helper, which never waits with the token. */
extern __thread bool token_by_helper __attribute__((tls_model("initial-exec")));

static inline bool token_is_helpers(void)
{
	return token_by_helper;
}

/* Waits until this thread has the token. */
void token_wait(struct engine *engine);

static inline void token_take(struct engine *engine)
{
	if (!token_try(engine))
		token_wait(engine);
}

static inline void token_give(struct engine *engine)
{
	/* Orders changes to the state before the next token_try. */
	atomic_store_explicit(&engine->token, 0, memory_order_release);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_H
#define BCS_STROBE_H

/*
 * When slices begin.  On one node the Strobe Sender is the clock, which all
 * processes read: by time, slice n begins at n times its length, at the same
 * moment everywhere and without a message.  On demand each look is a slice.
 */
#include <stdbool.h>
#include <stdint.h>

#include "libbcs/demand/engine.h"

/* With the token: what is posted now is executed in the slice that follows. */
void strobe_post_by_time(struct engine *engine);

static inline void strobe_post(struct engine *engine)
{
	if (engine->options.slice_ns)
		strobe_post_by_time(engine);
}

/*
 * The Strobe Receiver, with the token: whether a slice may be run.  By time,
 * once in each, and what was done in those before is done for its owner, too.
 */
bool strobe_receive(struct engine *engine);

/*
 * By time, slices without work are run where they are on record too; and
 * whether one began.
 */
bool strobe_beats_always(const struct engine *engine);
bool strobe_beats(const struct engine *engine);

/*
 * By time: is done when that slice is over, the one that is under way or, where
 * another process did it, an earlier one; its lowest bits.
 */
void strobe_close(struct engine *engine, struct op *op, uint32_t slice);

/*
 * By time: until the next slice begins.  To the microsecond, by a thread that
 * has nothing else to do; and by a sleep, which others' work is not to suffer
 * by.
 */
void strobe_wait(const struct engine *engine);
void strobe_sleep(const struct engine *engine);

#endif

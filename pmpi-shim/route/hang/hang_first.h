/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANG_FIRST_H
#define SHIM_HANG_FIRST_H

/* The search between nodes, by the first node's thread. */
#include "pmpi-shim/route/hang/hang_wire.h"

/* False if there is no memory. */
bool hang_first_start(void);
void hang_first_stop(void);

void hang_first_news(const struct hang_news *news);
void hang_first_answer(const struct hang_answer *answer);

/*
 * Does the next step of the search.  `look` is how this node answers, and `act`
 * how it ends.
 */
void hang_first_turn(struct hang_answer *(*look)(const struct hang_question *),
		     void (*act)(const struct hang_told *told));

#endif

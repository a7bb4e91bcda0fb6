/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_SEVEREST_H
#define BCS_WAITS_SEVEREST_H

#include "analyzer/waits/waits.h"

/* Keeps it if it is among the severest so far. */
void waits_severest_add(struct waits *waits,
			const struct waits_instance *instance);
/* The severest first.  Nothing is added after. */
void waits_severest_sort(struct waits *waits);

#endif

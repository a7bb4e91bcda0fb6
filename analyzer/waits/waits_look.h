/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_WAITS_LOOK_H
#define BCS_WAITS_LOOK_H

#include "analyzer/waits/waits_thread.h"

/*
 * Adds what the thread of the late call did during the instance to its row and
 * to the causes.  Puts the longest cause into the instance.
 */
void waits_look(struct waits *waits, struct waits_instance *instance,
		const struct waits_ref *other);
/* Whether it stands for a time when recording was off. */
bool waits_is_off(const struct waits *waits, const struct waits_call *call);

#endif

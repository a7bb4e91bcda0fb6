/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_VERIFY_H
#define BCS_MPIB_VERIFY_H

#include <stddef.h>

#include "own_call.h"

/* The byte that one process has for another at a place. */
unsigned char verify_byte(int from, int to, int at);
void verify_fill(char *buf, int from, int to, int bytes);
bool verify_holds(const char *buf, int from, int to, int bytes);

/* Calls it once and looks at what arrived: 0 or -EBADMSG, the same in all. */
int verify_call(struct own_call *call);

#endif

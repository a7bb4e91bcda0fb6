/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_CORES_H
#define SHIM_CORES_H

#include <stdbool.h>

#define CORES_MAX 8192 /* the most that a Linux kernel can be built for */

/* The cores that a process may run on, and for how much of the time. */
struct cores {
	unsigned char mask[CORES_MAX / 8]; /* core 0 is bit 0 of byte 0 */
	unsigned quota; /* thousandths of a core; UINT_MAX: no limit */
};

/*
 * Finds the cores that the calling thread may use. Anything that cannot be
 * found out counts as no limit.
 */
void cores_mine(struct cores *cores);

/* All in all, in thousandths of a core; at least 1. */
unsigned cores_millicores(const struct cores *cores);

/*
 * The quota of the calling process's control group and of the groups above it,
 * in version 1 or 2. The files are looked for under `root`; "" is the system's.
 */
unsigned cores_quota(const char *root);

/*
 * Whether the kernel schedules sessions, and processes within theirs: where it
 * is told to, and no control group says how cores are shared.
 */
bool cores_go_by_session(const char *root);

#endif

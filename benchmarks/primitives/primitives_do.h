/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PRIMITIVES_DO_H
#define PRIMITIVES_DO_H

/*
 * The core primitives as benchmarks time them, on whatever fabric: a
 * compare-and-write and a transfer, with an event at each, to all its members.
 */
#include <stdint.h>

#include "libbcs/core/core.h"

#define PRIMITIVES_GLOBAL     (1u << 20) /* bytes of a member's memory */
#define PRIMITIVES_BYTES_MOST (PRIMITIVES_GLOBAL - 4096) /* of a transfer */

struct primitives {
	struct fabric *fabric; /* the caller's */
	struct core_set all;
	unsigned char *block;
	uint64_t bytes;
};

/* 0, or an error of which *p holds nothing. */
int primitives_init(struct primitives *p, uint32_t members, uint64_t bytes);
void primitives_clear(struct primitives *p);

/* Done once; 0 or an error. */
typedef int primitive(const struct primitives *p);

primitive primitives_compare_and_write;
primitive primitives_transfer;

/*
 * Microseconds of one, in a stretch of several; and the least of many such
 * stretches, for others share the cores.  Negative: one failed.
 */
double primitives_stretch(const struct primitives *p, primitive *operation);
double primitives_measure(const struct primitives *p, primitive *operation);

#endif

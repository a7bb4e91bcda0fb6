/* SPDX-License-Identifier: BSD-3-Clause */

/* Times the core primitives, for any fabric. */
#include "primitives_do.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "mds/base/clock.h"

#define NS       300000000 /* of many stretches */
#define BATCH    16        /* operations of a stretch */
#define VARIABLE 0
#define EVENT    64
#define BLOCK    (PRIMITIVES_GLOBAL - PRIMITIVES_BYTES_MOST)

int primitives_init(struct primitives *p, uint32_t members, uint64_t bytes)
{
	*p = (struct primitives){
		.all = { calloc(CORE_SET_WORDS(members), sizeof(uint64_t)),
			 members },
		.block = calloc(1, bytes),
		.bytes = bytes,
	};
	if (!p->all.words || !p->block) {
		primitives_clear(p);
		return -ENOMEM;
	}
	core_set_fill(&p->all);
	return 0;
}

void primitives_clear(struct primitives *p)
{
	free(p->all.words);
	free(p->block);
}

int primitives_compare_and_write(const struct primitives *p)
{
	const struct core_condition condition = { VARIABLE, CORE_GE, 0 };
	const struct core_assignment assignment = { VARIABLE, 1 };
	bool holds = false;
	const int rc = core_compare_and_write(p->fabric, &p->all, &condition,
					      &assignment, &holds);

	return rc == 0 && !holds ? -EPROTO : rc;
}

int primitives_transfer(const struct primitives *p)
{
	const struct core_xfer xfer = { .offset = BLOCK,
					.block = p->block,
					.bytes = p->bytes,
					.local_event = CORE_NO_EVENT,
					.remote_event = EVENT };

	return core_xfer_and_signal(p->fabric, &p->all, &xfer);
}

double primitives_stretch(const struct primitives *p, primitive *operation)
{
	const uint64_t begin = clock_monotonic_ns();

	for (int i = 0; i < BATCH; i++)
		if (operation(p) != 0)
			return -1;
	return (double)(clock_monotonic_ns() - begin) / BATCH / 1e3;
}

double primitives_measure(const struct primitives *p, primitive *operation)
{
	const uint64_t end = clock_monotonic_ns() + NS;
	double least = HUGE_VAL;

	do
		least = fmin(least, primitives_stretch(p, operation));
	while (least >= 0 && clock_monotonic_ns() < end);
	return least;
}

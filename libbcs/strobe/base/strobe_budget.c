/* SPDX-License-Identifier: BSD-3-Clause */

/* How much a slice may move: what the cores of the node copy meanwhile. */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libbcs/base/copy.h"
#include "libbcs/base/tuning.h"
#include "libbcs/strobe/base/strobe_state.h"
#include "mds/base/clock.h"

/* The best of some: the first one takes the pages. */
static uint64_t copy_ns(unsigned char *to, unsigned char *from)
{
	const struct iovec local = { to, STROBE_BUDGET_BYTES };
	const struct iovec remote = { from, STROBE_BUDGET_BYTES };
	uint64_t least = UINT64_MAX;
	uint64_t since;

	for (unsigned i = 0; i < STROBE_BUDGET_TRIES; i++) {
		since = clock_monotonic_ns();
		if (copy_read(getpid(), &local, 1, &remote, 1) != 0)
			memcpy(to, from, STROBE_BUDGET_BYTES);
		least = copy_at_most(clock_monotonic_ns() - since, least);
	}
	return least ? least : 1;
}

uint64_t strobe_budget_own(uint64_t slice_ns)
{
	unsigned char *both = calloc(2, STROBE_BUDGET_BYTES);
	uint64_t bytes = STROBE_BUDGET_LEAST;

	if (both) {
		memset(both, 1, 2 * STROBE_BUDGET_BYTES);
		bytes = (uint64_t)((double)STROBE_BUDGET_BYTES *
				   (double)slice_ns /
				   (double)copy_ns(both,
						   both + STROBE_BUDGET_BYTES));
	}
	free(both);
	return bytes > STROBE_BUDGET_LEAST ? bytes : STROBE_BUDGET_LEAST;
}

/* All measured at the same time, but not more of them than there are cores. */
uint64_t strobe_budget_node(const struct strobe *strobe)
{
	const uint32_t n = strobe->n;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += strobe_slot(strobe, i)->copies;
	return strobe->options.cores < n ? sum / n * strobe->options.cores
					 : sum;
}

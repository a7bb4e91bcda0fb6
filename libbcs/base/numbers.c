/* SPDX-License-Identifier: BSD-3-Clause */

/* Numbers kept as runs of equal steps, or plain where that takes less. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/base/numbers.h"

/* The run that begins at a place; how long it is. */
static uint32_t run_at(const uint32_t *each, uint32_t n, uint32_t first,
		       struct numbers_run *run)
{
	uint32_t end = first + 1;

	*run = (struct numbers_run){ first, each[first], 0 };
	if (end == n)
		return 1;
	run->step = each[end] - each[first];
	while (end < n && each[end] - each[end - 1] == run->step)
		end++;
	return end - first;
}

static uint32_t runs_count(const uint32_t *each, uint32_t n)
{
	struct numbers_run run;
	uint32_t n_runs = 0;

	for (uint32_t i = 0; i < n; n_runs++)
		i += run_at(each, n, i, &run);
	return n_runs;
}

static void runs_fill(struct numbers *numbers, const uint32_t *each)
{
	struct numbers_run *run = numbers->runs;

	for (uint32_t i = 0; i < numbers->n; run++)
		i += run_at(each, numbers->n, i, run);
}

uint64_t numbers_bytes(const struct numbers *numbers)
{
	return numbers->n_runs ? numbers->n_runs * sizeof(*numbers->runs)
			       : numbers->n * sizeof(*numbers->each);
}

static int memory_get(struct numbers *numbers)
{
	numbers->each = malloc(numbers_bytes(numbers) + 1);
	return numbers->each ? 0 : -ENOMEM;
}

int numbers_keep(struct numbers *numbers, const uint32_t *each, uint32_t n)
{
	const uint32_t n_runs = runs_count(each, n);

	numbers->n = n;
	numbers->n_runs = n_runs * sizeof(*numbers->runs) < n * sizeof(*each)
				  ? n_runs
				  : 0;
	if (memory_get(numbers) != 0)
		return -ENOMEM;
	if (numbers->n_runs)
		runs_fill(numbers, each);
	else
		memcpy(numbers->each, each, numbers_bytes(numbers));
	return 0;
}

int numbers_copy(struct numbers *to, const struct numbers *from)
{
	*to = *from;
	if (memory_get(to) != 0)
		return -ENOMEM;
	memcpy(to->each, from->each, numbers_bytes(from));
	return 0;
}

void numbers_free(struct numbers *numbers)
{
	free(numbers->each);
	numbers->each = NULL;
}

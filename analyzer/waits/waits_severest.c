/* SPDX-License-Identifier: BSD-3-Clause */

/* Keeps the severest waits: a heap, the least of them on top. */
#include <stdlib.h>

#include "analyzer/waits/waits_severest.h"

static bool is_lesser(const struct waits_instance *a,
		      const struct waits_instance *b)
{
	return a->time != b->time ? a->time < b->time : a->since > b->since;
}

static void swap(struct waits_instance *a, struct waits_instance *b)
{
	const struct waits_instance was = *a;

	*a = *b;
	*b = was;
}

static void sink(struct waits *waits)
{
	struct waits_instance *heap = waits->severest;
	size_t at = 0;
	size_t least;

	for (;; at = least) {
		least = at;
		for (size_t i = 2 * at + 1; i <= 2 * at + 2; i++)
			if (i < waits->n_severest &&
			    is_lesser(&heap[i], &heap[least]))
				least = i;
		if (least == at)
			return;
		swap(&heap[at], &heap[least]);
	}
}

static void rise(struct waits *waits)
{
	struct waits_instance *heap = waits->severest;

	for (size_t at = waits->n_severest - 1;
	     at && is_lesser(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2)
		swap(&heap[at], &heap[(at - 1) / 2]);
}

void waits_severest_add(struct waits *waits,
			const struct waits_instance *instance)
{
	if (waits->n_severest < WAITS_SEVEREST) {
		waits->severest[waits->n_severest++] = *instance;
		rise(waits);
	} else if (is_lesser(&waits->severest[0], instance)) {
		waits->severest[0] = *instance;
		sink(waits);
	}
}

static int by_severity(const void *a, const void *b)
{
	return is_lesser(a, b) ? 1 : is_lesser(b, a) ? -1 : 0;
}

void waits_severest_sort(struct waits *waits)
{
	qsort(waits->severest, waits->n_severest, sizeof(*waits->severest),
	      by_severity);
}

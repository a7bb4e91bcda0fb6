/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes room in a histogram for values that come for the first time. */
#include <stddef.h>
#include <string.h>

#include "mds/base/arena.h"
#include "mds/mmds/mmds.h"
#include "mds/mmds/mmds_hist.h"

#define LIST_FIRST 4u /* blocks that the first list covers */

uint64_t mmds_hist_lost;

/* Makes a list of `n` blocks from `first` on, with those of the old list. */
static struct mmds_hist *list_make(const struct mmds_hist *old, unsigned first,
				   unsigned n)
{
	struct mmds_hist *hist = arena_alloc(sizeof(*hist) +
					     n * sizeof(hist->blocks[0]));

	if (!hist)
		return NULL;
	hist->first = first;
	hist->n_blocks = n;
	for (unsigned i = 0; old && i < old->n_blocks; i++)
		hist->blocks[old->first - first + i] = old->blocks[i];
	return hist;
}

/*
 * A list that covers `block`, too.  Each list is at least twice as long as the
 * one before, so all together take no more than twice the last one.
 */
static struct mmds_hist *list_cover(struct mmds_hist *old, unsigned block)
{
	unsigned first = block;
	unsigned end = block + 1;
	unsigned n = LIST_FIRST;

	if (old && block - old->first < old->n_blocks)
		return old;
	if (old && old->first < first)
		first = old->first;
	if (old && old->first + old->n_blocks > end)
		end = old->first + old->n_blocks;
	while (n < end - first)
		n *= 2;
	/* Values that are less than all before may become less again. */
	if (old && first < old->first)
		first = end > n ? end - n : 0;
	return list_make(old, first, n);
}

uint64_t *mmds_hist_grow(struct mmds_hist **hist_p, unsigned bucket)
{
	const unsigned last = (MMDS_OCTAVES << mmds_self.bits) - 1;
	const unsigned at = bucket < last ? bucket : last;
	struct mmds_hist *hist = list_cover(*hist_p, at / MMDS_BLOCK);
	uint64_t **block;

	if (!hist)
		return &mmds_hist_lost;
	block = &hist->blocks[at / MMDS_BLOCK - hist->first];
	if (!*block)
		*block = arena_alloc(MMDS_BLOCK * sizeof(**block));
	/* Orders the list before the pointer that shows it to the writer. */
	__atomic_store_n(hist_p, hist, __ATOMIC_RELEASE);
	return *block ? *block + at % MMDS_BLOCK : &mmds_hist_lost;
}

void mmds_hist_clear(struct mmds_hist *hist)
{
	for (unsigned i = 0; hist && i < hist->n_blocks; i++)
		if (hist->blocks[i])
			memset(hist->blocks[i], 0,
			       MMDS_BLOCK * sizeof(uint64_t));
}

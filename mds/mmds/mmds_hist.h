/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MMDS_HIST_H
#define BCS_MMDS_HIST_H

#include <stddef.h>
#include <stdint.h>

/*
 * A histogram in the arena (hist.h has its scale).  Buckets are allocated in
 * blocks, and only blocks that hold a value.  The list of blocks covers the
 * range from the least to the greatest of them.  The calls of a place mostly
 * differ little, and thousands of call paths have two histograms each.
 *
 * One thread adds values.  Any thread may read meanwhile: a list that became
 * too short is replaced, and stays as it was.
 */
#define MMDS_OCTAVES 48u /* number of powers of two in a histogram */
#define MMDS_BLOCK   8u  /* number of buckets in a block */

struct mmds_hist {
	uint32_t first; /* number of the first block of the list */
	uint32_t n_blocks;
	uint64_t *blocks[]; /* NULL: no value yet */
};

/* Counts what found no room. */
extern uint64_t mmds_hist_lost;

/*
 * Makes the bucket for the first value of a block.  Values beyond the last
 * bucket count in that one.
 */
uint64_t *mmds_hist_grow(struct mmds_hist **hist_p, unsigned bucket);

/* The buckets of a block; NULL if all are empty.  NULL is fine for `hist`. */
static inline uint64_t *mmds_hist_block(const struct mmds_hist *hist,
					unsigned block)
{
	/* A block before the first one wraps around. */
	if (!hist || block - hist->first >= hist->n_blocks)
		return NULL;
	return hist->blocks[block - hist->first];
}

/* The bucket to count a value in. */
static inline uint64_t *mmds_hist_place(struct mmds_hist **hist_p,
					unsigned bucket)
{
	uint64_t *block = mmds_hist_block(*hist_p, bucket / MMDS_BLOCK);

	if (__builtin_expect(block != NULL, 1))
		return &block[bucket % MMDS_BLOCK];
	return mmds_hist_grow(hist_p, bucket);
}

/* Empties all buckets; NULL is fine. */
void mmds_hist_clear(struct mmds_hist *hist);

#endif

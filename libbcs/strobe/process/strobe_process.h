/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_PROCESS_H
#define BCS_STROBE_PROCESS_H

/*
 * What each process does: it posts and waits, and its DMA Helper, Collective
 * Helper and Reduce Helper move bytes.  For this room, and those above it.
 */
#include "libbcs/strobe/base/strobe_state.h"

/* Marks a pointer to a collective. */
#define STROBE_EAGER_COLL 1u

/* strobe_post.c.  `eager`, an operation, is done when the slice that takes it
 * is over. */
void strobe_descriptor_post(struct strobe *strobe,
			    struct strobe_descriptor *descriptor,
			    uintptr_t eager);
/* strobe_again.c, around the post of a descriptor. */
void strobe_again_post(struct strobe *strobe, uint32_t place,
		       struct strobe_descriptor *descriptor);
void strobe_again_posted(struct strobe *strobe);

/* strobe_stand.c: the process stops until all go on.  May return before: the
 * caller looks again, for what it waits may be done. */
void strobe_stand(struct strobe *strobe);

static inline bool strobe_must_stop(const struct strobe *strobe)
{
	return atomic_load(&strobe->head->state) & STROBE_STOPPING;
}

static inline void strobe_stop_here(struct strobe *strobe)
{
	while (strobe_must_stop(strobe))
		strobe_stand(strobe);
}

/* strobe_lend.c: bytes of another process, whether it may be read or not. */
int strobe_read(struct strobe *strobe, uint32_t from, uint64_t address,
		void *to, uint64_t bytes);
/* The other way: not 0 if it may not be written. */
int strobe_write(struct strobe *strobe, uint32_t to, uint64_t address,
		 void *from, uint64_t bytes);
/* Copies what others may not read; whether they asked. */
bool strobe_lend(const struct strobe *strobe);

/* strobe_split.c: the parts of the receiver and of the sender.  The second one
 * waits for the sender, and reads what that could not write. */
int strobe_split_read(struct strobe *strobe, const struct strobe_order *order,
		      unsigned char *to);
int strobe_split_end(struct strobe *strobe, const struct strobe_order *order,
		     unsigned char *to);
void strobe_split_write(struct strobe *strobe,
			const struct strobe_order *order);

/* strobe_dma_helper.c: runs what it was ordered to; whether anything moved. */
bool strobe_dma_run(struct strobe *strobe);
/*
 * Does so, but stops once results are shown.  The thread has to call it again,
 * or strobe_dma_leave().
 */
bool strobe_dma_run_some(struct strobe *strobe);
/* The thread goes to the program: it leaves long copies to the helper. */
void strobe_dma_leave(struct strobe *strobe);
/* strobe_fetch.c: copies from the memory of another process, or a block. */
int strobe_dma_fetch(struct strobe *strobe, uint32_t from, uint64_t address,
		     uint64_t block, void *to, uint64_t bytes);
/* Copies what a rank has for this one, from `begin` on. */
int strobe_part_fetch(struct strobe *strobe, const uint64_t *shares, int rank,
		      int me, uint64_t begin, void *to, uint64_t bytes);
/* True if there is anything to run. */
bool strobe_dma_is_wanted(struct strobe *strobe);
/* True if there is anything to run and no thread of the process runs it. */
bool strobe_dma_is_free(struct strobe *strobe);
/*
 * strobe_dma_close.c.  If the work of a slice is done: when the slice ends by
 * the clock, in ns.  Else 0.
 */
uint64_t strobe_dma_due(const struct strobe *strobe);

/* If each node folds what it has first: fills in where this node's sum goes,
 * and which others come here. */
void strobe_reduce_by_node(const struct strobe *strobe, const struct coll *coll,
			   struct strobe_descriptor *descriptor);
/* The first folds what this node has, to the last of the shares.  The second
 * adds sums of other nodes to that. */
int strobe_reduce_sum(struct strobe *strobe, struct coll *coll,
		      const uint64_t *shares);
int strobe_reduce_merge(struct strobe *strobe, struct coll *coll,
			const uint64_t *shares);
/* The last rank that contributes to what this process gets; -1: none. */
int strobe_reduce_last(const struct coll *coll);

/* All have called: their path clocks go the way of the data. */
void strobe_collective_path(const struct strobe *strobe, struct coll *coll,
			    const uint64_t *shares);
/* The process's part of a collective; strobe_collective_helper.c, */
int strobe_collective_move(struct strobe *strobe, struct coll *coll,
			   const uint64_t *shares);
/* and strobe_reduce_helper.c.  1: a caller has to fold, */
int strobe_reduce_fold(struct strobe *strobe, struct coll *coll,
		       const uint64_t *shares);
void strobe_reduce_keep(struct coll *coll);
/* which it does here. */
bool strobe_reduce_callers(struct strobe *strobe);

#endif

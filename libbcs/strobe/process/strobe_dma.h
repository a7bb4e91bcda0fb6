/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_DMA_H
#define BCS_STROBE_DMA_H

/*
 * The parts of the DMA Helper.  Only the thread that has set `copying` may call
 * those that run or end something.
 */
#include "libbcs/strobe/process/strobe_process.h"

/* strobe_dma_order.c: runs an order. */
void strobe_dma_run_order(struct strobe *strobe,
			  const struct strobe_order *order);
/* Waits for the pieces of senders, once, after the last order. */
void strobe_dma_end_splits(struct strobe *strobe);

/* strobe_dma_close.c: true if a slice is over that is not shown yet. */
bool strobe_dma_is_over(const struct strobe *strobe);
/* Shows the results of slices that are over.  Returns true if there were any.
 */
bool strobe_dma_close(struct strobe *strobe);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */

/* Copies bytes of another process to this one. */
#include <string.h>

#include "libbcs/base/copy.h"
#include "libbcs/strobe/process/strobe_process.h"

int strobe_dma_fetch(struct strobe *strobe, uint32_t from, uint64_t address,
		     uint64_t block, void *to, uint64_t bytes)
{
	if (bytes == 0)
		return 0;
	if (!block && from != strobe->me)
		return strobe_read(strobe, from, address, to, bytes);
	if (block)
		copy_here(to, strobe_at(strobe, block), bytes);
	else
		memmove(to, (void *)(uintptr_t)address, bytes);
	return 0;
}

int strobe_part_fetch(struct strobe *strobe, const uint64_t *shares, int rank,
		      int me, uint64_t begin, void *to, uint64_t bytes)
{
	const struct strobe_part *part = strobe_part(strobe, shares, rank, me);
	const uint64_t block = part->inlined
				       ? shares[rank] + part->inlined + begin
				       : 0;

	return strobe_dma_fetch(strobe,
				strobe_share(strobe, shares, rank)->slot,
				part->address + begin, block, to, bytes);
}

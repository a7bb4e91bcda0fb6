/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_PACK_MEMBER_H
#define BCS_PACK_MEMBER_H

#include <stddef.h>

/*
 * Packs `size` bytes as one gzip member at the end of the malloc'ed *packed_p,
 * which holds *packed_size bytes.  Aborts where there is no memory.
 */
void pack_member(unsigned char **packed_p, size_t *packed_size,
		 const void *bytes, size_t size);

#endif

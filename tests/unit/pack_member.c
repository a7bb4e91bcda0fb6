/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#define ZLIB_CONST /* what zlib only reads is const */
#include <zlib.h>

#include "tests/unit/pack_member.h"

void pack_member(unsigned char **packed_p, size_t *packed_size,
		 const void *bytes, size_t size)
{
	z_stream stream = { .next_in = bytes, .avail_in = (unsigned)size };
	size_t bound;

	/* The least memory: a fuzzer comes here a million times. */
	if (deflateInit2(&stream, 1, Z_DEFLATED, 9 + 16, 1,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	bound = deflateBound(&stream, size);
	*packed_p = realloc(*packed_p, *packed_size + bound);
	if (!*packed_p)
		abort();
	stream.next_out = *packed_p + *packed_size;
	stream.avail_out = (unsigned)bound;
	if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
		abort();
	*packed_size += stream.total_out;
	deflateEnd(&stream);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Data for a script element: gzip in base64, which a browser undoes. */
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/html/html_page.h"

#define GZIP_BITS (15 + 16) /* zlib's way to ask for gzip's header */
#define MEMORY    9
#define LINE      57 /* bytes that make a line of 76 characters */

static void put_three(FILE *to, const unsigned char *at, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno"
				     "pqrstuvwxyz0123456789+/";
	const unsigned bits = (unsigned)at[0] << 16 |
			      (n > 1 ? (unsigned)at[1] << 8 : 0) |
			      (n > 2 ? at[2] : 0);

	putc(digits[bits >> 18], to);
	putc(digits[bits >> 12 & 63], to);
	putc(n > 1 ? digits[bits >> 6 & 63] : '=', to);
	putc(n > 2 ? digits[bits & 63] : '=', to);
}

static void put_base64(FILE *to, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i += 3) {
		if (i % LINE == 0)
			putc('\n', to);
		put_three(to, bytes + i, size - i);
	}
	putc('\n', to);
}

void html_pack(FILE *to, const char *bytes, size_t size)
{
	z_stream stream = { .next_in = (z_const Bytef *)bytes,
			    .avail_in = (uInt)size };
	unsigned char *packed;
	uLong room;

	if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_BITS,
			 MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		abort(); /* zlib itself has no memory */
	room = deflateBound(&stream, size);
	packed = mem_alloc(room, 1);
	stream.next_out = packed;
	stream.avail_out = (uInt)room;
	deflate(&stream, Z_FINISH);
	put_base64(to, packed, stream.total_out);
	deflateEnd(&stream);
	free(packed);
}

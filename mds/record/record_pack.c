/* SPDX-License-Identifier: BSD-3-Clause */

/* Packs a record with zlib, in memory that was taken before. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "mds/record/record_pack.h"

/*
 * A section ends before a large window or table pays. The program waits for its
 * last record: of 1.1 MB, level 1 takes 12 ms, and zlib's default, 6, takes 30.
 */
#define WINDOW_BITS 13
#define MEM_LEVEL   6
#define LEVEL       1
#define GZIP        16 /* added to the window bits: with a gzip header */

#define ALLOC_HEADER 64 /* holds the size, keeps what follows aligned */

static void *zlib_alloc(void *unused, unsigned items, unsigned size)
{
	const size_t whole = (size_t)items * size + ALLOC_HEADER;
	char *block;

	(void)unused;
	block = mmap(NULL, whole, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block == MAP_FAILED)
		return Z_NULL;
	memcpy(block, &whole, sizeof(whole));
	return block + ALLOC_HEADER;
}

static void zlib_free(void *unused, void *address)
{
	char *block = (char *)address - ALLOC_HEADER;
	size_t whole;

	(void)unused;
	memcpy(&whole, block, sizeof(whole));
	munmap(block, whole);
}

static int start_zlib(z_stream *stream)
{
	memset(stream, 0, sizeof(*stream));
	stream->zalloc = zlib_alloc;
	stream->zfree = zlib_free;
	if (deflateInit2(stream, LEVEL, Z_DEFLATED, WINDOW_BITS + GZIP,
			 MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	return 0;
}

int record_pack_reserve(struct record_pack *pack, const char *dir,
			const char *name, size_t room)
{
	const int rc = start_zlib(&pack->stream);

	if (rc == 0)
		pack->reserved = record_file_reserve(&pack->file, dir, name,
						     room) == 0;
	return rc;
}

static void start_out(struct record_pack *pack)
{
	pack->error = 0;
	pack->stream.next_out = pack->out;
	pack->stream.avail_out = sizeof(pack->out);
}

int record_pack_begin(struct record_pack *pack, const char *dir,
		      const char *name)
{
	int rc = 0;

	if (!pack->reserved || !record_file_is_there(&pack->file))
		rc = record_file_open(&pack->file, dir, name);
	if (rc < 0) {
		deflateEnd(&pack->stream);
		return rc;
	}
	start_out(pack);
	return 0;
}

int record_pack_open(struct record_pack *pack, const char *dir,
		     const char *name)
{
	const int rc = start_zlib(&pack->stream);

	pack->reserved = false;
	return rc < 0 ? rc : record_pack_begin(pack, dir, name);
}

int record_pack_rewrite(struct record_pack *pack,
			const struct record_file *kept)
{
	int rc = record_file_empty(kept);

	if (rc == 0)
		rc = start_zlib(&pack->stream);
	if (rc < 0)
		return rc;
	pack->file = *kept;
	pack->reserved = false;
	start_out(pack);
	return 0;
}

static void flush_out(struct record_pack *pack)
{
	const size_t size = sizeof(pack->out) - pack->stream.avail_out;

	if (!pack->error)
		pack->error = record_file_write(&pack->file, pack->out, size);
	pack->stream.next_out = pack->out;
	pack->stream.avail_out = sizeof(pack->out);
}

/* Lets zlib work until it has `done` what it should. */
static void squeeze(struct record_pack *pack, int flush, int done)
{
	int rc = Z_OK;

	while (!pack->error) {
		if (pack->stream.avail_out == 0)
			flush_out(pack);
		rc = deflate(&pack->stream, flush);
		if (rc == done && pack->stream.avail_in == 0)
			return;
		if (rc != Z_OK && !pack->error)
			pack->error = -EIO;
	}
}

void record_pack_add(struct record_pack *pack, const char *bytes, size_t size)
{
	pack->stream.next_in = (const unsigned char *)bytes;
	pack->stream.avail_in = (unsigned)size;
	squeeze(pack, Z_NO_FLUSH, Z_OK);
}

void record_pack_member_end(struct record_pack *pack)
{
	squeeze(pack, Z_FINISH, Z_STREAM_END);
	deflateReset(&pack->stream);
}

void record_pack_store(struct record_pack *pack)
{
	deflateParams(&pack->stream, Z_NO_COMPRESSION, Z_DEFAULT_STRATEGY);
}

void record_pack_grow(struct record_pack *pack, int level)
{
	deflateParams(&pack->stream, level, Z_DEFAULT_STRATEGY);
	pack->error = record_file_show(&pack->file);
}

void record_pack_stream(struct record_pack *pack)
{
	record_pack_grow(pack, Z_NO_COMPRESSION);
}

void record_pack_flush(struct record_pack *pack)
{
	if (pack->stream.avail_out < sizeof(pack->out))
		flush_out(pack);
}

int record_pack_close(struct record_pack *pack)
{
	int rc;

	flush_out(pack);
	rc = record_file_close(&pack->file, pack->error == 0);
	deflateEnd(&pack->stream);
	if (!pack->error)
		pack->error = rc;
	return pack->error;
}

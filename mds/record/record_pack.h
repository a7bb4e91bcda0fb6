/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_PACK_H
#define BCS_RECORD_PACK_H

#include <stddef.h>

#define ZLIB_CONST /* zlib's inputs become const */
#include <zlib.h>

#include "mds/record/record_file.h"

/*
 * A file of gzip members: the lower half of the writer, under the same rules
 * (record.h).  After the first error, which is kept, the calls do nothing.
 */
struct record_pack {
	int error;     /* -errno */
	bool reserved; /* the file is reserved, not yet open */
	z_stream stream;
	struct record_file file;
	unsigned char out[4096];
};

/* Returns 0, or -errno with nothing to close. */
int record_pack_open(struct record_pack *pack, const char *dir,
		     const char *name);
/* Takes memory and, as far as possible, the file ahead of time. */
int record_pack_reserve(struct record_pack *pack, const char *dir,
			const char *name, size_t room);
int record_pack_begin(struct record_pack *pack, const char *dir,
		      const char *name);
/* Writes a kept file from its beginning. */
int record_pack_rewrite(struct record_pack *pack,
			const struct record_file *kept);
/* Adds to the current member; the first bytes begin one. */
void record_pack_add(struct record_pack *pack, const char *bytes, size_t size);
void record_pack_member_end(struct record_pack *pack);
/*
 * A member of its own: a section of version 1 (FORMAT.md).  Not for a signal
 * handler.
 */
void section_write(struct record_pack *pack, const char *name, const void *body,
		   size_t size);
/* Stores what comes from now on, unpacked.  Between two members only. */
void record_pack_store(struct record_pack *pack);
/*
 * Makes a file that grows while the program runs; call it before the first
 * bytes.  The file has its name from now on.  The file is stored unpacked,
 * because packing would cost the program time.
 */
void record_pack_stream(struct record_pack *pack);
/* Like record_pack_stream, but packed with zlib's `level`. */
void record_pack_grow(struct record_pack *pack, int level);
/* Writes all finished sections to the file. */
void record_pack_flush(struct record_pack *pack);
/* Gives the file its name, or removes it after an error; returns the error. */
int record_pack_close(struct record_pack *pack);

#endif

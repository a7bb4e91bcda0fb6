/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_PACK_H
#define BCS_RECORD_PACK_H

#include <stddef.h>

#define ZLIB_CONST /* what zlib only reads is const */
#include <zlib.h>

#include "mds/record_file.h"

/*
 * A file of gzip members: the lower half of the writer, under the same rules
 * (record.h).  The first error is kept; after it nothing more is done.
 */
struct record_pack {
	int error;     /* -errno */
	bool reserved; /* the file, before it is opened */
	z_stream stream;
	struct record_file file;
	unsigned char out[4096];
};

/* Returns 0 or -errno, and then there is nothing to close. */
int record_pack_open(struct record_pack *pack, const char *dir,
		     const char *name);
/* Takes memory and, as far as possible, the file ahead of time. */
int record_pack_reserve(struct record_pack *pack, const char *dir,
			const char *name, size_t room);
int record_pack_begin(struct record_pack *pack, const char *dir,
		      const char *name);
/* Adds to the member under way; the first bytes begin one. */
void record_pack_add(struct record_pack *pack, const char *bytes, size_t size);
void record_pack_member_end(struct record_pack *pack);
/*
 * Before the first bytes: a file that grows for as long as the program runs.
 * It has its name from now on, whatever happens, and is stored as it is: what
 * packing takes is the program's.
 */
void record_pack_stream(struct record_pack *pack);
/* Writes all sections that were ended to the file. */
void record_pack_flush(struct record_pack *pack);
/* Gives the file its name, or removes it after an error; returns the error. */
int record_pack_close(struct record_pack *pack);

#endif

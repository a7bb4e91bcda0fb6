/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RECORD_UNPACK_H
#define BCS_RECORD_UNPACK_H

#include <stddef.h>

#include "mds/base/reading.h"

struct record_fault;

/* Largest size of a file, and of its unpacked content. */
#define RECORD_BYTES_MAX ((size_t)256 << 20)

struct record_bytes {
	char *bytes; /* malloc'ed; a zero byte follows the last one */
	size_t size;
};

/* Both return 0, or -errno with the fault noted; *to is set on success only. */
int record_load(struct record_bytes *to, const char *path,
		enum reading_from from, struct record_fault *fault);
/*
 * Unpacks gzip members.  If one is cut off or damaged, it returns the members
 * before it, if any, and notes the fault as well.
 */
int record_unpack(struct record_bytes *to, const void *bytes, size_t size,
		  struct record_fault *fault);

#endif

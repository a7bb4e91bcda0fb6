/* SPDX-License-Identifier: BSD-3-Clause */

/* Loads the file of a record, and unpacks it within limits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ZLIB_CONST /* what zlib only reads is const */
#include <zlib.h>

#include "mds/base/reading.h"
#include "mds/record/record_fault.h"
#include "mds/record/record_unpack.h"

#define USUAL_RATIO 12 /* records seldom compress better */

/*
 * The bytes being unpacked: whole members up to `whole`, then a member under
 * way.
 */
struct unpacking {
	z_stream stream;
	const unsigned char *bytes;
	size_t size;
	char *out;
	size_t room; /* allocated, less one for the zero byte */
	size_t used;
	size_t whole;
	struct record_fault *fault;
};

static int open_regular(const char *path, enum reading_from from,
			struct stat *st, struct record_fault *fault)
{
	const int fd = reading_open(path, from);
	int rc = 0;

	if (fd < 0)
		return record_fault_note(fault, fd, "%s",
					 reading_text(fd, from));
	if (fstat(fd, st) < 0)
		rc = record_fault_note(fault, -errno, "%s", strerror(errno));
	else if ((size_t)st->st_size > RECORD_BYTES_MAX)
		rc = record_fault_note(fault, -EFBIG,
				       "is larger than any record");
	if (rc == 0)
		return fd;
	close(fd);
	return rc;
}

static int read_all(struct record_bytes *to, int fd, size_t size,
		    struct record_fault *fault)
{
	char *bytes = malloc(size + 1);
	size_t used = 0;
	ssize_t n = 1;

	if (!bytes)
		return record_fault_note(fault, -ENOMEM, "no memory to read");
	while (used < size && n > 0) {
		n = read(fd, bytes + used, size - used);
		used += n > 0 ? (size_t)n : 0;
		if (n < 0 && errno == EINTR)
			n = 1;
	}
	if (n < 0) {
		n = -errno;
		free(bytes);
		return record_fault_note(fault, (int)n, "%s",
					 strerror((int)-n));
	}
	bytes[used] = '\0';
	*to = (struct record_bytes){ bytes, used };
	return 0;
}

int record_load(struct record_bytes *to, const char *path,
		enum reading_from from, struct record_fault *fault)
{
	struct stat st;
	const int fd = open_regular(path, from, &st, fault);
	int rc;

	if (fd < 0)
		return fd;
	rc = read_all(to, fd, (size_t)st.st_size, fault);
	close(fd);
	return rc;
}

static int make_room(struct unpacking *u, size_t room)
{
	char *out;

	if (u->used == RECORD_BYTES_MAX)
		return record_fault_note(u->fault, -EFBIG,
					 "unpacks to more than %zu MiB",
					 RECORD_BYTES_MAX >> 20);
	if (room > RECORD_BYTES_MAX)
		room = RECORD_BYTES_MAX;
	out = realloc(u->out, room + 1);
	if (!out)
		return record_fault_note(u->fault, -ENOMEM,
					 "no memory to unpack it");
	u->out = out;
	u->room = room;
	return 0;
}

static int unpack_some(struct unpacking *u)
{
	int rc;

	u->stream.next_out = (unsigned char *)u->out + u->used;
	u->stream.avail_out = (unsigned)(u->room - u->used);
	rc = inflate(&u->stream, Z_NO_FLUSH);
	u->used = u->room - u->stream.avail_out;
	return rc;
}

/* Unpacks one member.  Returns 1; 0 at a fault, which ends the file there; or
 * -errno. */
static int unpack_member(struct unpacking *u)
{
	const size_t begin = u->size - u->stream.avail_in;
	int rc;

	inflateReset(&u->stream);
	for (;;) {
		rc = unpack_some(u);
		if (rc == Z_STREAM_END)
			break;
		if (rc == Z_MEM_ERROR)
			return record_fault_note(u->fault, -ENOMEM,
						 "no memory to unpack it");
		if (rc != Z_OK && rc != Z_BUF_ERROR)
			return record_fault_note(
				u->fault, 0, "damaged at byte %zu to %zu",
				begin, u->size - u->stream.avail_in);
		if (u->used < u->room)
			return record_fault_note(
				u->fault, 0, "cut off at byte %zu", u->size);
		rc = make_room(u, 2 * u->room);
		if (rc < 0)
			return rc;
	}
	u->whole = u->used;
	return 1;
}

static int unpack_members(struct unpacking *u)
{
	int rc = make_room(u, USUAL_RATIO * u->size + 4096);

	if (rc == 0)
		do
			rc = unpack_member(u);
		while (rc > 0 && u->stream.avail_in > 0);
	return rc < 0 ? rc : 0;
}

static int check_magic(const unsigned char *bytes, size_t size,
		       struct record_fault *fault)
{
	if (size == 0)
		return record_fault_note(fault, -EPROTO, "is empty");
	if (size > RECORD_BYTES_MAX)
		return record_fault_note(fault, -EFBIG,
					 "is larger than any record");
	if (bytes[0] != 0x1f || (size > 1 && bytes[1] != 0x8b))
		return record_fault_note(fault, -EPROTO,
					 "is no record: not packed by gzip");
	return 0;
}

static int hand_over(struct record_bytes *to, struct unpacking *u)
{
	char *fitting;

	if (u->whole == 0)
		return record_fault_note(u->fault, -EPROTO,
					 "unpacks to nothing");
	u->out[u->whole] = '\0';
	fitting = realloc(u->out, u->whole + 1);
	*to = (struct record_bytes){ fitting ? fitting : u->out, u->whole };
	/* cppcheck-suppress memleak */
	return 0;
}

int record_unpack(struct record_bytes *to, const void *bytes, size_t size,
		  struct record_fault *fault)
{
	struct unpacking u = { .bytes = bytes, .size = size, .fault = fault };
	int rc = check_magic(bytes, size, fault);

	if (rc < 0)
		return rc;
	u.stream.next_in = u.bytes;
	u.stream.avail_in = (unsigned)size;
	if (inflateInit2(&u.stream, 15 + 16) != Z_OK)
		return record_fault_note(fault, -ENOMEM,
					 "no memory to unpack it");
	rc = unpack_members(&u);
	inflateEnd(&u.stream);
	if (rc == 0)
		rc = hand_over(to, &u);
	if (rc < 0)
		free(u.out);
	return rc;
}

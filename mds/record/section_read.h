/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SECTION_READ_H
#define BCS_SECTION_READ_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/*
 * A file of sections, as slices and traces are: a line "section NAME VERSION
 * BYTES", then that many bytes.  mds/FORMAT.md.  Its content is not trusted.
 */
struct section_file {
	gzFile file;
	char *path;
	unsigned char *body; /* the section's content, and a zero byte */
	size_t room;
	size_t size;
	size_t at; /* next byte of the body to read */
	uint64_t n_sections;
	char fault[512]; /* the first fault, or "" */
};

#define SECTION_NAME 32

/* Returns 0, or -errno with the reason in `why`. */
int section_open(struct section_file *in, const char *path, char *why,
		 size_t why_size);
/* A zeroed file, or one that did not open, is fine. */
void section_close(struct section_file *in);

/*
 * Reads the next section; its name goes to `name`.  Returns 1, 0 at the end of
 * the file, or -errno.
 */
int section_next(struct section_file *in, char name[SECTION_NAME],
		 unsigned *version);

/* Notes the fault, unless there was one, and returns -EPROTO. */
__attribute__((format(printf, 2, 3))) int section_fail(struct section_file *in,
						       const char *format, ...);

/* The next line of the body, without its '\n'; NULL if there is none. */
char *section_line(struct section_file *in);

/* A number of 7 bits a byte, lowest first.  Returns 0 or -EPROTO. */
int section_number_long(struct section_file *in, uint64_t *value);

static inline int section_number(struct section_file *in, uint64_t *value)
{
	if (in->at < in->size && in->body[in->at] < 0x80) {
		*value = in->body[in->at++];
		return 0;
	}
	return section_number_long(in, value);
}

/* The signed value, in two's complement, of 0, -1, 1, -2 ... */
static inline uint64_t section_unzigzag(uint64_t value)
{
	return value >> 1 ^ -(value & 1);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EMDS_WRITE_H
#define BCS_EMDS_WRITE_H

#include "mds/emds/emds.h"
#include "mds/record/record_pack.h"

/* The file of a process's slices (FORMAT.md). */
#define EMDS_BLOCK     256 /* most rows in a section */
#define EMDS_DIGIT_MAX 10  /* bytes of the longest number */

struct emds_file {
	struct record_pack pack;
	uint64_t columns;
	uint64_t dropped; /* dropped slices that the file already tells of */
	size_t used;
	unsigned char
		body[512 + EMDS_COLUMNS * (1 + EMDS_BLOCK * EMDS_DIGIT_MAX)];
};

/* Returns 0, or -errno with nothing to close. */
int emds_file_open(struct emds_file *file, const struct emds_options *options);
/* After the first error they do nothing. */
void emds_file_add(struct emds_file *file, const struct emds_row *rows,
		   uint32_t n, uint64_t dropped);
void emds_file_flush(struct emds_file *file);
int emds_file_error(const struct emds_file *file);
void emds_file_close(struct emds_file *file, uint64_t dropped);

#endif

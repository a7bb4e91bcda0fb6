/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CODE_H
#define BCS_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/places/intern.h"

/*
 * Places in code, told by file and offset, so that a place is the same one in
 * every process of a run.  A file is known by its build id, where it has one,
 * else by its path.  A zeroed struct is empty.
 */
struct code_module {
	const char *file; /* path, as the first process had it */
	const char *build_id;
	bool is_mpi; /* a library of MPI's, or ours */
};

struct code_frame {
	uint64_t module; /* CODE_UNKNOWN: code that is in no file */
	uint64_t offset; /* of the return address; 0 there */
};

#define CODE_UNKNOWN UINT64_MAX

struct code {
	struct intern texts;
	struct intern modules_by_key;
	struct code_module *modules;
	size_t modules_room;
	struct intern frames;
	struct intern paths; /* lists of frames, the innermost first */
};

size_t code_module(struct code *code, const char *file, const char *build_id);
size_t code_frame(struct code *code, uint64_t module, uint64_t offset);
size_t code_path(struct code *code, const size_t *frames, size_t n);

/* A path's frames; *n is how many. */
const size_t *code_path_frames(const struct code *code, size_t path, size_t *n);
const struct code_frame *code_frame_get(const struct code *code, size_t frame);

/*
 * The place in the program that a call came from: the innermost frame that is
 * not in an MPI library; INTERN_NONE of an empty path.
 */
size_t code_site(const struct code *code, size_t path);

void code_clear(struct code *code);

#endif

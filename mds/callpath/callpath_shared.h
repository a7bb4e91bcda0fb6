/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CALLPATH_SHARED_H
#define BCS_CALLPATH_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "mds/callpath/callpath_rule.h"

#define CALLPATH_DEPTH 32

/*
 * The paths of the process.  A path is a shorter path, which is nearer to MPI,
 * and one frame more.  Path 0 is empty.
 */
struct callpath_step {
	uint32_t path;
	bool outside; /* past the libraries that are left out */
	struct callpath_rule rule;
};

/*
 * Adds the frame that `ra` returns to.  False if there is no room for a new
 * path.
 */
bool callpath_go_on(struct callpath_step *step, uintptr_t ra);

/* Notes that a call found no room for the frame after this path; 0: unknown. */
void callpath_cut(uint32_t path);

/* The path of this one frame, for a walk that ended within the libraries that
 * are left out. */
uint32_t callpath_inside(uintptr_t ra);

/*
 * The file of a return address, the place there, and the rule for its frame; of
 * an address in a file's data, likewise.  False: it is in no file.
 */
bool callpath_code(uintptr_t ra, uint32_t *module, uint64_t *offset,
		   struct callpath_rule *rule);
bool callpath_data(uintptr_t at, uint32_t *module, uint64_t *offset);

/*
 * Sets the number of frames of a path, and the libraries that are left out
 * where they are nearest to MPI.  Left out are the library that holds the
 * object `self`, and those with `name` in their file name.  Call it once,
 * before any path is looked up.
 */
void callpath_start(unsigned depth, const void *self, const char *name);
extern unsigned callpath_depth;

/*
 * For the record's writer, at any time.  Paths are numbered from 1, frames from
 * 0.  Ask for the number of paths first: their frames are all there then.
 */
struct callpath_frame {
	uint32_t module; /* UINT32_MAX: code of no file, such as of a JIT */
	uint64_t offset;
};

struct callpath_link {
	uint32_t parent; /* the path without its outermost frame; 0: none */
	uint32_t frame;  /* the outermost one */
};

uint32_t callpath_count(void);
struct callpath_link callpath_get(uint32_t path);
uint32_t callpath_frames(void);
struct callpath_frame callpath_frame(uint32_t frame);

/*
 * What is not sure about a path: whether calls found no room for its next
 * frame; whether it goes through a frame without unwind tables, whose caller
 * was guessed (CALLPATH_GUESS) or not found.  Of several such frames, `frame`
 * is the one nearest to MPI.
 */
struct callpath_doubt {
	bool cut;
	bool guessed;
	uint32_t frame;
};

struct callpath_doubt callpath_doubt(uint32_t path);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_READ_H
#define BCS_TREE_READ_H

#include "tree/tree_text.h"

#define TREE_PROCESSES_MAX (1u << 24)
#define TREE_BYTES_MAX     (UINT64_C(1) << 62)

/* A way to do a collective: in pieces of so many bytes; 0: whole. */
struct tree_method {
	char library[TREE_NAME_MAX]; /* that has it, as "mpich 4.0.2", or "" */
	char algorithm[TREE_NAME_MAX];
	uint64_t segment;
	bool is_default; /* the library took what it takes by itself */
};

/* A measurement. */
struct tree_point {
	char collective[TREE_NAME_MAX];
	struct tree_method method;
	uint32_t processes;
	uint64_t bytes;
	double seconds;
	unsigned line;
};

struct tree_points {
	struct tree_point *points; /* by collective, method, processes, bytes */
	size_t n;
};

/*
 * Reads CSV whose first line names the columns collective, processes, bytes,
 * algorithm, segment and seconds, in any order.  It may have `library`, whose
 * algorithm it is, and `choice`: forced or, where the library took what it
 * takes by itself, default.  Returns 0 or, with the reason in `fault`, -EINVAL;
 * or -ENOMEM.  The points are the caller's to clear.
 */
int tree_read_csv(struct tree_points *points, const char *text, size_t size,
		  struct tree_fault *fault);
void tree_points_clear(struct tree_points *points);

/* Whether a library of this name has it, of whatever version. */
bool tree_method_is_of(const struct tree_method *method, const char *name);

int tree_method_compare(const struct tree_method *a,
			const struct tree_method *b);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_READ_H
#define BCS_TREE_READ_H

#include "tree/tree_text.h"

#define TREE_PROCESSES_MAX (1u << 24)
#define TREE_BYTES_MAX     (UINT64_C(1) << 62)

/* An algorithm of a collective, and its segment size in bytes; 0:
 * unsegmented. */
struct tree_method {
	char library[TREE_NAME_MAX]; /* such as "mpich 4.0.2", or "" */
	char algorithm[TREE_NAME_MAX];
	uint64_t segment;
	bool is_default; /* the library chose by itself */
};

/* One measurement. */
struct tree_point {
	char collective[TREE_NAME_MAX];
	struct tree_method method;
	uint32_t processes;
	uint64_t bytes;
	double seconds;
	uint64_t launch; /* differs between launches; 0: not given */
	unsigned line;
};

struct tree_points {
	/* Sorted by collective, method, processes, bytes, launch. */
	struct tree_point *points;
	size_t n;
};

/*
 * Reads CSV.  Its first line names the columns collective, processes, bytes,
 * algorithm, segment and seconds, in any order.
 *
 * Three columns are optional: `library`, which has the algorithm, `choice` and
 * `launch`.  `choice` is "forced", or "default" where the library chose the
 * algorithm by itself.  `launch` is a number.  A figure may be there once a
 * launch.  Several files may be joined to one: where the first line comes
 * again, other launches begin.
 *
 * Returns 0; -EINVAL with the reason in `fault`; or -ENOMEM.  The caller clears
 * the points.
 */
int tree_read_csv(struct tree_points *points, const char *text, size_t size,
		  struct tree_fault *fault);
void tree_points_clear(struct tree_points *points);

/* Puts the median of all its launches in the place of each figure. */
void tree_points_join(struct tree_points *points);

/* Whether two points are the same figure, maybe of two launches. */
bool tree_points_alike(const struct tree_point *a, const struct tree_point *b);

/* Whether the method is of the library of this name, whatever its version. */
bool tree_method_is_of(const struct tree_method *method, const char *name);

int tree_method_compare(const struct tree_method *a,
			const struct tree_method *b);

#endif

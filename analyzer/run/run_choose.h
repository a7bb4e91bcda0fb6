/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_CHOOSE_H
#define BCS_RUN_CHOOSE_H

#include <stddef.h>

/*
 * A folder may hold files of several runs.  A file joins the run whose size and
 * start it has.  The run with the most files is kept.  A zeroed struct is
 * empty.
 */
#define RUN_CHOOSE_MAX 4

struct record;
struct run;

struct run_choose {
	struct run *runs[RUN_CHOOSE_MAX];
	char *first_files[RUN_CHOOSE_MAX];
	size_t n;
};

/* The run that a file belongs to; NULL if there are too many already. */
struct run *run_choose_for(struct run_choose *choose,
			   const struct record *record, const char *file);

/* The run that is kept, or NULL; what becomes of the others is said. */
struct run *run_choose_end(struct run_choose *choose);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DIFF_CHOICE_H
#define BCS_DIFF_CHOICE_H

#include "analyzer/diff/diff.h"

struct option_spec;

struct diff_section {
	const char *name;
	struct table *(*build)(const struct diff *diff,
			       const struct report_options *options);
};

/* In the order in which they are shown; ends with a name of NULL. */
extern const struct diff_section diff_sections[];

#define DIFF_SECTIONS 8

/* What the command line asks for, beside what report_choice.h has. */
struct diff_choice {
	bool sections[DIFF_SECTIONS];
	bool any_section; /* named on the command line */
	bool may_fail;    /* if B takes longer */
	double limit;     /* by more percent than that */
};

extern struct diff_choice diff_choice;

const struct option_spec *diff_choice_options(void);

/* As report_choice_finish. */
int diff_choice_finish(void);

/*
 * Shows how two groups of records differ, a ':' between their paths, as the
 * options want.  Returns the exit status of `bcs diff`.
 */
int diff_groups(int argc, char **argv);

#endif

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

/* In the order of display; a name of NULL ends it. */
extern const struct diff_section diff_sections[];

#define DIFF_SECTIONS 9

/* The options of the command line, besides those of report_choice.h. */
struct diff_choice {
	bool sections[DIFF_SECTIONS];
	bool any_section; /* some section was named on the command line */
	bool may_fail;    /* fail if B takes longer */
	double limit;     /* by more percent than this */
};

extern struct diff_choice diff_choice;

const struct option_spec *diff_choice_options(void);

/* See report_choice_finish. */
int diff_choice_finish(void);

/*
 * Shows how two groups of records differ.  A ':' separates their paths.
 * Returns the exit status of `bcs diff`.
 */
int diff_groups(int argc, char **argv);

#endif

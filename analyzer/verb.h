/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_VERB_H
#define BCS_VERB_H

#include <stdbool.h>

struct option_spec;

/* A verb of the command: `bcs NAME …`. */
struct verb {
	const char *name;
	const char *summary;  /* in a line of the list of verbs */
	const char *operands; /* as its usage shows them */
	const char *about;    /* lines of its help */
	bool first_ends;      /* the first operand ends the options */
	const struct option_spec *(*options)(void);
	/* What is left are the operands.  Returns the exit status. */
	int (*run)(int argc, char **argv);
};

extern const struct verb verb_bench;
extern const struct verb verb_run;
extern const struct verb verb_report;
extern const struct verb verb_diff;
extern const struct verb verb_slices;
extern const struct verb verb_tree;

#endif

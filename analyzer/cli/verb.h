/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_VERB_H
#define BCS_VERB_H

#include <stdbool.h>

struct option_spec;

/* A verb of the command: `bcs NAME …`. */
struct verb {
	const char *name;     /* of a verb of a verb: both words */
	const char *summary;  /* in a line of the list of verbs */
	const char *operands; /* as its usage shows them */
	const char *about;    /* lines of its help */
	bool first_ends;      /* the first operand ends the options */
	/* Its own verbs, up to NULL; it has no options then, and no `run`. */
	const struct verb *const *verbs;
	const struct option_spec *(*options)(void); /* NULL: none */
	/*
	 * Gets the operands that follow the options.  Returns the exit status.
	 */
	int (*run)(int argc, char **argv);
};

/* Both take argv[0] for the verb's own name, and return the exit status. */
int verb_start(const struct verb *verb, int argc, char **argv);
int verb_help(const struct verb *verb, int argc, char **argv);

/* Lines of a list that ends with NULL. */
void verb_list(const struct verb *const *verbs);
/* NULL if there is none whose last word is `name`. */
const struct verb *verb_find(const struct verb *const *verbs, const char *name);
/* Says that there is no `what` `name`, which verb is nearest, and whose help.
 */
void verb_say_unknown(const struct verb *const *verbs, const char *name,
		      const char *what, const char *help);

extern const struct verb verb_advise;
extern const struct verb verb_bench;
extern const struct verb verb_check;
extern const struct verb verb_compare;
extern const struct verb verb_run;
extern const struct verb verb_report;
extern const struct verb verb_diff;
extern const struct verb verb_doctor;
extern const struct verb verb_top;
extern const struct verb verb_hang;
extern const struct verb verb_html;
extern const struct verb verb_export;
extern const struct verb verb_merge;
extern const struct verb verb_model;
extern const struct verb verb_model_eval;
extern const struct verb verb_model_fit;
extern const struct verb verb_model_simulate;
extern const struct verb verb_slices;
extern const struct verb verb_tree;

#endif

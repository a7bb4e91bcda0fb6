/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_OPTIONS_H
#define BCS_MPIB_OPTIONS_H

#include <mpib.h>

enum form { FORM_TABLE, FORM_CSV, FORM_JSON, FORM_GNUPLOT };

/* What WHAT is of. */
enum group {
	GROUP_OTHER, /* pairs, triples, barrier, clock, skew */
	GROUP_COLL,
	GROUP_NONBLOCKING,
	GROUP_PATTERN,
};

struct mpib_options {
	const char *what;
	enum group group;
	const char *algorithm; /* NULL: all */
	struct mpib_rules rules;
	enum form form;
	bool tasks;
	bool parallel;
	int first;
	int last;
	int stride; /* 0: where the curve bends */
	int back;   /* -1: as much as out */
	int root;
	bool shuffle;
	bool check;
	bool progress;
	int window; /* of patterns; 0: as many as each has */
};

/* 0, or -EINVAL after rank 0 has said what makes no sense. */
int mpib_options_read(struct mpib_options *options, int argc, char **argv);
extern const char mpib_options_help[];
/* The names of these values; timing has "tasks" as well. */
const char *mpib_options_timing(const struct mpib_options *options);
const char *mpib_options_start(const struct mpib_options *options);

#endif

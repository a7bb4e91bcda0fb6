/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_CHECK_H
#define BCS_CHECK_H

#include <stdio.h>

#include "analyzer/findings/finding_list.h"

/* The findings of some records. */
struct check_record {
	struct run *run;
	struct symbols *symbols;
	struct findings findings;
};

struct check {
	struct check_record *records;
	size_t n;
	size_t room;
};

/* Adds a record; -errno after it has said why it cannot be read. */
int check_add(struct check *check, const char *path);
void check_clear(struct check *check);
/* How many there are of a level that are not suppressed; and those that are. */
size_t check_count(const struct check *check, enum finding_level level);
size_t check_count_suppressed(const struct check *check);

/*
 * Marks what a file of suppressions names.  Returns 0, or -errno after it has
 * said what is wrong with it.
 */
int check_suppress(struct check *check, const char *path);

/* The source of a finding's place; false where it is not known. */
bool check_source(const struct check_record *record, uint64_t place,
		  const char **file, unsigned *line);

void check_text(const struct check *check);
void check_json(const struct check *check);
/* Returns 0, or -errno after it has said why not. */
int check_sarif(const struct check *check, const char *path);

#endif

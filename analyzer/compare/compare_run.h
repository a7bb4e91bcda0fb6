/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_COMPARE_RUN_H
#define BCS_COMPARE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPARE_RUNS_MAX     1000
#define COMPARE_COMMANDS_MAX 8

/* A command that is compared, and the records of its runs. */
struct compare_command {
	char *preload;    /* LD_PRELOAD, for the MPI of its program */
	char letter;      /* A, B ... */
	char **words;     /* ends with NULL */
	const char *mode; /* BCS_MODE for it; NULL: as the environment has it */
	char *paths[COMPARE_RUNS_MAX];
	double walls[COMPARE_RUNS_MAX]; /* of the longest rank, ns */
	size_t n;
};

enum { COMPARE_OK, COMPARE_FAILED, COMPARE_INTERRUPTED };

/* "mpiexec -n 4 ./app", with the mode; the caller's to free. */
char *compare_command_text(const struct compare_command *command);

/*
 * Runs it once, with its record and its output in `folder`, which is absolute.
 * A warm-up is not added to its runs.  Returns one of the above, after it has
 * said what failed.
 */
int compare_run(struct compare_command *command, const char *folder,
		unsigned round, bool is_warmup);

#endif

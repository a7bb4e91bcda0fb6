/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Shared by programs that stand for an application, from MPI_Init to
 * MPI_Finalize.  They print a line "SECONDS CHECK", with the same check on
 * every number of ranks.  All ranks call these alike, and only rank 0 prints.
 */

/* Whether this is the rank that prints. */
bool kernel_speaks(void);

/* Whether help was asked for; it is printed then. */
bool kernel_help(int argc, char **argv, const char *help);

/*
 * Argument `at` as a number from 1 to most; `value` is left as it is where
 * there is none.  False, and a line on stderr, if it is no such number.
 */
bool kernel_number(int argc, char **argv, int at, const char *what, int most,
		   int *value);

/* A line on stderr; false. */
bool kernel_wrong(const char *what, const char *argument);

/* Zeros; ends the program where there is no memory. */
void *kernel_room(uint64_t count, uint64_t size);

/* Once all are here: the time. */
double kernel_now(void);

/* The first of rank's shares when ranks have n things in turn. */
int kernel_first(int n, int rank, int ranks);

/*
 * A hash of a value at `place`, for a check: a sum of hashes is the same in any
 * order.
 */
uint64_t kernel_hash(uint64_t place, double value);

/* Prints the line; `check` is the sum over this rank's own values. */
void kernel_result(double seconds, uint64_t check);

#endif

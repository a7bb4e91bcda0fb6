/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_NAMES_H
#define JOR_NAMES_H

#include <stdbool.h>

/* Sites as a user names them.  Each says what is wrong, and is false then. */

/* "2+2" */
bool names_groups(const char *option, const char *text, int ranks, int site[]);

/* hosts[i] of rank i: whose matches the mask, and the others. */
bool names_mask(const char *mask, int ranks, char *const hosts[], int site[]);

/* By a file's lines, the first that fits. */
bool names_file(const char *path, int ranks, char *const hosts[], int site[]);

/* Finds the first rank of each host; returns the number of hosts. */
int names_hosts(int ranks, char *const hosts[], int first[], int host[]);

#endif

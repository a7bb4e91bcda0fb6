/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_FAULT_H
#define BCS_TREE_FAULT_H

/* An error message about an input, in one line. */
struct tree_fault {
	char text[192];
};

/* Formats the message into `fault` and returns `rc`. */
int tree_fault_set(struct tree_fault *fault, int rc, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TREE_FAULT_H
#define BCS_TREE_FAULT_H

/* What is wrong with an input, in a line for whoever asked. */
struct tree_fault {
	char text[192];
};

/* Returns `rc`, after it has written down why. */
int tree_fault_set(struct tree_fault *fault, int rc, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif

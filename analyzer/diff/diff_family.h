/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DIFF_FAMILY_H
#define BCS_DIFF_FAMILY_H

#include <stddef.h>

/*
 * Primitives that one may be replaced by another of: MPI_Send by MPI_Isend.
 * All messages from one process to another are one family, so that MPI_Sendrecv
 * may become MPI_Isend and MPI_Irecv; each collective is one of its own.
 */
#define DIFF_FAMILIES 23

enum diff_kind {
	DIFF_BLOCKS,
	DIFF_STARTS,    /* a request */
	DIFF_COMPLETES, /* requests, of any family: MPI_Wait and its kind */
	DIFF_NO_KIND,
};

/* The kind of a primitive; *family is set for the first two. */
enum diff_kind diff_kind_of(const char *call, size_t *family);

#endif

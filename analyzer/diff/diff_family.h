/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DIFF_FAMILY_H
#define BCS_DIFF_FAMILY_H

#include <stddef.h>

/*
 * Families of primitives that may replace each other, such as MPI_Send and
 * MPI_Isend.  All point-to-point messages are one family, since MPI_Sendrecv
 * may become MPI_Isend and MPI_Irecv.  Each collective is a family of its own.
 */
#define DIFF_FAMILIES 23

enum diff_kind {
	DIFF_BLOCKS,
	DIFF_STARTS, /* starts a request */
	/* Completes requests of any family: MPI_Wait and the like. */
	DIFF_COMPLETES,
	DIFF_NO_KIND,
};

/* The kind of a primitive. *family is set for the first two kinds. */
enum diff_kind diff_kind_of(const char *call, size_t *family);

#endif

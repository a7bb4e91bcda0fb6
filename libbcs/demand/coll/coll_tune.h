/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_COLL_TUNE_H
#define BCS_COLL_TUNE_H

/*
 * Trees that were made of measurements (tree/) choose how collectives are
 * done, where nobody said how.  All processes have to have the same ones.
 */
#include "libbcs/demand/coll/coll.h"
#include "tree/tree_fault.h"

/*
 * Takes over a saved tree (tree_save.h), in place of an earlier one of its
 * collective: bcast, reduce, allreduce, allgather or alltoall.  Before any
 * collective.  Returns 0 or, with the reason in `fault`, -EINVAL; or
 * -ENOMEM.
 */
int coll_tune(const char *text, size_t size, struct tree_fault *fault);
void coll_tune_clear(void);

/* The method that a tree says; COLL_AUTO if there is none. */
struct coll_method coll_tuned(const struct coll *coll);

#endif

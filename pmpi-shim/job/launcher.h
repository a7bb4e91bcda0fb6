/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_LAUNCHER_H
#define SHIM_LAUNCHER_H

#include <stdbool.h>

/*
 * The ranks of this node as the launcher tells them in the environment, before
 * MPI can be asked: hydra's, Slurm's, else all ranks of the job.  1 if nothing
 * is told.
 */
unsigned launcher_local_ranks(void);

/* Whether it tells that all ranks of the job are on one node. */
bool launcher_has_one_node(void);

#endif

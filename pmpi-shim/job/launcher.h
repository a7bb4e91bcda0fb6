/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_LAUNCHER_H
#define SHIM_LAUNCHER_H

#include <stdbool.h>

/*
 * The number of ranks on this node, as the launcher (hydra, Slurm) sets it in
 * the environment before MPI can be asked. Falls back to all ranks of the job,
 * then to 1.
 */
unsigned launcher_local_ranks(void);

/* Whether it tells that all ranks of the job are on one node. */
bool launcher_has_one_node(void);

#endif

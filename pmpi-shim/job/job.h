/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_JOB_H
#define SHIM_JOB_H

/*
 * Agreements between the processes of a job. All processes but the first fill
 * in `process` with the result.
 */
#include <mpi.h>
#include <stdbool.h>

/* True if all processes of the communicator can; collective. */
bool job_all_can(MPI_Comm comm, bool can);

/*
 * Collective over the world: what decides how messages go is as the first
 * process has it; a process whose user set it otherwise says so.
 */
void job_agree_on_settings(void);

/*
 * Collective over the world: the processes of this node, the cores that they
 * may use together, and how to find each other when one dies.
 */
void job_meet_node(void);

/*
 * The communicator of this node's processes, by rank, which the caller has to
 * free.  After job_meet_node, once, and not in the mode observe.
 */
MPI_Comm job_node_take(void);

/* Collective over the world: the first process makes the record's folder. */
void job_agree_on_dir(void);

/* Without a world: finds or makes the folder that bears the launcher's name. */
void job_make_dir(void);

#endif

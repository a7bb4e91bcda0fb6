/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_MPI_H
#define BCS_RUN_MPI_H

#include "analyzer/run/run.h"

/* Whether the run's MPI is Open MPI, which is observed and never scheduled. */
bool run_is_open_mpi(const struct run *run);

#endif

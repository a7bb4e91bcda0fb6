/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "analyzer/run/run_mpi.h"

bool run_is_open_mpi(const struct run *run)
{
	static const char name[] = "Open MPI";

	return run->n_ranks &&
	       strncmp(run_rank_fact(run, &run->ranks[0], RUN_MPI), name,
		       strlen(name)) == 0;
}

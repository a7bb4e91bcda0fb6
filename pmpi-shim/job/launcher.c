/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "pmpi-shim/job/launcher.h"

static unsigned number(const char *text)
{
	const long n = text ? strtol(text, NULL, 10) : 0;

	return n > 0 && n < 1 << 20 ? (unsigned)n : 0;
}

/* The entry for node `node` of a list like "4(x2),3": 4, 4 and 3. */
static unsigned slurm_tasks(const char *list, unsigned node)
{
	char *end = NULL;

	for (; list && *list; list = *end == ',' ? end + 1 : "") {
		const unsigned tasks = number(list);
		unsigned times = 1;

		strtol(list, &end, 10);
		if (end[0] == '(' && end[1] == 'x') {
			times = (unsigned)strtol(end + 2, &end, 10);
			end += *end == ')';
		}
		if (node < times)
			return tasks;
		node -= times;
	}
	return 0;
}

unsigned launcher_local_ranks(void)
{
	unsigned ranks = number(getenv("MPI_LOCALNRANKS"));

	if (ranks == 0)
		ranks = slurm_tasks(getenv("SLURM_STEP_TASKS_PER_NODE"),
				    number(getenv("SLURM_NODEID")));
	if (ranks == 0)
		ranks = number(getenv("PMI_SIZE"));
	return ranks ? ranks : 1;
}

bool launcher_has_one_node(void)
{
	const unsigned nodes = number(getenv("SLURM_STEP_NUM_NODES"));
	const unsigned ranks = number(getenv("PMI_SIZE"));

	if (nodes)
		return nodes == 1;
	/* Without a launcher it is a job of one process. */
	return ranks <= launcher_local_ranks();
}

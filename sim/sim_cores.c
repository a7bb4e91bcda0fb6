/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_cores.h"

#include <math.h>

double sim_cores_compute(struct sim_cores *cores, uint32_t process, double now,
			 double *left)
{
	const double part = fmin(*left, cores->quantum);
	double *node =
		&cores->free_at[(size_t)cores->nodes[process] * cores->n];
	uint32_t first = 0;

	for (uint32_t i = 1; i < cores->n; i++)
		if (node[i] < node[first])
			first = i;
	*left -= part;
	node[first] = fmax(now, node[first]) + part;
	return node[first];
}

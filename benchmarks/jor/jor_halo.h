/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_HALO_H
#define JOR_HALO_H

#include <mpi.h>
#include <stdbool.h>

#include "jor_grid.h"
#include "jor_layout.h"
#include "jor_slow.h"

/*
 * The exchange of edges with processes whose parts are beside a process's own.
 */

struct halo_link {
	int peer;
	enum grid_side side;
	int first;
	int count;
	bool across; /* to the other site */
	double *out; /* one value more than there are points: when it was sent
		      */
	double *in;
};

struct halo {
	MPI_Comm comm;
	struct halo_link *links;
	int n_links;
	MPI_Request *requests; /* receives, then sends */
	MPI_Status *statuses;  /* GCC does not like MPI_STATUSES_IGNORE */
};

/* parts[i] belongs to process i of `comm`. */
struct halo halo_new(MPI_Comm comm, const struct part parts[]);
void halo_free(struct halo *halo);

/* Sends this process's edges; `across`: to the other site, too.  `blocking`:
 * what it has sent is on its way when it returns. */
void halo_begin(struct halo *halo, const struct grid *grid, bool across,
		bool blocking);

/*
 * Waits until the neighbours' edges are there.  A message from the other site
 * is held back as long as `slow` says (NULL: not at all).
 */
void halo_end(struct halo *halo, struct grid *grid, bool across,
	      const struct slow *slow);

#endif

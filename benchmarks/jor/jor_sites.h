/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_SITES_H
#define JOR_SITES_H

#include <mpi.h>
#include <stdbool.h>

#include "jor_options.h"
#include "jor_slow.h"

/* The two sites: who is in which, and which two talk to each other. */
struct sites {
	int size; /* of the world */
	int *site;
	int ranks[2];
	int front[2]; /* of the world: the pair with the fastest round trip */
	double trip;  /* that, in seconds */
};

/*
 * All processes of the world call it alike; `slow` is for messages between the
 * sites.  False if it cannot be done, which has been said.
 */
bool sites_find(const struct options *options, const struct slow *slow,
		struct sites *sites);
void sites_free(struct sites *sites);

/*
 * A communicator of all processes: the first site's, its front-end last, and
 * the other's, its front-end first.
 */
MPI_Comm sites_all(const struct sites *sites);

/* This process's own site's, in the same order. */
MPI_Comm sites_own(const struct sites *sites);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds one-sided accesses of different processes to the same bytes in one
 * epoch of fences.  Two collectives of ours before the fence carry what the
 * origins did: how many accesses each has, then the accesses.  The second is
 * left out if fewer than two have any.
 */
#include "pmpi-shim/route/coll/route_origins.h"

#include <stdio.h>
#include <stdlib.h>

#include "mds/mmds/mmds.h"
#include "pmpi-shim/record/findings/epochs.h"
#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"

/* Each member tells this of itself. */
struct origin {
	int n;    /* accesses */
	int unit; /* of displacement in its memory */
};

/* All members, by rank; the accesses of one after those of another. */
struct origins {
	const struct route_comm *members;
	struct origin *of;
	int *bytes;
	int *places;
	struct epochs_access *accesses;
};

static int unit_of(MPI_Win win)
{
	int *unit = NULL;
	int is_set = 0;

	REAL(Win_get_attr)(win, MPI_WIN_DISP_UNIT, &unit, &is_set);
	return is_set ? *unit : 1;
}

/* One block of bytes of each; with counts, each has its own number. */
static int allgather(struct route_comm *members, const void *mine, int bytes,
		     void *all, const int *counts, const int *places)
{
	struct route_call call = { .name = SHIM_MPI_Win_fence,
				   .kind = ROUTE_ALLGATHER,
				   .comm = members->handle,
				   .op = MPI_OP_NULL,
				   .members = members,
				   .meets = true };

	call.out = (struct route_side){ .address = (void *)(uintptr_t)mine,
					.count = bytes,
					.type = MPI_BYTE };
	call.in = (struct route_side){ .address = all,
				       .count = counts ? 0 : bytes,
				       .type = MPI_BYTE,
				       .many = true };
	call.in.counts.ints = counts;
	call.in.displs.ints = places;
	return route_coll_run(&call);
}

static int world_rank(const struct route_comm *members, int rank)
{
	const uint32_t peer = rank_map_at(&members->peers, (uint32_t)rank);

	return route_peer_is_local(peer) ? route_slots[peer]->waits.rank
					 : route_peer_world(peer);
}

static bool overlap(const struct epochs_access *a,
		    const struct epochs_access *b, int64_t unit)
{
	return a->at * unit < b->at * unit + b->bytes &&
	       b->at * unit < a->at * unit + a->bytes;
}

static bool conflict(const struct origins *all, const struct epochs_access *a,
		     const struct epochs_access *b)
{
	return a->target == b->target && epochs_harm(a->how, b->how) &&
	       overlap(a, b, all->of[a->target].unit);
}

static const struct epochs_access *accesses_of(const struct origins *all,
					       int rank)
{
	return (const struct epochs_access *)((char *)all->accesses +
					      all->places[rank]);
}

static void look(const struct origins *all, const struct epochs_access *mine,
		 int other)
{
	struct finding_about about = { .key = mine->key,
				       .comm = MMDS_NONE,
				       .what = FINDING_CONFLICT };
	const struct epochs_access *theirs = accesses_of(all, other);

	for (int i = 0; i < all->of[other].n; i++) {
		if (!conflict(all, mine, &theirs[i]))
			continue;
		snprintf(about.detail, sizeof(about.detail),
			 "by an access of rank %d",
			 world_rank(all->members, other));
		findings_count(&about);
		return;
	}
}

static void look_all(const struct origins *all)
{
	const int me = all->members->rank;
	const struct epochs_access *mine = accesses_of(all, me);

	for (int i = 0; i < all->of[me].n; i++)
		for (int rank = 0; rank < all->members->size; rank++)
			if (rank != me)
				look(all, &mine[i], rank);
}

/* The number of members that have accesses. */
static int count(struct origins *all)
{
	int at = 0;
	int n = 0;

	for (int i = 0; i < all->members->size; i++) {
		all->bytes[i] = all->of[i].n *
				(int)sizeof(struct epochs_access);
		all->places[i] = at;
		at += all->bytes[i];
		n += all->of[i].n > 0;
	}
	return n;
}

static size_t bytes_of(const struct origins *all)
{
	const int last = all->members->size - 1;

	return (size_t)all->places[last] + (size_t)all->bytes[last];
}

static int compare(struct origins *all, struct route_comm *members,
		   const struct origin *mine,
		   const struct epochs_access *accesses)
{
	int rc = allgather(members, mine, sizeof(*mine), all->of, NULL, NULL);

	if (rc != MPI_SUCCESS || count(all) < 2)
		return rc;
	all->accesses = malloc(bytes_of(all));
	if (!all->accesses)
		return MPI_ERR_NO_MEM;
	rc = allgather(members, accesses, all->bytes[members->rank],
		       all->accesses, all->bytes, all->places);
	if (rc == MPI_SUCCESS)
		look_all(all);
	return rc;
}

int route_origins_compare(MPI_Win win, struct route_comm *members)
{
	const size_t n = (size_t)members->size;
	struct epochs_access *mine = malloc(EPOCHS_ACCESSES * sizeof(*mine));
	struct origins all = { .members = members,
			       .of = malloc(n * sizeof(*all.of)),
			       .bytes = malloc(n * sizeof(int)),
			       .places = malloc(n * sizeof(int)) };
	struct origin origin = { .unit = unit_of(win) };
	int rc = MPI_ERR_NO_MEM;

	if (mine && all.of && all.bytes && all.places) {
		origin.n = (int)epochs_accesses(win, mine);
		rc = compare(&all, members, &origin, mine);
	}
	free(all.accesses);
	free(all.places);
	free(all.bytes);
	free(all.of);
	free(mine);
	return rc;
}

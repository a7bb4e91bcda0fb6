/* SPDX-License-Identifier: BSD-3-Clause */

/* Exchanges the borders of a process's part with its neighbours. */
#include "jor_halo.h"

#include <stdlib.h>

#include "benchmarks/lib/kernel.h"

static void add(struct halo *halo, struct halo_link link)
{
	link.out = kernel_room((uint64_t)link.count + 1, sizeof(double));
	link.in = kernel_room((uint64_t)link.count + 1, sizeof(double));
	halo->links[halo->n_links++] = link;
}

static void look(struct halo *halo, const struct part *mine,
		 const struct part *other, int peer)
{
	for (int side = 0; side < GRID_SIDES; side++) {
		struct halo_link link = {
			.peer = peer,
			.side = (enum grid_side)side,
			.across = mine->site != other->site,
		};

		if (layout_touch(mine, other, side, &link.first, &link.count))
			add(halo, link);
	}
}

struct halo halo_new(MPI_Comm comm, const struct part parts[])
{
	struct halo halo = { .comm = comm };
	int rank;
	int size;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	halo.links = kernel_room((uint64_t)size, sizeof(*halo.links));
	for (int i = 0; i < size; i++)
		look(&halo, &parts[rank], &parts[i], i);
	halo.requests = kernel_room(2 * (uint64_t)halo.n_links,
				    sizeof(MPI_Request));
	halo.statuses = kernel_room(2 * (uint64_t)halo.n_links,
				    sizeof(MPI_Status));
	return halo;
}

void halo_free(struct halo *halo)
{
	for (int i = 0; i < halo->n_links; i++) {
		free(halo->links[i].out);
		free(halo->links[i].in);
	}
	free(halo->links);
	free(halo->requests);
	free(halo->statuses);
}

static void post(struct halo *halo, int i)
{
	const struct halo_link *link = &halo->links[i];

	MPI_Irecv(link->in, link->count + 1, MPI_DOUBLE, link->peer, 0,
		  halo->comm, &halo->requests[i]);
}

static void give(struct halo *halo, int i, const struct grid *grid,
		 bool blocking)
{
	const struct halo_link *link = &halo->links[i];

	grid_edge(grid, link->side, link->first, link->count, link->out);
	link->out[link->count] = slow_now();
	if (blocking)
		MPI_Send(link->out, link->count + 1, MPI_DOUBLE, link->peer, 0,
			 halo->comm);
	else
		MPI_Isend(link->out, link->count + 1, MPI_DOUBLE, link->peer, 0,
			  halo->comm, &halo->requests[halo->n_links + i]);
}

void halo_begin(struct halo *halo, const struct grid *grid, bool across,
		bool blocking)
{
	for (int i = 0; i < 2 * halo->n_links; i++)
		halo->requests[i] = MPI_REQUEST_NULL;
	for (int i = 0; i < halo->n_links; i++)
		if (across || !halo->links[i].across)
			post(halo, i);
	for (int i = 0; i < halo->n_links; i++)
		if (across || !halo->links[i].across)
			give(halo, i, grid, blocking);
}

void halo_end(struct halo *halo, struct grid *grid, bool across,
	      const struct slow *slow)
{
	MPI_Waitall(2 * halo->n_links, halo->requests, halo->statuses);
	for (int i = 0; i < halo->n_links; i++) {
		const struct halo_link *link = &halo->links[i];

		if (link->across && !across)
			continue;
		if (link->across && slow)
			slow_hold(slow, link->in[link->count],
				  link->count * (int)sizeof(double));
		grid_beside(grid, link->side, link->first, link->count,
			    link->in);
	}
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Divides the tiles of sage among ranks by their cells, and sends those that
 * change ranks.
 */
#include "sage_share.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"

#define THRESHOLD       0.05 /* at first */
#define THRESHOLD_LEAST 0.01
#define THRESHOLD_MOST  0.2
#define FINE_SHARE      16 /* one of so many tiles should be the finest */

#define FINEST (TILE_LEVELS - 1)

static int cells(const struct channel *channel)
{
	int sum = 0;

	for (int i = 0; i < channel->n_tiles; i++)
		sum += tile_cells(channel->tiles[i].level);
	return sum;
}

/* In doubles: a tile's place, its level and itself. */
static int parcel_size(const struct tile *tile)
{
	return 2 + tile_size(tile->level);
}

/* A tile goes to the rank whose share of all cells its middle is in. */
static void parcels_count(const struct channel *channel, int counts[])
{
	int *loads = kernel_room((uint64_t)channel->size, sizeof(*loads));
	const int load = cells(channel);
	int64_t before = 0;
	int64_t all = 0;

	MPI_Allgather(&load, 1, MPI_INT, loads, 1, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < channel->size; i++) {
		before += i < channel->rank ? loads[i] : 0;
		all += loads[i];
	}
	free(loads);
	for (int i = 0; i < channel->n_tiles; i++) {
		const int has = tile_cells(channel->tiles[i].level);
		const int64_t owner = (2 * before + has) * channel->size /
				      (2 * all);

		counts[owner] += parcel_size(&channel->tiles[i]);
		before += has;
	}
}

static double *parcels_pack(struct channel *channel, int count)
{
	double *parcels = kernel_room((uint64_t)count, sizeof(double));
	double *at = parcels;

	for (int i = 0; i < channel->n_tiles; i++) {
		const int doubles = tile_size(channel->tiles[i].level);

		at[0] = channel->tiles[i].place;
		at[1] = channel->tiles[i].level;
		memcpy(at + 2, tile_inside(&channel->tiles[i]),
		       (size_t)doubles * sizeof(double));
		at += parcel_size(&channel->tiles[i]);
		tile_free(&channel->tiles[i]);
	}
	return parcels;
}

static void parcels_unpack(struct channel *channel, const double *parcels,
			   int count)
{
	const double *at = parcels;

	for (channel->n_tiles = 0; at < parcels + count; channel->n_tiles++) {
		struct tile tile = tile_room((int)at[0], (int)at[1]);

		memcpy(tile_inside(&tile), at + 2,
		       (size_t)tile_size(tile.level) * sizeof(double));
		at += parcel_size(&tile);
		channel->tiles[channel->n_tiles] = tile;
	}
}

/* Where each rank's begins; the end of the last is returned. */
static int offsets(const struct channel *channel, const int counts[], int at[])
{
	int sum = 0;

	for (int i = 0; i < channel->size; i++) {
		at[i] = sum;
		sum += counts[i];
	}
	return sum;
}

static int neighbour(const struct channel *channel, const int has[], int by)
{
	for (int i = channel->rank + by; i >= 0 && i < channel->size; i += by)
		if (has[i] > 0)
			return i;
	return MPI_PROC_NULL;
}

static void meet(struct channel *channel)
{
	int *has = kernel_room((uint64_t)channel->size, sizeof(int));

	MPI_Allgather(&channel->n_tiles, 1, MPI_INT, has, 1, MPI_INT,
		      MPI_COMM_WORLD);
	channel->beside[0] = neighbour(channel, has, -1);
	channel->beside[1] = neighbour(channel, has, 1);
	free(has);
}

void channel_balance(struct channel *channel)
{
	int *sent = kernel_room(4 * (uint64_t)channel->size, sizeof(int));
	int *received = sent + channel->size;
	int *from = received + channel->size;
	int *to = from + channel->size;
	double *out;
	double *in;
	int count;

	parcels_count(channel, sent);
	MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
	out = parcels_pack(channel, offsets(channel, sent, from));
	count = offsets(channel, received, to);
	in = kernel_room((uint64_t)count, sizeof(double));
	MPI_Alltoallv(out, sent, from, MPI_DOUBLE, in, received, to, MPI_DOUBLE,
		      MPI_COMM_WORLD);
	parcels_unpack(channel, in, count);
	meet(channel);
	free(in);
	free(out);
	free(sent);
}

static int finest(const int levels[], int n)
{
	int count = 0;

	for (int i = 0; i < n; i++)
		count += levels[i] == FINEST;
	return count;
}

/* How many of all other ranks' tiles are the finest; these send levels. */
static int survey_hear(const struct channel *channel)
{
	int *levels = kernel_room((uint64_t)channel->places, sizeof(int));
	MPI_Status status;
	int fine = 0;
	int n;

	for (int i = 1; i < channel->size; i++) {
		MPI_Probe(MPI_ANY_SOURCE, SAGE_SURVEY, MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, MPI_INT, &n);
		MPI_Recv(levels, n, MPI_INT, status.MPI_SOURCE, SAGE_SURVEY,
			 MPI_COMM_WORLD, &status);
		fine += finest(levels, n);
	}
	free(levels);
	return fine;
}

static void decide(struct channel *channel, int fine)
{
	const double by = fine * FINE_SHARE > channel->places ? 1.25 : 0.8;

	channel->threshold = fmin(
		fmax(channel->threshold * by, THRESHOLD_LEAST), THRESHOLD_MOST);
}

void channel_survey(struct channel *channel)
{
	int *levels = kernel_room((uint64_t)channel->n_tiles, sizeof(int));
	int fine;

	for (int i = 0; i < channel->n_tiles; i++)
		levels[i] = channel->tiles[i].level;
	if (channel->rank == 0) {
		fine = finest(levels, channel->n_tiles) + survey_hear(channel);
		decide(channel, fine);
	} else {
		MPI_Send(levels, channel->n_tiles, MPI_INT, 0, SAGE_SURVEY,
			 MPI_COMM_WORLD);
	}
	free(levels);
	MPI_Bcast(&channel->threshold, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void channel_make(struct channel *channel, int places)
{
	struct channel new = { .places = places, .threshold = THRESHOLD };
	int first;

	MPI_Comm_rank(MPI_COMM_WORLD, &new.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &new.size);
	first = kernel_first(places, new.rank, new.size);
	new.n_tiles = kernel_first(places, new.rank + 1, new.size) - first;
	new.tiles = kernel_room((uint64_t)places, sizeof(*new.tiles));
	for (int i = 0; i < new.n_tiles; i++)
		new.tiles[i] = tile_new(first + i, places);
	meet(&new);
	*channel = new;
}

void channel_free(struct channel *channel)
{
	for (int i = 0; i < channel->n_tiles; i++)
		tile_free(&channel->tiles[i]);
	free(channel->tiles);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Writes records of slices that never were: by time, two processes of which one
 * is late now and then; on demand, one after the other.  A tick is a ns, for
 * the program stands before clock_pair.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/base/clock.h"
#include "mds/emds/emds_write.h"

#define ZERO  1000000000u
#define SLICE 250000u

void __wrap_clock_pair(uint64_t *ticks, uint64_t *ns);

void __wrap_clock_pair(uint64_t *ticks, uint64_t *ns)
{
	static uint64_t now = ZERO;

	*ticks = *ns = now;
	now += 10000000;
}

static struct emds_file file;

static void open_file(const char *dir, int rank, bool by_time, uint64_t columns)
{
	char name[32];
	const struct emds_options options = {
		.dir = dir,
		.name = name,
		.to = UINT64_MAX,
		.resolution = 1,
		.columns = columns,
		.rank = rank,
		.pid = 100 + (uint64_t)rank,
		.host = "node1",
		.mode = by_time ? "fixed" : "demand",
		.slice_ns = by_time ? SLICE : 0,
		.budget = by_time ? (4u + (unsigned)rank) << 20 : 0,
		.zero_ns = ZERO,
		.first_ns = ZERO,
		.local_ranks = 2,
	};

	snprintf(name, sizeof(name), "rank-%06d.slices", rank);
	if (emds_file_open(&file, &options) != 0)
		exit(1);
}

/* Every eighth has a collective, every tenth of rank 1 is late. */
static struct emds_row row_of(uint64_t i, uint64_t rank)
{
	const uint64_t late = 2000 + rank * 500 +
			      (rank && i % 10 == 0 ? 90000 : 0);
	const bool coll = i % 8 == 0;
	struct emds_row row = { 0 };
	uint64_t *v = row.value;

	v[EMDS_SLICE] = i;
	v[EMDS_BEGIN] = ZERO + i * SLICE + late;
	v[EMDS_SLICES] = 1;
	v[EMDS_DEM] = 300;
	v[EMDS_MSM] = 200 + 10 * (i % 5);
	v[EMDS_P2P] = i == 177 ? 40000 : 600;
	v[EMDS_BBM] = coll ? 400 : 50;
	v[EMDS_RM] = coll ? 100 : 0;
	for (int c = EMDS_DEM; c <= EMDS_RM; c++)
		v[EMDS_TIME] += v[c];
	v[EMDS_COPY] = i % 4 == 0 ? 20000 : 0;
	v[EMDS_POKE] = 900;
	v[EMDS_LATE] = late;
	v[EMDS_P2P_DEM] = 2;
	v[EMDS_P2P_MSM] = 1;
	v[EMDS_COLL_DEM] = coll;
	v[EMDS_COLL_MSM] = coll;
	v[EMDS_BYTES] = i == 177 ? 65536 : 1024;
	v[EMDS_CARRIED] = i == 177;
	v[EMDS_BLOCKED] = 1 + coll;
	v[EMDS_HELPER] = i % 3 == 0;
	return row;
}

/* The first process is the Strobe Sender. */
static struct emds_row row_by_time(uint64_t i, uint64_t rank)
{
	struct emds_row row = row_of(i, rank);
	uint64_t *v = row.value;

	v[EMDS_SR] = 80;
	v[EMDS_GET] = i % 4 == 0 ? 250 : 0;
	v[EMDS_DH] = v[EMDS_P2P] / 2;
	v[EMDS_CH] = v[EMDS_BBM] / 2;
	v[EMDS_RH] = v[EMDS_RM] / 2;
	v[EMDS_TIME] += v[EMDS_SR] + v[EMDS_GET];
	v[EMDS_LEFT] = i % 16 == 1;
	if (rank != 0)
		return row;
	v[EMDS_USRSTS] = i % 2;
	v[EMDS_USRMSM] = i % 16 == 1;
	v[EMDS_GTDEM] = v[EMDS_DEM] + 150;
	v[EMDS_GTMSM] = v[EMDS_MSM] + 250;
	v[EMDS_GTTS] = v[EMDS_TIME] + 700;
	return row;
}

static void write_by_time(const char *dir, uint64_t columns, uint64_t dropped)
{
	struct emds_row row;

	for (int rank = 0; rank < 2; rank++) {
		open_file(dir, rank, true,
			  columns & emds_columns_of(true, rank == 0));
		/* Some are elided. */
		for (uint64_t i = 100; i < 260; i++) {
			row = row_by_time(i, (uint64_t)rank);
			if (i < 120 || i >= 130)
				emds_file_add(&file, &row, 1, 0);
		}
		emds_file_close(&file, dropped);
	}
}

/* Those of older records have all columns. */
static void write_on_demand(const char *dir, uint64_t columns)
{
	struct emds_row row;

	for (int rank = 0; rank < 2; rank++) {
		open_file(dir, rank, false, columns);
		for (uint64_t i = 1; i <= 50; i++) {
			row = row_of(i, 0);
			row.value[EMDS_POLLS] = i % 2;
			row.value[EMDS_LEFT] = i % 16 == 1;
			row.value[EMDS_BEGIN] = ZERO + i * 7000 +
						(uint64_t)rank * 3000;
			row.value[EMDS_LATE] = 0;
			emds_file_add(&file, &row, 1, 0);
		}
		emds_file_close(&file, 0);
	}
}

static void write_far(const char *dir)
{
	struct emds_row row = row_by_time(1, 0);

	open_file(dir, 0, true, emds_columns_of(true, true));
	emds_file_add(&file, &row, 1, 0);
	row.value[EMDS_SLICE] = UINT64_MAX;
	emds_file_add(&file, &row, 1, 0);
	emds_file_close(&file, 0);
}

int main(int argc, char **argv)
{
	const uint64_t all = EMDS_ALL;

	if (argc != 3) {
		fprintf(stderr,
			"usage: synth_slices fixed|demand|old|dropped|few|far "
			"DIR\n");
		return 2;
	}
	if (strcmp(argv[1], "fixed") == 0)
		write_by_time(argv[2], all, 0);
	else if (strcmp(argv[1], "dropped") == 0)
		write_by_time(argv[2], all, 17);
	else if (strcmp(argv[1], "few") == 0)
		write_by_time(argv[2],
			      EMDS_BIT(EMDS_SLICE) | EMDS_BIT(EMDS_BEGIN) |
				      EMDS_BIT(EMDS_SLICES) |
				      EMDS_BIT(EMDS_TIME),
			      0);
	else if (strcmp(argv[1], "far") == 0)
		write_far(argv[2]);
	else if (strcmp(argv[1], "old") == 0)
		write_on_demand(argv[2], all);
	else
		write_on_demand(argv[2], emds_columns_of(false, false));
	return 0;
}

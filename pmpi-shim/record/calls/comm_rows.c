/* SPDX-License-Identifier: BSD-3-Clause */

/* Takes and gives back rows of communicators, and writes their table. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "mds/base/arena.h"
#include "mds/flight/flight.h"
#include "mds/mmds/mmds.h"
#include "mds/mmds/mmds_write.h"
#include "mds/record/record.h"
#include "pmpi-shim/record/calls/comm_rows.h"
#include "pmpi-shim/record/calls/comms.h"

#define NAME_BYTES 32
#define BLOCK      16

struct row {
	uint64_t hash; /* of the members */
	uint32_t nth;  /* among those of the same hash */
	bool taken;
	int rank;
	int size;
	int remote_size;
	uint32_t uses; /* communicators that had the row */
	char name[NAME_BYTES];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct row *blocks[MMDS_COMMS / BLOCK];
static _Atomic uint32_t n_rows;
static _Atomic uint32_t n_missed; /* that found no row */

static struct row *row_get(uint32_t i)
{
	return &blocks[i / BLOCK][i % BLOCK];
}

static struct row *row_new(uint32_t i)
{
	if (i >= MMDS_COMMS)
		return NULL;
	if (!blocks[i / BLOCK])
		blocks[i / BLOCK] = arena_alloc(BLOCK * sizeof(struct row));
	return blocks[i / BLOCK] ? row_get(i) : NULL;
}

/* The first row of this hash that nobody has, or the number after the last. */
static uint32_t row_free(uint64_t hash, uint32_t *nth)
{
	const uint32_t n = atomic_load(&n_rows);
	uint32_t i;

	*nth = 0;
	for (i = 0; i < n; i++) {
		if (row_get(i)->hash != hash)
			continue;
		if (!row_get(i)->taken)
			break;
		++*nth;
	}
	return i;
}

static void row_name(struct row *row, const char *name)
{
	strncpy(row->name, name, NAME_BYTES - 1);
}

static void row_tell(uint32_t i)
{
	const struct row *row = row_get(i);

	flight_comm(i, row->hash + row->nth,
		    (uint32_t)row->size + (uint32_t)row->remote_size,
		    (uint32_t)row->rank, row->name);
}

void comm_rows_tell(void)
{
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < atomic_load(&n_rows); i++)
		row_tell(i);
	pthread_mutex_unlock(&lock);
}

uint32_t comm_rows_join(uint64_t hash, const char *name,
			const struct shim_comm *comm)
{
	struct row *row = NULL;
	uint32_t nth;
	uint32_t i;

	pthread_mutex_lock(&lock);
	i = row_free(hash, &nth);
	if (i < atomic_load(&n_rows))
		row = row_get(i);
	else
		row = row_new(i);
	if (row) {
		row->hash = hash;
		row->nth = nth;
		row->taken = true;
		row->rank = comm->rank;
		row->size = comm->size;
		row->remote_size = comm->remote_size;
		row->uses++;
		row_name(row, name);
	}
	/* Orders the row before the count that shows it to the writer. */
	if (row && i == atomic_load(&n_rows))
		atomic_store_explicit(&n_rows, i + 1, memory_order_release);
	if (row && row->uses == 1)
		row_tell(i);
	pthread_mutex_unlock(&lock);
	if (!row)
		atomic_fetch_add(&n_missed, 1);
	return row ? i : MMDS_NONE;
}

void comm_rows_leave(uint32_t i)
{
	if (i == MMDS_NONE)
		return;
	pthread_mutex_lock(&lock);
	row_get(i)->taken = false;
	pthread_mutex_unlock(&lock);
}

void comm_rows_name(uint32_t i, const char *name)
{
	bool first;

	if (i == MMDS_NONE)
		return;
	pthread_mutex_lock(&lock);
	first = row_get(i)->name[0] == '\0';
	row_name(row_get(i), name);
	/* A program may name its communicators again and again. */
	if (first)
		row_tell(i);
	pthread_mutex_unlock(&lock);
}

uint64_t comm_rows_hash(uint32_t i)
{
	return i == MMDS_NONE ? 0 : row_get(i)->hash;
}

bool comm_rows_about(uint32_t i, uint64_t *id, uint32_t *rank, uint32_t *size)
{
	const struct row *row;

	/* Orders the count before the rows that it shows. */
	if (i >= atomic_load_explicit(&n_rows, memory_order_acquire))
		return false;
	row = row_get(i);
	*id = row->hash + row->nth;
	*rank = (uint32_t)row->rank;
	*size = (uint32_t)row->size + (uint32_t)row->remote_size;
	return true;
}

static void write_row(struct record_writer *writer, uint32_t i)
{
	const struct row *row = row_get(i);
	const struct mmds_comm sum = mmds_comm_sum(i);

	record_put_u64(writer, i);
	record_put_hex(writer, row->hash + row->nth);
	record_put_str(writer, row->name);
	record_put_u64(writer,
		       (uint64_t)row->size + (uint64_t)row->remote_size);
	record_put_u64(writer, (uint64_t)row->rank);
	record_put_u64(writer, row->uses);
	record_put_u64(writer, sum.calls);
	record_put_u64(writer, clock_to_ns(sum.ticks));
	record_put_u64(writer, sum.sent);
	record_put_u64(writer, sum.received);
	record_row_end(writer);
}

uint32_t comm_rows_missed(void)
{
	return atomic_load(&n_missed);
}

void shim_comms_write(struct record_writer *writer)
{
	/* Orders the count before the rows that it shows. */
	const uint32_t n = atomic_load_explicit(&n_rows, memory_order_acquire);

	record_table_begin(writer, "communicators", 1,
			   "communicator id_hex name size rank uses calls "
			   "time_ns sent_bytes received_bytes");
	for (uint32_t i = 0; i < n; i++)
		write_row(writer, i);
	record_table_end(writer);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A variable lies in the frame of a function, so far below its end, or in a
 * file's data.  Other memory, as of malloc, is of no variable.
 */
#include "pmpi-shim/record/buffers/buffers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "mds/base/arena.h"
#include "mds/base/modules.h"
#include "mds/callpath/callpath.h"
#include "mds/mmds/mmds.h"
#include "mds/record/record.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/findings/findings.h"

#define SEEN      4096 /* a power of two */
#define ROWS_MAX  2048
#define TYPE_NAME 32

struct row {
	struct row *next;
	uint64_t key; /* of the call's cell */
	enum buffer_use use;
	MPI_Datatype type;
	struct callpath_place place;
	_Atomic uint64_t bytes; /* the most */
	char name[TYPE_NAME];   /* of the type; empty: not built in */
};

/* Marks of buffers that were looked at lately: these need no second look. */
static _Atomic uint64_t seen[SEEN];

/* MPI's own function: ours would forget the type, which the program still has.
 */
static int (*free_type)(MPI_Datatype *type);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct row *_Atomic rows; /* newest first, for the writer */
static unsigned n_rows;

uint64_t buffers_span(MPI_Count count, MPI_Datatype type, MPI_Aint *lb)
{
	MPI_Aint extent;
	MPI_Aint true_extent;

	*lb = 0;
	if (abi_type_is_builtin(type))
		return abi_type_size(type) * (uint64_t)count;
	PMPI_Type_get_extent(type, lb, &extent);
	PMPI_Type_get_true_extent(type, lb, &true_extent);
	if (extent < 0)
		return 0;
	return (uint64_t)((count - 1) * extent + true_extent);
}

/* Pairs such as MPI_FLOAT_INT are not built in, and the program did not make
 * them either. */
static bool is_made(MPI_Datatype type)
{
	int n;
	int combiner;

	return !abi_type_is_builtin(type) &&
	       PMPI_Type_get_envelope(type, &n, &n, &n, &combiner) ==
		       MPI_SUCCESS &&
	       combiner != MPI_COMBINER_NAMED;
}

/* The one type that a type was made of; the caller frees it. */
static MPI_Datatype part_of(MPI_Datatype type, int n_ints, int n_places)
{
	int *ints = calloc((size_t)n_ints + 1, sizeof(*ints));
	MPI_Aint *places = calloc((size_t)n_places + 1, sizeof(*places));
	MPI_Datatype part = MPI_DATATYPE_NULL;

	if (ints && places)
		PMPI_Type_get_contents(type, n_ints, n_places, 1, ints, places,
				       &part);
	free(ints);
	free(places);
	return part;
}

/*
 * Whether parts of the type are placed by bytes.  These may be differences of
 * addresses of several variables.
 */
static bool is_of_addresses(MPI_Datatype type)
{
	int n_ints;
	int n_places;
	int n_types;
	int combiner;
	MPI_Datatype part;
	bool is;

	if (abi_type_is_builtin(type))
		return false;
	if (PMPI_Type_get_envelope(type, &n_ints, &n_places, &n_types,
				   &combiner) != MPI_SUCCESS ||
	    combiner == MPI_COMBINER_STRUCT ||
	    combiner == MPI_COMBINER_HVECTOR ||
	    combiner == MPI_COMBINER_HINDEXED ||
	    combiner == MPI_COMBINER_HINDEXED_BLOCK)
		return true;
	if (combiner == MPI_COMBINER_NAMED || n_types != 1)
		return false;
	part = part_of(type, n_ints, n_places);
	is = part == MPI_DATATYPE_NULL || is_of_addresses(part);
	if (part != MPI_DATATYPE_NULL && is_made(part))
		free_type(&part);
	return is;
}

static bool is_new(uint64_t site, const void *at, uint64_t what)
{
	const uint64_t mark = ((uint64_t)(uintptr_t)at ^ what << 48 ^ what) *
				      0x9e3779b97f4a7c15u ^
			      site * 0xff51afd7ed558ccdu;
	_Atomic uint64_t *place = &seen[mark >> 52];

	if (atomic_load_explicit(place, memory_order_relaxed) == mark)
		return false;
	atomic_store_explicit(place, mark, memory_order_relaxed);
	return true;
}

static struct row *row_of(const struct row *like)
{
	struct row *row = atomic_load_explicit(&rows, memory_order_relaxed);

	for (; row; row = row->next)
		if (row->key == like->key && row->use == like->use &&
		    row->type == like->type &&
		    memcmp(&row->place, &like->place, sizeof(row->place)) == 0)
			return row;
	if (n_rows == ROWS_MAX || !(row = arena_alloc(sizeof(*row))))
		return NULL;
	n_rows++;
	memcpy(row, like, sizeof(*row));
	row->next = atomic_load_explicit(&rows, memory_order_relaxed);
	/* Orders the row before the pointer that shows it to the writer. */
	atomic_store_explicit(&rows, row, memory_order_release);
	return row;
}

static void type_name(MPI_Datatype type, char *name)
{
	char whole[MPI_MAX_OBJECT_NAME];
	int len = 0;

	name[0] = '\0';
	if (abi_type_is_builtin(type) &&
	    PMPI_Type_get_name(type, whole, &len) == MPI_SUCCESS &&
	    len < TYPE_NAME)
		strcpy(name, whole);
}

static void note(struct row *like, uint64_t bytes)
{
	struct row *row;

	type_name(like->type, like->name);
	pthread_mutex_lock(&lock);
	row = row_of(like);
	if (row &&
	    atomic_load_explicit(&row->bytes, memory_order_relaxed) < bytes)
		atomic_store_explicit(&row->bytes, bytes, memory_order_relaxed);
	pthread_mutex_unlock(&lock);
}

void buffers_prepare(void)
{
	free_type = shim_pmpi.MPI_Type_free;
}

void buffers_look(enum buffer_use use, const void *fp, const void *at,
		  MPI_Count count, MPI_Datatype type)
{
	const struct mmds_thread *thread = mmds_thread;
	struct row like = { .use = use, .type = type };
	uint64_t bytes;
	MPI_Aint lb;

	if (!thread || !thread->inside || !thread->paths || count <= 0 || !at ||
	    at == MPI_IN_PLACE)
		return;
	bytes = buffers_span(count, type, &lb);
	at = (const char *)at + lb;
	if (!bytes ||
	    !is_new(thread->paths->site, at,
		    bytes * 2 + use + (uint64_t)type * 64) ||
	    is_of_addresses(type))
		return;
	like.key = findings_key_now();
	if (like.key != FINDING_NO_CALL &&
	    callpath_place(thread->paths, (uintptr_t)fp, (uintptr_t)at,
			   &like.place))
		note(&like, bytes);
}

static void write_row(struct record_writer *writer, const struct row *row)
{
	record_put_str(writer, mmds_self.names[mmds_key_call(row->key)]);
	record_put_u64(writer, mmds_key_path(row->key));
	record_put_str(writer, row->use == BUFFER_SENT ? "sent" : "received");
	record_put_str(writer, row->name);
	record_put_u64(writer,
		       atomic_load_explicit(&row->bytes, memory_order_relaxed));
	record_put_u64(writer, row->place.module);
	record_put_u64(writer, row->place.offset);
	record_put_u64(writer, row->place.below);
	record_row_end(writer);
}

void buffers_write(struct record_writer *writer)
{
	/* Orders the pointer before what it points at. */
	const struct row *row = atomic_load_explicit(&rows,
						     memory_order_acquire);

	record_table_begin(writer, "buffers", 1,
			   "call path use type bytes module offset below");
	for (; row; row = row->next)
		write_row(writer, row);
	record_table_end(writer);
}

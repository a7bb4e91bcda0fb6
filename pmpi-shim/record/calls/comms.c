/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Keeps track of communicators and windows by their handles, and of their
 * members' ranks in the world.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"
#include "mds/base/arena.h"
#include "mds/mmds/mmds.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/calls/comm_rows.h"
#include "pmpi-shim/record/calls/comms.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct handles comms = {
	.entry_size = sizeof(struct shim_comm *),
};
/*
 * The windows: the number of each among all that were made << 32, and its row +
 * 1.
 */
static struct handles wins = { .entry_size = sizeof(_Atomic uint64_t) };
static _Atomic uint32_t n_wins;
_Atomic uint64_t shim_comm_recent[SHIM_COMM_RECENT];
static struct shim_comm *unused; /* linked through `in` */
static _Atomic MPI_Group world_group;
static _Atomic bool has_world_group;

/* Stands for all that find no room, and for those that were freed. */
static struct shim_comm nobody = { .row = MMDS_NONE, .rank = MPI_UNDEFINED };

static struct shim_comm *comm_alloc(void)
{
	struct shim_comm *comm;

	pthread_mutex_lock(&lock);
	comm = unused;
	if (comm)
		unused = (struct shim_comm *)comm->neighbors.in;
	pthread_mutex_unlock(&lock);
	if (!comm)
		comm = arena_alloc(sizeof(*comm));
	if (comm)
		*comm = (struct shim_comm){ 0 };
	return comm;
}

static void comm_release(struct shim_comm *comm)
{
	comm_rows_leave(comm->row);
	free(comm->neighbors.out);
	free(comm->neighbors.in);
	pthread_mutex_lock(&lock);
	comm->neighbors.in = (int *)unused;
	unused = comm;
	pthread_mutex_unlock(&lock);
}

static bool world_group_get(void)
{
	MPI_Group group;
	int up;

	if (has_world_group)
		return true;
	PMPI_Initialized(&up);
	if (!up || PMPI_Comm_group(MPI_COMM_WORLD, &group) != MPI_SUCCESS)
		return false;
	world_group = group;
	has_world_group = true;
	return true;
}

/*
 * The rank in the world of a member of a group.  Without a world it is the rank
 * in the group.  A group may have fewer members than expected if its handle was
 * freed and is another's now.
 */
static uint32_t group_world_rank(MPI_Group group, int rank)
{
	int world = MPI_UNDEFINED;
	int size;

	PMPI_Group_size(group, &size);
	if (rank < size && world_group_get())
		PMPI_Group_translate_ranks(group, 1, &rank, world_group,
					   &world);
	return world == MPI_UNDEFINED ? (uint32_t)rank : (uint32_t)world;
}

int *shim_ranks_in(MPI_Group in, MPI_Group group, int size)
{
	int *ranks = malloc(2 * (size_t)size * sizeof(*ranks));

	if (!ranks)
		return NULL;
	for (int i = 0; i < size; i++)
		ranks[size + i] = i;
	PMPI_Group_translate_ranks(group, size, ranks + size, in, ranks);
	return ranks;
}

static uint64_t group_hash(MPI_Group group)
{
	uint64_t hash = 0;
	int *ranks;
	int size;

	PMPI_Group_size(group, &size);
	ranks = shim_ranks_in(world_group_get() ? world_group : group, group,
			      size);
	if (!ranks)
		return 0;
	for (int i = 0; i < size; i++)
		hash = (hash ^ (unsigned)ranks[i]) * 0x9e3779b97f4a7c15u + 1;
	free(ranks);
	return hash;
}

/* Both sides of an intercommunicator come to the same number. */
static uint64_t comm_hash(MPI_Comm comm, bool inter)
{
	MPI_Group group;
	uint64_t hash;

	PMPI_Comm_group(comm, &group);
	hash = group_hash(group);
	PMPI_Group_free(&group);
	if (!inter)
		return hash;
	PMPI_Comm_remote_group(comm, &group);
	hash += group_hash(group);
	PMPI_Group_free(&group);
	return ~hash;
}

static struct shim_comm *comm_describe(MPI_Comm handle)
{
	struct shim_comm *comm = comm_alloc();
	char name[MPI_MAX_OBJECT_NAME] = "";
	int inter = 0;
	int len;

	if (!comm)
		return NULL;
	PMPI_Comm_test_inter(handle, &inter);
	PMPI_Comm_rank(handle, &comm->rank);
	PMPI_Comm_size(handle, &comm->size);
	if (inter)
		PMPI_Comm_remote_size(handle, &comm->remote_size);
	PMPI_Comm_get_name(handle, name, &len);
	comm->row = comm_rows_join(comm_hash(handle, inter), name, comm);
	return comm;
}

static struct shim_comm *comm_entry(MPI_Comm handle)
{
	struct shim_comm *_Atomic *entry = handles_find(&comms, handle);

	/* Orders the pointer before what it points at. */
	return entry ? atomic_load_explicit(entry, memory_order_acquire) : NULL;
}

/*
 * A program may free a communicator that a message of its, or a persistent
 * request, still stands for: MPI must not be asked about the handle then.
 */
static bool comm_is_gone(MPI_Comm handle)
{
	return comm_entry(handle) == &nobody;
}

/* The communicator of a handle; NULL: not known yet, or no longer. */
static struct shim_comm *comm_find(MPI_Comm handle)
{
	struct shim_comm *comm = comm_entry(handle);

	return comm == &nobody ? NULL : comm;
}

static void comm_enter(MPI_Comm handle, struct shim_comm *comm)
{
	struct shim_comm *_Atomic *entry = handles_make(&comms, handle);

	/* The thread that freed the handle's last one may not be so far yet. */
	atomic_store_explicit(shim_comm_place(handle), 0, memory_order_relaxed);
	if (entry)
		atomic_store_explicit(entry, comm, memory_order_release);
	else
		comm_release(comm);
}

uint32_t shim_comm_row_slow(MPI_Comm handle)
{
	const struct shim_comm *comm = comm_find(handle);

	if (!comm || comm->row == MMDS_NONE)
		return MMDS_NONE;
	atomic_store_explicit(shim_comm_place(handle),
			      abi_handle_word(handle) << SHIM_COMM_ROW_BITS |
				      comm->row,
			      memory_order_relaxed);
	return comm->row;
}

/*
 * Meets a communicator that MPI made before we looked.  Several threads may do
 * so at once.
 */
static struct shim_comm *comm_meet(MPI_Comm handle)
{
	static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&meeting);
	if (!comm_entry(handle))
		shim_comm_made(handle);
	pthread_mutex_unlock(&meeting);
	return comm_find(handle);
}

struct shim_comm *shim_comm_known(MPI_Comm handle)
{
	struct shim_comm *comm = comm_find(handle);

	return __builtin_expect(comm != NULL, 1) ? comm : comm_meet(handle);
}

const struct shim_comm *shim_comm_get(MPI_Comm handle)
{
	const struct shim_comm *comm = shim_comm_known(handle);

	return comm ? comm : &nobody;
}

void shim_comm_made(MPI_Comm handle)
{
	struct shim_comm *comm;

	if (handle == MPI_COMM_NULL)
		return;
	comm = comm_describe(handle);
	if (comm)
		comm_enter(handle, comm);
}

void shim_comm_made_like(MPI_Comm handle, MPI_Comm parent_handle)
{
	const struct shim_comm *parent = shim_comm_get(parent_handle);
	struct shim_comm *comm = comm_alloc();

	if (!comm)
		return;
	comm->rank = parent->rank;
	comm->size = parent->size;
	comm->remote_size = parent->remote_size;
	comm->row = comm_rows_join(comm_rows_hash(parent->row), "", comm);
	comm_enter(handle, comm);
}

struct shim_comm *shim_comm_met(MPI_Comm handle)
{
	return comm_find(handle);
}

void shim_comm_gone(MPI_Comm handle, struct shim_comm *was)
{
	struct shim_comm *comm = was;
	struct shim_comm *_Atomic *entry;

	if (!was)
		return;
	atomic_store_explicit(shim_comm_place(handle), 0, memory_order_relaxed);
	/* Until it is released no other entry can be the same. */
	entry = handles_find(&comms, handle);
	atomic_compare_exchange_strong(entry, &comm, &nobody);
	comm_release(was);
}

void shim_comm_named(MPI_Comm handle, const char *name)
{
	comm_rows_name(shim_comm_get(handle)->row, name);
}

uint32_t shim_comm_world_rank(MPI_Comm handle, int rank)
{
	MPI_Group group;
	uint32_t world;

	if (handle == MPI_COMM_WORLD || comm_is_gone(handle))
		return (uint32_t)rank;
	if (shim_comm_get(handle)->remote_size)
		PMPI_Comm_remote_group(handle, &group);
	else
		PMPI_Comm_group(handle, &group);
	world = group_world_rank(group, rank);
	PMPI_Group_free(&group);
	return world;
}

void shim_win_made(MPI_Win win, MPI_Comm comm)
{
	_Atomic uint64_t *entry = handles_make(&wins, win);
	const uint64_t number = atomic_fetch_add(&n_wins, 1);

	/* One more than the row: zero is a window we know nothing of. */
	if (entry)
		atomic_store(entry,
			     number << 32 | (shim_comm_get(comm)->row + 1));
}

uint64_t shim_win_met(MPI_Win win)
{
	_Atomic uint64_t *entry = handles_find(&wins, win);

	return entry ? atomic_load_explicit(entry, memory_order_relaxed) : 0;
}

void shim_win_gone(MPI_Win win, uint64_t was)
{
	_Atomic uint64_t *entry = handles_find(&wins, win);

	if (entry)
		atomic_compare_exchange_strong(entry, &was, 0);
}

uint32_t shim_win_row(MPI_Win win)
{
	const uint32_t row = (uint32_t)shim_win_met(win);

	return row ? row - 1 : MMDS_NONE;
}

uint32_t shim_win_world_rank(MPI_Win win, int rank)
{
	MPI_Group group;
	uint32_t world;

	PMPI_Win_get_group(win, &group);
	world = group_world_rank(group, rank);
	PMPI_Group_free(&group);
	return world;
}

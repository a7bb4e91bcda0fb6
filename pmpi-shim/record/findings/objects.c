/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Keeps each living object in a table by its handle, and counts it in the
 * finding of the call that made it.
 */
#include <pthread.h>
#include <stdbool.h>

#include "abi.h"
#include "mds/base/arena.h"
#include "mds/base/pool.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/findings/objects.h"

#define HEADS     4096
#define ALIVE_MAX 131072 /* more are not told of */

struct object {
	uint64_t object;
	const void *place;
	struct finding_row *row;
	struct object *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *heads[HEADS]; /* oldest first */
static struct object *unused;
static unsigned n_alive;

static bool has_handle(enum finding what)
{
	return what != FINDING_MEMORY && what != FINDING_BUFFER;
}

/* MPI's own objects need not be freed. */
static bool is_the_programs(enum finding what, uint64_t object)
{
	if (what == FINDING_PERSISTENT)
		return abi_request_is_object((MPI_Request)object);
	if (what == FINDING_FILE)
		return object != (uint64_t)(uintptr_t)MPI_FILE_NULL;
	return object && (!has_handle(what) || abi_object_is_made(object));
}

static struct object **head_of(enum finding what, uint64_t object)
{
	return &heads[pool_hash(object, what) % HEADS];
}

static struct object *object_alloc(void)
{
	struct object *o = unused;

	if (o)
		unused = o->next;
	else if (n_alive < ALIVE_MAX)
		o = arena_alloc(sizeof(*o));
	return o;
}

static void keep(struct finding_row *row, uint64_t object, const void *place)
{
	struct object **at = head_of(row->about.what, object);
	struct object *o;

	pthread_mutex_lock(&lock);
	o = object_alloc();
	if (o) {
		*o = (struct object){ object, place, row, NULL };
		while (*at)
			at = &(*at)->next;
		*at = o;
		n_alive++;
		row->n++;
	}
	pthread_mutex_unlock(&lock);
}

void shim_object_made(const struct mmds_frame *f, enum finding what,
		      uint64_t object, const void *place)
{
	const struct finding_about about = { .key = mmds_frame_key(f),
					     .comm = MMDS_NONE,
					     .what = what };
	struct finding_row *row;

	if (!is_the_programs(what, object))
		return;
	row = findings_row(&about);
	if (row)
		keep(row, object, place);
}

/* Types of two elements, such as MPI_FLOAT_INT, look like the program's. */
static bool is_named(MPI_Datatype type)
{
	int combiner = MPI_COMBINER_NAMED;
	int unneeded;

	PMPI_Type_get_envelope(type, &unneeded, &unneeded, &unneeded,
			       &combiner);
	return combiner == MPI_COMBINER_NAMED;
}

void shim_object_types(const struct mmds_frame *f, MPI_Datatype of,
		       const MPI_Datatype types[])
{
	int combiner;
	int unneeded;
	int n = 0;

	PMPI_Type_get_envelope(of, &unneeded, &unneeded, &n, &combiner);
	for (int i = 0; i < n; i++)
		if (!is_named(types[i]))
			shim_object_made(f, FINDING_TYPE,
					 SHIM_OBJECT(&types[i]), &types[i]);
}

/* The pointer to the one that goes; NULL if it is not known. */
static struct object **find(enum finding what, uint64_t object,
			    const void *place)
{
	struct object **oldest = NULL;

	for (struct object **at = head_of(what, object); *at;
	     at = &(*at)->next) {
		if ((*at)->object != object || (*at)->row->about.what != what)
			continue;
		if ((*at)->place == place)
			return at;
		if (!oldest)
			oldest = at;
	}
	return oldest;
}

void shim_object_gone(enum finding what, uint64_t object, const void *place)
{
	struct object **at;
	struct object *o;

	if (!is_the_programs(what, object))
		return;
	pthread_mutex_lock(&lock);
	at = find(what, object, place);
	if (at) {
		o = *at;
		*at = o->next;
		o->next = unused;
		unused = o;
		n_alive--;
		o->row->n--;
	}
	pthread_mutex_unlock(&lock);
}

void shim_objects_each(enum finding what, void (*use)(uint64_t object))
{
	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < HEADS; i++)
		for (struct object *o = heads[i]; o; o = o->next)
			if (o->row->about.what == what)
				use(o->object);
	pthread_mutex_unlock(&lock);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A type is looked into once, when it is committed: it cannot change, and
 * nothing is sent by it before.  Its size and extent do not tell whether it is
 * flat, for its parts may lie in another order than they are sent in.
 */
#include "pmpi-shim/route/base/route_types.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_state.h"

#define TYPES 64   /* within a type that are looked into, */
#define PARTS 4096 /* and parts of each */

/*
 * The flat types that are alive, by handle.  A type has one of so many places
 * in a row, so that a look is short; one that finds none is packed.
 */
#define BITS   12
#define PLACES 8

static struct flat {
	_Atomic int handle; /* 0: none */
	struct route_type is;
} flats[(1 << BITS) + PLACES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct flat *first_place(MPI_Datatype type)
{
	return &flats[(uint32_t)type * 0x9e3779b1u >> (32 - BITS)];
}

struct route_type route_type_look(MPI_Datatype type)
{
	struct flat *place = first_place(type);

	for (int i = 0; i < PLACES; i++, place++)
		/* Orders the handle before what it is. */
		if (atomic_load_explicit(&place->handle,
					 memory_order_acquire) == type)
			return place->is;
	return (struct route_type){ 0 };
}

uint64_t route_type_flat_bytes(MPI_Datatype type)
{
	return route_type_look(type).bytes;
}

static bool is_worth(struct route_type is)
{
	return is.bytes || is.signature;
}

static void keep(MPI_Datatype type, struct route_type is)
{
	struct flat *place = first_place(type);
	int i = 0;

	if (!is_worth(is) || is_worth(route_type_look(type)))
		return;
	pthread_mutex_lock(&lock);
	while (i < PLACES &&
	       atomic_load_explicit(&place[i].handle, memory_order_relaxed))
		i++;
	if (i < PLACES) {
		place[i].is = is;
		/* Orders what it is before the handle. */
		atomic_store_explicit(&place[i].handle, type,
				      memory_order_release);
	}
	pthread_mutex_unlock(&lock);
}

static void forget(MPI_Datatype type)
{
	struct flat *place = first_place(type);

	for (int i = 0; i < PLACES; i++, place++)
		if (atomic_load_explicit(&place->handle,
					 memory_order_relaxed) == type)
			atomic_store_explicit(&place->handle, 0,
					      memory_order_relaxed);
}

/* How a type was made. */
struct made {
	int combiner;
	MPI_Count n_ints;
	MPI_Count n_places;
	MPI_Count n_counts; /* of a constructor with large counts */
	MPI_Count n_types;
	int *ints;
	MPI_Aint *places;
	MPI_Count *counts;
	MPI_Datatype *types;
};

static bool envelope_get(MPI_Datatype type, struct made *made)
{
	*made = (struct made){ 0 };
	return REAL(Type_get_envelope_c)(type, &made->n_ints, &made->n_places,
					 &made->n_counts, &made->n_types,
					 &made->combiner) == MPI_SUCCESS &&
	       made->combiner != MPI_COMBINER_NAMED;
}

static bool made_get(MPI_Datatype type, struct made *made)
{
	if (!envelope_get(type, made) ||
	    made->n_ints + made->n_counts > 2 * PARTS) {
		*made = (struct made){ 0 };
		return false;
	}
	made->ints = calloc((size_t)made->n_ints + 1, sizeof(*made->ints));
	made->places = calloc((size_t)made->n_places + 1,
			      sizeof(*made->places));
	made->counts = calloc((size_t)made->n_counts + 1,
			      sizeof(*made->counts));
	made->types = calloc((size_t)made->n_types + 1, sizeof(*made->types));
	if (made->ints && made->places && made->counts && made->types &&
	    REAL(Type_get_contents_c)(type, made->n_ints, made->n_places,
				      made->n_counts, made->n_types, made->ints,
				      made->places, made->counts,
				      made->types) == MPI_SUCCESS)
		return true;
	made->n_types = 0;
	return false;
}

static void made_free(struct made *made)
{
	struct made part;

	for (MPI_Count i = 0; i < made->n_types; i++)
		if (!abi_type_is_builtin(made->types[i]) &&
		    envelope_get(made->types[i], &part))
			REAL(Type_free)(&made->types[i]);
	free(made->ints);
	free(made->places);
	free(made->counts);
	free(made->types);
}

static uint64_t flat_bytes(MPI_Datatype type, int *left);

/* The place of a block of an indexed type; an element has `each` bytes. */
static MPI_Aint block_place(const struct made *made, int i, MPI_Aint each)
{
	return made->combiner == MPI_COMBINER_HINDEXED
		       ? made->places[i]
		       : made->ints[1 + made->ints[0] + i] * each;
}

static bool blocks_follow(const struct made *made, MPI_Aint each)
{
	const int *lengths = made->ints + 1;
	MPI_Aint end = 0;

	for (int i = 0; i < made->ints[0]; i++) {
		if (lengths[i] == 0)
			continue;
		if (block_place(made, i, each) != end)
			return false;
		end += lengths[i] * each;
	}
	return true;
}

static bool struct_follows(const struct made *made, int *left)
{
	MPI_Aint end = 0;
	uint64_t bytes;

	for (int i = 0; i < made->ints[0]; i++) {
		if (made->ints[1 + i] == 0)
			continue;
		bytes = flat_bytes(made->types[i], left);
		if (bytes == 0 || made->places[i] != end)
			return false;
		end += made->ints[1 + i] * (MPI_Aint)bytes;
	}
	return true;
}

/* Whether the parts, which are flat, of `each` bytes, follow each other. */
static bool parts_follow(const struct made *made, MPI_Aint each)
{
	const int *ints = made->ints;

	if (made->combiner == MPI_COMBINER_DUP ||
	    made->combiner == MPI_COMBINER_CONTIGUOUS)
		return true;
	if (made->n_counts)
		return false;
	switch (made->combiner) {
	case MPI_COMBINER_VECTOR:
		return ints[0] == 1 || ints[2] == ints[1];
	case MPI_COMBINER_HVECTOR:
		return ints[0] == 1 || made->places[0] == ints[1] * each;
	case MPI_COMBINER_INDEXED:
	case MPI_COMBINER_HINDEXED:
		return blocks_follow(made, each);
	case MPI_COMBINER_RESIZED:
		return made->places[0] == 0 && made->places[1] == each;
	default:
		return false;
	}
}

static bool made_is_flat(const struct made *made, int *left)
{
	uint64_t each;

	if (made->combiner == MPI_COMBINER_STRUCT)
		return made->n_counts == 0 && struct_follows(made, left);
	each = made->n_types == 1 ? flat_bytes(made->types[0], left) : 0;
	return each && parts_follow(made, (MPI_Aint)each);
}

/*
 * The bytes of an element, 0 if it is not flat.  At most `left` types are
 * looked into: in a type made of types, each twice, there are 2^n.
 */
static uint64_t flat_bytes(MPI_Datatype type, int *left)
{
	struct made made = { 0 };
	MPI_Aint lb;
	MPI_Aint extent;
	MPI_Count size;
	bool is_flat;

	if (abi_type_is_builtin(type))
		return abi_type_size(type);
	is_flat = --*left >= 0 && made_get(type, &made) &&
		  made_is_flat(&made, left);
	made_free(&made);
	if (!is_flat ||
	    REAL(Type_get_extent)(type, &lb, &extent) != MPI_SUCCESS ||
	    REAL(Type_size_x)(type, &size) != MPI_SUCCESS)
		return 0;
	return lb == 0 && size == extent && size > 0 ? (uint64_t)size : 0;
}

static bool unit_of(MPI_Datatype type, struct route_unit *unit, int *left);

/* How often the bytes of a type have the unit. */
static uint64_t times_in(MPI_Datatype type, const struct route_unit *unit)
{
	MPI_Count size = 0;

	REAL(Type_size_x)(type, &size);
	return unit->bytes ? (uint64_t)size / unit->bytes : 0;
}

/*
 * The unit of a structure, to which its parts are added.  While all parts have
 * the same unit the structure has that one, however many parts there are.
 */
struct sum {
	struct route_unit unit;
	uint64_t count;
	bool mixed; /* and the count is 1 */
};

static bool sum_add(struct sum *sum, const struct route_unit *part,
		    uint64_t count)
{
	const struct route_unit was = sum->unit;

	if (!part->n || !count)
		return true;
	if (!was.n || (!sum->mixed && route_unit_is(&was, part))) {
		sum->unit = *part;
		sum->count += count;
		return true;
	}
	if (!sum->mixed && (sum->count == 0 ||
			    !route_unit_add(&sum->unit, &was, sum->count - 1)))
		return false;
	sum->mixed = true;
	return route_unit_add(&sum->unit, part, count);
}

static bool struct_unit(const struct made *made, struct route_unit *unit,
			int *left)
{
	struct sum sum = { .count = 0 };
	struct route_unit part;

	for (int i = 0; i < made->ints[0]; i++) {
		if (made->ints[1 + i] == 0)
			continue;
		if (!unit_of(made->types[i], &part, left) ||
		    !sum_add(&sum, &part,
			     times_in(made->types[i], &part) *
				     (uint64_t)made->ints[1 + i]))
			return false;
	}
	*unit = sum.unit;
	route_unit_reduce(unit);
	return true;
}

/* A pair of integers has two elements: the unit is one of them. */
static bool one_unit(MPI_Datatype type, struct route_unit *unit)
{
	const bool is_pair = type == MPI_2INT || type == MPI_2INTEGER;

	*unit = (struct route_unit){ .n = 1 };
	unit->class[0] = route_type_class(type);
	unit->size[0] = (uint8_t)(abi_type_size(type) >> is_pair);
	unit->bytes = unit->size[0];
	return unit->class[0] != 0;
}

/* False if it is not known, as that of bytes, or too long. */
static bool unit_of(MPI_Datatype type, struct route_unit *unit, int *left)
{
	struct made made = { 0 };
	bool is_known;

	if (abi_type_is_builtin(type))
		return one_unit(type, unit);
	is_known = --*left >= 0 && made_get(type, &made);
	if (is_known && made.combiner == MPI_COMBINER_STRUCT)
		is_known = made.n_counts == 0 && struct_unit(&made, unit, left);
	else if (is_known)
		is_known = made.n_types == 1 &&
			   unit_of(made.types[0], unit, left);
	made_free(&made);
	return is_known;
}

static uint32_t signature_of(MPI_Datatype type)
{
	struct route_unit unit = { 0 };
	int left = TYPES;

	return unit_of(type, &unit, &left) ? route_unit_keep(&unit) : 0;
}

/* MPI may have given the handle before, to a type that PMPI_Type_free freed. */
static void renew(MPI_Datatype type, struct route_type is)
{
	const struct route_type was = route_type_look(type);

	if (was.bytes == is.bytes && was.signature == is.signature)
		return;
	forget(type);
	keep(type, is);
}

static int Type_commit(MPI_Datatype *type)
{
	const int rc = REAL(Type_commit)(type);
	int left = TYPES;
	struct route_type is;

	if (rc != MPI_SUCCESS || abi_type_is_builtin(*type))
		return rc;
	is.bytes = flat_bytes(*type, &left);
	is.signature = signature_of(*type);
	renew(*type, is);
	return rc;
}

/* The entry of the table that ours stands before. */
static int (*free_below)(MPI_Datatype *type);

static int Type_free(MPI_Datatype *type)
{
	const MPI_Datatype freed = type ? *type : MPI_DATATYPE_NULL;
	struct route_type is;
	int rc;

	if (!type || abi_type_is_builtin(freed))
		return free_below(type);
	/* Before: another thread may get the handle as soon as it is free. */
	is = route_type_look(freed);
	forget(freed);
	rc = free_below(type);
	if (rc != MPI_SUCCESS)
		keep(freed, is);
	return rc;
}

void route_types_install(struct shim_pmpi *table)
{
	free_below = table->MPI_Type_free;
	table->MPI_Type_commit = Type_commit;
	table->MPI_Type_free = Type_free;
}

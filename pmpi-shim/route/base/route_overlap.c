/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Where the memory from the first to the last byte of two buffers does not
 * overlap, they do not.  Where it does, and a datatype may leave gaps, MPI
 * tells which bytes it has: one buffer is unpacked, as ones, into zeroed memory
 * of ours, and the other is packed from there.
 */
#include "pmpi-shim/route/base/route_overlap.h"

#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/route/base/route_state.h"

struct span {
	uintptr_t at;
	uint64_t bytes;
};

/* Memory of ours in the place of the program's. */
struct shadow {
	struct span of;
	unsigned char *memory;
};

static struct span span_of(const struct route_buffer *b)
{
	const uintptr_t at = (uintptr_t)b->address;
	MPI_Aint true_lb = 0;
	MPI_Aint true_extent = 0;
	MPI_Aint extent = 0;
	MPI_Aint apart;

	if (b->count == 0 || abi_type_is_builtin(b->type))
		return (struct span){ at, route_buffer_bytes(b) };
	REAL(Type_get_true_extent)(b->type, &true_lb, &true_extent);
	REAL(Type_get_extent)(b->type, &apart, &extent);
	apart = extent * (MPI_Aint)(b->count - 1);
	return (struct span){
		at + (uintptr_t)(true_lb + (apart < 0 ? apart : 0)),
		(uint64_t)(true_extent + (apart < 0 ? -apart : apart))
	};
}

static bool spans_meet(const struct span *a, const struct span *b)
{
	return a->bytes && b->bytes && a->at < b->at + b->bytes &&
	       b->at < a->at + a->bytes;
}

static struct span spans_union(const struct span *a, const struct span *b)
{
	const uintptr_t ends[] = { a->at + a->bytes, b->at + b->bytes };
	const uintptr_t at = a->at < b->at ? a->at : b->at;

	return (struct span){ at, ends[ends[0] < ends[1]] - at };
}

/* False: it would be too large. */
static bool shadow_begin(struct shadow *s, const struct span *of)
{
	s->of = *of;
	s->memory = of->bytes <= ROUTE_OVERLAP_MOST ? calloc(of->bytes + 1, 1)
						    : NULL;
	return s->memory;
}

static struct route_buffer shadow_buffer(const struct shadow *s,
					 const struct route_buffer *b)
{
	struct route_buffer in = *b;

	in.address = (void *)((uintptr_t)s->memory + (uintptr_t)b->address -
			      s->of.at);
	return in;
}

static void shadow_add(const struct shadow *s, const struct route_buffer *b)
{
	const struct route_buffer in = shadow_buffer(s, b);
	const uint64_t bytes = route_buffer_bytes(b);
	unsigned char *ones = malloc(bytes + 1);

	if (ones) {
		memset(ones, 0xff, bytes);
		route_unpack(&in, ones, bytes, bytes);
	}
	free(ones);
}

/* Whether a byte of the buffer was added before. */
static bool shadow_has(const struct shadow *s, const struct route_buffer *b)
{
	const struct route_buffer in = shadow_buffer(s, b);
	const uint64_t bytes = route_buffer_bytes(b);
	unsigned char *found = malloc(bytes + 1);
	uint64_t i = 0;
	bool has;

	if (!found || route_pack(&in, found, bytes) != MPI_SUCCESS) {
		free(found);
		return false;
	}
	while (i < bytes && !found[i])
		i++;
	has = i < bytes;
	free(found);
	return has;
}

static bool has_gaps(const struct route_buffer *b, const struct span *span)
{
	return route_buffer_bytes(b) != span->bytes;
}

bool route_buffers_overlap(const struct route_buffer *a,
			   const struct route_buffer *b)
{
	const struct span of_a = span_of(a);
	const struct span of_b = span_of(b);
	const struct span both = spans_union(&of_a, &of_b);
	struct shadow shadow;
	bool overlap;

	if (!spans_meet(&of_a, &of_b))
		return false;
	if (!has_gaps(a, &of_a) && !has_gaps(b, &of_b))
		return true;
	if (!shadow_begin(&shadow, &both))
		return false;
	shadow_add(&shadow, a);
	overlap = shadow_has(&shadow, b);
	free(shadow.memory);
	return overlap;
}

static int by_place(const void *a, const void *b)
{
	const struct span x = span_of(a);
	const struct span y = span_of(b);

	return (x.at > y.at) - (x.at < y.at);
}

/* Of blocks in their order; *all is what they span together. */
static bool neighbours_meet(const struct route_buffer blocks[], size_t n,
			    struct span *all)
{
	struct span next;
	bool meet = false;

	*all = span_of(&blocks[0]);
	for (size_t i = 1; i < n; i++) {
		next = span_of(&blocks[i]);
		meet |= spans_meet(all, &next);
		*all = spans_union(all, &next);
	}
	return meet;
}

/* A block without elements has no place. */
static size_t without_empty(struct route_buffer blocks[], size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		if (route_buffer_bytes(&blocks[i]))
			blocks[left++] = blocks[i];
	return left;
}

bool route_blocks_overlap(struct route_buffer blocks[], size_t n)
{
	struct shadow shadow;
	struct span all;
	bool overlap = false;

	n = without_empty(blocks, n);
	if (n < 2)
		return false;
	qsort(blocks, n, sizeof(blocks[0]), by_place);
	if (!neighbours_meet(blocks, n, &all) || !shadow_begin(&shadow, &all))
		return false;
	for (size_t i = 0; i < n && !overlap; i++) {
		overlap = shadow_has(&shadow, &blocks[i]);
		shadow_add(&shadow, &blocks[i]);
	}
	free(shadow.memory);
	return overlap;
}

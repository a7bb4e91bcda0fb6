/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Units are compared by a hash, so that descriptors carry a word.  Two that
 * differ may still fit: the message's may be the first part of the receive's.
 * The receiver knows its own unit and finds that out.
 */
#include "pmpi-shim/route/base/route_units.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_MOST 1024
#define ONE_MOST  0x100 /* signatures of one element are below */

struct kept {
	struct kept *next;
	uint32_t signature;
	struct route_unit unit;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept *_Atomic kept; /* never freed: readers take no lock */
static unsigned n_kept;

bool route_unit_add(struct route_unit *unit, const struct route_unit *other,
		    uint64_t count)
{
	if (other->n && count > (ROUTE_UNIT_MOST - unit->n) / other->n)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		memcpy(unit->class + unit->n, other->class, other->n);
		memcpy(unit->size + unit->n, other->size, other->n);
		unit->n += other->n;
		unit->bytes += other->bytes;
	}
	return true;
}

static bool repeats(const struct route_unit *unit, uint32_t n)
{
	if (unit->n % n)
		return false;
	return memcmp(unit->class, unit->class + n, unit->n - n) == 0 &&
	       memcmp(unit->size, unit->size + n, unit->n - n) == 0;
}

bool route_unit_is(const struct route_unit *unit,
		   const struct route_unit *other)
{
	return unit->n == other->n &&
	       memcmp(unit->class, other->class, unit->n) == 0 &&
	       memcmp(unit->size, other->size, unit->n) == 0;
}

void route_unit_reduce(struct route_unit *unit)
{
	uint32_t n = 1;

	if (!unit->n)
		return;
	while (!repeats(unit, n))
		n++;
	unit->n = n;
	unit->bytes = 0;
	for (uint32_t i = 0; i < n; i++)
		unit->bytes += unit->size[i];
}

static uint32_t hash(const struct route_unit *unit)
{
	uint64_t sum = unit->n;

	for (uint32_t i = 0; i < unit->n; i++) {
		sum = (sum ^ (uint64_t)unit->size[i] << 8 ^ unit->class[i]) *
		      0x9e3779b97f4a7c15u;
		sum ^= sum >> 32;
	}
	return ((uint32_t)sum & 0x7ffffffe) | ONE_MOST;
}

static uint32_t signature_of(const struct route_unit *unit)
{
	if (unit->n <= 1)
		return unit->n ? route_unit_of_one(unit->class[0]) : 0;
	return hash(unit);
}

static const struct kept *find(uint32_t signature)
{
	/* Orders the pointer before what it points at. */
	const struct kept *k = atomic_load_explicit(&kept,
						    memory_order_acquire);

	while (k && k->signature != signature)
		k = k->next;
	return k;
}

static bool add(uint32_t signature, const struct route_unit *unit)
{
	struct kept *k = n_kept < KEPT_MOST ? malloc(sizeof(*k)) : NULL;

	if (!k)
		return false;
	n_kept++;
	k->signature = signature;
	k->unit = *unit;
	k->next = atomic_load_explicit(&kept, memory_order_relaxed);
	/* Orders the unit before the pointer that shows it. */
	atomic_store_explicit(&kept, k, memory_order_release);
	return true;
}

uint32_t route_unit_keep(const struct route_unit *unit)
{
	const uint32_t signature = signature_of(unit);
	bool is_kept;

	if (unit->n <= 1)
		return signature;
	pthread_mutex_lock(&lock);
	is_kept = find(signature) || add(signature, unit);
	pthread_mutex_unlock(&lock);
	return is_kept ? signature : 0;
}

/* Elements of the unit again and again, so many bytes; false: none end there.
 */
static bool first_part(const struct route_unit *unit, uint64_t bytes,
		       struct route_unit *part)
{
	part->n = part->bytes = 0;
	if (!route_unit_add(part, unit, bytes / unit->bytes))
		return false;
	for (uint32_t i = 0; part->bytes < bytes; i++) {
		if (part->n == ROUTE_UNIT_MOST)
			return false;
		part->class[part->n] = unit->class[i];
		part->size[part->n++] = unit->size[i];
		part->bytes += unit->size[i];
	}
	return true;
}

bool route_unit_begins(uint32_t ours, uint32_t theirs, uint64_t bytes)
{
	const struct kept *k;
	struct route_unit part;

	if (ours == theirs || !ours || !theirs || !bytes)
		return true;
	if (ours < ONE_MOST)
		return false;
	k = find(ours);
	/* Whole units are the same for any count of them. */
	if (!k || bytes % k->unit.bytes == 0)
		return !k;
	if (!first_part(&k->unit, bytes, &part))
		return true;
	if (part.bytes != bytes)
		return false;
	route_unit_reduce(&part);
	return signature_of(&part) == theirs;
}

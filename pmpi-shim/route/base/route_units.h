/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_UNITS_H
#define SHIM_ROUTE_UNITS_H

/*
 * Type signatures: what the elements of a message are, one after another.  A
 * signature that repeats itself is known by the part that it repeats, its unit:
 * so messages of different counts have the same.
 */
#include <stdbool.h>
#include <stdint.h>

#define ROUTE_UNIT_MOST \
	256 /* elements of a unit; of longer ones nothing is known */

struct route_unit {
	uint32_t n;
	uint32_t bytes;
	uint8_t class[ROUTE_UNIT_MOST];
	uint8_t size[ROUTE_UNIT_MOST];
};

/* Appends `count` times another unit; false if it has no room. */
bool route_unit_add(struct route_unit *unit, const struct route_unit *other,
		    uint64_t count);

/* Whether they have the same elements: the same classes and sizes. */
bool route_unit_is(const struct route_unit *unit,
		   const struct route_unit *other);

/* Leaves the part that it repeats. */
void route_unit_reduce(struct route_unit *unit);

/*
 * The signature of a unit that was reduced, which is kept: even and below 2^31,
 * 0 if it is empty or there is no room.
 */
uint32_t route_unit_keep(const struct route_unit *unit);

/* The signature of one element. */
static inline uint32_t route_unit_of_one(uint8_t class)
{
	return (uint32_t) class << 1;
}

/*
 * Whether a message of so many bytes and the signature `theirs` may begin a
 * receive whose signature is `ours`.  Also true if that is not known, and for a
 * message without bytes.
 */
bool route_unit_begins(uint32_t ours, uint32_t theirs, uint64_t bytes);

#endif

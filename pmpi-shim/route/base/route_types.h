/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ROUTE_TYPES_H
#define SHIM_ROUTE_TYPES_H

/*
 * Derived datatypes whose elements are one block of bytes, in order and without
 * gaps, whatever they were made by.  Messages of them are messages of bytes:
 * nothing is packed and no second buffer is taken.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi.h"
#include "pmpi-shim/route/base/route_units.h"

/* The bytes of an element of such a type; 0 for any other. */
uint64_t route_type_flat_bytes(MPI_Datatype type);

struct route_type {
	uint64_t bytes;     /* 0: its elements do not lie in a row */
	uint32_t signature; /* 0: unknown (route_units.h) */
};

/* Looks up a type that is not built in. */
struct route_type route_type_look(MPI_Datatype type);

/*
 * The class of each built-in type's elements, which both sides of a message
 * compare. 0: bytes, and types that are not built in.  Types of other names or
 * languages with the same elements share a class, although the standard keeps
 * them apart.
 */
extern const uint8_t route_type_classes[256];

/*
 * What a message's signature stands for, for people: one of the names of its
 * class, with the bytes of an element.
 */
const char *route_signature_name(uint32_t signature);

/* Whether a class is one of real or complex numbers. */
bool route_class_is_real(uint8_t class);

static inline uint8_t route_type_class(MPI_Datatype type)
{
	return abi_type_is_builtin(type)
		       ? route_type_classes[(unsigned)type & 0xff]
		       : 0;
}

static inline uint32_t route_type_signature(MPI_Datatype type)
{
	return route_unit_of_one(route_type_class(type));
}

#endif

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

/* The bytes of an element of such a type; 0 for any other. */
uint64_t route_type_flat_bytes(MPI_Datatype type);

#endif

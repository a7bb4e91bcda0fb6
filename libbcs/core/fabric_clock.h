/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FABRIC_CLOCK_H
#define BCS_FABRIC_CLOCK_H

#include <mpi.h>
#include <stdint.h>

/*
 * Collective: a moment that the first process gives as its
 * clock_monotonic_ns().  Each process gets the moment by its own clock.  Clocks
 * are compared down a binomial tree of messages, to half a round trip.
 */
uint64_t fabric_clock_agree(MPI_Comm comm, uint64_t ns);

#endif

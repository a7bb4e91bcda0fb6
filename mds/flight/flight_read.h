/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FLIGHT_READ_H
#define BCS_FLIGHT_READ_H

#include <stdbool.h>

#include "mds/base/reading.h"
#include "mds/flight/flight.h"

/*
 * Reads the flight recorder of a process that runs, or that ended.  The file is
 * not trusted: whatever its bytes are, the calls return the readable part or an
 * error.
 */
struct flight;

/*
 * Returns 0, or -errno with one line in `why`; *flight_p is set on success
 * only.
 */
int flight_open(struct flight **flight_p, const char *path,
		enum reading_from from, char *why, size_t why_size);
void flight_close(struct flight *flight); /* NULL is fine */

/* Its texts end with a zero. */
const struct flight_head *flight_head(const struct flight *flight);

/* The slices of the node; all zero unless the process is its leader. */
const struct flight_slices *flight_slices(const struct flight *flight);

/* The rows of threads; those without a ring have `n_calls` 0. */
unsigned flight_n_threads(const struct flight *flight);
const struct flight_thread *flight_thread(const struct flight *flight,
					  unsigned i);
/* How many of a thread's last calls are there. */
uint32_t flight_n_calls(const struct flight *flight, unsigned thread);
/* The call `back` calls before the last one. */
const struct flight_call *flight_call(const struct flight *flight,
				      unsigned thread, uint32_t back);
/* When a call was over that began at `start`, in ticks. */
uint64_t flight_call_end(const struct flight_call *call, uint64_t start);
/* Whether the thread's look is of the call that it is in. */
bool flight_has_waits(const struct flight *flight, unsigned thread);

/* The next entry of the log; NULL is before the first, and behind the last. */
const struct flight_entry *flight_next(const struct flight *flight,
				       const struct flight_entry *entry);
/* The text behind an entry's struct of that size; it ends with a zero. */
const char *flight_text(const struct flight_entry *entry, size_t size);
/* The name of a call; NULL if there is none. */
const char *flight_name(const struct flight *flight, uint32_t call);

/*
 * The moment of the reading.  At first it is the last moment in the file.
 * After flight_go_on() it is that of CLOCK_MONOTONIC.
 */
void flight_go_on(struct flight *flight, uint64_t monotonic_ns);
/* Nanoseconds from some ticks to that moment; 0 if they are later. */
uint64_t flight_since(const struct flight *flight, uint64_t ticks);
uint64_t flight_ns(const struct flight *flight, double ticks);

#endif

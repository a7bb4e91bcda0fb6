/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_FLIGHT_H
#define BCS_RUN_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/run/run_ahead.h"
#include "analyzer/run/run_alive.h"
#include "mds/flight/flight_read.h"
#include "mds/record/record.h"

/* Calls of each thread that are taken into a record. */
#define RUN_FLIGHT_CALLS 100

/*
 * Opens the flight recorder of a process.  If that runs, the moment is now.
 * Returns as flight_open does.
 */
int run_flight_open(struct flight **flight_p, const char *path,
		    enum reading_from from, enum run_alive *alive, char *why,
		    size_t why_size);

/*
 * Makes a record of it, with the tables that it can fill (FORMAT.md); its
 * reason is given.  Returns as record_parse does.
 */
int run_flight_record(struct record **record_p, const struct flight *flight,
		      const char *reason, const char *name, char *why,
		      size_t why_size);

/*
 * Opens a file and makes a record of it.  With `living`, the record is NULL if
 * the process is known to have ended.
 */
void run_flight_read(struct run_opened *opened, const char *path,
		     enum reading_from from, bool living);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_RUN_FLIGHT_TEXT_H
#define BCS_RUN_FLIGHT_TEXT_H

/* Shared by the files that make a record of a flight recorder. */
#include <stdio.h>

struct flight;

struct run_flight_making {
	const struct flight *flight;
	FILE *all;
	FILE *table; /* the one that is being written */
	char *text;  /* of it */
	size_t size;
};

/* A table, as FORMAT.md has it; its rows go to `table` in between. */
void run_flight_begin(struct run_flight_making *m, const char *columns);
void run_flight_end(struct run_flight_making *m, const char *name);
void run_flight_put_word(const struct run_flight_making *m, const char *text);

void run_flight_put_now(struct run_flight_making *m);
void run_flight_put_tail(struct run_flight_making *m);
/* A deadlock that was found. */
void run_flight_put_findings(struct run_flight_making *m);

#endif

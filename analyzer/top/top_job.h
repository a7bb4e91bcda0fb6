/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TOP_JOB_H
#define BCS_TOP_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/run/flight/run_flight.h"

/* Sums of a thread, in ns, up to the moment `ns` since its process began. */
struct top_sums {
	uint64_t ns;
	uint64_t calls;
	uint64_t computation;
	uint64_t communication;
	uint64_t bytes;
};

/* A thread as it was a moment ago. */
struct top_row {
	uint64_t rank;
	uint32_t thread;
	enum run_alive alive;
	bool recording;
	bool in_call;
	uint64_t since; /* ns that it is in the call */
	uint32_t path;  /* of the call, as the process numbers it */
	uint64_t comm;  /* the communicator's id; 0: none */
	char *call;     /* the current or the last one */
	char *waits_for;
	char *site;
	struct top_sums sums;
	/* Since the picture before, or the start: */
	double share; /* of MPI, in percent */
	double calls; /* a second */
	double bytes; /* likewise */
};

/* The slices of a node, by its first rank. */
struct top_slices {
	uint64_t rank;
	char *host;
	uint64_t ns;    /* since the process began: all that follows is of it */
	uint64_t slice; /* number of the last one */
	uint64_t length; /* ns */
	uint64_t budget; /* bytes that a slice may move */
	uint64_t n;      /* that ran */
	uint64_t moved;  /* bytes */
	uint64_t busy;   /* ns that they took */
	/* Since the picture before, or the start: */
	double slices;  /* a second */
	double bytes;   /* likewise */
	uint64_t takes; /* ns, on average; 0: none ran */
	double full;    /* percent of their budgets */
};

/* That a rank is a member of a communicator. */
struct top_member {
	uint64_t rank;
	uint64_t comm;
};

struct top_picture {
	struct top_row *rows; /* by rank */
	size_t n;
	size_t room;
	struct top_member *members;
	size_t n_members;
	size_t members_room;
	struct top_slices *slices;
	size_t n_slices;
	size_t slices_room;
	size_t n_living; /* processes */
	char *program;
	char *mode;
	uint64_t size; /* of MPI_COMM_WORLD */
	uint64_t wall; /* ns since the first began */
};

/* Names of places, kept from picture to picture. */
struct top_places;

struct top_places *top_places_new(void);
void top_places_free(struct top_places *places);
/* The place of a call by its path; the caller frees it. */
char *top_places_text(struct top_places *places, const struct flight *flight,
		      uint32_t path);

/*
 * Takes a picture of the job whose record is in `dir`.  Rates are those since
 * the one before, which may be empty.
 */
void top_picture_take(struct top_picture *picture, const char *dir,
		      const struct top_picture *before,
		      struct top_places *places);
void top_picture_clear(struct top_picture *picture);

#endif

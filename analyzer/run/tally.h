/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_TALLY_H
#define BCS_TALLY_H

#include <stdint.h>

#include "analyzer/base/dist.h"
#include "analyzer/places/intern.h"

/* Calls of one kind over all ranks.  A zeroed struct is empty. */
struct tally {
	uint64_t count;
	uint64_t time; /* ns, as all times */
	uint64_t min;
	uint64_t max;
	uint64_t waiting;
	uint64_t sent; /* bytes */
	uint64_t received;
	uint64_t min_bytes;
	uint64_t max_bytes;
	struct dist times;
	struct dist sizes;
	/* Ranks that made such calls; who spent the least and the most time. */
	uint64_t ranks;
	uint64_t least_rank;
	uint64_t least_time;
	uint64_t most_rank;
	uint64_t most_time;
	/* The rank that is being read. */
	uint64_t rank;
	uint64_t rank_time;
	int open;
};

/* Adds the calls of a rank; those of one rank come one behind the other. */
void tally_add(struct tally *tally, uint64_t rank, const struct tally *calls);
/* Ends adding. */
void tally_close(struct tally *tally);

/* Tallies by key. */
struct tallies {
	struct intern keys;
	struct tally *list; /* by the number of the key */
	size_t room;
};

/* The number of the tally of a key, which is made if it is new. */
size_t tallies_at(struct tallies *tallies, const void *key, size_t size);
void tallies_close(struct tallies *tallies);
void tallies_clear(struct tallies *tallies);

#endif

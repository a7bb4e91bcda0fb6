/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ADVISE_H
#define BCS_ADVISE_H

#include "analyzer/advise/advise_reuse.h"
#include "analyzer/report/report.h"
#include "analyzer/waits/waits.h"
#include "analyzer/waits/waits_whatif.h"

/*
 * Advice on a traced run: which blocking call to turn into a nonblocking one,
 * and what that would gain.
 */
#define ADVISE_CALLS_MAX 10 /* that are tried */

/* A blocking call at a place, with its nonblocking form tried. */
struct advise_call {
	struct waits_change change;
	const char *into; /* its nonblocking form */
	/* Where its buffers are used again.  Of two, the one that is sooner. */
	struct advise_reuse reuse;
	uint64_t *within; /* the same of each rank: change.within */
	uint64_t time;    /* ns in all its calls */
	uint64_t waiting;
	uint64_t gain; /* ns of the run: the waiting is overlapped */
	uint64_t most; /* ns of the run: the call costs nothing */
};

/* A place that waits, and that no other call would help. */
struct advise_loss {
	uint32_t place;
	uint64_t waiting;
};

struct advise {
	const struct run *run;
	struct waits waits;
	struct waits_whatif whatif;
	struct advise_reuses *reuses;
	uint64_t time; /* of the run, from MPI_Init to MPI_Finalize */
	struct advise_call calls[ADVISE_CALLS_MAX]; /* by gain */
	unsigned n_calls;
	uint64_t gain;  /* of all of them together */
	uint64_t apart; /* the same, if sends have buffers of their own */
	uint64_t most;
	struct advise_loss *losses; /* by waiting */
	size_t n_losses;
	size_t losses_room;
};

/* Returns 0, or -errno after it has said why not. */
int advise_load(struct advise *advise, const struct run *run);
void advise_clear(struct advise *advise);

/* Whether its nonblocking form may gain enough to be worth it. */
bool advise_is_worth(const struct advise *advise,
		     const struct advise_call *call);
/* Percent of the run. */
double advise_percent(const struct advise *advise, uint64_t time);
/* ns of all threads, but for what was before MPI_Init. */
uint64_t advise_all_time(const struct waits *waits);
/* Waiting for other ranks that the place's calls had in all. */
uint64_t advise_waiting(const struct waits *waits, uint32_t place);

/* The computation from one call to the next, of all threads. */
struct advise_gap {
	uint32_t from; /* WAITS_NOWHERE: there is none */
	uint32_t to;
	uint64_t count;
	uint64_t time;
};
/*
 * That with the most time in all, on the way from the place to where it comes
 * again, or back, by the way that is taken most often.
 */
struct advise_gap advise_gap_after(const struct waits *waits, uint32_t place);
struct advise_gap advise_gap_before(const struct waits *waits, uint32_t place);
/* That to the next call. */
struct advise_gap advise_gap_next(const struct waits *waits, uint32_t place);
uint64_t advise_gap_mean(const struct advise_gap *gap);
/* How many calls of the place follow each other without computation. */
double advise_in_a_row(const struct waits *waits, uint32_t place);

/* The causes for which the calls of a place waited, in all. */
struct advise_cause {
	uint64_t direct;
	uint64_t propagated;
	uint64_t unknown;
	struct waits_cause_key longest;
	uint64_t longest_time;
};
struct advise_cause advise_cause(const struct waits *waits, uint32_t place);

/* Sentences, which the caller frees. */
char *advise_text_what(const struct advise *advise,
		       const struct advise_call *call);
char *advise_text_gain(const struct advise *advise, uint64_t gain,
		       uint64_t most);
char *advise_text_assumes(const struct advise *advise,
			  const struct advise_call *call);
const char *advise_text_sure(const struct advise *advise,
			     const struct advise_call *call);
char *advise_text_loss(const struct advise *advise, uint32_t place);

/* Fills `tables`; returns how many. */
#define ADVISE_TABLES 8
size_t advise_tables(const struct advise *advise,
		     struct table *tables[ADVISE_TABLES], size_t top);
/* Adds lines on what else is to be seen in the run. */
void advise_findings(const struct advise *advise, struct table *table);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_ADVISE_REUSE_H
#define BCS_ADVISE_REUSE_H

#include "analyzer/places/symbols.h"
#include "analyzer/run/run.h"

/*
 * Where the buffers of blocking calls are first used again, if the run looked
 * for that (BCS_ADVISE).
 */
struct advise_reuse {
	uint64_t count;       /* calls that were looked at; 0: none */
	uint64_t computation; /* ns from the call to the use, in the mean */
	/* Where most are used: a frame (INTERN_NONE: unknown), in a call, by
	 * its number in run.words, or not (empty). */
	size_t at;
	size_t at_call;
};

struct advise_reuses;
struct advise_reuses *advise_reuses_new(const struct run *run);
void advise_reuses_free(struct advise_reuses *reuses);

#define ADVISE_ALL_RANKS UINT64_MAX
/* Of all calls of a rank at a site; `use` is "sent" or "received". */
struct advise_reuse advise_reuse(const struct advise_reuses *reuses,
				 uint64_t rank, const char *call,
				 const char *site, const char *use);

/* "solve a.c:7", or "MPI_Send at solve a.c:9"; empty: unknown.  The caller
 * frees it. */
char *advise_reuse_text(const struct advise_reuses *reuses,
			const struct advise_reuse *reuse);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FINDING_LIST_H
#define BCS_FINDING_LIST_H

#include "analyzer/places/symbols.h"
#include "analyzer/run/run.h"

/* The faults of a run: what several ranks did alike is one finding. */
enum finding_level {
	FINDING_ERROR,   /* the program is wrong */
	FINDING_WARNING, /* it leaks, or is wrong with another MPI */
	FINDING_NOTE,    /* MPI allows it */
};

/* docs/findings.md has a section for each. */
struct finding_kind {
	const char *name;
	enum finding_level level;
	const char *one;  /* "communicator"; NULL: the record has a sentence */
	const char *many; /* "communicators" */
	const char *fate; /* "never freed" */
	const char *mend; /* a sentence */
};

struct finding {
	const struct finding_kind *kind;
	const char *name;
	const char *call; /* that made or began it; empty: unknown */
	const char *comm; /* its name; empty: none */
	const char *peer; /* a rank there, `any`, or empty: none, or several */
	const char *tag;
	const char *text;   /* of the record; mostly empty */
	const char *detail; /* "20 bytes for a receive of 16", or empty */
	const char *site;   /* "solve app.c:120"; empty: unknown */
	uint64_t place;     /* a frame there; UINT64_MAX: unknown */
	bool is_sent;       /* the place is that of the message's sender */
	/* Who sent the message; UINT64_MAX: none, or several. */
	uint64_t other;
	const char *other_site; /* where, as `site`, */
	uint64_t other_place;   /* unless that is the place itself */
	uint64_t count;         /* of all ranks */
	uint64_t *ranks;        /* rising */
	size_t n_ranks;
	bool suppressed; /* the user knows of it */
};

struct findings {
	struct finding *list; /* the gravest first */
	size_t n;
	struct intern sites;
};

/* The run has to outlive them. */
void finding_list_get(struct findings *findings, const struct run *run,
		      struct symbols *symbols);
void finding_list_clear(struct findings *findings);

/* All that this version knows; ends with a name of NULL. */
extern const struct finding_kind finding_kinds[];
extern const char *const finding_levels[]; /* "error", "warning", "note" */

#endif

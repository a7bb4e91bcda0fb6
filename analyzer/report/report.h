/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPORT_H
#define BCS_REPORT_H

#include "analyzer/places/symbols.h"
#include "analyzer/run/run.h"
#include "analyzer/show/table_show.h"

/* `bcs report` shows a run as sections, each of one table or a few. */
#define REPORT_TOP 10

struct report_options {
	enum table_sort sort;
	size_t top;     /* rows of a table; 0: all */
	bool top_given; /* asked for by the user */
	bool machine;   /* CSV or JSON */
	bool paths;     /* call sites with the paths that lead to them */
	unsigned width; /* of a line, for people */
	bool width_is_measured; /* it is the terminal's, which may change */
	bool asked;             /* the job runs: shows ranks in no call, too */
};

struct report {
	const struct run *run;
	const struct run *reference; /* to compare with; or NULL */
	const struct report_options *options;
	struct symbols *symbols;
	uint64_t total;        /* of all threads' time */
	struct table **tables; /* of the section that is being made */
	size_t n_tables;
	size_t room;
	void **kept; /* what tables of this report refer to */
	size_t n_kept;
	size_t kept_room;
	bool failed; /* a section could not be made, and has said so */
};

enum report_flag {
	REPORT_USUAL = 1 << 0, /* shown unless others are asked for */
	REPORT_JSON = 1 << 1,  /* part of the JSON document, likewise */
	REPORT_CALLS = 1 << 2, /* shown where primitives are selected */
	REPORT_TRACE = 1 << 3, /* made of the trace, if there is one */
};

struct report_section {
	const char *name;
	unsigned flags;
	void (*build)(struct report *report);
};

/* In the order in which they are shown; ends with a name of NULL. */
extern const struct report_section report_sections[];

/* Adds a table to the section. */
struct table *report_table(struct report *report, const char *name,
			   const char *title,
			   const struct table_column *columns, unsigned flags);
/* Sorts it and shows its first rows, as the options want. */
void report_arrange(const struct report *report, struct table *table,
		    enum table_sort otherwise);
/*
 * Does the same for a table that is shown whole unless the user says otherwise.
 */
void report_arrange_all(const struct report *report, struct table *table,
			enum table_sort otherwise);
/* Memory that goes when the report goes. */
void *report_keep(struct report *report, void *memory);

/* The most that a value from a histogram may be off, in percent. */
double report_error(const struct run *run);
/* How unevenly ranks share a time: what the greatest is over the mean. */
double report_imbalance(uint64_t max, uint64_t sum, uint64_t n);

/* "0-2,5 and 30 more" of rising numbers; the caller frees it. */
char *report_rank_list(const uint64_t *ranks, size_t n);
/* "ranks 0-2" or "rank 0"; likewise. */
char *report_ranks(const uint64_t *ranks, size_t n);
/* "a (3), b (1) and 5 more"; *n is how many words there are. */
char *report_fact_list(const struct run *run, enum run_fact fact, size_t *n);
/*
 * "1 on ranks 0-2, 3 on rank 3": what ranks have for a fact, if it is known and
 * not the usual; NULL where there is none.
 */
char *report_fact_ranks(const struct run *run, enum run_fact fact,
			const char *usual);
/* Adds notes on calls whose call path is cut off or guessed. */
void report_doubts(const struct run *run, struct table *table);
/*
 * How a process ended, of the reason of its record: a few words, or all that is
 * to be said of a run whose ranks all have it.
 */
const char *report_end_word(const char *reason);
const char *report_end_text(const char *reason);
/* A word of the run by its number; "" of INTERN_NONE. */
const char *report_word(const struct run *run, size_t number);
/* Whether it waits for a nonblocking collective. */
bool report_now_is_coll(const struct run *run, const struct run_now *now);
/* The name of the call's communicator; "" if there is none. */
const char *report_now_comm(const struct run *run, const struct run_now *now);
/* A sentence on the calls under way of `n` ranks that do the same; likewise. */
char *report_now_text(const struct report *report, const struct run_now *group,
		      size_t n);
/* The rank's own record; NULL if there is none. */
const struct run_rank *report_now_rank(const struct run *run, uint64_t rank);
/*
 * Puts the members of a collective call's communicator that are not in the call
 * into `absent`, which has room for all members of the run.  Returns how many.
 */
size_t report_now_absent(const struct run *run, const struct run_now *now,
			 uint64_t *absent);
/* Adds a sentence on each circle of ranks, and on each rank for which others
 * wait in the end. */
void report_now_graph(struct report *report, struct table *table);
struct finding;
/* A sentence on a fault of the program; likewise. */
char *report_finding_text(const struct finding *finding);
/* The name of a place in code; UINT64_MAX: unknown. */
char *report_place(const struct report *report, uint64_t frame);

/* Three cells: p50, p90 and p99, none of them of an empty distribution. */
void report_percentiles(struct table *table, const struct dist *dist,
			uint64_t min, uint64_t max);

/* A note why a module's call sites have no names; NULL if there is none. */
char *report_nameless(const struct run *run, struct symbols *symbols,
		      size_t module);

/* Messages from one rank to another. */
struct report_flow {
	uint64_t from;
	uint64_t to;
	uint64_t messages;
	uint64_t bytes;
};

/*
 * All of a run, by the sender's record or, where that is missing, the
 * receiver's.  Returns how many; the list is the caller's to free.
 */
size_t report_flows(const struct run *run, struct report_flow **list_p);

/* Adds a row with one text, which it takes over. */
void report_note(struct table *table, char *text);
/* Notes on ranks that outnumber cores. */
void report_polite(const struct report *report, struct table *table);

/* The sections. */
void report_run(struct report *report);
void report_head(struct report *report);
void report_now(struct report *report);
void report_findings(struct report *report);
void report_tail(struct report *report);
void report_notes(struct report *report);
void report_account(struct report *report);
void report_efficiencies(struct report *report);
void report_by_rank(struct report *report);
void report_threads(struct report *report);
void report_primitives(struct report *report);
void report_sites(struct report *report);
void report_peers(struct report *report);
void report_matrix(struct report *report);
void report_comms(struct report *report);
void report_traffic(struct report *report);
void report_sizes(struct report *report);
void report_phases(struct report *report);
void report_waits(struct report *report);
void report_windows(struct report *report);
void report_distributions(struct report *report);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DIFF_H
#define BCS_DIFF_H

#include "analyzer/report/report.h"
#include "analyzer/run/run_efficiency.h"

/*
 * Compares two groups of runs: `bcs diff`.  Only the times of a run are kept,
 * so that at most one whole record is in memory.
 */
enum diff_side { DIFF_A, DIFF_B, DIFF_SIDES };

struct diff_run {
	char *path;
	char *program;
	char *mode;
	uint64_t size;  /* ranks of the run; 0: unknown */
	size_t n_ranks; /* ranks whose files were read */
	size_t n_cut;   /* ranks whose files were damaged */
	/* Ranks that should have recorded but left no file. */
	uint64_t n_missing;
	char *reasons;  /* reasons other than MPI_Finalize; NULL: none */
	char *statuses; /* statuses other than 0; NULL: none */
	/* All 0 if there is no time in it. */
	struct run_efficiency efficiency;
};

/* Time and calls of one row, summed over all ranks, for each run; the runs of A
 * come first. */
struct diff_row {
	uint64_t *times;
	uint64_t *calls;
	size_t n_added; /* number of runs that have this rank */
	/* For a call site that moved, see diff_match. */
	const char *was; /* its place in A; NULL: the same */
	bool moved;      /* counted at its place in B */
};

struct diff_set {
	struct intern keys;
	struct diff_row *rows; /* by the number of the key */
	size_t room;
};

/* The keys of `parts`, in their order. */
enum diff_part {
	DIFF_COMPUTATION,
	DIFF_COMMUNICATION,
	DIFF_WAITING,
	DIFF_OFF,
	DIFF_WALL, /* of the rank with the longest time */
	DIFF_PARTS,
};

struct diff {
	size_t n[DIFF_SIDES];
	struct diff_run *runs; /* runs of A first */
	size_t n_runs;         /* number of runs added */
	struct diff_set parts;
	struct diff_set calls;
	/* Keyed by place, call and module, as texts. */
	struct diff_set sites;
	struct diff_set computing; /* by rank */
	struct diff_set in_mpi;
	struct intern nameless; /* notes on modules without names */
	bool places;            /* some call sites are known */
};

/*
 * The sizes of two groups of paths with a ':' between them; two paths need
 * none.  Returns 0 or -EINVAL.
 */
int diff_split(int argc, char **argv, size_t *n_a, size_t *n_b);
/*
 * A run that is in a group twice would pass for two of them.  Returns 0, or
 * -EINVAL after it has said so.
 */
int diff_twice(int argc, char **argv);

struct diff *diff_new(size_t n_a, size_t n_b);
void diff_free(struct diff *diff); /* NULL is fine */

/* Adds the next run; the runs of A come first. */
void diff_add(struct diff *diff, const struct run *run);
/* Finds the call sites that moved to another line.  Call it after the last
 * run. */
void diff_match(struct diff *diff);

/* Whether all runs have the same ranks. */
bool diff_same_ranks(const struct diff *diff);

/* Makes a row with room for all runs.  Its arrays are one allocation: free
 * `times`. */
struct diff_row diff_row_new(const struct diff *diff);
/* Adds to a row of the run that is being added. */
void diff_set_add(struct diff *diff, struct diff_set *set, const void *key,
		  size_t size, uint64_t time, uint64_t calls);

enum diff_verdict {
	DIFF_SLOWER,
	DIFF_FASTER,
	DIFF_NOISE,
	DIFF_ONE_EACH,
	DIFF_TOO_FEW,
	DIFF_ONLY_A,
	DIFF_ONLY_B,
};

struct diff_change {
	double median[DIFF_SIDES];
	double min[DIFF_SIDES];
	double max[DIFF_SIDES];
	double p;
	bool tested; /* there are enough runs for p to mean something */
	enum diff_verdict verdict;
};

/* Compares the values of all runs, those of A first. */
struct diff_change diff_change_of(const struct diff *diff,
				  const uint64_t *values);
/* Compares a row.  A row of one group only has a verdict of its own. */
struct diff_change diff_change_of_row(const struct diff *diff,
				      const struct diff_row *row);
double diff_median(const struct diff *diff, const uint64_t *values,
		   enum diff_side side);
/* Whether so many runs could show any significant difference. */
bool diff_can_tell(const struct diff *diff);
/* Confidence interval of the ratio of wall times, B to A; -EDOM if there is
 * none. */
int diff_wall_ratio(const struct diff *diff, double *low, double *high);

const char *diff_verdict_text(enum diff_verdict verdict);
/* Text such as "0.029".  The caller frees it, and those of the functions
 * below. */
char *diff_p_text(double p);
/* Text such as "+12.3 %, slower, p = 0.029", as much as is known. */
char *diff_change_text(const struct diff_change *change);
const char *diff_time_text(double ns); /* see units_time_text */
uint64_t diff_u64(double number);

/* The different texts of a side's runs, such as "a, b and 5 more". */
char *diff_modes(const struct diff *diff, enum diff_side side);
char *diff_programs(const struct diff *diff, enum diff_side side);
/* The index of a side's first run, and one past its last. */
size_t diff_first(const struct diff *diff, enum diff_side side);
size_t diff_end(const struct diff *diff, enum diff_side side);

/* Adds a sentence if blocking calls were replaced by non-blocking ones, or
 * back. */
void diff_note_moves(const struct diff *diff, struct table *table);

/* Sections.  Each makes a table, or NULL if there is nothing to show. */
struct table *diff_runs(const struct diff *diff,
			const struct report_options *options);
struct table *diff_wall(const struct diff *diff,
			const struct report_options *options);
struct table *diff_notes(const struct diff *diff,
			 const struct report_options *options);
struct table *diff_summary(const struct diff *diff,
			   const struct report_options *options);
struct table *diff_efficiencies(const struct diff *diff,
				const struct report_options *options);
struct table *diff_account(const struct diff *diff,
			   const struct report_options *options);
struct table *diff_primitives(const struct diff *diff,
			      const struct report_options *options);
struct table *diff_sites(const struct diff *diff,
			 const struct report_options *options);
struct table *diff_ranks(const struct diff *diff,
			 const struct report_options *options);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_DIFF_H
#define BCS_DIFF_H

#include "analyzer/report/report.h"

/*
 * Two groups of runs side by side: `bcs diff`.  Of each run is kept what it
 * took for each thing, so that no more than one is in memory as a whole.
 */
enum diff_side { DIFF_A, DIFF_B, DIFF_SIDES };

struct diff_run {
	char *path;
	char *program;
	char *mode;
	uint64_t size;      /* ranks that there were; 0: unknown */
	size_t n_ranks;     /* whose files were read */
	size_t n_cut;       /* of them damaged */
	uint64_t n_missing; /* that were to record and left nothing */
	char *reasons;      /* that are not MPI_Finalize; NULL: none */
	char *statuses;     /* that are not 0; NULL: none */
};

/* What a thing took, over all ranks of a run, in each run: those of A first. */
struct diff_row {
	uint64_t *times;
	uint64_t *calls;
	size_t n_added; /* of a rank: runs that have it */
	/* Of a call site that moved, see diff_match. */
	const char *was; /* its place in A; NULL: the same */
	bool moved;      /* it counts at its place in B */
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
	DIFF_WALL, /* of the longest rank */
	DIFF_PARTS,
};

struct diff {
	size_t n[DIFF_SIDES];
	struct diff_run *runs; /* those of A first */
	size_t n_runs;         /* that were added */
	struct diff_set parts;
	struct diff_set calls;
	struct diff_set sites;     /* by place, call and module, as texts */
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

/* The next run; those of A come first. */
void diff_add(struct diff *diff, const struct run *run);
/* After the last: finds the call sites that moved to another line. */
void diff_match(struct diff *diff);

/* Whether ranks are the same ones in all runs. */
bool diff_same_ranks(const struct diff *diff);

/* A row with room for all runs; its arrays are one piece, freed by `times`. */
struct diff_row diff_row_new(const struct diff *diff);
/* To the sums of the run that is being added. */
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
	bool tested; /* there are enough runs for p to say something */
	enum diff_verdict verdict;
};

/* Of a value for each run, those of A first. */
struct diff_change diff_change_of(const struct diff *diff,
				  const uint64_t *values);
/* Of a row; with a verdict of its own for what only one group has. */
struct diff_change diff_change_of_row(const struct diff *diff,
				      const struct diff_row *row);
double diff_median(const struct diff *diff, const uint64_t *values,
		   enum diff_side side);
/* Whether a difference between so many runs can stand out at all. */
bool diff_can_tell(const struct diff *diff);
/* The interval of B's wall time to A's; -EDOM if there is none. */
int diff_wall_ratio(const struct diff *diff, double *low, double *high);

const char *diff_verdict_text(enum diff_verdict verdict);
/* "0.029"; the caller frees it, as those below. */
char *diff_p_text(double p);
/* "+12.3 %, slower, p = 0.029", as much of it as there is. */
char *diff_change_text(const struct diff_change *change);
const char *diff_time_text(double ns); /* as units_time_text */
uint64_t diff_u64(double number);

/* Different texts of a side's runs, "a, b and 5 more". */
char *diff_modes(const struct diff *diff, enum diff_side side);
char *diff_programs(const struct diff *diff, enum diff_side side);
/* Of A's runs and of B's: [first, end). */
size_t diff_first(const struct diff *diff, enum diff_side side);
size_t diff_end(const struct diff *diff, enum diff_side side);

/* Adds a sentence where calls that block were replaced, or came back. */
void diff_note_moves(const struct diff *diff, struct table *table);

/* Sections: each makes a table, or none where there is nothing to tell. */
struct table *diff_runs(const struct diff *diff,
			const struct report_options *options);
struct table *diff_wall(const struct diff *diff,
			const struct report_options *options);
struct table *diff_notes(const struct diff *diff,
			 const struct report_options *options);
struct table *diff_summary(const struct diff *diff,
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

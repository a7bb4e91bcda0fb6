/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_SETTINGS_H
#define BCS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * All settings of a user, in one table.  The preload reads them from the
 * environment, `bcs run` from its options.  Every help text is made from the
 * table.
 */
enum settings_mode { SETTINGS_OBSERVE, SETTINGS_DEMAND, SETTINGS_FIXED };
/* Recorded slices: none, those with work, all. */
enum settings_emds { SETTINGS_EMDS_OFF, SETTINGS_EMDS_ON, SETTINGS_EMDS_EVERY };

enum settings_polite { SETTINGS_AUTO, SETTINGS_ON, SETTINGS_OFF };

/* Faults of the program to look for, which mostly do no harm. */
#define SETTINGS_STRICT_SENDS   1u
#define SETTINGS_STRICT_BUFFERS 2u
#define SETTINGS_STRICT_RACES   4u
#define SETTINGS_STRICT_PAGES   8u

/* The reaction to ranks that wait only for each other. */
enum settings_deadlock {
	SETTINGS_DEADLOCK_REPORT,
	SETTINGS_DEADLOCK_ABORT,
	SETTINGS_DEADLOCK_STOP,
	SETTINGS_DEADLOCK_OFF,
};

/* The reaction to a run that leaves the recorded schedule. */
enum settings_diverged { SETTINGS_DIVERGED_END, SETTINGS_DIVERGED_GO_ON };

/* Metrics that are recorded besides the account: bits of settings.metrics. */
enum settings_metric {
	SETTINGS_TIME = 1 << 0, /* distribution of the time of calls */
	SETTINGS_SIZE = 1 << 1, /* distribution of the size of calls */
	/* Distribution of computation and communication. */
	SETTINGS_ACCOUNT = 1 << 2,
	SETTINGS_COMMS = 1 << 3, /* per communicator */
	SETTINGS_PEERS = 1 << 4, /* per peer */
};

/* An algorithm of a broadcast or reduction, and its segment size in bytes; 0:
 * unsegmented. */
enum settings_algorithm {
	SETTINGS_ALGORITHM_AUTO,
	SETTINGS_LINEAR,
	SETTINGS_BINARY,
	SETTINGS_BINOMIAL,
	SETTINGS_SPLIT_BINARY,
	SETTINGS_PIPELINE,
	SETTINGS_STRIPED,
	SETTINGS_NODES,
};

struct settings_method {
	enum settings_algorithm algorithm;
	uint64_t segment;
};

/* Amounts of a trace; UINT64_MAX: any. */
struct settings_amounts {
	uint64_t events;
	uint64_t bytes;
	uint64_t ns;
};

struct settings {
	enum settings_mode mode;
	uint64_t slice_ns;
	uint64_t budget; /* bytes that a slice may move; 0: it is measured */
	struct settings_method bcast;
	struct settings_method reduce;
	const char *trees; /* file names, separated by commas */
	enum settings_polite polite;
	enum settings_deadlock deadlock;
	unsigned strict;    /* SETTINGS_STRICT_... */
	unsigned node_size; /* 0: as the machine has it */
	bool mmds;
	enum settings_emds emds;
	uint64_t emds_from; /* first recorded slice */
	uint64_t emds_to;
	uint64_t emds_columns; /* bits of enum emds_column */
	uint64_t emds_resolution;
	bool trace;
	uint64_t trace_memory;
	struct settings_amounts trace_limit;
	bool trace_ring; /* the trace keeps its last events, */
	struct settings_amounts trace_kept; /* of which there are so many */
	bool advise;        /* where buffers are used again is looked for */
	bool schedule;      /* is recorded */
	const char *replay; /* folder of the record; empty: none */
	enum settings_diverged diverged;
	unsigned depth;
	unsigned resolution;
	unsigned metrics;
	int dump_signal;
	int quiesce_signal;      /* 0: none */
	unsigned quiesce_wait_s; /* for processes that compute */
	int save_s;              /* 0: never */
	bool flight;
	uint64_t memory;
	/* For the record's files, in addition to the process's umask. */
	unsigned umask;
	const char *out;
	const char *job;
	const char *ranks;
	const char *calls;
};

struct setting {
	const char *name; /* name of the variable, BCS_... */
	const char *values;
	const char *fallback;
	const char *doc;
	/* Sets `value`; false if it is not one of `values`. */
	bool (*set)(struct settings *settings, const char *value);
};

/* The name of a mode, as a user writes it. */
const char *settings_mode_name(enum settings_mode mode);

extern const struct setting settings_table[]; /* ends with a name of NULL */

/* The setting of that name, or NULL. */
const struct setting *settings_find(const char *name);

/*
 * Sets the defaults, then the values of the environment.  A bad value is
 * reported to `warn` in one line, and the default stays.  Texts must outlive
 * the settings.
 */
void settings_load(struct settings *settings, void (*warn)(const char *line));
/* The same, for a caller that does not go on with the default. */
void settings_check(struct settings *settings,
		    void (*refuse)(const char *line));

/* settings_unknown.c: each variable that is nearly a setting's, in one line. */
void settings_unknown(void (*warn)(const char *line));
/* Each call or pattern of a list that is none of `calls`, which ends with NULL.
 */
void settings_unknown_calls(const char *list, const char *const *calls,
			    void (*warn)(const char *line));

/* Whether `rank` is in a list like "0,4-7"; every rank is in "all". */
bool settings_rank_in(const char *list, long rank);
/* Whether a call's name is in a list like "MPI_Send,MPI_I*"; or "all". */
bool settings_call_in(const char *list, const char *call);

#endif

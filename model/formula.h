/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FORMULA_H
#define BCS_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "model/curve.h"

/*
 * The cost of an operation on a cluster, by the formulas of table 1 of Proficz
 * and Czarnul, "Performance and Power-Aware Modeling of MPI Applications for
 * Cluster Computing" (2015).  Times are in microseconds, sizes in bytes, power
 * in watts.  The time of the probability of success is in seconds.
 *
 * The paper leaves four points open:
 * - The base of log: here `log_base`, 2 by default.
 * - The bounds of an interval of threads: here it includes the upper one.
 * - A cluster without P_hi: here it has no hyper-threads, and the formula for
 *   above P_hi begins at P_low.
 * - The bytes: here those of all processes together for a scatter or gather,
 *   and those between two processes for an all-to-all.
 */
enum formula_operation {
	FORMULA_COMPUTE,
	FORMULA_P2P,
	FORMULA_BCAST,
	FORMULA_SCATTER,
	FORMULA_GATHER,
	FORMULA_ALLTOALL,
	FORMULA_BARRIER,
	FORMULA_READ,
	FORMULA_WRITE,
	FORMULA_POWER,
	FORMULA_SUCCESS,
	FORMULA_OPERATIONS,
};

/* The parameters of table 3, in its order. */
enum formula_param {
	FORMULA_P_LOW,
	FORMULA_P_HI,
	FORMULA_T_MIN,
	FORMULA_T_LOW,
	FORMULA_T_HI,
	FORMULA_K_HI,
	FORMULA_D_TU,
	FORMULA_T_P2P,
	FORMULA_K_P2P,
	FORMULA_T_BCAST,
	FORMULA_K_BCAST,
	FORMULA_T_SCATTER,
	FORMULA_K_SCATTER,
	FORMULA_T_GATHER,
	FORMULA_K_GATHER,
	FORMULA_T_ALLTOALL,
	FORMULA_K_ALLTOALL,
	FORMULA_T_BARRIER,
	FORMULA_K_BARRIER,
	FORMULA_T_READ,
	FORMULA_K_READ,
	FORMULA_T_WRITE,
	FORMULA_K_WRITE,
	FORMULA_PW_LOW,
	FORMULA_KW_LOW,
	FORMULA_PW_HI,
	FORMULA_KW_HI,
	FORMULA_PW_MAX,
	FORMULA_LAMBDA,
	FORMULA_PARAMS, /* also stands for: no parameter */
};

#define FORMULA_NAME_MAX 48
#define FORMULA_LOG_BASE 2.0

/* A cluster.  Unknown parameters are NAN. */
struct formula_system {
	char name[FORMULA_NAME_MAX];
	double log_base;
	double params[FORMULA_PARAMS];
	/* Replaces the formula of an operation, or NULL; see system_file.h. */
	struct curve *curves[FORMULA_OPERATIONS];
	/* Factor by which an operation's time may differ from the prediction,
	 * with 95 % confidence; 0: not known. */
	double spreads[FORMULA_OPERATIONS];
};

/* The inputs of formulas, a bit each. */
enum formula_given {
	FORMULA_INSTRUCTIONS = 1 << 0,
	FORMULA_THREADS = 1 << 1, /* active threads of a node */
	FORMULA_BYTES = 1 << 2,
	FORMULA_PROCESSES = 1 << 3, /* nodes, as the paper counts */
	FORMULA_SECONDS = 1 << 4,
};

struct formula_input {
	double instructions;
	double threads;
	double bytes;
	double processes;
	double seconds;
};

struct formula {
	const char *name;
	unsigned given; /* bits of enum formula_given, in its order */
	const char *unit;
	const char *text; /* the formula, for display */
	/* Parameters of a formula T + K x; else FORMULA_PARAMS. */
	enum formula_param t;
	enum formula_param k;
};

struct formula_value {
	double value;
	/* The interval of a measurement, with 95 % confidence; NAN: none. */
	double low;
	double high;
	bool clamped; /* the formula gave a time below 0, which became 0 */
	/* The curve was not measured for so many processes: its nearest row. */
	bool outside;
};

extern const struct formula formulas[FORMULA_OPERATIONS];

/* Makes a system of which only the base of log is known. */
void formula_system_init(struct formula_system *system, const char *name);
/* Frees the curves. */
void formula_system_clear(struct formula_system *system);

/* Look up a name.  They return FORMULA_OPERATIONS or FORMULA_PARAMS if there is
 * none. */
enum formula_operation formula_find(const char *name);
enum formula_param formula_param_find(const char *name);
const char *formula_param_name(enum formula_param param);
const char *formula_param_unit(enum formula_param param);

/*
 * Returns 0; -EDOM if `input` makes no sense (too few processes or threads, a
 * negative number); -ENODATA if the cluster lacks a parameter.  That one is
 * stored in `lacking`, which may be NULL.
 */
int formula_eval(const struct formula_system *system,
		 enum formula_operation operation,
		 const struct formula_input *input, struct formula_value *value,
		 enum formula_param *lacking);

/* Whether its curve has a row for each number of processes. */
bool formula_by_processes(enum formula_operation operation);

/*
 * Computes x of an operation T + K x: the bytes, rounded up to a multiple of
 * `unit`, times the operation's factor of log(P) and P.
 */
double formula_x(enum formula_operation operation,
		 const struct formula_input *input, double unit,
		 double log_base);

#endif

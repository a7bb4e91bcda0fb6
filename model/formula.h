/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FORMULA_H
#define BCS_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "model/curve.h"

/*
 * What an operation takes on a cluster, by the formulas of table 1 of Proficz
 * and Czarnul, "Performance and Power-Aware Modeling of MPI Applications for
 * Cluster Computing" (2015).  Times are in microseconds, sizes in bytes, power
 * in watts, the time of the probability of success in seconds.
 *
 * What the paper leaves open is decided so: log is of base `log_base`, 2 if
 * nothing else is said; an interval of threads has its upper bound in it; a
 * cluster without P_hi, having no hyper-threads, goes from P_low on to what
 * holds above P_hi; the bytes of a scatter or gather are those of all
 * processes, of an all-to-all those between two.
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
	FORMULA_PARAMS, /* FORMULA_PARAMS: none */
};

#define FORMULA_NAME_MAX 48
#define FORMULA_LOG_BASE 2.0

/* A cluster; what is not known of it is NAN. */
struct formula_system {
	char name[FORMULA_NAME_MAX];
	double log_base;
	double params[FORMULA_PARAMS];
	/* What takes the place of a formula, or NULL; see system_file.h. */
	struct curve *curves[FORMULA_OPERATIONS];
};

/* What an operation is asked for; each formula takes some of it. */
enum formula_given {
	FORMULA_INSTRUCTIONS = 1 << 0,
	FORMULA_THREADS = 1 << 1, /* active ones of a node */
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
	unsigned given; /* of enum formula_given, in its order */
	const char *unit;
	const char *text; /* the formula, for people */
	/* Of those that are T + K x; else FORMULA_PARAMS. */
	enum formula_param t;
	enum formula_param k;
};

struct formula_value {
	double value;
	bool clamped; /* the formula has a time below 0: 0 stands for it */
	bool outside; /* a curve was asked beyond its processes: its edge */
};

extern const struct formula formulas[FORMULA_OPERATIONS];

/* Knows nothing of its cluster but the base of log. */
void formula_system_init(struct formula_system *system, const char *name);
/* The curves are freed. */
void formula_system_clear(struct formula_system *system);

/* FORMULA_OPERATIONS, or FORMULA_PARAMS, if there is none of that name. */
enum formula_operation formula_find(const char *name);
enum formula_param formula_param_find(const char *name);
const char *formula_param_name(enum formula_param param);
const char *formula_param_unit(enum formula_param param);

/*
 * Returns 0; -EDOM if `input` makes no sense (processes or threads that are
 * too few, something negative); -ENODATA if the cluster lacks a parameter,
 * which is `lacking` then (may be NULL).
 */
int formula_eval(const struct formula_system *system,
		 enum formula_operation operation,
		 const struct formula_input *input, struct formula_value *value,
		 enum formula_param *lacking);

/* Whether it has a row for each number of processes. */
bool formula_by_processes(enum formula_operation operation);

/*
 * x of an operation that is T + K x: the bytes, rounded up to a multiple of
 * `unit`, times what the operation has of log(P) and P.
 */
double formula_x(enum formula_operation operation,
		 const struct formula_input *input, double unit,
		 double log_base);

#endif

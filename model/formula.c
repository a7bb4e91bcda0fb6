/* SPDX-License-Identifier: BSD-3-Clause */

/* The formulas of operations, with the names of their parameters. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/formula.h"

#define NO_T FORMULA_PARAMS
#define NO_K FORMULA_PARAMS

const struct formula formulas[FORMULA_OPERATIONS] = {
	[FORMULA_COMPUTE] = { "compute", FORMULA_INSTRUCTIONS | FORMULA_THREADS,
			      "us",
			      "T_min h up to P_low threads, T_low h up to "
			      "P_hi, (T_hi + K_hi p) h above",
			      NO_T, NO_K },
	[FORMULA_P2P] = { "p2p", FORMULA_BYTES, "us", "T + K ceil(d/D_tu) D_tu",
			  FORMULA_T_P2P, FORMULA_K_P2P },
	[FORMULA_BCAST] = { "bcast", FORMULA_BYTES | FORMULA_PROCESSES, "us",
			    "T + K ceil(d/D_tu) D_tu log(P)", FORMULA_T_BCAST,
			    FORMULA_K_BCAST },
	[FORMULA_SCATTER] = { "scatter", FORMULA_BYTES | FORMULA_PROCESSES,
			      "us", "T + K ceil(d/D_tu) D_tu log(P)/P",
			      FORMULA_T_SCATTER, FORMULA_K_SCATTER },
	[FORMULA_GATHER] = { "gather", FORMULA_BYTES | FORMULA_PROCESSES, "us",
			     "T + K ceil(d/D_tu) D_tu log(P)/P",
			     FORMULA_T_GATHER, FORMULA_K_GATHER },
	[FORMULA_ALLTOALL] = { "alltoall", FORMULA_BYTES | FORMULA_PROCESSES,
			       "us", "T + K ceil(d/D_tu) D_tu P",
			       FORMULA_T_ALLTOALL, FORMULA_K_ALLTOALL },
	[FORMULA_BARRIER] = { "barrier", FORMULA_PROCESSES, "us",
			      "T + K log(P)", FORMULA_T_BARRIER,
			      FORMULA_K_BARRIER },
	[FORMULA_READ] = { "read", FORMULA_BYTES, "us",
			   "T + K ceil(d/D_tu) D_tu", FORMULA_T_READ,
			   FORMULA_K_READ },
	[FORMULA_WRITE] = { "write", FORMULA_BYTES, "us",
			    "T + K ceil(d/D_tu) D_tu", FORMULA_T_WRITE,
			    FORMULA_K_WRITE },
	[FORMULA_POWER] = { "power", FORMULA_THREADS, "W",
			    "PW_low + KW_low p up to P_low threads, "
			    "PW_hi + KW_hi p up to P_hi, PW_max above",
			    NO_T, NO_K },
	[FORMULA_SUCCESS] = { "success", FORMULA_PROCESSES | FORMULA_SECONDS,
			      "1", "exp(-lambda t P)", NO_T, NO_K },
};

static const struct {
	const char *name;
	const char *unit;
} params[FORMULA_PARAMS] = {
	[FORMULA_P_LOW] = { "p_low", "threads" },
	[FORMULA_P_HI] = { "p_hi", "threads" },
	[FORMULA_T_MIN] = { "t_min", "us" },
	[FORMULA_T_LOW] = { "t_low", "us" },
	[FORMULA_T_HI] = { "t_hi", "us" },
	[FORMULA_K_HI] = { "k_hi", "us" },
	[FORMULA_D_TU] = { "d_tu", "B" },
	[FORMULA_T_P2P] = { "t_p2p", "us" },
	[FORMULA_K_P2P] = { "k_p2p", "us/B" },
	[FORMULA_T_BCAST] = { "t_bcast", "us" },
	[FORMULA_K_BCAST] = { "k_bcast", "us/B" },
	[FORMULA_T_SCATTER] = { "t_scatter", "us" },
	[FORMULA_K_SCATTER] = { "k_scatter", "us/B" },
	[FORMULA_T_GATHER] = { "t_gather", "us" },
	[FORMULA_K_GATHER] = { "k_gather", "us/B" },
	[FORMULA_T_ALLTOALL] = { "t_alltoall", "us" },
	[FORMULA_K_ALLTOALL] = { "k_alltoall", "us/B" },
	[FORMULA_T_BARRIER] = { "t_barrier", "us" },
	[FORMULA_K_BARRIER] = { "k_barrier", "us" },
	[FORMULA_T_READ] = { "t_read", "us" },
	[FORMULA_K_READ] = { "k_read", "us/B" },
	[FORMULA_T_WRITE] = { "t_write", "us" },
	[FORMULA_K_WRITE] = { "k_write", "us/B" },
	[FORMULA_PW_LOW] = { "pw_low", "W" },
	[FORMULA_KW_LOW] = { "kw_low", "W" },
	[FORMULA_PW_HI] = { "pw_hi", "W" },
	[FORMULA_KW_HI] = { "kw_hi", "W" },
	[FORMULA_PW_MAX] = { "pw_max", "W" },
	[FORMULA_LAMBDA] = { "lambda", "1/s" },
};

void formula_system_init(struct formula_system *system, const char *name)
{
	*system = (struct formula_system){ .log_base = FORMULA_LOG_BASE };
	snprintf(system->name, sizeof(system->name), "%s", name);
	for (size_t i = 0; i < FORMULA_PARAMS; i++)
		system->params[i] = NAN;
}

void formula_system_clear(struct formula_system *system)
{
	for (size_t i = 0; i < FORMULA_OPERATIONS; i++)
		free(system->curves[i]);
	memset(system->curves, 0, sizeof(system->curves));
}

bool formula_by_processes(enum formula_operation operation)
{
	const unsigned both = FORMULA_BYTES | FORMULA_PROCESSES;

	return (formulas[operation].given & both) == both;
}

enum formula_operation formula_find(const char *name)
{
	int i = 0;

	while (i < FORMULA_OPERATIONS && strcmp(formulas[i].name, name) != 0)
		i++;
	return (enum formula_operation)i;
}

enum formula_param formula_param_find(const char *name)
{
	int i = 0;

	while (i < FORMULA_PARAMS && strcmp(params[i].name, name) != 0)
		i++;
	return (enum formula_param)i;
}

const char *formula_param_name(enum formula_param param)
{
	return params[param].name;
}

const char *formula_param_unit(enum formula_param param)
{
	return params[param].unit;
}

double formula_x(enum formula_operation operation,
		 const struct formula_input *input, double unit,
		 double log_base)
{
	const double bytes = ceil(input->bytes / unit) * unit;
	const double logarithm = log(input->processes) / log(log_base);

	switch (operation) {
	case FORMULA_BCAST:
		return bytes * logarithm;
	case FORMULA_SCATTER:
	case FORMULA_GATHER:
		return bytes * logarithm / input->processes;
	case FORMULA_ALLTOALL:
		return bytes * input->processes;
	case FORMULA_BARRIER:
		return logarithm;
	default:
		return bytes;
	}
}

/* A system, and the first parameter that a formula needed and was unknown. */
struct view {
	const struct formula_system *system;
	enum formula_param lacking;
};

static double get(struct view *view, enum formula_param param)
{
	const double value = view->system->params[param];

	if (isnan(value) && view->lacking == FORMULA_PARAMS)
		view->lacking = param;
	return value;
}

static double p_hi(struct view *view)
{
	const double p_low = get(view, FORMULA_P_LOW);

	return fmax(view->system->params[FORMULA_P_HI], p_low);
}

static double compute(struct view *view, const struct formula_input *input)
{
	double each;

	if (input->threads <= get(view, FORMULA_P_LOW))
		each = get(view, FORMULA_T_MIN);
	else if (input->threads <= p_hi(view))
		each = get(view, FORMULA_T_LOW);
	else
		each = get(view, FORMULA_T_HI) +
		       get(view, FORMULA_K_HI) * input->threads;
	return each * input->instructions;
}

static double power(struct view *view, const struct formula_input *input)
{
	if (input->threads <= get(view, FORMULA_P_LOW))
		return get(view, FORMULA_PW_LOW) +
		       get(view, FORMULA_KW_LOW) * input->threads;
	if (input->threads <= p_hi(view))
		return get(view, FORMULA_PW_HI) +
		       get(view, FORMULA_KW_HI) * input->threads;
	return get(view, FORMULA_PW_MAX);
}

static double linear(struct view *view, enum formula_operation operation,
		     const struct formula_input *input)
{
	const struct formula *formula = &formulas[operation];
	const double unit = formula->given & FORMULA_BYTES
				    ? get(view, FORMULA_D_TU)
				    : 1;

	return get(view, formula->t) +
	       get(view, formula->k) * formula_x(operation, input, unit,
						 view->system->log_base);
}

static double value_of(struct view *view, enum formula_operation operation,
		       const struct formula_input *input)
{
	switch (operation) {
	case FORMULA_COMPUTE:
		return compute(view, input);
	case FORMULA_POWER:
		return power(view, input);
	case FORMULA_SUCCESS:
		return exp(-get(view, FORMULA_LAMBDA) * input->seconds *
			   input->processes);
	default:
		return linear(view, operation, input);
	}
}

static bool makes_sense(unsigned given, const struct formula_input *input)
{
	return !(
		(given & FORMULA_INSTRUCTIONS && !(input->instructions >= 0)) ||
		(given & FORMULA_THREADS && !(input->threads >= 0)) ||
		(given & FORMULA_BYTES && !(input->bytes >= 0)) ||
		(given & FORMULA_PROCESSES && !(input->processes >= 1)) ||
		(given & FORMULA_SECONDS && !(input->seconds >= 0)));
}

static double of_curve(const struct formula_system *system,
		       enum formula_operation operation,
		       const struct formula_input *input, bool *outside)
{
	const double x = formula_by_processes(operation)
				 ? input->bytes
				 : formula_x(operation, input, 1,
					     system->log_base);

	return curve_value(system->curves[operation], input->processes, x,
			   outside);
}

static void put_interval(double spread, enum formula_operation operation,
			 struct formula_value *value)
{
	value->low = value->high = NAN;
	if (!(spread > 0) || value->clamped || value->outside)
		return;
	value->low = value->value / spread;
	value->high = value->value * spread;
	if (operation == FORMULA_SUCCESS)
		value->high = fmin(value->high, 1);
}

int formula_eval(const struct formula_system *system,
		 enum formula_operation operation,
		 const struct formula_input *input, struct formula_value *value,
		 enum formula_param *lacking)
{
	struct view view = { system, FORMULA_PARAMS };
	double result;

	value->outside = false;
	if (!makes_sense(formulas[operation].given, input))
		return -EDOM;
	if (system->curves[operation])
		result = of_curve(system, operation, input, &value->outside);
	else
		result = value_of(&view, operation, input);
	if (lacking)
		*lacking = view.lacking;
	if (view.lacking != FORMULA_PARAMS)
		return -ENODATA;
	value->clamped = result < 0;
	value->value = result < 0 ? 0 : result;
	put_interval(system->spreads[operation], operation, value);
	return 0;
}

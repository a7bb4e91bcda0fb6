/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The readers of measurements and of systems.  Every value that is accepted is
 * one that its formula can have, and a system answers whatever it is asked.
 */
#include <math.h>
#include <stdlib.h>

#include "model/points.h"
#include "model/system_file.h"
#include "tests/fuzz/fuzz.h"

static void fail_if(bool wrong)
{
	if (wrong)
		abort();
}

static void ask(const struct formula_system *system)
{
	struct formula_input input = { 1e6, 3, 4096, 4, 60 };
	struct formula_value value;

	for (int i = 0; i < FORMULA_OPERATIONS; i++)
		for (double p = 1; p < 1e6; p *= 7) {
			input.processes = input.threads = p;
			input.bytes = p * p;
			if (formula_eval(system, (enum formula_operation)i,
					 &input, &value, NULL) == 0)
				fail_if(value.value < 0);
		}
}

static void check_points(const struct points *points)
{
	fail_if(points->n == 0);
	for (size_t i = 0; i < points->n; i++) {
		const struct point *point = &points->points[i];

		fail_if(point->operation >= FORMULA_OPERATIONS);
		fail_if(!(point->value > 0) || !isfinite(point->value));
		fail_if(!(point->input.bytes >= 0));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct tree_fault fault = { "" };
	struct formula_system system;
	struct points points = { 0 };

	if (system_file_read(&system, text, size, &fault) == 0) {
		ask(&system);
		formula_system_clear(&system);
	} else {
		fail_if(*fault.text == '\0');
	}
	if (points_read(&points, text, size, "mpi", &fault) == 0) {
		points_sort(&points);
		check_points(&points);
	}
	points_clear(&points);
	return 0;
}

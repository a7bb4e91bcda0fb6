/* SPDX-License-Identifier: BSD-3-Clause */

/* The cells of sweep: the blocks of an octant, and the work in each. */
#include "sweep_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"

#define OCTANTS      8
#define POLAR        4
#define ANGLES       (POLAR * POLAR) /* in an octant */
#define ANGLE_BLOCK  8
#define PLANE_BLOCKS 2

#define OCTANT_STEPS (ANGLES / ANGLE_BLOCK * PLANE_BLOCKS)

_Static_assert(SWEEP_STEPS == OCTANTS * OCTANT_STEPS, "blocks of each octant");

#define WIDTH      10.0 /* of the grid, in free paths */
#define SCATTERING 0.5

enum { Z = AXES };

static struct angle {
	double along[Z + 1];
	double sum;
	double weight;
} angles[ANGLES];

static struct sweep_part part;

/*
 * The flux in each cell, x fastest, then y, and the flux of the iteration
 * before.
 */
static double *flux;
static double *before; /* the flux */
static double *source;
static double *total; /* what of the flow is stopped */

/* The flow up or down, for each angle of a block, y and x. */
static double *column;

struct sweep_step sweep_step_at(int number)
{
	const int octant = number / OCTANT_STEPS;
	const int block = number / PLANE_BLOCKS % (ANGLES / ANGLE_BLOCK);
	const int which = number % PLANE_BLOCKS;
	struct sweep_step step = {
		.angles = &angles[block * ANGLE_BLOCK],
		.forward = { !(octant & 4), !(octant & 2), !(octant & 1) },
		.plane = kernel_first(part.n, which, PLANE_BLOCKS),
	};

	step.planes = kernel_first(part.n, which + 1, PLANE_BLOCKS) -
		      step.plane;
	for (enum axis axis = X; axis < AXES; axis++)
		step.count[axis] = ANGLE_BLOCK * step.planes *
				   part.cells[!axis];
	return step;
}

struct line {
	const double *source;
	const double *total;
	double *flux;
	double *y;
	double *z;
};

/* Along x from one end; what enters there is x, what leaves is returned. */
static double line_sweep(const struct line *line, const struct angle *angle,
			 int forward, double x)
{
	const int by = forward ? 1 : -1;
	int i = forward ? 0 : part.cells[X] - 1;

	for (int left = part.cells[X]; left > 0; left--, i += by) {
		const double in = line->source[i] + angle->along[X] * x +
				  angle->along[Y] * line->y[i] +
				  angle->along[Z] * line->z[i];
		const double middle = in / (line->total[i] + angle->sum);

		line->flux[i] += angle->weight * middle;
		x = 2 * middle - x;
		line->y[i] = 2 * middle - line->y[i];
		line->z[i] = 2 * middle - line->z[i];
	}
	return x;
}

/* A plane for one angle: `x` has a place for each y, `y` one for each x. */
static void plane_sweep(const struct sweep_step *step, int angle, int z,
			double *x, double *y)
{
	for (int i = 0; i < part.cells[Y]; i++) {
		const int at = step->forward[Y] ? i : part.cells[Y] - 1 - i;
		const long cell = ((long)z * part.cells[Y] + at) *
				  part.cells[X];
		const long up = ((long)angle * part.cells[Y] + at) *
				part.cells[X];
		const struct line line = { source + cell, total + cell,
					   flux + cell, y, column + up };

		x[at] = line_sweep(&line, &step->angles[angle],
				   step->forward[X], x[at]);
	}
}

/* Across X and Y: of each angle, plane and place on that side. */
void sweep_step_do(const struct sweep_step *step, double *face[AXES])
{
	const size_t area = (size_t)part.cells[X] * (size_t)part.cells[Y];

	if (step->plane == 0)
		memset(column, 0, ANGLE_BLOCK * area * sizeof(double));
	for (int angle = 0; angle < ANGLE_BLOCK; angle++)
		for (int i = 0; i < step->planes; i++) {
			const int at = step->plane + i;
			const int z = step->forward[Z] ? at : part.n - 1 - at;
			const long side = (long)angle * step->planes + i;

			plane_sweep(step, angle, z,
				    face[X] + side * part.cells[Y],
				    face[Y] + side * part.cells[X]);
		}
}

/*
 * Makes as many angles from pole to equator as around, all of the same weight.
 */
static void angles_make(void)
{
	const double right = acos(0);

	for (int i = 0; i < ANGLES; i++) {
		struct angle *angle = &angles[i];
		const double up = (i / POLAR + 0.5) / POLAR;
		const double around = right * (i % POLAR + 0.5) / POLAR;

		angle->along[X] = sqrt(1 - up * up) * cos(around);
		angle->along[Y] = sqrt(1 - up * up) * sin(around);
		angle->along[Z] = up;
		for (int axis = X; axis <= Z; axis++) {
			angle->along[axis] *= 2 * part.n / WIDTH;
			angle->sum += angle->along[axis];
		}
		angle->weight = 1.0 / (OCTANTS * ANGLES);
	}
}

static long n_cells(void)
{
	return (long)part.n * part.cells[X] * part.cells[Y];
}

/* Where a cell is in the whole grid. */
static uint64_t place(long cell)
{
	const long x = cell % part.cells[X] + part.first[X];
	const long y = cell / part.cells[X] % part.cells[Y] + part.first[Y];
	const long z = cell / part.cells[X] / part.cells[Y];

	return (uint64_t)((z * part.n + y) * part.n + x);
}

static double *doubles(long count)
{
	return kernel_room((uint64_t)count, sizeof(double));
}

void sweep_cells_make(const struct sweep_part *of)
{
	part = *of;
	angles_make();
	flux = doubles(n_cells());
	before = doubles(n_cells());
	source = doubles(n_cells());
	total = doubles(n_cells());
	for (long i = 0; i < n_cells(); i++)
		total[i] = 0.5 + (double)(place(i) % 11) / 10;
	column = doubles((long)ANGLE_BLOCK * part.cells[X] * part.cells[Y]);
}

void sweep_cells_free(void)
{
	free(column);
	free(total);
	free(source);
	free(before);
	free(flux);
}

uint64_t sweep_cells_face(enum axis axis)
{
	const int planes = part.n / PLANE_BLOCKS + 1;

	return (uint64_t)ANGLE_BLOCK * (uint64_t)planes *
	       (uint64_t)part.cells[!axis];
}

void sweep_cells_emit(void)
{
	for (long i = 0; i < n_cells(); i++) {
		source[i] = 1 + SCATTERING * total[i] * flux[i];
		before[i] = flux[i];
		flux[i] = 0;
	}
}

double sweep_cells_changed(void)
{
	double most = 0;

	for (long i = 0; i < n_cells(); i++)
		most = fmax(most, fabs(flux[i] - before[i]));
	return most;
}

uint64_t sweep_cells_check(void)
{
	uint64_t check = 0;

	for (long i = 0; i < n_cells(); i++)
		check += kernel_hash(place(i), flux[i]);
	return check;
}

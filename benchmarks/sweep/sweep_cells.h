/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SWEEP_CELLS_H
#define SWEEP_CELLS_H

#include <stdint.h>

/* The cells of a rank of sweep, and what a step does in them; it knows no MPI.
 */

#define SWEEP_STEPS 32 /* in which all directions go through all planes */

enum axis { X, Y, AXES };

/* The cells of n x n x n in a column that is `cells` wide, from `first` on. */
struct sweep_part {
	int n;
	int first[AXES];
	int cells[AXES];
};

/* A block of angles in a block of planes; the same on all ranks. */
struct sweep_step {
	const struct angle *angles;
	int forward[AXES + 1]; /* whether up along X, Y and Z */
	int plane;             /* the first, in the order they come */
	int planes;
	int count[AXES]; /* of doubles that enter and leave across X and Y */
};

struct sweep_step sweep_step_at(int number);

/* Turns the flow that enters across X and Y into the flow that leaves there. */
void sweep_step_do(const struct sweep_step *step, double *face[AXES]);

/* Makes the one part of this process; its flux is zero. */
void sweep_cells_make(const struct sweep_part *part);
void sweep_cells_free(void);

/* The most that any step has to count across X or Y. */
uint64_t sweep_cells_face(enum axis axis);

/* The sources for the next round, of the flux; the flux is zero then. */
void sweep_cells_emit(void);

/* By how much the flux of a cell did change in a round, at most. */
double sweep_cells_changed(void);

/* A hash of the flux, to be summed over all ranks. */
uint64_t sweep_cells_check(void);

#endif

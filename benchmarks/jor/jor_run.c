/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Solves the problem: relaxes, exchanges borders, and looks at the error after
 * each period.
 */
#include "jor_run.h"

#include <stdlib.h>

#include "benchmarks/lib/kernel.h"
#include "jor_grid.h"
#include "jor_halo.h"

struct solver {
	const struct run *run;
	struct part mine;
	struct grid grid;
	struct halo halo;
	const struct slow *slow; /* NULL: not now */
	double step;             /* what this iteration computed */
	double busy;             /* and all, with what it idled for it */
	double debt;             /* of idling that is still to be done */
};

static struct solver solver_new(const struct run *run, const struct slow *slow)
{
	const int ranks = run->layout.ranks[0] + run->layout.ranks[1];
	struct part *parts = kernel_room((uint64_t)ranks, sizeof(*parts));
	struct solver new = { .run = run, .slow = slow };
	int rank;

	MPI_Comm_rank(run->comm, &rank);
	layout_parts(&run->layout, parts);
	new.mine = parts[rank];
	new.grid = grid_new(new.mine.rows, new.mine.columns);
	new.halo = halo_new(run->comm, parts);
	free(parts);
	grid_begin(&new.grid);
	return new;
}

static uint64_t solver_end(struct solver *solver)
{
	const struct part *mine = &solver->mine;
	const uint64_t check = grid_check(&solver->grid, mine->top, mine->left,
					  solver->run->layout.columns);

	grid_free(&solver->grid);
	halo_free(&solver->halo);
	return check;
}

static bool throttled(const struct solver *solver)
{
	return solver->slow && solver->slow->duty < 1;
}

/* Others that have the core do not count where it matters. */
static double now(const struct solver *solver)
{
	return throttled(solver) ? slow_busy() : slow_now();
}

static void compute(struct solver *solver, void (*relax)(struct grid *))
{
	const double begin = now(solver);

	relax(&solver->grid);
	solver->step += now(solver) - begin;
}

static void idle(struct solver *solver)
{
	if (throttled(solver)) {
		slow_idle(solver->slow, solver->step, &solver->debt);
		solver->step /= solver->slow->duty;
	}
	solver->busy += solver->step;
	solver->step = 0;
}

static void relax_all(struct grid *grid)
{
	grid_relax_inside(grid);
	grid_relax_edges(grid);
}

static void iterate(struct solver *solver, bool across)
{
	const bool overlap = solver->run->overlap;

	halo_begin(&solver->halo, &solver->grid, across, !overlap);
	if (overlap)
		compute(solver, grid_relax_inside);
	halo_end(&solver->halo, &solver->grid, across, solver->slow);
	compute(solver, overlap ? grid_relax_edges : relax_all);
	idle(solver);
	grid_next(&solver->grid);
}

/* Whether the error is small enough at all. */
static bool converged(struct solver *solver)
{
	int within = grid_within(&solver->grid, RUN_ERROR);

	MPI_Allreduce(MPI_IN_PLACE, &within, 1, MPI_INT, MPI_LAND,
		      solver->run->comm);
	return within;
}

int run_count(const struct run *run, uint64_t *check)
{
	struct solver solver = solver_new(run, NULL);
	int iterations = 0;

	do {
		for (int i = 0; i < run->period; i++)
			iterate(&solver, i == 0);
		iterations += run->period;
	} while (!converged(&solver));
	*check = solver_end(&solver);
	MPI_Allreduce(MPI_IN_PLACE, check, 1, MPI_UINT64_T, MPI_SUM, run->comm);
	return iterations;
}

/* The result of all, at all. */
static void gather(MPI_Comm comm, struct run_result *result)
{
	double most[3] = { result->seconds, result->busy[0], result->busy[1] };

	MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, comm);
	MPI_Allreduce(MPI_IN_PLACE, &result->check, 1, MPI_UINT64_T, MPI_SUM,
		      comm);
	result->seconds = most[0];
	result->busy[0] = most[1];
	result->busy[1] = most[2];
}

struct run_result run_time(const struct run *run, int iterations)
{
	struct solver solver = solver_new(run, run->slow);
	struct run_result result = { 0 };
	double begin;

	MPI_Barrier(run->comm);
	begin = slow_now();
	for (int i = 0; i < iterations; i++)
		iterate(&solver, i % run->period == 0);
	result.seconds = slow_now() - begin;
	result.busy[solver.mine.site] = solver.busy;
	result.check = solver_end(&solver);
	gather(run->comm, &result);
	return result;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A program that saves its state in the hook of a known state (bcs.h).  Started
 * again, it goes on from there.  It asks for the known state before call number
 * CALL.  HOW is pcontrol, quiesce or signal; with none it never asks, and with
 * timer it asks by signals from there on to the end.
 *
 * Its state is the number of a call of MPI, and the data that this call reads
 * and writes.  All sends are synchronous, so that a call is done at both ranks
 * or at none.  Prints a hash of the result.
 * usage: quiet STEPS FOLDER HOW CALL
 *        quiet STEPS FOLDER restart
 */
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libbcs/api/bcs.h"

#define WORDS 20000
#define CALLS 4 /* of a step */

static struct state {
	uint64_t call;
	uint64_t slice;
	uint64_t open;
	uint64_t x[WORDS];
	uint64_t y[WORDS];
} state;

static const char *folder;
static int rank;
static int size;

static FILE *file_open(const char *mode)
{
	char name[512];
	FILE *file;

	snprintf(name, sizeof(name), "%s/state.%d", folder, rank);
	file = fopen(name, mode);
	if (!file) {
		perror(name);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return file;
}

static void save(const struct bcs_known *known, void *arg)
{
	FILE *file = file_open("w");

	(void)arg;
	state.slice = known->slice;
	state.open = known->open;
	fwrite(&state, sizeof(state), 1, file);
	fclose(file);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
	return a ^ a >> 29;
}

static void compute(uint64_t call)
{
	volatile double x = 0;

	for (uint64_t i = mix(call, (uint64_t)rank) % 60000; i > 0; i--)
		x = x + 1.0 / (double)i;
}

static void pass_on(void)
{
	MPI_Ssend(state.x, WORDS, MPI_UINT64_T, (rank + 1) % size, 1,
		  MPI_COMM_WORLD);
}

static void take(void)
{
	MPI_Recv(state.y, WORDS, MPI_UINT64_T, (rank + size - 1) % size, 1,
		 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Nothing of the state changes before MPI has done its part. */
static void fold(void)
{
	static uint64_t x[WORDS];
	uint64_t sum[8];

	for (unsigned i = 0; i < WORDS; i++)
		x[i] = mix(state.x[i], state.y[i]);
	memcpy(sum, x, sizeof(sum));
	MPI_Allreduce(MPI_IN_PLACE, sum, 8, MPI_UINT64_T, MPI_SUM,
		      MPI_COMM_WORLD);
	for (unsigned i = 0; i < WORDS; i++)
		state.x[i] = mix(x[i], sum[i % 8]);
}

static void call_next(void)
{
	switch (state.call % CALLS) {
	case 0:
		rank == 0 ? take() : pass_on();
		break;
	case 1:
		rank == 0 ? pass_on() : take();
		break;
	case 2:
		fold();
		break;
	default:
		MPI_Barrier(MPI_COMM_WORLD);
		break;
	}
	state.call++;
}

static void begin(void)
{
	for (unsigned i = 0; i < WORDS; i++)
		state.x[i] = mix(i, (uint64_t)rank + 1);
}

/* All stopped at the same boundary. */
static void restart(void)
{
	FILE *file = file_open("r");
	uint64_t slices[2];

	if (fread(&state, sizeof(state), 1, file) != 1)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fclose(file);
	slices[0] = state.slice;
	slices[1] = ~state.slice;
	MPI_Allreduce(MPI_IN_PLACE, slices, 2, MPI_UINT64_T, MPI_MAX,
		      MPI_COMM_WORLD);
	if (slices[0] != ~slices[1])
		printf("rank %d: another boundary\n", rank);
	if (state.open > 1)
		printf("rank %d: %d operations were open\n", rank,
		       (int)state.open);
}

static void signal_often(void)
{
	const struct itimerspec often = { { 0, 300000 }, { 0, 300000 } };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGURG };
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &often, NULL);
}

static void ask(const char *how)
{
	int rc = 0;

	if (strcmp(how, "pcontrol") == 0)
		rc = MPI_Pcontrol(6);
	else if (strcmp(how, "quiesce") == 0)
		rc = bcs_quiesce();
	else if (strcmp(how, "signal") == 0)
		raise(SIGURG);
	else if (strcmp(how, "timer") == 0)
		signal_often();
	if (rc != 0)
		printf("rank %d: %s: %d\n", rank, how, rc);
}

int main(int argc, char **argv)
{
	const uint64_t steps = strtoull(argv[1], NULL, 10);
	const char *how = argv[3];
	const uint64_t when = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	uint64_t hash = 0;

	folder = argv[2];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	begin();
	if (strcmp(how, "restart") == 0)
		restart();
	bcs_on_quiesce(save, NULL);
	while (state.call < steps * CALLS) {
		if (state.call == when && rank == size - 1 && argc > 4)
			ask(how);
		compute(state.call);
		call_next();
	}
	for (unsigned i = 0; i < WORDS; i++)
		hash = mix(hash, state.x[i]);
	MPI_Allreduce(MPI_IN_PLACE, &hash, 1, MPI_UINT64_T, MPI_SUM,
		      MPI_COMM_WORLD);
	if (rank == 0)
		printf("%016llx\n", (unsigned long long)hash);
	MPI_Finalize();
	return 0;
}

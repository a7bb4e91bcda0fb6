/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The number of operations the simulator does in a second of processor time.
 * Processes in a ring compute, exchange a message with a neighbour without
 * blocking, and meet in a collective now and then.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/sim_engine.h"

#define STEP  5  /* operations of a step */
#define MEETS 64 /* steps from one collective to the next */

struct process {
	uint32_t number;
	uint32_t n;
	uint32_t left; /* steps */
	int at;
};

static double local(void *self, uint32_t process, const struct sim_op *op,
		    double when)
{
	(void)when;
	(void)self;
	return op->amount * (1 + process % 7);
}

static void message(void *self, uint32_t from, uint32_t to, uint64_t bytes,
		    struct sim_cost *cost)
{
	(void)self;
	(void)from;
	(void)to;
	cost->send = cost->wire = cost->receive = 1e-6 + 1e-9 * (double)bytes;
}

static double collective(void *self, uint32_t group, enum sim_collective which,
			 uint64_t bytes, struct sim_path *path)
{
	(void)self;
	(void)group;
	(void)which;
	(void)bytes;
	(void)path;
	return 1e-5;
}

static int next(void *self, struct sim_op *op)
{
	struct process *process = self;
	const uint32_t n = process->n;

	*op = (struct sim_op){ .bytes = 64, .threads = 1 };
	switch (process->at++) {
	case 0:
		op->kind = process->left ? SIM_IRECV : SIM_END;
		op->peer = (int32_t)((process->number + n - 1) % n);
		op->request = 0;
		break;
	case 1:
		op->kind = SIM_ISEND;
		op->peer = (int32_t)((process->number + 1) % n);
		op->request = 1;
		break;
	case 2:
		op->kind = SIM_COMPUTE;
		op->amount = 1e-6;
		break;
	case 3:
	case 4:
		op->kind = SIM_WAIT;
		op->request = (uint32_t)process->at - 4;
		break;
	default:
		process->left--;
		process->at = 0;
		if (process->left % MEETS)
			return next(self, op);
		op->kind = SIM_COLLECTIVE;
		op->collective = SIM_ALLREDUCE;
	}
	return 0;
}

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Prints processes, operations, and millions of these a second. */
static int measure(uint32_t n, uint32_t operations)
{
	const struct sim_setup setup = {
		.machine = { NULL, local, message, collective, 8192, false,
			     NULL },
		.n_processes = n,
	};
	struct process *processes = calloc(n, sizeof(*processes));
	struct sim_engine *engine = sim_engine_new(&setup);
	struct sim_source source = { .next = next };
	struct tree_fault fault;
	double begun;
	int rc = -ENOMEM;

	for (uint32_t i = 0; processes && engine && i < n; i++) {
		processes[i] = (struct process){ i, n, operations / STEP / n,
						 0 };
		source.self = &processes[i];
		sim_engine_process(engine, i, &source, 1);
	}
	begun = processor_seconds();
	if (processes && engine)
		rc = sim_engine_run(engine, &fault);
	if (rc == 0)
		printf("%u %llu %.3f\n", n,
		       (unsigned long long)sim_engine_events(engine),
		       (double)sim_engine_events(engine) * 1e-6 /
			       (processor_seconds() - begun));
	sim_engine_free(engine);
	free(processes);
	return rc;
}

int main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 1000;
	const long operations = argc > 2 ? atol(argv[2]) : 5000000;

	if (n < 2 || n > 10000000 || operations < 1 ||
	    operations > 2000000000) {
		fprintf(stderr, "usage: simulate [PROCESSES] [OPERATIONS]\n");
		return 2;
	}
	return measure((uint32_t)n, (uint32_t)operations) ? 1 : 0;
}

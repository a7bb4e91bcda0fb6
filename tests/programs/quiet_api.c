/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Known states of programs that call bcs.h; two processes.
 * usage: quiet_api whole|late [MICROSECONDS]
 *
 * In `whole` process 0 asks while a long message is under way.  A slice moves a
 * small part of it.  In the hooks all of it has come, and the next message has
 * no receive yet.  In `late` a process comes too late.  MICROSECONDS is
 * the length of a slice; without it the engine on demand runs.
 */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libbcs/api/bcs.h"

#define BYTES  (4 << 20)
#define BUDGET 65536
#define TAG    1
#define LATER  2

static unsigned char bytes[BYTES];
static unsigned n_hooks;

static void look(const struct bcs_known *known, void *arg)
{
	int n = 0;

	(void)arg;
	n_hooks++;
	for (int i = 0; i < BYTES; i++)
		n += bytes[i];
	printf("process %d: %s, %d open, %d without a receive\n", bcs_rank(),
	       n == BYTES ? "all"
	       : n == 0   ? "nothing"
			  : "a part",
	       (int)known->open, (int)known->messages);
}

/* Helper threads move the message, whatever this thread does. */
static void await_part(void)
{
	const volatile unsigned char *first = bytes;

	while (*first == 0)
		usleep(100);
}

static void whole(void)
{
	bcs_request requests[2];
	char one = 1;
	int rc = 0;

	if (bcs_rank() == 0) {
		memset(bytes, 1, sizeof(bytes));
		bcs_send(bytes, sizeof(bytes), 1, TAG, BCS_NON_BLOCKING,
			 &requests[0]);
		bcs_send(&one, 1, 1, LATER, BCS_NON_BLOCKING, &requests[1]);
		MPI_Barrier(MPI_COMM_WORLD);
		rc = bcs_quiesce();
	} else {
		bcs_recv(bytes, sizeof(bytes), 0, TAG, BCS_NON_BLOCKING,
			 &requests[0], NULL);
		await_part();
		MPI_Barrier(MPI_COMM_WORLD);
		bcs_test(&requests[0], BCS_BLOCKING, NULL, NULL);
		/* The others wait for this process meanwhile. */
		usleep(1000000);
		bcs_recv(&one, 1, 0, LATER, BCS_NON_BLOCKING, &requests[1],
			 NULL);
	}
	if (rc != 0)
		printf("bcs_quiesce: %s\n", strerror(-rc));
	for (int i = 0; i < 2; i++)
		bcs_test(&requests[i], BCS_BLOCKING, NULL, NULL);
}

static void late(void)
{
	if (bcs_rank() == 0)
		printf("bcs_quiesce: %s\n", strerror(-bcs_quiesce()));
	MPI_Barrier(MPI_COMM_WORLD);
	bcs_barrier(BCS_BLOCKING, NULL);
	printf("process %d: %u hooks\n", bcs_rank(), n_hooks);
}

int main(int argc, char **argv)
{
	const struct bcs_options options = {
		.slice_ns = argc > 2 ? strtoull(argv[2], NULL, 10) * 1000 : 0,
		.budget_bytes = BUDGET,
		.patience_ns = strcmp(argv[1], "late") == 0 ? 20000000 : 0,
	};

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &(int){ 0 });
	bcs_on_quiesce(look, NULL);
	if (bcs_start(MPI_COMM_WORLD, &options) != 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
	if (strcmp(argv[1], "whole") == 0)
		whole();
	else
		late();
	bcs_stop();
	MPI_Finalize();
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * bcs.h is started and stopped again, in slices and on demand by turns, by each
 * process alone and by all.  Where its memory was lies the program's own next.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "libbcs/api/bcs.h"

#define TIMES 6
#define BYTES 4096

static void *board_at(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	void *at = NULL;
	char line[512];

	while (maps && !at && fgets(line, sizeof(line), maps))
		if (!strstr(line, "bcs-board") || sscanf(line, "%p", &at) != 1)
			at = NULL;
	if (maps)
		fclose(maps);
	return at;
}

static void use(void)
{
	const int to = (bcs_rank() + 1) % bcs_size();
	char in = 0;

	bcs_send("x", 1, to, 0, BCS_BLOCKING, NULL);
	bcs_recv(&in, 1, BCS_ANY, 0, BCS_BLOCKING, NULL, NULL);
	if (in != 'x' || bcs_barrier(BCS_BLOCKING, NULL) != 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Where memory was that is free now, or NULL. */
static void *once(MPI_Comm comm, bool in_slices)
{
	const struct bcs_options options = {
		.slice_ns = in_slices ? 300000 : 0,
	};
	void *board;

	if (bcs_start(comm, &options) != 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
	use();
	board = board_at();
	bcs_stop();
	return board;
}

/* NULL if there is something by now. */
static unsigned char *take(void *at)
{
	unsigned char *own = mmap(
		at, BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (own == MAP_FAILED)
		return NULL;
	*own = 1;
	return own;
}

int main(int argc, char **argv)
{
	unsigned char *own[TIMES] = { NULL };
	void *board;
	int rank;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &(int){ 0 });
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < TIMES; i++) {
		board = once(i < TIMES / 2 ? MPI_COMM_SELF : MPI_COMM_WORLD,
			     i % 2 == 0);
		if (board)
			own[i] = take(board);
	}
	for (int i = 0; i < TIMES; i++)
		if (own[i] && *own[i] != 1)
			MPI_Abort(MPI_COMM_WORLD, 1);
	if (own[0])
		printf("process %d: right\n", rank);
	MPI_Finalize();
	return 0;
}

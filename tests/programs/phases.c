/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: phases HOW
 * What MPI_Pcontrol says of what is recorded: `off` and on again, `reset`,
 * `dump`, or `phases`, the one inside the other.
 */
#include <string.h>
#include <time.h>

#include <mpi.h>

static void calls(int n)
{
	for (int i = 0; i < n; i++)
		MPI_Barrier(MPI_COMM_WORLD);
}

static void phases(void)
{
	calls(1);
	MPI_Pcontrol(4, "outer");
	calls(2);
	for (int i = 0; i < 3; i++) {
		MPI_Pcontrol(4, "inner loop");
		calls(4);
		MPI_Pcontrol(5);
	}
	MPI_Pcontrol(5);
	calls(1);
}

/* When all are out of MPI, so that what they called is the same each time. */
static void end(void)
{
	struct timespec time = { .tv_nsec = 300000000 };
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank > 0)
		time.tv_sec = 60;
	nanosleep(&time, NULL);
	MPI_Abort(MPI_COMM_WORLD, 7);
}

int main(int argc, char **argv)
{
	const char *const how = argv[1];

	(void)argc;
	MPI_Init(NULL, NULL);
	if (strcmp(how, "phases") == 0) {
		phases();
	} else {
		calls(5);
		if (strcmp(how, "off") == 0)
			MPI_Pcontrol(0);
		if (strcmp(how, "reset") == 0)
			MPI_Pcontrol(2);
		if (strcmp(how, "dump") == 0)
			MPI_Pcontrol(3);
		calls(7);
		if (strcmp(how, "dump") == 0)
			end();
		MPI_Pcontrol(1);
		calls(11);
	}
	MPI_Finalize();
	return 0;
}

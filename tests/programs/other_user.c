/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: other_user HOW
 *
 * Processes of root that become another user after MPI_Init, and make five
 * calls before that and five after it.  HOW they go on: `fine` ends with
 * MPI_Finalize; `asked` and `killed` have their record asked for twice first,
 * and `killed` is ended by SIGKILL then; `back` becomes root again in between.
 */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define NOBODY 65534

static void five_calls(void)
{
	int flag;

	for (int i = 0; i < 5; i++)
		MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag,
			   MPI_STATUS_IGNORE);
}

/* The handler has written the record when kill() returns. */
static void ask(void)
{
	five_calls();
	kill(getpid(), SIGUSR2);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	const int back = strcmp(how, "back") == 0;

	MPI_Init(&argc, &argv);
	five_calls();
	if ((back ? seteuid(NOBODY) : setuid(NOBODY)) != 0)
		return 3;
	five_calls();
	if (strcmp(how, "fine") != 0) {
		ask();
		if (back && seteuid(0) != 0)
			return 3;
		ask();
	}
	/* The first to be killed makes mpiexec kill the other. */
	MPI_Barrier(MPI_COMM_WORLD);
	if (strcmp(how, "killed") == 0 || back)
		kill(getpid(), SIGKILL);
	MPI_Finalize();
	return 0;
}

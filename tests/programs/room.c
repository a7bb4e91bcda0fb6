/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: room HOW
 * Ends after MPI_Finalize: return, _exit, quick_exit, kill, abort, or exec,
 * which goes on as another program.
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void end(const char *how)
{
	if (strcmp(how, "_exit") == 0)
		_exit(0);
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(0);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "exec") == 0)
		execl("/bin/true", "true", (char *)NULL);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	end(argv[1]);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* A program of the sessions model: it has no MPI_COMM_WORLD. */
#include <stdio.h>

#include <mpi.h>

int main(void)
{
	MPI_Session session;
	MPI_Group group;
	MPI_Comm comm;
	int one = 1;
	int sum = 0;
	int size;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "session", MPI_INFO_NULL,
				   MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Group_free(&group);
	MPI_Comm_size(comm, &size);
	for (int i = 0; i < 3; i++)
		MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	MPI_Comm_free(&comm);
	MPI_Session_finalize(&session);
	return sum == size ? 0 : 1;
}

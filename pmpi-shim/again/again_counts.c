/* SPDX-License-Identifier: BSD-3-Clause */

/* Tells the program's own calls, of threads that count, from others. */
#include <pthread.h>

#include "pmpi-shim/again/again_parts.h"
#include "pmpi-shim/job/process.h"

static pthread_t owner;
bool again_counts_all;
bool again_serves[SHIM_N_CALLS];

void again_threads(void)
{
	static const enum shim_call served[] = {
		SHIM_MPI_Recv,
		SHIM_MPI_Recv_c,
		SHIM_MPI_Irecv,
		SHIM_MPI_Irecv_c,
		SHIM_MPI_Recv_init,
		SHIM_MPI_Recv_init_c,
		SHIM_MPI_Sendrecv,
		SHIM_MPI_Sendrecv_c,
		SHIM_MPI_Sendrecv_replace,
		SHIM_MPI_Sendrecv_replace_c,
		SHIM_MPI_Isendrecv,
		SHIM_MPI_Isendrecv_c,
		SHIM_MPI_Isendrecv_replace,
		SHIM_MPI_Isendrecv_replace_c,
		SHIM_MPI_Probe,
		SHIM_MPI_Iprobe,
		SHIM_MPI_Mprobe,
		SHIM_MPI_Improbe,
		SHIM_MPI_Start,
		SHIM_MPI_Startall,
		SHIM_MPI_Request_free,
		SHIM_MPI_Request_get_status,
		SHIM_MPI_Request_get_status_all,
		SHIM_MPI_Request_get_status_any,
		SHIM_MPI_Request_get_status_some,
		SHIM_MPI_Wait,
		SHIM_MPI_Waitall,
		SHIM_MPI_Waitany,
		SHIM_MPI_Waitsome,
		SHIM_MPI_Test,
		SHIM_MPI_Testall,
		SHIM_MPI_Testany,
		SHIM_MPI_Testsome,
	};

	for (size_t i = 0; i < sizeof(served) / sizeof(served[0]); i++)
		again_serves[served[i]] = true;
	owner = pthread_self();
	again_counts_all = process.thread_asked != MPI_THREAD_MULTIPLE;
}

bool again_thread_counts(void)
{
	return pthread_equal(owner, pthread_self());
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Sessions, for an MPI that has them. */
#include "mds/base/clock.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/process/lifecycle.h"
#include "pmpi-shim/shim.h"

static int session_first(MPI_Info info, MPI_Errhandler errhandler,
			 MPI_Session *session)
{
	uint64_t start;
	int rc;

	lifecycle_prepare();
	start = clock_ticks();
	rc = PMPI_Session_init(info, errhandler, session);
	if (rc == MPI_SUCCESS)
		lifecycle_begin(SHIM_MPI_Session_init, clock_ticks() - start,
				false);
	return rc;
}

SHIM_EXPORT int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler,
				 MPI_Session *session)
{
	struct mmds_frame *f;
	int rc;

	pmpi_load();
	if (!process.started) {
		rc = session_first(info, errhandler, session);
	} else if ((f = shim_enter(SHIM_MPI_Session_init))) {
		rc = PMPI_Session_init(info, errhandler, session);
		shim_stop(f);
		shim_leave(f, false);
	} else {
		rc = PMPI_Session_init(info, errhandler, session);
	}
	if (rc == MPI_SUCCESS) {
		fatal_handled(errhandler);
		lifecycle_sessions++;
	}
	return rc;
}

SHIM_EXPORT int MPI_Session_finalize(MPI_Session *session)
{
	struct mmds_frame *f = shim_enter(SHIM_MPI_Session_finalize);
	const int rc = PMPI_Session_finalize(session);

	lifecycle_sessions -= rc == MPI_SUCCESS;
	if (f) {
		shim_stop(f);
		shim_leave(f, false);
	}
	return rc;
}

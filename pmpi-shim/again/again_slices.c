/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * In fixed mode a schedule has the slice that took each descriptor, too.  The
 * order of what several threads post is nobody's: then it has none.
 */
#include "libbcs/strobe/strobe_engine.h"
#include "pmpi-shim/again/again_parts.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/outcomes.h"
#include "pmpi-shim/route/base/route_state.h"

static bool repeated;

void again_slices_start(bool records, bool repeats)
{
	const bool orders = again_counts_all;
	const struct strobe_again again = {
		.took = records && orders ? outcomes_tell_slice : NULL,
		.held = repeats && orders ? again_told_slice : NULL,
	};

	if (!route_engines.strobe)
		return;
	repeated = again.held;
	strobe_engine_again(route_engines.strobe, &again);
	if (!repeats)
		return;
	REAL(Barrier)(MPI_COMM_WORLD);
	strobe_engine_again_go(route_engines.strobe);
}

void again_slices_stop(void)
{
	if (route_engines.strobe &&
	    !strobe_engine_again_stop(route_engines.strobe) && repeated &&
	    process_is_first())
		process_warn("the recorded slices did not fit; the run went on "
			     "without them");
	repeated = false;
}

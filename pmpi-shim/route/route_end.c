/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The program called MPI_Finalize: what is under way is brought to its end, and
 * what the program forgot is found.
 */
#include "pmpi-shim/dump/dump_now.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/requests.h"
#include "pmpi-shim/record/findings/objects.h"
#include "pmpi-shim/route/base/route_blocked.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/p2p/route_request.h"
#include "pmpi-shim/route/route_parts.h"
#include "pmpi-shim/route/route_strobe.h"

/* By the strobe a receive is open until its message came. */
static bool receives_are_left(void *unused)
{
	(void)unused;
	return !route_requests_are_left() &&
	       (!engines_has_work(&route_engines) ||
		(route_engines.strobe &&
		 strobe_engine_n_open(route_engines.strobe) <=
			 route_requests_receives(NULL)));
}

static bool nothing_is_left(void *unused)
{
	(void)unused;
	return !engines_has_work(&route_engines);
}

static void cancel(struct route_request *receive)
{
	engines_cancel(&route_engines, &receive->op.op);
}

static bool is_over(void *request)
{
	int flag;

	if (route_net_is_there())
		route_mismatch_answer();
	REAL(Test)((MPI_Request *)request, &flag, MPI_STATUS_IGNORE);
	return flag;
}

static void meet(void)
{
	MPI_Request all;

	REAL(Ibarrier)(MPI_COMM_WORLD, &all);
	engines_wait_until(&route_engines, is_over, &all);
}

static bool is_quiet(void *unused)
{
	(void)unused;
	return route_net_is_quiet();
}

/*
 * Others may still have something for one of this node: the leader sees to it.
 * When all have met again, what nobody receives is under way at most.
 */
static void wait_for_all(void)
{
	route_mismatch_end();
	meet();
	/* Some processes wait for others in calls of MPI from here on, where
	 * they cannot stop. */
	route_quiesce_stop();
	if (route_net_is_there())
		engines_wait_until(&route_engines, is_quiet, NULL);
	route_mismatch_check();
}

/* When all have sent what they send, the program has forgotten the rest. */
static void forget_receives(void)
{
	if (!route_engines.strobe)
		return;
	route_requests_receives(cancel);
	engines_wait_until(&route_engines, nothing_is_left, NULL);
}

static void count_message(MPI_Comm comm, const struct engine_found *message)
{
	findings_count(&(struct finding_about){
		.key = FINDING_NO_CALL,
		.comm = shim_comm_row(comm),
		.peer = message->source,
		.tag = message->tag,
		.what = FINDING_MESSAGE,
		.other = shim_comm_world_rank(comm, message->source) + 1,
		.other_site = message->site,
	});
}

static void find_in(uint64_t comm)
{
	route_messages_left((MPI_Comm)comm, count_message);
}

static void find_messages(void)
{
	if (!process.recording)
		return;
	route_messages_left(MPI_COMM_WORLD, count_message);
	route_messages_left(MPI_COMM_SELF, count_message);
	shim_objects_each(FINDING_COMM, find_in);
}

void route_end(void)
{
	engines_wait_until(&route_engines, receives_are_left, NULL);
	route_blocked_end(BLOCKED_FINAL);
	wait_for_all();
	/* All that was sent has come by now. */
	shim_requests_ask(dump_now_is_ready);
	forget_receives();
	find_messages();
	/* The leader answers the others until all have asked. */
	if (route_engines.strobe)
		meet();
}

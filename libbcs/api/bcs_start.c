/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The start and the end of the BCS API.  The engine on demand has a file of its
 * own for that (bcs_demand.c).
 */
#include <errno.h>

#include "libbcs/api/bcs_parts.h"
#include "libbcs/core/fabric_net.h"

#define PATIENCE_DEFAULT UINT64_C(60000000000)

static int strobe_make(const struct bcs_options *options, uint64_t zero_ns,
		       const struct settings *settings)
{
	const struct bcs_nodes *nodes = &bcs_state.nodes;
	struct strobe_options made = { .slice_ns = options->slice_ns,
				       .zero_ns = zero_ns,
				       .always = settings->emds ==
						 SETTINGS_EMDS_EVERY,
				       .budget = options->budget_bytes
							 ? options->budget_bytes
							 : settings->budget,
				       .cores = (uint32_t)bcs_cores(),
				       .world = (uint32_t)bcs_state.rank,
				       .node = (uint32_t)nodes->mine,
				       .n_nodes = (uint32_t)nodes->n,
				       .node_of = &nodes->node_of,
				       .slot_of = &nodes->slot_of,
				       .fabric = nodes->fabric,
				       .known = bcs_known,
				       .patience_ns = PATIENCE_DEFAULT };

	if (options->patience_ns)
		made.patience_ns = options->patience_ns;
	return strobe_engine_new(&bcs_state.engines.strobe, bcs_state.board,
				 (uint32_t)nodes->size, (uint32_t)nodes->slot,
				 &made);
}

/* The Strobe Sender first: the others answer to its last microstrobe. */
static void stop_strobe(void)
{
	struct bcs_nodes *nodes = &bcs_state.nodes;

	if (bcs_state.rank == 0)
		strobe_engine_stop(bcs_state.engines.strobe);
	if (nodes->leaders != MPI_COMM_NULL)
		MPI_Barrier(nodes->leaders);
	if (bcs_state.rank != 0)
		strobe_engine_stop(bcs_state.engines.strobe);
	bcs_state.engines.strobe = NULL;
	fabric_net_stop(nodes->fabric);
	nodes->fabric = NULL;
	bcs_board_free();
}

static bool fabric_make(void)
{
	struct bcs_nodes *nodes = &bcs_state.nodes;

	return nodes->n == 1 || nodes->leaders == MPI_COMM_NULL ||
	       fabric_net_start(&nodes->fabric, nodes->leaders,
				strobe_fabric_bytes((uint32_t)nodes->n)) == 0;
}

/* The head of the record has the budget, which takes all processes. */
static int record_start(const struct bcs_options *options, uint64_t zero_ns,
			const struct settings *settings)
{
	const uint64_t budget = bcs_state.nodes.slot == 0
					? strobe_engine_budget(
						  bcs_state.engines.strobe)
					: 0;

	return bcs_emds_start(settings, options->slice_ns, zero_ns, budget);
}

static int start_strobe(const struct bcs_options *options, uint64_t zero_ns,
			const struct settings *settings)
{
	int rc = -ENOMEM;

	if (!bcs_board_share(
		    strobe_memory_bytes((uint32_t)bcs_state.nodes.size)))
		return rc;
	if (bcs_all_have(fabric_make()) &&
	    bcs_all_have(strobe_make(options, zero_ns, settings) == 0))
		rc = record_start(options, zero_ns, settings);
	/* Nobody posts before all have started. */
	if (rc == 0 &&
	    !bcs_all_have(strobe_engine_start(bcs_state.engines.strobe,
					      bcs_state.emds) == 0))
		rc = -ENOMEM;
	if (rc != 0)
		stop_strobe();
	return rc;
}

static int start_demand(const struct bcs_options *options, uint64_t zero_ns,
			const struct settings *settings)
{
	const int rc = bcs_emds_start(settings, 0, zero_ns, 0);

	return rc == 0 ? bcs_demand_start(options) : rc;
}

static int start_engine(const struct bcs_options *options)
{
	const uint64_t slice_ns = options ? options->slice_ns : 0;
	struct settings settings;
	uint64_t zero_ns;
	int rc;

	if (!bcs_all_have(bcs_settings_load(&settings)))
		return -EINVAL;
	zero_ns = bcs_nodes_zero(&bcs_state.nodes, slice_ns ? slice_ns : 1);
	rc = slice_ns ? start_strobe(options, zero_ns, &settings)
		      : start_demand(options, zero_ns, &settings);
	if (rc != 0)
		bcs_emds_stop();
	return rc;
}

/* On several nodes the leaders' helper threads call MPI. */
static bool nodes_fit(const struct bcs_options *options)
{
	const struct bcs_nodes *nodes = &bcs_state.nodes;
	const bool in_slices = options && options->slice_ns;
	int level;

	MPI_Query_thread(&level);
	return bcs_all_have(nodes->size <= UINT16_MAX) &&
	       (nodes->n == 1 ||
		((!in_slices || nodes->n <= (int)STROBE_NODES) &&
		 bcs_all_have(level == MPI_THREAD_MULTIPLE)));
}

static int start(const struct bcs_options *options)
{
	int rc = -EXDEV;

	bcs_state.n_colls = 0;
	bcs_state.pages = NULL;
	if (!bcs_nodes_meet(&bcs_state.nodes, bcs_state.comm))
		return -ENOMEM;
	if (nodes_fit(options))
		rc = start_engine(options);
	if (rc != 0)
		bcs_nodes_part(&bcs_state.nodes);
	return rc;
}

int bcs_start(MPI_Comm comm, const struct bcs_options *options)
{
	int rc;

	if (bcs_state.size)
		return -EALREADY;
	MPI_Comm_dup(comm, &bcs_state.comm);
	MPI_Comm_size(bcs_state.comm, &bcs_state.size);
	MPI_Comm_rank(bcs_state.comm, &bcs_state.rank);
	rc = start(options);
	if (rc != 0) {
		MPI_Comm_free(&bcs_state.comm);
		bcs_state.size = 0;
	}
	return rc;
}

int bcs_stop(void)
{
	struct engines *engines = &bcs_state.engines;

	if (!bcs_state.size)
		return -EINVAL;
	if (engines->strobe)
		strobe_engine_leave(engines->strobe);
	MPI_Barrier(bcs_state.comm);
	if (engines->strobe)
		stop_strobe();
	else
		bcs_demand_stop();
	bcs_emds_stop();
	bcs_nodes_part(&bcs_state.nodes);
	MPI_Comm_free(&bcs_state.comm);
	bcs_state.size = 0;
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The leader of a node: its start and end, and its thread.  On the first node
 * that is the Strobe Sender and the Strobe Receiver, on others the latter.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbcs/core/fabric_node.h"
#include "libbcs/strobe/leader/strobe_exchange.h"

/* One node has a fabric of one member. */
static int fabric_alone(struct strobe_leader *leader)
{
	const size_t size = (fabric_node_size(1, STROBE_REGIONS_AT) + 63) &
			    ~(size_t)63;
	int rc;

	leader->region = aligned_alloc(64, size);
	if (!leader->region)
		return -ENOMEM;
	memset(leader->region, 0, size);
	rc = fabric_node_format(leader->region, size, 1);
	if (rc == 0)
		rc = fabric_node_attach(&leader->fabric, leader->region, size,
					0);
	return rc;
}

int strobe_leader_start(struct strobe *strobe)
{
	struct strobe_leader *leader = calloc(1, sizeof(*leader));
	const uint64_t bytes = strobe_memory_bytes(strobe->n);

	if (!leader)
		return -ENOMEM;
	strobe->leader = leader;
	leader->strobe = strobe;
	leader->touched = calloc(strobe->n, sizeof(*leader->touched));
	leader->ends = calloc(strobe->n, sizeof(*leader->ends));
	leader->splits = calloc(strobe->n, sizeof(*leader->splits));
	leader->waited = calloc(strobe->n, sizeof(*leader->waited));
	leader->shown = calloc(strobe->n, sizeof(*leader->shown));
	strobe_gathers_clear(&leader->pending);
	strobe_gathers_clear(&leader->running);
	strobe_gathers_clear(&leader->ready);
	leader->arena = (struct strobe_arena){ strobe->memory,
					       &strobe->head->returned,
					       bytes - STROBE_ARENA_REMOTE,
					       bytes,
					       { 0 } };
	strobe_works_clear(&leader->sends);
	strobe_works_clear(&leader->others);
	leader->moves = calloc(strobe->n, sizeof(*leader->moves));
	if (!leader->touched || !leader->ends || !leader->shown ||
	    !leader->moves || !leader->splits || !leader->waited)
		return -ENOMEM;
	leader->all = (struct core_set){ leader->words,
					 strobe->options.n_nodes > 1
						 ? strobe->options.n_nodes
						 : 1 };
	core_set_fill(&leader->all);
	leader->fabric = strobe->options.fabric;
	if (!leader->fabric && fabric_alone(leader) != 0)
		return -ENOMEM;
	if (strobe_exchange_start(leader) != 0)
		return -ENOMEM;
	return strobe_buffer_start(leader);
}

void strobe_leader_stop(struct strobe *strobe)
{
	struct strobe_leader *leader = strobe->leader;

	if (!leader)
		return;
	strobe_gather_stop(leader);
	strobe_exchange_stop(leader);
	strobe_buffer_stop(leader);
	if (leader->region)
		fabric_node_detach(leader->fabric);
	free(leader->region);
	free(leader->asks);
	free(leader->touched);
	free(leader->moves);
	free(leader->ends);
	free(leader->splits);
	free(leader->waited);
	free(leader->shown);
	free(leader);
	strobe->leader = NULL;
}

void strobe_leader_main(struct strobe *strobe)
{
	struct strobe_leader *leader = strobe->leader;

	if (strobe->options.node == 0)
		strobe_sender_main(leader);
	else
		strobe_receiver_main(leader);
	strobe_row_end_idle(leader);
}

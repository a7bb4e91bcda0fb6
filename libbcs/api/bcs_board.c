/* SPDX-License-Identifier: BSD-3-Clause */

/* Shared by both engines' starts: agreement of all processes, a node's memory.
 */
#include <sched.h>

#include "libbcs/api/bcs_parts.h"
#include "libbcs/base/board_memory.h"

int bcs_cores(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set)
							    : 1;
}

bool bcs_all_have(bool there)
{
	int all = there;

	MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, bcs_state.comm);
	return all;
}

bool bcs_board_share(uint64_t bytes)
{
	const struct bcs_nodes *nodes = &bcs_state.nodes;
	struct board_ticket ticket;
	bool all;

	if (nodes->slot == 0)
		bcs_state.board = board_memory_make(&ticket, bytes);
	MPI_Bcast(&ticket, sizeof(ticket), MPI_BYTE, 0, nodes->node);
	if (nodes->slot != 0)
		bcs_state.board = board_memory_join(&ticket);
	bcs_state.board_bytes = ticket.bytes;
	all = bcs_all_have(bcs_state.board != NULL);
	if (nodes->slot == 0)
		board_memory_close(&ticket);
	if (!all)
		bcs_board_free();
	return all;
}

void bcs_board_free(void)
{
	board_memory_free(bcs_state.board, bcs_state.board_bytes);
	bcs_state.board = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_P2P_H
#define BCS_P2P_H

/*
 * What p2p.c, which receives messages, and p2p_copy.c, which copies the large
 * ones, have in common.  All with the token.
 */
#include "libbcs/engine.h"

bool p2p_is_blocked(const struct board_slot *slot);

/* Tells the other side of a message something about it. */
void p2p_tell(struct engine *engine, const struct op *op, enum board_kind kind,
	      int error);

/* Puts an operation to those that this process has copies to make for. */
void p2p_job_put(struct engine *engine, struct op *op);
/* The same for a receiver, which may share them with the sender; */
void p2p_job_receive(struct engine *engine, struct op *op);
/* and for a sender, which was told what its part is. */
void p2p_job_send(struct engine *engine, struct op *op,
		  const struct board_cell *cell);
/* Ends one whose copy was made here. */
void p2p_job_finish(struct engine *engine, struct op *op, int error);

/* One of those who copy it was done in this slice, of which the lowest bits. */
void p2p_part_done(struct engine *engine, struct op *op, int error,
		   uint32_t slice);

#endif

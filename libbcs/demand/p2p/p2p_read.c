/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Read: the receiver copies the bytes out of the sender's memory.  This is the
 * way of every message for which there is nothing better.
 */
#include "libbcs/demand/p2p/p2p_protocol.h"

static void begin(struct engine *engine, struct op *op)
{
	p2p_job_put(engine, op);
}

const struct p2p_protocol p2p_protocol_read = {
	.begin = begin,
	.step = p2p_direct_step,
	.end = p2p_direct_end,
};

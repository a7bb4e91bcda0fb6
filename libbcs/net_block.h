/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_NET_BLOCK_H
#define BCS_NET_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A block in a ring: a head, and the bytes.  It is whole when its number is the
 * next one and its seal, a sum over all of it, holds; what an earlier round
 * left there has other numbers.
 */
struct net_block {
	uint64_t number; /* in its ring, from 1 */
	uint64_t seal;
	uint64_t taken; /* of the ring of the other way, by whoever put this */
	uint64_t bytes; /* that follow; NET_BLOCK_WRAP: the next one begins at
			   the beginning of the ring */
};

#define NET_BLOCK_WRAP UINT64_MAX

/* The head's number, taken and bytes are filled in, the bytes follow it. */
void net_block_seal(struct net_block *block);

/* How a look at the place of block `number` ends. */
enum net_look { NET_NOTHING, NET_PART, NET_WHOLE };
/* `room`: as many bytes as may follow. */
enum net_look net_block_look(const struct net_block *block, uint64_t number,
			     uint64_t room);

#endif

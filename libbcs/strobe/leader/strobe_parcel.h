/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_PARCEL_H
#define BCS_STROBE_PARCEL_H

/*
 * Leaders send each other blocks of parcels (strobe_exchange.h).  For the files
 * of the exchange alone.
 */
#include "libbcs/strobe/leader/strobe_exchange.h"

enum strobe_parcel_kind {
	STROBE_PARCEL_SEND,
	STROBE_PARCEL_ASK, /* `handle`: the word; `total`: the nodes */
	STROBE_PARCEL_CALL,
	STROBE_PARCEL_SHARE,
	STROBE_PARCEL_GRANT,
	STROBE_PARCEL_DATA
};

struct strobe_parcel {
	uint64_t bytes; /* that follow */
	uint8_t kind;
	bool last;
	uint32_t world; /* of whom it is, */
	uint32_t sequence;
	uint32_t slot;   /* GRANT, DATA: whom the order is for */
	uint64_t handle; /* what the sender's leader knows it by */
	uint64_t begin;
	uint64_t total;
	struct strobe_descriptor d;
	struct strobe_order order;
};

struct strobe_block {
	uint64_t microstrobe; /* in which it was sent */
	uint64_t bytes;
	unsigned char parcels[STROBE_REGION - 16];
};

/* How much a node takes of the others in this slice. */
enum strobe_takes {
	STROBE_TAKES_ALL,
	STROBE_TAKES_NO_PAYLOAD,
	STROBE_TAKES_NOTHING
};

/* A descriptor that waits for room in a block. */
struct strobe_departing {
	struct strobe_departing *next;
	struct strobe_work work;
	struct strobe_work *keep;   /* a send, until it left or was granted */
	struct strobe_image *image; /* of a share; NULL: no memory */
	uint64_t sent;
};

struct strobe_departings {
	struct strobe_departing *first;
	struct strobe_departing **end;
};

struct strobe_other {
	struct strobe_block *block; /* being filled */
	struct strobe_departings sends;
	struct strobe_departings shares;
	uint64_t room; /* for bytes of messages from there, in this slice */
};

struct strobe_exchange {
	uint64_t granted; /* a block for the next grant; or 0 */
	uint64_t takes;   /* as the others know it */
	struct strobe_departing *spare;
	uint32_t n_spare;
	struct strobe_other others[];
};

static inline uint64_t strobe_padded(uint64_t bytes)
{
	return (bytes + 15) & ~15ull;
}

static inline uint32_t strobe_n_nodes(const struct strobe_leader *leader)
{
	return leader->strobe->options.n_nodes;
}

/* strobe_exchange.c */
enum strobe_takes strobe_takes(const struct strobe_leader *leader,
			       uint32_t node);

/* Room for a parcel and what follows it; or NULL. */
struct strobe_parcel *strobe_parcel_add(struct strobe_leader *leader,
					uint32_t node, uint64_t bytes);
/* How much may follow one. */
uint64_t strobe_parcel_room(const struct strobe_leader *leader, uint32_t node);
/* The blocks of this microphase leave. */
void strobe_parcels_send(struct strobe_leader *leader);
/* Reads the parcels that were sent in the microphase before. */
void strobe_parcels_read(struct strobe_leader *leader, uint32_t node,
			 void (*read)(struct strobe_leader *leader,
				      uint32_t node,
				      const struct strobe_parcel *));

/* strobe_depart.c: of a payload that travelled in its descriptor, or lay where
 * it was posted. */
void strobe_payload_free(struct strobe_leader *leader,
			 struct strobe_work *work);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_BOARD_BLOCKED_H
#define BCS_BOARD_BLOCKED_H

/*
 * A blocked process writes on the board what it waits for, after 100 ms.
 * docs/internals/deadlock.md says why others may believe it.
 *
 * The owner writes it with its token, while `epoch` is even.  A process that
 * reads it copies it, and believes the copy if `epoch` is odd and the same
 * before and after.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BLOCKED_RANKS  256 /* of a job; with more, none is found */
#define BLOCKED_WANTS  32
#define BLOCKED_GROUPS 8
#define BLOCKED_OFFERS 32
#define BLOCKED_TEXT   2048

enum blocked_by {
	BLOCKED_RECV,      /* a message, or one to be probed */
	BLOCKED_SEND,      /* a receive for an offered message */
	BLOCKED_PART_RECV, /* the same, of a collective: a message, */
	BLOCKED_PART_SEND, /* or a receive */
	BLOCKED_PAGE,      /* a page of a collective (demand/coll/pages.h) */
	BLOCKED_CALL,      /* by the strobe: another process to call it */
	BLOCKED_COLL,      /* a collective of the same process; a group, too */
};

/* A message that nearly is what a receive waits for: what is unlike? */
enum blocked_near {
	BLOCKED_NEAR_NONE,
	BLOCKED_NEAR_TAG,
	BLOCKED_NEAR_SOURCE,
	BLOCKED_NEAR_COMM,
};

struct blocked_want {
	uint8_t by;
	uint8_t group;
	bool elsewhere; /* it has come */
	uint8_t near;
	int32_t rank; /* of the peer, in MPI_COMM_WORLD; -1: any */
	int32_t tag;  /* -1: any */
	int32_t near_rank;
	int32_t near_tag;
	uint32_t context;
	int32_t number; /* of a collective on its communicator */
	uint32_t unused;
	uint64_t op;   /* BLOCKED_SEND: its address; _PAGE, _CALL: a place */
	uint64_t word; /* what shows it there */
	/* Ranks, in the world, that may bring it: each alone can. */
	uint64_t peers[BLOCKED_RANKS / 64];
};

/* A thread, or a collective under way that one waits for. */
struct blocked_group {
	bool is_thread;
	bool any;      /* one of the wants is enough; else it takes all */
	bool world;    /* it is on MPI_COMM_WORLD */
	uint16_t call; /* as the caller counts MPI's calls */
	uint32_t context;
	int32_t number;
	int32_t size;       /* of the communicator */
	uint32_t signature; /* of the collective */
	uint64_t site;      /* in the memory of the process */
};

/* A message that was offered to the process, and has no receive. */
struct blocked_offer {
	uint64_t from; /* in the world */
	uint64_t op;   /* address at the sender */
};

struct blocked_record {
	/* On demand the inbox's tail, all before which was taken; by the strobe
	 * strobe_blocked_word. */
	uint64_t tail;
	uint32_t n_groups;
	uint32_t n_wants;
	uint32_t n_offers;
	bool offers_cut; /* there are more */
	bool settled;    /* whatever was offered to it has no receive */
	bool emits;      /* has collectives under way that are not described */
	struct blocked_group groups[BLOCKED_GROUPS];
	struct blocked_want wants[BLOCKED_WANTS];
	struct blocked_offer offers[BLOCKED_OFFERS];
};

/* Why a process calls nothing any more. */
enum blocked_end {
	BLOCKED_RUNS,
	BLOCKED_FINAL = 1, /* it is in MPI_Finalize, */
	BLOCKED_GONE = 2,  /* or ended without */
	BLOCKED_OPEN = 4,  /* it left something under way */
};

struct board_blocked {
	_Atomic uint32_t epoch; /* odd: the process is blocked, as follows */
	_Atomic uint32_t ended; /* enum blocked_end */
	_Atomic uint32_t sent;  /* descriptors, to other nodes */
	int32_t rank;           /* in MPI_COMM_WORLD */
	struct blocked_record record;
	/* In the first slot of a node: the text of the first to find one. */
	_Atomic uint32_t told;
	char text[BLOCKED_TEXT];
};

static inline void blocked_peer_add(struct blocked_want *want, uint32_t rank)
{
	want->peers[rank / 64] |= UINT64_C(1) << rank % 64;
}

static inline bool blocked_peer_is(const struct blocked_want *want,
				   uint32_t rank)
{
	return want->peers[rank / 64] >> rank % 64 & 1;
}

#endif

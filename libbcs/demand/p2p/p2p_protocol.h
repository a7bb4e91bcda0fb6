/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_P2P_PROTOCOL_H
#define BCS_P2P_PROTOCOL_H

/*
 * The protocols that move a message which was offered, and what their files
 * have in common.  p2p_choose.c has the table of them and chooses.  All
 * functions need the token unless they say otherwise.
 */
#include "libbcs/demand/p2p/p2p.h"

/*
 * A protocol, in the file of its name.  Its receiver begins it and tells the
 * sender by a descriptor, for which the same file has a function that ends in
 * `_told`.  A side that has bytes to move is put into the list of jobs
 * (p2p_job.c); p2p_move.c steps it until all are moved, and ends it.  A stream
 * has no step and no end here, but a loop of its own (p2p_stream).
 */
struct p2p_protocol {
	/* At the receiver: begins what is left of the message. */
	void (*begin)(struct engine *engine, struct op *op);
	/*
	 * At a side with a job, without the token: moves up to `budget` bytes
	 * and adds them to `offer.moved`.  Returns 0 or -errno.
	 */
	int (*step)(struct engine *engine, struct op *op, uint64_t budget);
	/* At a side with a job: all its bytes are moved, or `error`. */
	void (*end)(struct engine *engine, struct op *op, int error);
	/* The other side can do nothing but wait for each step. */
	bool is_awaited;
	/* The sender moves all bytes, until the receiver waits as well. */
	bool gives_back;
};

extern const struct p2p_protocol p2p_protocol_read;
extern const struct p2p_protocol p2p_protocol_write;
extern const struct p2p_protocol p2p_protocol_halves;
extern const struct p2p_protocol p2p_protocol_stream;
extern const struct p2p_protocol p2p_protocol_push;
extern const struct p2p_protocol p2p_protocol_remote;

/* The two ways of a message that fits into a descriptor, as tuners know them.
 */
enum p2p_arrival { P2P_INLINE, P2P_OFFER };

/* p2p_choose.c.  Begins a message that was matched. */
void p2p_choose_matched(struct engine *engine, struct op *op);
/*
 * Without the token, before a step of a job.  If both sides wait by now, the
 * rest may go by a stream or back to the receiver.  Returns true then: this
 * step is not to be made.
 */
bool p2p_choose_both(struct engine *engine, struct op *op);

/* p2p_inline.c: messages in their descriptors. */
bool p2p_inline_post_sync(struct engine *engine, struct op *op,
			  struct board_cell *head);
void p2p_inline_receive(struct engine *engine, struct op *op,
			const struct board_cell *head);
void p2p_inline_receive_sync(struct engine *engine, struct op *op,
			     const struct board_cell *head);

/* p2p_offer.c: what all protocols do with a message that is offered. */
/* Both sides begin so. */
void p2p_offer_begin(struct op *op);
/* Adds to the messages to `peer` that are offered and not done. */
void p2p_offer_count(struct engine *engine, uint32_t peer, int n);
/* Keeps whether the receiver waited for the last: it mostly does so again. */
void p2p_offer_note_receiver(struct engine *engine, uint32_t peer, bool waited);
/* The receiver knows of it by its descriptor. */
void p2p_offer_match(struct engine *engine, struct op *op,
		     const struct board_cell *head);
/* A test may wait for the end of a receive that is short enough. */
void p2p_offer_land(struct engine *engine, struct op *op);
/* The sender was told which bytes are its part, and where they go. */
void p2p_offer_told(struct op *op, const struct board_cell *cell);
/*
 * A part is done.  Returns true if it was the last; the operation is done then,
 * and may be gone.
 */
bool p2p_offer_part_done(struct engine *engine, struct op *op, int error);
/* A copy by this side is done: tells the other side, too. */
void p2p_offer_taken(struct engine *engine, struct op *op, int error);
void p2p_offer_written(struct engine *engine, struct op *op, int error);

/* p2p_job.c: the list of operations that this process moves bytes of. */
void p2p_job_put(struct engine *engine, struct op *op);
/* Takes the token.  Returns the next, or NULL. */
struct op *p2p_job_take(struct engine *engine);

/* p2p_tell.c: tells the other side of a message something about it. */
void p2p_tell(struct engine *engine, const struct op *op, enum board_kind kind,
	      int error);
/* Something about a part of it. */
void p2p_tell_part(struct engine *engine, const struct op *op,
		   enum board_kind kind, uint64_t begin, uint64_t end);

/* p2p_direct.c: between the memories of the two processes, by either side. */
bool p2p_direct_is_allowed(struct engine *engine, uint32_t peer);
int p2p_direct_step(struct engine *engine, struct op *op, uint64_t budget);
void p2p_direct_end(struct engine *engine, struct op *op, int error);

/* The receiver of a message told its sender to do its part. */
void p2p_write_told(struct engine *engine, struct op *op,
		    const struct board_cell *cell);
void p2p_halves_told(struct engine *engine, struct op *op,
		     const struct board_cell *cell);
void p2p_stream_told(struct engine *engine, struct op *op,
		     const struct board_cell *cell);
void p2p_push_told(struct engine *engine, struct op *op,
		   const struct board_cell *cell);
void p2p_remote_told(struct engine *engine, struct op *op,
		     const struct board_cell *cell);
/* The sender of a message left the rest to its receiver. */
void p2p_write_returned(struct engine *engine, struct op *op,
			const struct board_cell *cell);
/* A part of the bytes came through the board. */
void p2p_push_came(struct engine *engine, struct op *op,
		   const struct board_cell *cell);

/* p2p_write.c: the sender leaves the rest to its receiver. */
void p2p_write_give_back(struct engine *engine, struct op *op);
/* p2p_stream.c: true if this receiver now has the sender's stream. */
bool p2p_stream_take(struct engine *engine, struct op *op);
/* p2p_push.c: the kernel refused a copy of this side; the rest goes so. */
void p2p_push_instead(struct engine *engine, struct op *op);
/* A sender's part is done, and the receiver's own may have been refused. */
void p2p_push_part_done(struct engine *engine, struct op *op, int error);

#endif

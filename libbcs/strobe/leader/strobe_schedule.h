/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_STROBE_SCHEDULE_H
#define BCS_STROBE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Which bytes of which messages a slice moves: a function of what was matched,
 * in whatever order it was found.
 */
struct strobe_transfer {
	uint32_t source;   /* slot of the sender, */
	uint32_t sequence; /* and which of its descriptors */
	uint64_t bytes;
	uint64_t moved;
	void *what; /* the caller's */
	struct strobe_transfer *next;
};

/* Messages under way, those of older slices first. */
struct strobe_schedule {
	struct strobe_transfer *first;
	struct strobe_transfer **end;
	struct strobe_transfer *found; /* in the slice under way */
	uint32_t n;
};

void strobe_schedule_init(struct strobe_schedule *schedule);
/* A message met its receive in this slice. */
void strobe_schedule_add(struct strobe_schedule *schedule,
			 struct strobe_transfer *transfer);
/* The slice's transfers join the others, by source and sequence. */
void strobe_schedule_seal(struct strobe_schedule *schedule);

/* The transfer stays for the next slice. */
#define STROBE_WAITS UINT64_MAX

struct strobe_mover {
	/* How much of so many bytes can be moved now, or STROBE_WAITS; NULL:
	 * all. */
	uint64_t (*limit)(void *arg, const struct strobe_transfer *transfer,
			  uint64_t bytes);
	/* With its last piece a transfer is no longer the schedule's. */
	void (*move)(void *arg, struct strobe_transfer *transfer,
		     uint64_t bytes, bool last);
	void *arg;
};

/*
 * Moves the pieces that so many bytes allow, in order: what one leaves is the
 * next one's.  Returns the bytes.
 */
uint64_t strobe_schedule_run(struct strobe_schedule *schedule, uint64_t budget,
			     const struct strobe_mover *mover);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_HANG_WIRE_H
#define SHIM_HANG_WIRE_H

/* The messages between the leaders' threads; one thread of a leader at a time.
 */
#include <mpi.h>

#include "pmpi-shim/route/hang/hang_board.h"

enum hang_kind { HANG_NEWS, HANG_ASK, HANG_ANSWER, HANG_TOLD, HANG_BYE };

#define HANG_CALLS 16

/* Each message begins with it. */
struct hang_head {
	uint32_t kind;
	uint32_t number; /* of the question */
	uint32_t node;
	uint32_t n; /* of what follows */
	uint32_t n_calls;
	uint32_t yes;     /* HANG_ANSWER: they are as they were */
	uint32_t differs; /* and a call of a collective does not fit */
};

/* HANG_ASK: one of the processes in question, of whatever node, */
struct hang_claim {
	int32_t rank;
	uint32_t epoch; /* 0: it ended */
};

/* and a collective that it waits for. */
struct hang_call {
	uint32_t context;
	int32_t number;
	uint32_t signature;
};

struct hang_question {
	struct hang_head head;
	struct hang_call calls[HANG_CALLS];
	struct hang_claim claims[];
};

/* HANG_ANSWER: for each claim. */
struct hang_outcome {
	uint32_t delivered; /* here, of that process */
	uint32_t sent;      /* by it, if it is of this node */
	hang_places places; /* likewise */
};

struct hang_answer {
	struct hang_head head;
	struct hang_outcome outcomes[];
};

struct hang_news {
	struct hang_head head;
	struct hang_entry entries[];
};

/* HANG_TOLD: the text, and whom to stop. */
struct hang_told {
	struct hang_head head;
	char text[BLOCKED_TEXT];
	bool dead[BLOCKED_RANKS];
};

/* The number of this node.  Only leaders use it, and the functions below. */
extern int hang_node;
extern int hang_n_nodes;

/* All processes call it.  False for all but leaders, or without memory. */
bool hang_wire_start(void);
/* Whether all leaders can. */
bool hang_wire_all(bool can);
void hang_wire_stop(void);

/* Sends a copy; false if the last to that node is under way, or no memory. */
bool hang_wire_send(int node, const void *bytes, size_t n);
/* The next that came, which the caller frees; or NULL. */
void *hang_wire_come(void);
/* Whether nothing is being sent. */
bool hang_wire_is_quiet(void);

static inline size_t hang_answer_bytes(const struct hang_answer *answer)
{
	return sizeof(*answer) + answer->head.n * sizeof(answer->outcomes[0]);
}

static inline size_t hang_question_bytes(const struct hang_question *q)
{
	return sizeof(*q) + q->head.n * sizeof(q->claims[0]);
}

static inline size_t hang_news_bytes(const struct hang_news *news)
{
	return sizeof(*news) + news->head.n * sizeof(news->entries[0]);
}

#endif

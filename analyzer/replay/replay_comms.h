/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_COMMS_H
#define BCS_REPLAY_COMMS_H

#include "analyzer/places/intern.h"
#include "analyzer/trace/traces.h"

#define REPLAY_NOBODY UINT32_MAX

/* A communicator of the run.  Processes are known by the number of their
 * trace. */
struct replay_comm {
	uint32_t size;
	uint32_t known;    /* members whose trace names it */
	uint32_t *members; /* by rank; REPLAY_NOBODY: unknown */
	bool odd;          /* between two groups, or larger than the record */
};

struct replay_comms {
	struct intern ids;
	struct replay_comm *comms; /* by their number in `ids` */
	size_t room;
};

/* Reads the communicators of all traces.  Returns 0, or -errno after it has
 * said why: -EINVAL if ranks have no trace. */
int replay_comms_read(struct replay_comms *comms, struct traces *traces);
void replay_comms_clear(struct replay_comms *comms);

/* The number of a communicator, or TRACE_NO_COMM. */
uint32_t replay_comms_find(const struct replay_comms *comms, uint64_t id);
/* The process of a rank, or REPLAY_NOBODY. */
uint32_t replay_comms_member(const struct replay_comms *comms, uint32_t comm,
			     int32_t rank);
/* Whether all its members are known. */
bool replay_comms_is_whole(const struct replay_comms *comms, uint32_t comm);

#endif

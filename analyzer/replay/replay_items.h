/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_ITEMS_H
#define BCS_REPLAY_ITEMS_H

#include "analyzer/replay/replay_source.h"

/* Begins the request of a call, and returns its number. */
uint32_t replay_items_request(struct replay_source *source,
			      const struct trace_event *event, bool receives);
/* A send with a request; without one, MPI has the message already. */
void replay_items_send(struct replay_source *source,
		       const struct trace_event *event, enum sim_wait wait);
/* A receive with a request.  A wildcard is what it turns out to be. */
void replay_items_receive(struct replay_source *source,
			  const struct trace_event *posted);
/* Takes the items of the current call.  Returns how many there were. */
size_t replay_items_take(struct replay_source *source,
			 const struct replay_site *site);
/* Waits for what has no request of its own, at the end of the call. */
void replay_items_end(struct replay_source *source);

#endif

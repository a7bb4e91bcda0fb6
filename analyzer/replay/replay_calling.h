/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_CALLING_H
#define BCS_REPLAY_CALLING_H

#include "analyzer/replay/replay_source.h"

/* Take a call that sends, receives, is collective, or begins a collective.
 * `site` has the change of its place, or is NULL. */
void replay_calling_send(struct replay_source *source,
			 const struct trace_event *call, enum sim_wait wait,
			 const struct replay_site *site);
void replay_calling_receive(struct replay_source *source,
			    const struct trace_event *call,
			    const struct replay_site *site);
void replay_calling_all(struct replay_source *source,
			const struct trace_event *event,
			const struct replay_call *call,
			const struct replay_site *site);
void replay_calling_start(struct replay_source *source,
			  const struct trace_event *event,
			  const struct replay_call *call);

/* Waits for the collective that was made non-blocking, before the next call. */
void replay_calling_begin(struct replay_source *source);
/* Waits for all that was made non-blocking. */
void replay_calling_end(struct replay_source *source);

#endif

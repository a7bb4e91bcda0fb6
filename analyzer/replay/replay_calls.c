/* SPDX-License-Identifier: BSD-3-Clause */

/* What calls are, by their names. */
#include <string.h>
#include <strings.h>

#include "analyzer/replay/replay_calls.h"

/* Longer names before those that they begin with. */
static const struct {
	const char *name;
	enum sim_collective collective;
} collectives[] = {
	{ "Barrier", SIM_BARRIER },
	{ "Bcast", SIM_BCAST },
	{ "Gather", SIM_GATHER },
	{ "Scatter", SIM_SCATTER },
	{ "Allgather", SIM_ALLGATHER },
	{ "Alltoall", SIM_ALLTOALL },
	{ "Allreduce", SIM_ALLREDUCE },
	{ "Reduce_scatter", SIM_ALLREDUCE },
	{ "Reduce", SIM_REDUCE },
	/* A prefix sum waits for lower ranks only; here for all. */
	{ "Scan", SIM_ALLREDUCE },
	{ "Exscan", SIM_ALLREDUCE },
};

static enum sim_collective collective_of(const char *name)
{
	for (size_t i = 0; i < sizeof(collectives) / sizeof(collectives[0]);
	     i++)
		if (strncasecmp(name, collectives[i].name,
				strlen(collectives[i].name)) == 0)
			return collectives[i].collective;
	return SIM_BARRIER;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static enum replay_kind kind_of(const char *name, unsigned does)
{
	const bool begun = does & TRACE_DOES_BEGIN;

	if (begins(name, "Init") && !begins(name, "Initialized"))
		return REPLAY_INIT;
	if (strcmp(name, "Finalize") == 0)
		return REPLAY_FINALIZE;
	if (does & TRACE_DOES_ALL)
		return begun ? REPLAY_IALL : REPLAY_ALL;
	if (does & TRACE_DOES_SEND)
		return begun ? REPLAY_ISEND : REPLAY_SEND;
	if (does & TRACE_DOES_RECEIVE)
		return REPLAY_RECV;
	if (does & TRACE_DOES_POST)
		return REPLAY_IRECV;
	if (does & TRACE_DOES_TEST)
		return REPLAY_TEST;
	if (!(does & TRACE_DOES_WAIT))
		return REPLAY_OTHER;
	return begins(name, "Probe") || begins(name, "Mprobe") ? REPLAY_PROBE
							       : REPLAY_WAIT;
}

static enum sim_wait wait_of(const char *name)
{
	if (begins(name, "Ssend") || begins(name, "Issend"))
		return SIM_SYNCHRONOUS;
	if (begins(name, "Bsend") || begins(name, "Ibsend"))
		return SIM_BUFFERED;
	return SIM_STANDARD;
}

const struct replay_call *replay_calls_of(struct replay_calls *calls,
					  const struct trace_reader *reader,
					  unsigned call)
{
	struct replay_call *of = &calls->of[call];
	const unsigned does = trace_call_does(reader, call);
	const char *name = trace_call_name(reader, call);

	if (of->kind != REPLAY_UNKNOWN)
		return of;
	name = name && begins(name, "MPI_") ? name + 4 : "";
	of->kind = kind_of(name, does);
	of->wait = wait_of(name);
	of->collective = collective_of(name + (of->kind == REPLAY_IALL));
	return of;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Blocks are taken for equal where a rank knows its own only. */
uint64_t replay_calls_bytes(const struct replay_call *call,
			    const struct trace_event *event, uint32_t size,
			    bool is_root)
{
	switch (call->collective) {
	case SIM_GATHER:
		return is_root ? event->received : event->sent * size;
	case SIM_SCATTER:
		return is_root ? event->sent : event->received * size;
	case SIM_ALLTOALL:
		return greater(event->sent, event->received) / size;
	case SIM_ALLGATHER:
		return greater(event->sent, event->received / size);
	default:
		return greater(event->sent, event->received);
	}
}

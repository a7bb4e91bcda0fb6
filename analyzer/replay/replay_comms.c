/* SPDX-License-Identifier: BSD-3-Clause */

/* The members of communicators, of what each trace says of its own process. */
#include <errno.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/replay/replay_comms.h"

struct reading {
	struct replay_comms *comms;
	uint32_t process;
	uint32_t n_processes;
	uint32_t largest; /* communicator */
};

static struct replay_comm *comm_of(struct reading *reading,
				   const struct trace_comm *named)
{
	struct replay_comms *comms = reading->comms;
	const size_t n = comms->ids.n;
	const size_t at = intern_add(&comms->ids, &named->id,
				     sizeof(named->id));
	struct replay_comm *comm;

	if (at < n)
		return &comms->comms[at];
	comms->comms = mem_grow(comms->comms, &comms->room, n,
				sizeof(*comms->comms));
	comm = &comms->comms[n];
	*comm = (struct replay_comm){ .size = named->size };
	if (named->size > reading->largest)
		reading->largest = named->size;
	comm->odd = named->size > reading->n_processes;
	if (comm->odd)
		return comm;
	comm->members = mem_alloc(named->size, sizeof(*comm->members));
	for (uint32_t i = 0; i < named->size; i++)
		comm->members[i] = REPLAY_NOBODY;
	return comm;
}

static void add(void *to, const struct trace_comm *named)
{
	struct reading *reading = to;
	struct replay_comm *comm = comm_of(reading, named);
	uint32_t *member;

	if (comm->odd)
		return;
	if (named->rank >= comm->size || named->size != comm->size) {
		comm->odd = true;
		return;
	}
	member = &comm->members[named->rank];
	comm->known += *member == REPLAY_NOBODY;
	/* Both groups of an intercommunicator have such a rank. */
	comm->odd |= *member != REPLAY_NOBODY && *member != reading->process;
	*member = reading->process;
}

int replay_comms_read(struct replay_comms *comms, struct traces *traces)
{
	struct reading reading = {
		.comms = comms,
		.n_processes = (uint32_t)traces->files.n,
	};
	struct traces_process process;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < traces->files.n; i++) {
		rc = traces_begin(traces, i, &process);
		if (rc != 0)
			break;
		reading.process = (uint32_t)i;
		rc = trace_skim(process.reader, add, &reading);
		trace_close(process.reader);
		if (rc != 0)
			say_error("there is no memory left");
	}
	if (rc != 0 || reading.largest <= reading.n_processes)
		return rc;
	say_error("traces of %u ranks only, where a communicator has %u",
		  reading.n_processes, reading.largest);
	return -EINVAL;
}

void replay_comms_clear(struct replay_comms *comms)
{
	for (size_t i = 0; i < comms->ids.n; i++)
		free(comms->comms[i].members);
	free(comms->comms);
	intern_clear(&comms->ids);
}

uint32_t replay_comms_find(const struct replay_comms *comms, uint64_t id)
{
	const size_t at = intern_find(&comms->ids, &id, sizeof(id));

	return at == INTERN_NONE ? TRACE_NO_COMM : (uint32_t)at;
}

uint32_t replay_comms_member(const struct replay_comms *comms, uint32_t comm,
			     int32_t rank)
{
	const struct replay_comm *of;

	if (comm == TRACE_NO_COMM)
		return REPLAY_NOBODY;
	of = &comms->comms[comm];
	if (of->odd || rank < 0 || (uint32_t)rank >= of->size)
		return REPLAY_NOBODY;
	return of->members[rank];
}

bool replay_comms_is_whole(const struct replay_comms *comms, uint32_t comm)
{
	return comm != TRACE_NO_COMM && !comms->comms[comm].odd &&
	       comms->comms[comm].known == comms->comms[comm].size;
}

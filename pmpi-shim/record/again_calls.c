/* SPDX-License-Identifier: BSD-3-Clause */

/* The tables of calls, and names of their places. */
#include <stdio.h>
#include <sys/auxv.h>

#include "mds/modules.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/again_calls.h"
#include "pmpi-shim/record/site.h"

static struct again_call *find(struct again_calls *calls, enum shim_call call,
			       uint64_t site)
{
	const uint64_t key = (site ^ (uint64_t)call << 48) *
			     UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(key >> 32);
	struct again_call *entry;

	for (;; i++) {
		entry = &calls->calls[i % (2 * AGAIN_CALLS)];
		if (entry->call == 0 ||
		    (entry->site == site && entry->call == call + 1))
			return entry;
	}
}

struct again_call *again_calls_find(struct again_calls *calls,
				    enum shim_call call)
{
	struct again_call *entry = find(calls, call, site_of_call());

	/* All places beyond the first thousand are one, for each call. */
	if (entry->call == 0 && calls->n >= AGAIN_CALLS)
		return find(calls, call, 0);
	return entry;
}

void again_calls_take(struct again_calls *calls, struct again_call *entry,
		      enum shim_call call, uint32_t number)
{
	entry->site = calls->n < AGAIN_CALLS ? site_of_call() : 0;
	entry->call = call + 1;
	entry->number = number;
	calls->n++;
}

void again_calls_place(char place[AGAIN_PLACE])
{
	site_text(process.pid, site_of_call(), place, AGAIN_PLACE);
}

void again_calls_build(char build[SCHEDULE_BUILD + 1])
{
	const int i = modules_find((uintptr_t)getauxval(AT_ENTRY));
	const struct module *program = i >= 0 ? modules_get((unsigned)i) : NULL;

	build[0] = '\0';
	for (unsigned k = 0; program && k < program->id_len; k++)
		snprintf(build + 2 * (size_t)k, 3, "%02x", program->id[k]);
}

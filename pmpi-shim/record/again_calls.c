/* SPDX-License-Identifier: BSD-3-Clause */

/* The tables of calls, and names of their places. */
#include <stdio.h>
#include <sys/auxv.h>

#include "mds/base/modules.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/again_calls.h"
#include "pmpi-shim/record/site.h"

void again_calls_take(struct again_calls *calls, struct again_call *entry,
		      enum shim_call call, uint32_t number)
{
	entry->site = calls->n < AGAIN_CALLS ? site_of_this_call() : 0;
	entry->call = call + 1;
	entry->number = number;
	calls->n++;
}

void again_calls_place(char place[AGAIN_PLACE])
{
	site_text(process.pid, site_of_this_call(), place, AGAIN_PLACE);
}

void again_calls_build(char build[SCHEDULE_BUILD + 1])
{
	const int i = modules_find((uintptr_t)getauxval(AT_ENTRY));
	const struct module *program = i >= 0 ? modules_get((unsigned)i) : NULL;

	build[0] = '\0';
	for (unsigned k = 0; program && k < program->id_len; k++)
		snprintf(build + 2 * (size_t)k, 3, "%02x", program->id[k]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "libbcs/base/copy.h"
#include "libbcs/strobe/leader/strobe_leader.h"
#include "libbcs/strobe/strobe_helper.h"

#define PROBE_WORD UINT64_C(0x6263732d73747262)

static void fill(struct strobe *strobe, void *memory, uint32_t n, uint32_t me,
		 const struct strobe_options *options)
{
	const uint64_t arena = strobe_arenas_at(n) + me * STROBE_ARENA;

	strobe->options = *options;
	strobe->memory = memory;
	strobe->head = memory;
	strobe->n = n;
	strobe->me = me;
	strobe->slot = strobe_slot(strobe, me);
	strobe->slot->pid = getpid();
	strobe->slot->world = options->world;
	strobe->slot->probe_word = PROBE_WORD ^ (uint64_t)getpid() << 32 ^ me;
	if (!options->budget)
		strobe->slot->copies = strobe_budget_own(options->slice_ns);
	strobe->slot->probe = (uintptr_t)&strobe->slot->probe_word;
	strobe->arena = (struct strobe_arena){ memory,
					       &strobe->slot->returned,
					       arena,
					       arena + STROBE_ARENA,
					       { 0 } };
	op_list_clear(&strobe->closing);
	coll_list_clear(&strobe->colls);
	coll_list_clear(&strobe->callers);
}

int strobe_engine_new(struct strobe **strobe_p, void *memory, uint32_t n,
		      uint32_t me, const struct strobe_options *options)
{
	struct strobe *strobe = calloc(1, sizeof(*strobe));
	int rc;

	if (!strobe)
		return -ENOMEM;
	fill(strobe, memory, n, me, options);
	strobe->reads = calloc(n, sizeof(*strobe->reads));
	rc = strobe->reads ? 0 : -ENOMEM;
	if (rc == 0 && me == 0)
		rc = strobe_leader_start(strobe);
	if (rc == 0)
		rc = copy_allow();
	if (rc != 0) {
		strobe_engine_stop(strobe);
		return rc;
	}
	*strobe_p = strobe;
	return 0;
}

uint64_t strobe_engine_budget(struct strobe *strobe)
{
	if (!strobe->options.budget)
		strobe->options.budget = strobe_budget_node(strobe);
	return strobe->options.budget;
}

int strobe_engine_start(struct strobe *strobe, struct emds *emds)
{
	strobe->emds = emds;
	if (strobe->leader) {
		strobe_engine_budget(strobe);
		atomic_store(&strobe->head->recorded, emds != NULL);
	}
	return strobe_helper_start(strobe);
}

void strobe_engine_stop(struct strobe *strobe)
{
	if (!strobe)
		return;
	strobe_helper_stop(strobe);
	strobe_leader_stop(strobe);
	copy_forbid();
	free(strobe->reads);
	free(strobe);
}

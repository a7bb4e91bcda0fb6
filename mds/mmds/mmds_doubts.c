/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Adds up the calls whose paths are not sure.  A path is looked at when the
 * record is written, so that a call pays nothing for it.
 */
#include <string.h>

#include "mds/callpath/callpath.h"
#include "mds/callpath/callpath_shared.h"
#include "mds/mmds/mmds.h"
#include "mds/mmds/mmds_write.h"
#include "mds/mmds/mmds_writing.h"

static void add_guessed(struct mmds_doubts *doubts, const struct mmds_cell *sum,
			uint32_t frame, uint64_t *most)
{
	doubts->guessed += sum->count;
	doubts->guessed_ticks += sum->ticks;
	if (sum->ticks < *most)
		return;
	*most = sum->ticks;
	doubts->guessed_in = callpath_frame(frame).module;
}

/* Those calls have no path, and are not of the account. */
static bool is_outside(const struct mmds_cell *cell)
{
	const char *call = mmds_self.names[cell->key & 0xffff];

	return strcmp(call, "MPI_Finalize") == 0 ||
	       strcmp(call, "MPI_Init") == 0 ||
	       strcmp(call, "MPI_Init_thread") == 0;
}

/* Another call without a path found no room for its first frame. */
static void add_cell(struct mmds_doubts *doubts, const struct mmds_cell *sum,
		     uint64_t *most)
{
	const uint32_t path = mmds_key_path(sum->key);
	struct callpath_doubt doubt = { .cut = true };

	if (path)
		doubt = callpath_doubt(path);
	if (doubt.cut)
		doubts->cut_ticks += sum->ticks;
	if (doubt.guessed)
		add_guessed(doubts, sum, doubt.frame, most);
}

struct mmds_doubts mmds_doubts(void)
{
	struct mmds_doubts doubts = { .guessed_in = UINT32_MAX };
	struct mmds_thread *thread = &(struct mmds_thread){ 0 };
	struct mmds_cell *cell = NULL;
	uint64_t most = 0;

	for (struct mmds_thread *t = mmds_threads(); t; t = t->next)
		doubts.cut += t->paths ? t->paths->cut : 0;
	thread->next = mmds_threads();
	while ((cell = mmds_cell_next(&thread, cell))) {
		const struct mmds_cell sum = mmds_cell_sum(thread, cell);

		if (thread->paths && !is_outside(cell))
			add_cell(&doubts, &sum, &most);
	}
	if (!doubts.cut)
		doubts.cut_ticks = 0;
	return doubts;
}

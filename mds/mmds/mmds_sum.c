/* SPDX-License-Identifier: BSD-3-Clause */
#include "mds/mmds/mmds.h"
#include "mds/mmds/mmds_writing.h"
#include "mds/mmds/path.h"

/* Whether the thread is in a call whose begin is known. */
static bool is_inside(const struct mmds_thread *thread)
{
	return thread->inside && mmds_is_timed(thread->now);
}

static uint64_t path_until(const struct mmds_thread *thread, uint64_t until)
{
	if (is_inside(thread) || thread->ended || thread->state == 0)
		return thread->path;
	return path_at(thread, until);
}

/*
 * The sums of a thread.  If it still runs, it is accounted for up to `until`. A
 * current call counts as communication since its beginning.
 */
struct mmds_sum mmds_sum_until(const struct mmds_thread *thread, uint64_t until)
{
	const struct mmds_frame past = mmds_past(thread);
	const uint64_t before = mmds_before(thread->last, &past);
	struct mmds_sum sum = { thread->computation + before,
				thread->communication +
					past.n * mmds_ticks(&past),
				0 };
	uint64_t from = thread->last + before + past.n * mmds_ticks(&past);

	if (is_inside(thread) && thread->now->start > from) {
		sum.computation += thread->now->start - from;
		from = thread->now->start;
	}
	if (is_inside(thread) && until > from)
		sum.communication += until - from;
	else if (!thread->ended && until > from && thread->state != 0)
		sum.computation += until - from;
	sum.path = path_until(thread, until);
	return sum;
}

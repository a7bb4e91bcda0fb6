/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the traces of all ranks side by side, in the order of time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/run/run_files.h"
#include "analyzer/waits/waits_add.h"
#include "analyzer/waits/waits_severest.h"
#include "analyzer/waits/waits_stream.h"
#include "analyzer/waits/waits_whatif.h"
#include "mds/settings/settings.h"

const char *const waits_state_names[WAITS_STATES] = {
	[WAITS_LATE_SENDER] = "late sender",
	[WAITS_WRONG_ORDER_SAME] = "wrong order, same sender",
	[WAITS_WRONG_ORDER_OTHER] = "wrong order, other sender",
	[WAITS_LATE_RECEIVER] = "late receiver",
	[WAITS_BARRIER] = "wait at barrier",
	[WAITS_NXN] = "wait at NxN",
	[WAITS_LATE_BROADCAST] = "late broadcast",
	[WAITS_EARLY_REDUCE] = "early reduce",
	[WAITS_EARLY_SCAN] = "early scan",
	[WAITS_BARRIER_COMPLETION] = "barrier completion",
	[WAITS_NXN_COMPLETION] = "NxN completion",
	[WAITS_SLICE] = "wait for a slice",
	[WAITS_IN_SLICES] = "wait in slices",
	[WAITS_CORE] = "wait for a core",
};

struct loading {
	struct waits_joining joining;
	struct traces traces;
	struct waits_stream **streams;
	size_t n;
	struct waits_stream **heap; /* those that have more, the next on top */
	size_t n_heap;
};

static bool comes_before(const struct waits_stream *a,
			 const struct waits_stream *b)
{
	if (a->begin != b->begin)
		return a->begin < b->begin;
	return a->process.number < b->process.number;
}

static void sink(struct loading *loading, size_t at)
{
	struct waits_stream **heap = loading->heap;
	size_t first;

	for (;; at = first) {
		struct waits_stream *stream = heap[at];

		first = at;
		for (size_t i = 2 * at + 1; i <= 2 * at + 2; i++)
			if (i < loading->n_heap &&
			    comes_before(heap[i], heap[first]))
				first = i;
		if (first == at)
			return;
		heap[at] = heap[first];
		heap[first] = stream;
	}
}

static bool is_wanted(const struct run_filter *filter,
		      const struct waits_stream *stream)
{
	const struct trace_head *head = stream->process.head;

	return !filter->ranks ||
	       (head->ranked &&
		settings_rank_in(filter->ranks, (long)head->rank));
}

static void streams_open(struct loading *loading,
			 const struct run_filter *filter)
{
	const size_t n = loading->traces.files.n;

	loading->joining.n_processes = n;
	run_files_allow();
	loading->streams = mem_alloc(n, sizeof(struct waits_stream *));
	loading->heap = mem_alloc(n, sizeof(struct waits_stream *));
	for (size_t i = 0; i < n; i++) {
		struct waits_stream *stream = waits_stream_open(
			&loading->joining, &loading->traces, i);

		if (!stream)
			continue;
		stream->wanted = is_wanted(filter, stream);
		loading->streams[loading->n++] = stream;
		if (stream->has_next)
			loading->heap[loading->n_heap++] = stream;
	}
	for (size_t i = loading->n_heap; i-- > 0;)
		sink(loading, i);
}

static void streams_take(struct loading *loading)
{
	while (loading->n_heap) {
		waits_stream_take(loading->heap[0]);
		if (!loading->heap[0]->has_next)
			loading->heap[0] = loading->heap[--loading->n_heap];
		sink(loading, 0);
	}
}

static void streams_close(struct loading *loading)
{
	struct waits *waits = loading->joining.waits;

	for (size_t i = 0; i < loading->n; i++)
		waits_stream_end(loading->streams[i]);
	for (size_t i = 0; i < loading->n; i++)
		for (size_t t = 0; t < loading->streams[i]->n_threads; t++)
			waits_add_calls(waits, loading->streams[i]->threads[t],
					0);
	for (size_t i = 0; i < loading->n; i++)
		waits_stream_close(loading->streams[i], &loading->traces);
	free(loading->streams);
	free(loading->heap);
}

static int say_no_rank(const char *path)
{
	say_error("%s: has no trace of these ranks", path);
	return -ENOENT;
}

static bool any_wanted(const struct loading *loading)
{
	for (size_t i = 0; i < loading->n; i++)
		if (loading->streams[i]->wanted)
			return true;
	return false;
}

int waits_load(struct waits *waits, const char *path,
	       const struct run_filter *filter, struct waits_whatif *whatif)
{
	const struct run_filter all = { 0 };
	struct loading loading = { .joining = { .waits = waits,
						.whatif = whatif } };
	int rc = traces_open(&loading.traces, path, &all);

	*waits = (struct waits){ 0 };
	if (rc != 0)
		return rc;
	waits_whatif_open(whatif);
	streams_open(&loading, filter);
	if (!any_wanted(&loading))
		rc = say_no_rank(path);
	else
		streams_take(&loading);
	streams_close(&loading);
	waits_whatif_close(whatif);
	waits_severest_sort(waits);
	waits->apart = loading.joining.messages.apart;
	waits->lost = loading.traces.lost - loading.traces.dropped;
	waits_message_clear(&loading.joining.messages);
	waits_coll_clear(&loading.joining.colls);
	traces_close(&loading.traces);
	return rc;
}

static void sum_clear(struct waits_sum *sum)
{
	dist_clear(&sum->times);
}

void waits_clear(struct waits *waits)
{
	for (size_t i = 0; i < WAITS_STATES; i++)
		sum_clear(&waits->states[i]);
	for (size_t i = 0; i < waits->row_keys.n; i++)
		sum_clear(&waits->rows[i].sum);
	free(waits->calls);
	free(waits->rows);
	free(waits->causes);
	free(waits->gaps);
	free(waits->threads);
	intern_clear(&waits->gap_keys);
	intern_clear(&waits->texts);
	intern_clear(&waits->places);
	intern_clear(&waits->row_keys);
	intern_clear(&waits->cause_keys);
	*waits = (struct waits){ 0 };
}

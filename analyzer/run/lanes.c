/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Merges the slices of all processes into one order, reading each file as far
 * as needed.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/run/lanes.h"
#include "analyzer/run/run.h"
#include "analyzer/run/run_files.h"
#include "mds/settings/settings.h"

uint64_t lanes_number(const struct lanes *lanes, const struct lane *lane)
{
	const uint64_t number = lane->row.value[EMDS_SLICE];

	return lanes->by_time ? number - number % lanes->resolution : number;
}

static uint64_t key_of(const struct lanes *lanes, size_t i)
{
	const struct lane *lane = &lanes->list[i];

	return lanes->by_time ? lanes_number(lanes, lane)
			      : lane->row.value[EMDS_BEGIN];
}

static bool comes_before(const struct lanes *lanes, size_t a, size_t b)
{
	const uint64_t key_a = key_of(lanes, a);
	const uint64_t key_b = key_of(lanes, b);

	return key_a != key_b ? key_a < key_b : a < b;
}

static void sink(struct lanes *lanes, size_t at)
{
	size_t *heap = lanes->heap;
	size_t child;
	size_t lane;

	while ((child = 2 * at + 1) < lanes->n_heap) {
		if (child + 1 < lanes->n_heap &&
		    comes_before(lanes, heap[child + 1], heap[child]))
			child++;
		if (!comes_before(lanes, heap[child], heap[at]))
			return;
		lane = heap[at];
		heap[at] = heap[child];
		heap[child] = lane;
		at = child;
	}
}

static bool lane_step(struct lane *lane)
{
	const bool first = lane->n_rows == 0;

	lane->before = lane->row.value[EMDS_BEGIN];
	if (emds_next(lane->reader, &lane->row) != 1)
		return false;
	lane->since = first || lane->row.value[EMDS_BEGIN] < lane->before
			      ? 0
			      : lane->row.value[EMDS_BEGIN] - lane->before;
	lane->n_rows++;
	lane->n_slices += lane->row.value[EMDS_SLICES];
	return true;
}

static bool is_wanted(const char *name, const char *ranks)
{
	long rank;
	int end = 0;

	return sscanf(name, "rank-%ld.slices%n", &rank, &end) == 1 && end > 0 &&
	       name[end] == '\0' && (!ranks || settings_rank_in(ranks, rank));
}

bool lanes_are_there(const char *path)
{
	struct dirent *entry;
	DIR *dir = opendir(path);
	bool found = false;

	if (!dir)
		return false;
	while (!found && (entry = readdir(dir)))
		found = is_wanted(entry->d_name, NULL);
	closedir(dir);
	return found;
}

static void lane_open(struct lanes *lanes, const char *path)
{
	struct emds_reader *reader;
	struct lane *lane;
	char why[512];

	if (emds_open(&reader, path, why, sizeof(why)) != 0) {
		say_warning("%s", why);
		lanes->some_unread = true;
		return;
	}
	lanes->list = mem_grow(lanes->list, &lanes->room, lanes->n,
			       sizeof(*lanes->list));
	lane = &lanes->list[lanes->n++];
	*lane = (struct lane){ .reader = reader, .head = emds_head(reader) };
	lane->rank = lane->head->ranked ? lane->head->rank
					: RUN_UNRANKED + lanes->n - 1;
}

static int by_rank(const void *a, const void *b)
{
	const struct lane *one = a;
	const struct lane *other = b;

	return (one->rank > other->rank) - (one->rank < other->rank);
}

static int lanes_list(struct lanes *lanes, const char *path, const char *ranks)
{
	struct dirent *entry;
	DIR *dir = opendir(path);
	char *file;

	if (!dir) {
		say_error("%s: %s", path, strerror(errno));
		return -errno;
	}
	run_files_allow();
	while ((entry = readdir(dir))) {
		if (!is_wanted(entry->d_name, ranks))
			continue;
		file = mem_print("%s/%s", path, entry->d_name);
		lane_open(lanes, file);
		free(file);
	}
	closedir(dir);
	if (lanes->n)
		return 0;
	if (!lanes->some_unread)
		say_error("%s: has no slices on record%s (they are with "
			  "BCS_EMDS=on)",
			  path, ranks ? " of these ranks" : "");
	return -ENOENT;
}

/* Why a file cannot be put together with the first; NULL: it can. */
static const char *stranger(const struct lane *first, const struct lane *lane)
{
	const struct emds_head *a = first->head;
	const struct emds_head *b = lane->head;

	if (strcmp(a->mode, b->mode) != 0 || a->slice_ns != b->slice_ns ||
	    a->resolution != b->resolution || a->first_ns != b->first_ns)
		return "is of another run";
	return lane != first && lane->rank == lane[-1].rank
		       ? "is of a rank that is there"
		       : NULL;
}

static void leave_out_strangers(struct lanes *lanes)
{
	const char *why;
	size_t n = 0;

	for (size_t i = 0; i < lanes->n; i++) {
		lanes->list[n] = lanes->list[i];
		why = stranger(&lanes->list[0], &lanes->list[n]);
		if (!why) {
			n++;
			continue;
		}
		say_warning("%s %s; it is left out",
			    emds_path(lanes->list[n].reader), why);
		emds_close(lanes->list[n].reader);
	}
	lanes->n = n;
}

int lanes_open(struct lanes *lanes, const char *path, const char *ranks)
{
	int rc;

	*lanes = (struct lanes){ 0 };
	rc = lanes_list(lanes, path, ranks);
	if (rc != 0)
		return rc;
	qsort(lanes->list, lanes->n, sizeof(*lanes->list), by_rank);
	leave_out_strangers(lanes);
	lanes->by_time = lanes->list[0].head->slice_ns != 0;
	lanes->resolution = lanes->list[0].head->resolution;
	if (lanes->resolution == 0)
		lanes->resolution = 1;
	lanes->heap = mem_alloc(lanes->n, sizeof(*lanes->heap));
	for (size_t i = 0; i < lanes->n; i++)
		if (lane_step(&lanes->list[i]))
			lanes->heap[lanes->n_heap++] = i;
	for (size_t i = lanes->n_heap; i-- > 0;)
		sink(lanes, i);
	return 0;
}

bool lanes_are_whole(const struct lanes *lanes)
{
	for (size_t i = 0; i < lanes->n; i++)
		if (emds_fault(lanes->list[i].reader))
			return false;
	return !lanes->some_unread;
}

/* After an early end there are as many as processes. */
static void warn_of_faults(const struct lanes *lanes)
{
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < lanes->n; i++) {
		if (!emds_fault(lanes->list[i].reader))
			continue;
		if (n++ == 0)
			first = emds_fault(lanes->list[i].reader);
	}
	if (n > 1)
		say_warning("%s; so %s %zu more", first, n > 2 ? "are" : "is",
			    n - 1);
	else if (n)
		say_warning("%s", first);
}

void lanes_close(struct lanes *lanes)
{
	warn_of_faults(lanes);
	for (size_t i = 0; i < lanes->n; i++)
		emds_close(lanes->list[i].reader);
	free(lanes->list);
	free(lanes->heap);
	*lanes = (struct lanes){ 0 };
}

struct lane *lanes_next(struct lanes *lanes)
{
	if (lanes->taken) {
		if (!lane_step(&lanes->list[lanes->heap[0]]))
			lanes->heap[0] = lanes->heap[--lanes->n_heap];
		sink(lanes, 0);
	}
	lanes->taken = lanes->n_heap > 0;
	return lanes->taken ? &lanes->list[lanes->heap[0]] : NULL;
}

uint64_t lanes_dropped(const struct lanes *lanes)
{
	uint64_t n = 0;

	for (size_t i = 0; i < lanes->n; i++)
		n += emds_dropped(lanes->list[i].reader);
	return n;
}

uint64_t lanes_columns(const struct lanes *lanes)
{
	uint64_t columns = 0;

	for (size_t i = 0; i < lanes->n; i++)
		columns |= emds_columns(lanes->list[i].reader);
	return columns;
}

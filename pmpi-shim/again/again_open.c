/* SPDX-License-Identifier: BSD-3-Clause */

/* A table by request, and a queue of sources by number. */
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/again/again_open.h"
#include "pmpi-shim/record/outcomes.h"

#define OPEN UINT64_MAX /* a source that is not known yet */

struct entry {
	MPI_Request request;
	bool used;
	bool persistent;
	uint64_t number; /* 0: it is not started */
};

uint32_t again_n_open;

static struct entry *table;
static uint32_t table_size; /* a power of two */

static uint64_t *queue;     /* sources from number `first` on */
static uint64_t queue_size; /* a power of two */
static uint64_t first = 1;
static uint64_t next = 1;
static bool broken; /* no memory: later sources are unknown */

static uint32_t place_of(MPI_Request request)
{
	return ((uint32_t)request * 2654435769u) >> 7;
}

/* The entry of a request, or the unused one where it would be. */
static struct entry *find(MPI_Request request)
{
	uint32_t i = place_of(request);

	for (;; i++) {
		struct entry *entry = &table[i & (table_size - 1)];

		if (!entry->used || entry->request == request)
			return entry;
	}
}

static bool table_grow(void)
{
	struct entry *old = table;
	const uint32_t n = table_size;
	struct entry *larger = calloc(n ? 2 * (size_t)n : 64, sizeof(*larger));

	if (!larger)
		return false;
	table = larger;
	table_size = n ? 2 * n : 64;
	for (uint32_t i = 0; i < n; i++)
		if (old[i].used)
			*find(old[i].request) = old[i];
	free(old);
	return true;
}

static struct entry *entry_make(MPI_Request request)
{
	struct entry *entry;

	if (2 * (again_n_open + 1) > table_size && !table_grow()) {
		broken = true;
		return NULL;
	}
	entry = find(request);
	again_n_open += !entry->used;
	*entry = (struct entry){ .request = request, .used = true };
	return entry;
}

/* Entries behind it move up, so that they are found. */
static void entry_remove(struct entry *entry)
{
	const uint32_t mask = table_size - 1;
	uint32_t hole = (uint32_t)(entry - table);
	uint32_t i = hole;

	for (;;) {
		uint32_t home;

		i = (i + 1) & mask;
		if (!table[i].used)
			break;
		home = place_of(table[i].request) & mask;
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		table[hole] = table[i];
		hole = i;
	}
	table[hole].used = false;
	again_n_open--;
}

static bool queue_grow(void)
{
	const uint64_t size = queue_size ? 2 * queue_size : 64;
	uint64_t *larger = malloc((size_t)size * sizeof(*larger));

	if (!larger)
		return false;
	for (uint64_t n = first; n != next; n++)
		larger[n & (size - 1)] = queue[n & (queue_size - 1)];
	free(queue);
	queue = larger;
	queue_size = size;
	return true;
}

/* The number of a new receive; 0 without memory. */
static uint64_t number_make(void)
{
	broken |= next - first == queue_size && !queue_grow();
	if (broken)
		return 0;
	queue[next & (queue_size - 1)] = OPEN;
	return next++;
}

static void settle(uint64_t number, uint64_t source)
{
	if (number == 0)
		return;
	queue[number & (queue_size - 1)] = source;
	while (first != next && queue[first & (queue_size - 1)] != OPEN)
		outcomes_tell_source(queue[first++ & (queue_size - 1)]);
}

void again_open_post(MPI_Request request)
{
	const uint64_t number = number_make();
	struct entry *entry;

	entry = request == MPI_REQUEST_NULL ? NULL : entry_make(request);
	if (entry)
		entry->number = number;
	else
		settle(number, SCHEDULE_SOURCE_UNKNOWN);
}

void again_open_make(MPI_Request request)
{
	struct entry *entry = entry_make(request);

	if (entry)
		entry->persistent = true;
}

bool again_open_start(MPI_Request request)
{
	struct entry *entry = again_n_open ? find(request) : NULL;

	if (!entry || !entry->used || !entry->persistent)
		return false;
	entry->number = number_make();
	return true;
}

uint64_t again_open_number(MPI_Request request)
{
	const struct entry *entry = again_n_open ? find(request) : NULL;

	return entry && entry->used ? entry->number : 0;
}

void again_open_over(MPI_Request request, uint64_t source)
{
	struct entry *entry = again_n_open ? find(request) : NULL;

	if (!entry || !entry->used || entry->number == 0)
		return;
	settle(entry->number, source);
	entry->number = 0;
	if (!entry->persistent)
		entry_remove(entry);
}

void again_open_free(MPI_Request request)
{
	struct entry *entry = again_n_open ? find(request) : NULL;

	if (!entry || !entry->used)
		return;
	settle(entry->number, SCHEDULE_SOURCE_UNKNOWN);
	entry_remove(entry);
}

void again_open_end(uint64_t rest)
{
	for (; first != next; first++) {
		const uint64_t source = queue[first & (queue_size - 1)];

		outcomes_tell_source(source == OPEN ? rest : source);
	}
	free(table);
	free(queue);
	table = NULL;
	table_size = 0;
	queue = NULL;
	queue_size = 0;
	again_n_open = 0;
}

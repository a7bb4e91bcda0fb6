/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/replay/replay_requests.h"

uint32_t replay_requests_new(struct replay_requests *requests)
{
	return requests->n_spare ? requests->spare[--requests->n_spare]
				 : requests->used++;
}

void replay_requests_free(struct replay_requests *requests, uint32_t number)
{
	requests->spare = mem_grow(requests->spare, &requests->spare_room,
				   requests->n_spare, sizeof(*requests->spare));
	requests->spare[requests->n_spare++] = number;
}

/* Drops requests that are gone before the array has to grow. */
static void make_room(struct replay_requests *requests)
{
	size_t n = 0;

	if (requests->n < requests->room || requests->n < 64)
		return;
	for (size_t i = requests->first; i < requests->n; i++)
		if (!requests->open[i].gone)
			requests->open[n++] = requests->open[i];
	requests->first = 0;
	requests->n = n;
}

/* The first place whose id is `id` or greater. */
static size_t place_of(const struct replay_requests *requests, uint64_t id)
{
	size_t low = requests->first;
	size_t high = requests->n;
	size_t middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (requests->open[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t replay_requests_begin(struct replay_requests *requests, uint64_t id,
			       bool receives)
{
	const uint32_t number = replay_requests_new(requests);
	size_t at;

	make_room(requests);
	requests->open = mem_grow(requests->open, &requests->room, requests->n,
				  sizeof(*requests->open));
	/* In a damaged trace they may not be in order. */
	at = place_of(requests, id);
	for (size_t i = requests->n; i > at; i--)
		requests->open[i] = requests->open[i - 1];
	requests->open[at] = (struct replay_request){ id, number, receives,
						      false };
	requests->n++;
	return number;
}

bool replay_requests_end(struct replay_requests *requests, uint64_t id,
			 struct replay_request *ended)
{
	const size_t at = place_of(requests, id);
	struct replay_request *r = requests->open;

	if (at == requests->n || r[at].id != id || r[at].gone)
		return false;
	*ended = r[at];
	r[at].gone = true;
	while (requests->first < requests->n && r[requests->first].gone)
		requests->first++;
	if (requests->first == requests->n)
		requests->first = requests->n = 0;
	return true;
}

void replay_requests_clear(struct replay_requests *requests)
{
	free(requests->open);
	free(requests->spare);
}

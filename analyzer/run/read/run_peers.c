/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * n ranks may have n * n pairs.  A file has everything about the pairs of its
 * rank.  So pairs that cannot be among the first by bytes or by time can be
 * forgotten whenever there are too many.
 */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/run/read/run_read.h"

#define PAIRS_MAX  ((size_t)1 << 20)
#define PAIRS_KEPT (PAIRS_MAX / 4) /* by bytes, and as many by time */

enum { PEER, SENDS, SENT, RECEIVES, RECEIVED, TIME, N_COLUMNS };

static const char *const names[N_COLUMNS] = {
	"peer", "sends", "sent_bytes", "receives", "received_bytes", "time_ns",
};

static uint64_t bytes_of(const struct run_peer *peer)
{
	return sat_add(peer->sent, peer->received);
}

static int descending(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a;
	const uint64_t y = *(const uint64_t *)b;

	return (x < y) - (x > y);
}

/* The value that PAIRS_KEPT pairs reach. */
static uint64_t bar(const struct run *run, uint64_t *values, bool by_time)
{
	for (size_t i = 0; i < run->n_peers; i++)
		values[i] = by_time ? run->peers[i].time
				    : bytes_of(&run->peers[i]);
	qsort(values, run->n_peers, sizeof(*values), descending);
	return values[PAIRS_KEPT - 1];
}

static void forget_some(struct run *run)
{
	uint64_t *values = mem_alloc(run->n_peers, sizeof(*values));
	const uint64_t bytes = bar(run, values, false);
	const uint64_t time = bar(run, values, true);
	size_t kept = 0;

	free(values);
	for (size_t i = 0; i < run->n_peers; i++)
		if (bytes_of(&run->peers[i]) > bytes ||
		    run->peers[i].time > time)
			run->peers[kept++] = run->peers[i];
	run->peers_dropped += run->n_peers - kept;
	run->n_peers = kept;
}

static struct run_peer *peer_at(struct run_reading *reading,
				struct run_map *peers, uint64_t peer)
{
	struct run *run = reading->run;
	size_t at = run_map_get(peers, peer);

	if (at != INTERN_NONE)
		return &run->peers[at];
	run->peers = mem_grow(run->peers, &run->peers_room, run->n_peers,
			      sizeof(*run->peers));
	at = run->n_peers++;
	run->peers[at] = (struct run_peer){ .rank = reading->rank->rank,
					    .peer = peer };
	run_map_set(peers, peer, at);
	return &run->peers[at];
}

/* Over all communicators and threads of the rank. */
void run_read_peers(struct run_reading *reading)
{
	const struct record_table *t = record_table(reading->record, "peers");
	struct run_map peers = { 0 };
	int at[N_COLUMNS];

	run_columns(t, names, N_COLUMNS, at);
	for (size_t row = 0; row < record_rows(t); row++) {
		struct run_peer *p = peer_at(reading, &peers,
					     record_u64(t, row, at[PEER]));

		p->sends = sat_add(p->sends, record_u64(t, row, at[SENDS]));
		p->sent = sat_add(p->sent, record_u64(t, row, at[SENT]));
		p->receives = sat_add(p->receives,
				      record_u64(t, row, at[RECEIVES]));
		p->received = sat_add(p->received,
				      record_u64(t, row, at[RECEIVED]));
		p->time = sat_add(p->time, record_u64(t, row, at[TIME]));
	}
	run_map_clear(&peers);
	if (reading->run->n_peers > PAIRS_MAX)
		forget_some(reading->run);
}

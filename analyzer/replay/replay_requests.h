/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_REQUESTS_H
#define BCS_REPLAY_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The open requests of a process: the trace's numbers, which only grow, and
 * small ones for the simulator. */
struct replay_request {
	uint64_t id;
	uint32_t number;
	bool receives;
	bool gone;
};

struct replay_requests {
	struct replay_request *open; /* by id */
	size_t first;                /* all before it are gone */
	size_t n;
	size_t room;
	uint32_t *spare; /* small numbers to be used again */
	size_t n_spare;
	size_t spare_room;
	uint32_t used; /* small numbers so far */
};

/* A small number without an id. */
uint32_t replay_requests_new(struct replay_requests *requests);
void replay_requests_free(struct replay_requests *requests, uint32_t number);
uint32_t replay_requests_begin(struct replay_requests *requests, uint64_t id,
			       bool receives);
/* Copies a request that ends, and forgets its id.  False if it did not begin.
 */
bool replay_requests_end(struct replay_requests *requests, uint64_t id,
			 struct replay_request *ended);
void replay_requests_clear(struct replay_requests *requests);

#endif

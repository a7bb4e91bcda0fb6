/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FLIGHT_READING_H
#define BCS_FLIGHT_READING_H

/* Shared by the files that read a flight recorder. */
#include "mds/flight/flight_read.h"

struct flight {
	struct flight_head head;
	struct flight_slices slices; /* zero: there are none */
	unsigned char *bytes; /* of the file; the head's are as they were */
	uint32_t n_calls[FLIGHT_THREADS];
	const char **names; /* of calls */
	uint32_t n_names;
	uint64_t until; /* ticks */
};

struct flight_source {
	int fd;
	const char *path;
	char *why;
	size_t why_size;
};

/* Say in one line what is wrong with the file, and return `rc` or -EPROTO. */
int flight_refuse(const struct flight_source *from, int rc, const char *text);
int flight_refuse_damaged(const struct flight_source *from, const char *what);

/* Each returns 0, or -errno after it has refused the file. */
int flight_log_check(const struct flight_source *from, struct flight *flight);
int flight_log_names(const struct flight_source *from, struct flight *flight);

static inline struct flight_thread *flight_row(const struct flight *flight,
					       unsigned i)
{
	return (struct flight_thread *)(void *)(flight->bytes +
						flight->head.threads_at) +
	       i;
}

#endif

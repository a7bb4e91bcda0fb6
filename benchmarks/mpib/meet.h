/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MEET_H
#define BCS_MEET_H

#include "mpib.h"

/*
 * Round trips between a process, the root, and one or two others: `out` bytes
 * to each of them, then `back` bytes from each.  The root repeats and decides;
 * the others say before each that they are ready, so that no message waits for
 * a receive.
 */
struct meet {
	MPI_Comm comm;
	int rank;
	int size;
	bool crowded;
	int out;
	int back;
	char *buf;
	double reading; /* seconds, taken off each round trip */
	double delay;   /* seconds, for `trip` */
	/* Replace the round trip and its other side, or NULL. */
	double (*trip)(const struct meet *meet, int other);
	void (*answer)(const struct meet *meet, int root);
	const struct mpib_rules *rules;
	struct mpib_result *results; /* those of this process; else zero */
	int n_results;
	int rc;
};

/*
 * Collective: `meet` has out, back and rules; `count` says how many results
 * there are among so many processes.  0 or -errno, the same in all.
 */
int meet_begin(struct meet *meet, MPI_Comm comm, int (*count)(int n));
/* All have the results then, if none had an error. */
int meet_end(struct meet *meet, struct mpib_result *results);

/* For trip and answer: so many bytes of `buf`, and seconds since then. */
void meet_send(const struct meet *meet, int bytes, int to);
void meet_recv(const struct meet *meet, int bytes, int from);
double meet_since(int64_t begin);

void meet_others(struct meet *meet, const int *others, int n,
		 struct mpib_result *result);
void meet_root(struct meet *meet, int root);

#endif

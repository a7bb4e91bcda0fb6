/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_REPLAY_H
#define BCS_REPLAY_H

/*
 * Replays the trace of a run in the simulator: the computation between calls
 * as it was recorded, the messages by a system's model.  Messages meet as they
 * met in the run, and a wait ends with the requests that it ended with.
 */
#include "sim/sim_cluster.h"
#include "sim/sim_engine.h"

/* Factors that make another system of the one that was given. */
struct replay_scale {
	double cpu;       /* speed of cores */
	double latency;   /* the time of a message without bytes */
	double bandwidth; /* bytes per second */
	double add;       /* seconds more latency of each message */
};

struct replay_choice {
	const struct sim_system *system;
	struct sim_policy policy;
	struct replay_scale scale;
	double overhead; /* seconds, LogGP's o; NAN: as long as it took */
	double eager;    /* largest eager message; NAN: the system's */
	bool spread;     /* as many ranks on each of the nodes, of one kind */
	unsigned cores;  /* of a node; 0: as in the run */
	double quantum;  /* seconds, for which a rank keeps a core */
	/* Places of calls, as traces_site names them or "FILE:LINE", whose
	 * calls take no time; and calls that block no longer. */
	const char *const *free_sites;
	unsigned n_free;
	const char *const *async_sites;
	unsigned n_async;
	int (*pause)(void *self, uint64_t events, double seconds);
	void *self; /* argument of `pause` */
};

/* Seconds.  A rank begins when MPI_Init ends, and ends with MPI_Finalize. */
struct replay_rank {
	uint64_t rank;
	double recorded_end; /* since the first rank of the host began */
	double end;          /* likewise, in the replay */
	double computing;    /* in the replay */
};

struct replay_result {
	struct replay_rank *ranks;
	uint32_t n_ranks;
	double recorded; /* the end of the last rank */
	double seconds;  /* likewise, in the replay */
	/*
	 * By how much `seconds` grows: with the messages whose latencies
	 * follow each other on the way to the last rank's end, and the bytes.
	 * It is unknown, 0, in slices of a fixed length and where ranks share
	 * cores.
	 */
	struct sim_path path;
	uint64_t events; /* of the traces */
	uint64_t messages;
	uint64_t bytes;
	uint64_t sites; /* calls that free_sites and async_sites met */
	uint64_t lost;  /* events that the traces lack */
	uint32_t cores; /* that ranks of a node share; 0: each has its own */
	/* Parts of the run that are taken as they were. */
	uint64_t as_recorded;
	char lacking[96]; /* a formula's missing parameter, or "" */
};

/*
 * Replays the record in folder `path`.  Returns 0 and sets `result`, which the
 * caller clears.  Otherwise returns -errno after it has said why; -EINTR if
 * `pause` ended it.
 */
int replay_run(const char *path, const struct replay_choice *choice,
	       struct replay_result *result);
void replay_clear(struct replay_result *result);

#endif

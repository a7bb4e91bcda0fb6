/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_PROCESS_H
#define SHIM_PROCESS_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "mds/settings/settings.h"

/* Another process of the job on this node. */
struct process_sibling {
	int32_t rank;
	int32_t pid;
	uint64_t started; /* tells it from a later process of the same pid */
	bool answers;     /* the dump signal is ours to send */
};

/* Facts about this process, set by the first MPI_Init or MPI_Session_init. */
struct process {
	struct settings settings;
	bool started;           /* that call was made */
	_Atomic bool recording; /* and the process is one that records */
	bool ended; /* MPI_Finalize was called, or all sessions ended */
	uint64_t finalizing; /* since which tick MPI_Finalize runs; 0: not */
	pid_t pid;           /* a fork has another, and writes nothing */
	int status;          /* of its exit; -1: it runs */
	int rank;            /* -1: without a world */
	int size;
	int thread_level; /* of MPI: MPI_THREAD_MULTIPLE for a thread of ours */
	int thread_asked; /* by the program, and given to it */
	unsigned local_ranks;
	bool apart;          /* MPICH sees a node for each process */
	unsigned millicores; /* that they may use */
	uint64_t start_ns;   /* since 1970 */
	/* When slice 0 began, on CLOCK_MONOTONIC; 0: no slices by time. */
	uint64_t slice_zero_ns;
	bool parted;       /* each a session, and cores go by sessions */
	bool rcache_off;   /* we set UCX_RCACHE_ENABLE */
	bool leaves_badly; /* of other nodes, in MPI_Finalize */
	bool answers;      /* the dump signal writes the record */
	char refused[512]; /* values of settings, a line each, as told */
	char host[64];
	char mpi[128];
	char mismatch[640];    /* of collectives, as it was told; empty: none */
	uint64_t mismatch_key; /* the cell of the call, or FINDING_NO_CALL */
	/* Ranks that wait for each other, as it was told; empty: none. */
	const char *deadlock;
	char sums[256];     /* that they may have other bits; empty: not so */
	char slices[160];   /* why none were to be had; empty: not so */
	char dir[PATH_MAX]; /* of the record; empty: cannot be written */
	struct process_sibling *siblings;
	int n_siblings;
};

extern struct process process;

/* Before PMPI_Init: settings, clock. */
void process_prepare(void);
/*
 * After it: who we are among the others, who may make us write our record from
 * then on.  With a world this is collective over
 * it; without one it knows of this process only.
 */
void process_join(void);
void process_alone(void);

/* One line to the user, "bcs: …"; only one process of a job should say it. */
void process_warn(const char *line);
bool process_is_first(void);

/* One line to the user, whoever of the job is the first to fail. */
void process_warn_failed(int rc);

#endif

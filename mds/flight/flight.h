/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_FLIGHT_H
#define BCS_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mds/flight/flight_ring.h"

/*
 * The flight recorder: the last calls of a process in a file that it has
 * mapped (FORMAT.md).  A store into it outlives the process, however it
 * ends.
 *
 * A thread of the program writes its own ring; nobody else does.  A thread of
 * ours writes the rest of its row twice a second.  The names of calls, paths
 * and communicators go into a log that only grows.
 *
 * The process hardly reads the file: whatever became of it, the program goes
 * on.
 */
#define FLIGHT_MAGIC    UINT64_C(0x31746867696c6662) /* "bflight1" */
#define FLIGHT_VERSION  1
#define FLIGHT_SUFFIX   ".flight"
#define FLIGHT_THREADS  8
#define FLIGHT_CALLS    4096 /* of the first thread; a power of two */
#define FLIGHT_MORE     512  /* of each of the others; likewise */
#define FLIGHT_LOG      (96 << 10)
#define FLIGHT_WAITS    16
#define FLIGHT_TEXT     64
#define FLIGHT_ID_BYTES 20 /* of a build id, at most */

enum flight_waits_for {
	FLIGHT_SEND,
	FLIGHT_RECEIVE,
	FLIGHT_COLLECTIVE, /* `peer` is the call, `tag` the path it began at */
};

/* A request that a thread waits for. */
struct flight_wait {
	uint32_t what; /* enum flight_waits_for */
	uint32_t comm; /* as in a call */
	int32_t peer;
	int32_t tag;
};

/* A thread of ours writes this about another thread. */
struct flight_look {
	uint32_t changes; /* odd while it is written */
	uint32_t n_waits;
	uint64_t at;    /* `entered`, when it looked */
	uint64_t ticks; /* and the moment */
	uint64_t calls; /* sums up to there */
	uint64_t computation;
	uint64_t communication;
	uint64_t sent;
	uint64_t received;
	struct flight_wait waits[FLIGHT_WAITS];
};

/* The row of a thread. */
struct flight_thread {
	_Alignas(64) uint64_t entered;  /* calls; the last is at entered - 1 */
	_Alignas(64) uint32_t calls_at; /* place of its ring in the file */
	uint32_t n_calls;               /* size of it; 0: nobody has the row */
	uint32_t id;
	uint32_t unused;
	struct flight_look look;
};

/*
 * The leader's process tells what the slices of its node did until `at`.
 * Their place is FLIGHT_SLICES_AT, if the rows of threads are behind that.
 */
#define FLIGHT_SLICES_AT 512

struct flight_slices {
	uint32_t changes; /* odd while it is written */
	uint32_t unused;
	uint64_t at;        /* ticks */
	uint64_t length_ns; /* of a slice; 0: this process has none */
	uint64_t budget;    /* bytes that a slice may move */
	uint64_t slice;     /* the last one that ran */
	uint64_t n;         /* that ran */
	uint64_t bytes;     /* that they moved, of their budgets */
	uint64_t ticks;     /* that they took */
};

struct flight_head {
	uint64_t magic;
	uint32_t version;
	uint32_t bytes; /* of the file */
	int32_t rank;   /* -1: without a world */
	uint32_t size;
	uint64_t pid;
	uint64_t started;  /* as /proc has it, in the kernel's own units */
	uint64_t start_ns; /* since 1970 */
	/* One moment on the clock of the calls and on CLOCK_MONOTONIC. */
	uint64_t ticks;
	uint64_t ns;
	uint64_t ns_per_tick_32; /* in units of 2^-32 */
	uint64_t begun;          /* ticks */
	int32_t any_source;      /* MPI's values */
	int32_t any_tag;
	uint32_t threads_at;
	uint32_t n_threads;
	uint32_t log_at;
	uint32_t log_room;
	uint32_t log_used;
	uint32_t log_lost; /* entries that found no room */
	uint32_t local_ranks;
	uint32_t recording; /* it is on */
	char host[FLIGHT_TEXT];
	char program[FLIGHT_TEXT];
	char mode[16];
};

/* An entry of the log; as many bytes follow as `bytes` says, with this. */
enum flight_kind {
	FLIGHT_NAMES,    /* of calls, by number; each ends with a zero */
	FLIGHT_MODULE,   /* struct flight_module */
	FLIGHT_PATH,     /* struct flight_path */
	FLIGHT_COMM,     /* struct flight_comm */
	FLIGHT_DEADLOCK, /* one was found: a sentence, which ends with a zero */
};

struct flight_entry {
	uint16_t kind;
	uint16_t bytes; /* a multiple of 8 */
	uint32_t number;
};

struct flight_module {
	struct flight_entry entry;
	uint32_t id_len;
	unsigned char id[FLIGHT_ID_BYTES];
	/* The name of the file follows, with a zero. */
};

struct flight_path {
	struct flight_entry entry;
	uint64_t offset; /* of its outermost frame */
	uint32_t module; /* UINT32_MAX: none */
	uint32_t parent; /* the path within; 0: none */
};

struct flight_comm {
	struct flight_entry entry;
	uint64_t id;
	uint32_t size;
	uint32_t rank;
	/* Its name follows, with a zero. */
};

/* How a process begins its file. */
struct flight_options {
	const char *dir;
	const char *name;
	bool threads; /* several may call MPI */
	struct flight_head facts;
	const char *const *names; /* of calls */
	unsigned n_names;
};

/*
 * Makes the file and takes its room on the disk.  Once, before the first call
 * is recorded; returns 0 or -errno, then nothing else here does anything.
 */
int flight_start(const struct flight_options *options);
/* Removes the file: what it has is in the record. */
void flight_remove(void);

/* Names for the log; from any thread, not from a signal handler. */
void flight_path(uint32_t number, uint32_t parent, uint32_t module,
		 uint64_t offset);
void flight_comm(uint32_t number, uint64_t id, uint32_t size, uint32_t rank,
		 const char *name);
void flight_deadlock(const char *text);

/* The moment of a look; `recording` is whether it is on. */
void flight_moment(bool recording);
/* The slices of the node; `changes` is not looked at. */
void flight_show_slices(const struct flight_slices *slices);

/*
 * The file was cut by somebody, or its disk is gone, and `address` lies in it:
 * puts memory in its place.  From a handler of SIGBUS.  False if that is not
 * so.
 */
bool flight_mend(const void *address);

#endif

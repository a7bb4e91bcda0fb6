/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EMDS_H
#define BCS_EMDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "mds/futex.h"

/*
 * EMDS: the work of every time slice. The thread that runs a slice leaves a row
 * in a ring of its process. Another thread moves rows into a file while the
 * program runs, so only the disk limits their number. A row that finds the ring
 * full is counted and dropped: a slice never waits.
 */
#define EMDS_LIST(X)                                                    \
	X(SLICE, "slice")       /* its number, or the first one's */    \
	X(BEGIN, "begin_ticks") /* on the clock of the process */       \
	X(SLICES, "slices")     /* that are added up in the row */      \
	X(TIME, "ltts_ticks")   /* from beginning to end */             \
	X(DEM, "ltdem_ticks")   /* drain: descriptors are taken in */   \
	X(MSM, "ltmsm_ticks")   /* match */                             \
	X(P2P, "ltp2p_ticks")   /* small copies, words to the peers */  \
	X(BBM, "ltbbm_ticks")   /* collectives get on */                \
	X(RM, "ltrm_ticks")     /* reduce */                            \
	/* Between this slice and the next: */                          \
	X(COPY, "copy_ticks")   /* copies of large messages */          \
	X(FOLD, "fold_ticks")   /* large reductions */                  \
	X(POKE, "poke_ticks")   /* MPI's own progress */                \
	X(LATE, "late_ns")      /* behind the strobe, by time */        \
	X(P2P_DEM, "np2pdem")   /* descriptors taken in, of messages */ \
	X(P2P_MSM, "np2pmsm")   /* messages that met their receives */  \
	X(COLL_DEM, "ncolldem") /* the same, of collectives */          \
	X(COLL_MSM, "ncollmsm") /* collectives that got on */           \
	X(BYTES, "bytes")       /* that were moved */                   \
	X(CARRIED, "carried")   /* pieces left to the next slice */     \
	X(BLOCKED, "bpts")      /* processes of the node, blocked */    \
	X(HELPER, "helper")     /* slices run by the helper */          \
	X(USRSTS, "usrsts")     /* looks before the slice began */      \
	X(USRDEM, "usrdem")     /* exchanges that had to go on */       \
	X(USRMSM, "usrmsm")     /* messages that found no receive */

#define EMDS_ENUM(name, text) EMDS_##name,
enum emds_column { EMDS_LIST(EMDS_ENUM) EMDS_COLUMNS };
#undef EMDS_ENUM

extern const char *const emds_names[EMDS_COLUMNS];

/* How a column of the file is written. */
enum { EMDS_SAME, EMDS_PLAIN, EMDS_DIFFERENCES };

struct emds_row {
	uint64_t value[EMDS_COLUMNS];
};

struct emds_writer;

/* The ring.  Rows are added by one thread at a time: the one with the token. */
struct emds {
	uint64_t from; /* slices that are recorded, */
	uint64_t to;
	uint64_t resolution; /* so many to a row */
	bool every;          /* those without work too, by time */
	uint32_t size;       /* of the ring, a power of two */
	struct emds_row *rows;
	struct emds_writer *writer;

	_Alignas(64) _Atomic uint32_t head;
	uint32_t free_to; /* as far as is known there is room */
	_Atomic uint64_t dropped;

	_Alignas(64) _Atomic uint32_t tail;
	_Atomic uint32_t call; /* changes to wake the writer */
};

struct emds_options {
	const char *dir; /* where the file is made, */
	const char *name;
	uint64_t from;
	uint64_t to;
	uint64_t resolution;
	bool every;
	uint32_t columns; /* to be written, a bit for each */
	uint64_t memory;  /* bytes for all of it */
	/* The head of the file. */
	int rank;
	uint64_t pid;
	const char *host;
	const char *mode;
	uint64_t slice_ns; /* by time, else 0 */
	uint64_t zero_ns;  /* when slice 0 began, CLOCK_MONOTONIC */
	uint64_t first_ns; /* the same by that of the run's first node */
	unsigned local_ranks;
	void (*failed)(int rc); /* called once, by the writer, or NULL */
};

/* Returns 0 or -errno; *emds_p is set on success only.  Texts are not kept. */
int emds_start(struct emds **emds_p, const struct emds_options *options);
/* Nothing is added any more; writes what is left.  NULL is fine. */
void emds_stop(struct emds *emds);
/*
 * Waits until what was added before is in the file, but not for long.  May be
 * called from a signal handler.
 */
void emds_flush(struct emds *emds);

static inline bool emds_wants(const struct emds *emds, uint64_t slice)
{
	return slice >= emds->from && slice <= emds->to;
}

static inline void emds_call(struct emds *emds)
{
	atomic_fetch_add_explicit(&emds->call, 1, memory_order_release);
	futex_wake(&emds->call);
}

/* Takes what the row holds, which is empty then. */
static inline void emds_add(struct emds *emds, struct emds_row *row)
{
	const uint32_t head = atomic_load_explicit(&emds->head,
						   memory_order_relaxed);

	if (head == emds->free_to)
		/* Orders the writer's looking at a row before our writing. */
		emds->free_to = atomic_load_explicit(&emds->tail,
						     memory_order_acquire) +
				emds->size;
	if (head == emds->free_to) {
		atomic_fetch_add_explicit(&emds->dropped,
					  row->value[EMDS_SLICES],
					  memory_order_relaxed);
	} else {
		emds->rows[head & (emds->size - 1)] = *row;
		/* Orders the row before the word that shows it. */
		atomic_store_explicit(&emds->head, head + 1,
				      memory_order_release);
		if (((head + 1) & (emds->size / 2 - 1)) == 0)
			emds_call(emds);
	}
	memset(row, 0, sizeof(*row));
}

#endif

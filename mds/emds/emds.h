/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_EMDS_H
#define BCS_EMDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "mds/base/futex.h"

/*
 * EMDS: the work of every time slice. The thread that runs a slice leaves a row
 * in a ring of its process. Another thread moves rows into a file while the
 * program runs, so only the disk limits their number. A row that finds the ring
 * full is counted and dropped: a slice never waits.
 */
/*
 * A column, its name, and where it exists.  "By time" is fixed mode, where a
 * row is a slice of a node.  On demand a row is a turn of a process.
 */
/* clang-format off */
#define EMDS_LIST(X)                                                          \
	X(SLICE, "slice", EMDS_EVERYWHERE) /* number of the (first) slice */  \
	X(BEGIN, "begin_ticks", EMDS_EVERYWHERE) /* on the row's clock */     \
	X(SLICES, "slices", EMDS_EVERYWHERE) /* slices added up in the row */ \
	/* Time from beginning to end, and of each microphase. */             \
	X(TIME, "ltts_ticks", EMDS_EVERYWHERE)                                \
	X(SR, "ltsr_ticks", EMDS_BY_TIME) /* BEGIN, CLOSE and END */          \
	X(DEM, "ltdem_ticks", EMDS_EVERYWHERE)                                \
	X(MSM, "ltmsm_ticks", EMDS_EVERYWHERE)                                \
	X(GET, "ltget_ticks", EMDS_BY_TIME)                                   \
	X(P2P, "ltp2p_ticks", EMDS_EVERYWHERE)                                \
	X(BBM, "ltbbm_ticks", EMDS_EVERYWHERE)                                \
	X(RM, "ltrm_ticks", EMDS_EVERYWHERE) /* by time: TREE, too */         \
	/* Time that helpers of all processes took for orders. */             \
	X(DH, "ltdh_ticks", EMDS_BY_TIME)                                     \
	X(CH, "ltch_ticks", EMDS_BY_TIME)                                     \
	X(RH, "ltrh_ticks", EMDS_BY_TIME)                                     \
	/* Time between this turn and the next. */                            \
	X(COPY, "copy_ticks", EMDS_ON_DEMAND) /* copies of large messages */  \
	X(FOLD, "fold_ticks", EMDS_ON_DEMAND) /* large reductions */          \
	X(POKE, "poke_ticks", EMDS_ON_DEMAND) /* MPI's own progress */        \
	X(LATE, "late_ns", EMDS_BY_TIME) /* after the slice's time */         \
	/* By time: taken from the rings.  On demand: that came. */           \
	X(P2P_DEM, "np2pdem", EMDS_EVERYWHERE)                                \
	X(P2P_MSM, "np2pmsm", EMDS_EVERYWHERE) /* messages with receives */   \
	/* By time: that the node has called.  On demand: messages. */        \
	X(COLL_DEM, "ncolldem", EMDS_EVERYWHERE)                              \
	/* By time: scheduled.  On demand: that made progress. */             \
	X(COLL_MSM, "ncollmsm", EMDS_EVERYWHERE)                              \
	X(BYTES, "bytes", EMDS_EVERYWHERE)     /* bytes moved */              \
	X(CARRIED, "carried", EMDS_EVERYWHERE) /* messages with a rest */     \
	X(BLOCKED, "bpts", EMDS_EVERYWHERE)    /* blocked processes */        \
	X(HELPER, "helper", EMDS_EVERYWHERE)   /* slices run by the helper */ \
	/* Compare-and-writes in vain, until all nodes had done a phase. */   \
	X(USRSTS, "usrsts", EMDS_OF_SENDER)                                   \
	X(USRDEM, "usrdem", EMDS_OF_SENDER)                                   \
	X(USRMSM, "usrmsm", EMDS_OF_SENDER)                                   \
	/* Time until all nodes had done the phase, and the slice. */         \
	X(GTDEM, "gtdem_ticks", EMDS_OF_SENDER)                               \
	X(GTMSM, "gtmsm_ticks", EMDS_OF_SENDER)                               \
	X(GTTS, "gtts_ticks", EMDS_OF_SENDER)                                 \
	X(POLLS, "polls", EMDS_ON_DEMAND) /* while another thread worked */   \
	X(BATCHES, "batches", EMDS_ON_DEMAND) /* full ones of descriptors */  \
	X(LEFT, "left", EMDS_EVERYWHERE) /* messages without a receive */
/* clang-format on */

enum emds_where {
	EMDS_EVERYWHERE,
	EMDS_BY_TIME,
	EMDS_OF_SENDER, /* by time, in the file of the Strobe Sender */
	EMDS_ON_DEMAND,
};

#define EMDS_ENUM(name, text, where) EMDS_##name,
enum emds_column { EMDS_LIST(EMDS_ENUM) EMDS_COLUMNS };
#undef EMDS_ENUM

/* Sets of columns. */
#define EMDS_BIT(column) (UINT64_C(1) << (column))
#define EMDS_ALL         (EMDS_BIT(EMDS_COLUMNS) - 1)

extern const char *const emds_names[EMDS_COLUMNS];

/* Columns that exist by time or on demand; those of the Strobe Sender, too? */
uint64_t emds_columns_of(bool by_time, bool is_sender);
/* True if a column's values are ticks in the file. */
bool emds_is_time(int column);

/* How a column of the file is written. */
enum { EMDS_SAME, EMDS_PLAIN, EMDS_DIFFERENCES };

struct emds_row {
	uint64_t value[EMDS_COLUMNS];
};

struct emds_writer;

/* The ring.  One thread at a time adds rows: the holder of the token. */
struct emds {
	uint64_t from; /* first slice to record */
	uint64_t to;
	uint64_t resolution; /* slices added up in a row */
	bool every;          /* also slices without work, by time */
	uint32_t size;       /* size of the ring, a power of two */
	struct emds_row *rows;
	struct emds_writer *writer;

	_Alignas(64) _Atomic uint32_t head;
	uint32_t free_to; /* rows up to here are known to be free */
	_Atomic uint64_t dropped;

	_Alignas(64) _Atomic uint32_t tail;
	_Atomic uint32_t call; /* a futex: changes to wake the writer */
};

struct emds_options {
	const char *dir; /* folder of the file */
	const char *name;
	uint64_t from;
	uint64_t to;
	uint64_t resolution;
	bool every;
	uint64_t columns; /* columns to write, a bit for each */
	uint64_t memory;  /* bytes for the whole, ring included */
	/* Facts for the head of the file. */
	int rank;
	uint64_t pid;
	const char *host;
	const char *mode;
	uint64_t slice_ns; /* length of a slice by time, else 0 */
	uint64_t budget;   /* bytes that it may move; 0: not known */
	uint64_t zero_ns;  /* beginning of slice 0, CLOCK_MONOTONIC */
	uint64_t first_ns; /* the same, on the clock of the run's first node */
	unsigned local_ranks;
	void (*failed)(int rc); /* called once, by the writer; may be NULL */
};

/* Returns 0 or -errno; *emds_p is set on success only.  Does not keep texts. */
int emds_start(struct emds **emds_p, const struct emds_options *options);
/* Writes the rows that are left and frees.  No row may be added any more.  NULL
 * is fine. */
void emds_stop(struct emds *emds);
/*
 * Waits, for a short time only, until earlier rows are in the file.  May be
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

/* Adds the row and empties it. */
static inline void emds_add(struct emds *emds, struct emds_row *row)
{
	const uint32_t head = atomic_load_explicit(&emds->head,
						   memory_order_relaxed);

	if (head == emds->free_to)
		/* Orders the writer's loads of a row before our stores to
		 * it. */
		emds->free_to = atomic_load_explicit(&emds->tail,
						     memory_order_acquire) +
				emds->size;
	if (head == emds->free_to) {
		atomic_fetch_add_explicit(&emds->dropped,
					  row->value[EMDS_SLICES],
					  memory_order_relaxed);
	} else {
		emds->rows[head & (emds->size - 1)] = *row;
		/* Orders the row before the `head` that shows it. */
		atomic_store_explicit(&emds->head, head + 1,
				      memory_order_release);
		if (((head + 1) & (emds->size / 2 - 1)) == 0)
			emds_call(emds);
	}
	memset(row, 0, sizeof(*row));
}

#endif

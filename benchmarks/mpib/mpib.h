/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_MPIB_H
#define BCS_MPIB_H

/*
 * Measures the cost of communication from within an MPI program, after MPIBlib
 * (Lastovetsky, Rychkov, O'Flynn 2008).  Functions are called between MPI_Init
 * and MPI_Finalize, by one thread at a time.  Unless a comment says otherwise,
 * a function is collective on its communicator, of which it makes a copy.  Its
 * results are the same at all members.  Functions return 0 or -errno, the same
 * at all members, and set results on success only.  Errors of MPI go to the
 * communicator's handler.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* How the time of an operation is taken from those of the processes. */
enum mpib_timing {
	MPIB_MAXIMUM, /* the longest time of a process */
	MPIB_ROOT,    /* until the root knows that all are done */
	MPIB_GLOBAL,  /* from the first start to the last end */
};

/* How a repetition is kept apart from the one before it. */
enum mpib_start {
	MPIB_START_BARRIER,
	/* A barrier, then all at a time agreed on; not in a crowd. */
	MPIB_START_DEADLINE,
	MPIB_START_AT_ONCE, /* not at all: the pipeline effect */
};

/*
 * Repetitions end at max_reps.  After min_reps they end once the mean is known
 * to `error` (relative half width of Student's interval), or after `budget`
 * seconds.  A budget or an error of 0 ends nothing.
 */
struct mpib_rules {
	enum mpib_timing timing;
	enum mpib_start start;
	int min_reps; /* from 1 */
	int max_reps; /* at least min_reps */
	double confidence;
	double error;
	double budget;
	uint64_t seed;   /* of resampling */
	double *samples; /* NULL, or room for max_reps seconds at the root */
	/* Neither matters to pairs and triples. */
	int warm_up;   /* repetitions before the first that counts */
	int64_t flush; /* bytes that are written before each, so that caches
			* hold these; 0: none */
};

/* 10 to 1000 by the maximum after a barrier, 5 % with 95 % confidence. */
extern const struct mpib_rules mpib_rules_usual;

/* Times are in seconds. */
struct mpib_result {
	int reps;
	int missed;   /* deadlines; each cost its repetition */
	double mean;  /* and half the width of Student's interval, or */
	double error; /* infinity, for one repetition */
	double median;
	double low; /* the median's interval, by resampling */
	double high;
	double least;
	double most;
	double cost;  /* of the measurement */
	double bound; /* by which clocks may have been off, if they matter */
};

/* Any operation: `run` is called at all members, with each one's `argument`. */
int mpib_measure(MPI_Comm comm, int root, void (*run)(void *argument),
		 void *argument, const struct mpib_rules *rules,
		 struct mpib_result *result);

/* Whether processes of this host outnumber the cores that they may run on. */
int mpib_crowded(MPI_Comm comm, bool *crowded);

typedef int mpib_bcast(void *, int, MPI_Datatype, int, MPI_Comm);
typedef int mpib_scatter(const void *, int, MPI_Datatype, void *, int,
			 MPI_Datatype, int, MPI_Comm);
typedef int mpib_gather(const void *, int, MPI_Datatype, void *, int,
			MPI_Datatype, int, MPI_Comm);
typedef int mpib_reduce(const void *, void *, int, MPI_Datatype, MPI_Op, int,
			MPI_Comm);
typedef int mpib_allgather(const void *, int, MPI_Datatype, void *, int,
			   MPI_Datatype, MPI_Comm);
typedef int mpib_alltoall(const void *, int, MPI_Datatype, void *, int,
			  MPI_Datatype, MPI_Comm);
/* MPI_Allreduce, MPI_Reduce_scatter_block, MPI_Scan and MPI_Exscan. */
typedef int mpib_reduction(const void *, void *, int, MPI_Datatype, MPI_Op,
			   MPI_Comm);
/* MPI_Reduce_scatter, with the same count for each process. */
typedef int mpib_reduce_scatter(const void *, void *, const int *, MPI_Datatype,
				MPI_Op, MPI_Comm);
/* Of the rest each process has the same count, too, and its place by rank. */
typedef int mpib_scatterv(const void *, const int *, const int *, MPI_Datatype,
			  void *, int, MPI_Datatype, int, MPI_Comm);
typedef int mpib_gatherv(const void *, int, MPI_Datatype, void *, const int *,
			 const int *, MPI_Datatype, int, MPI_Comm);
typedef int mpib_allgatherv(const void *, int, MPI_Datatype, void *,
			    const int *, const int *, MPI_Datatype, MPI_Comm);
typedef int mpib_alltoallv(const void *, const int *, const int *, MPI_Datatype,
			   void *, const int *, const int *, MPI_Datatype,
			   MPI_Comm);

enum mpib_kind {
	MPIB_BCAST,
	MPIB_SCATTER,
	MPIB_GATHER,
	MPIB_REDUCE,
	MPIB_ALLGATHER,
	MPIB_ALLTOALL,
	MPIB_ALLREDUCE,
	MPIB_REDUCE_SCATTER_BLOCK,
	MPIB_SCAN,
	MPIB_REDUCE_SCATTER,
	MPIB_EXSCAN,
	MPIB_SCATTERV,
	MPIB_GATHERV,
	MPIB_ALLGATHERV,
	MPIB_ALLTOALLV,
	MPIB_KINDS
};

/* An implementation of a collective: the user's, MPI's, or one of ours. */
struct mpib_coll {
	const char *name;
	enum mpib_kind kind;
	union {
		mpib_bcast *bcast;
		mpib_scatter *scatter;
		mpib_gather *gather;
		mpib_reduce *reduce;
		mpib_allgather *allgather;
		mpib_alltoall *alltoall;
		mpib_reduction *reduction;
		mpib_reduce_scatter *reduce_scatter;
		mpib_scatterv *scatterv;
		mpib_gatherv *gatherv;
		mpib_allgatherv *allgatherv;
		mpib_alltoallv *alltoallv;
	} call;
};

/* Not collective.  "bcast" and so on; NULL, or MPIB_KINDS, for none. */
const char *mpib_kind_name(enum mpib_kind kind);
enum mpib_kind mpib_kind_find(const char *name);

/*
 * The implementations of a kind, from i = 0 on, NULL after the last.  MPI's own
 * is "mpi".  Ours are linear, binomial (Bruck's, for an all-to-all) and ring.
 * Scatter and gather have at-once instead: the root begins all transfers before
 * it waits for one.  The kinds from MPIB_ALLREDUCE on have MPI's only.
 * Not collective.
 *
 * Ours take types without gaps, less than 2 GiB for all members, and no
 * MPI_IN_PLACE. For others they return MPI_ERR_TYPE, MPI_ERR_COUNT and
 * MPI_ERR_BUFFER. They send with tag MPIB_TAG on the communicator that they are
 * called with.
 */
const struct mpib_coll *mpib_coll_own(enum mpib_kind kind, int i);
const struct mpib_coll *mpib_coll_find(enum mpib_kind kind, const char *name);
#define MPIB_TAG 28657

/* With `bytes` from or to each process; reductions are MPI_BXOR of bytes. */
int mpib_measure_coll(MPI_Comm comm, const struct mpib_coll *coll, int bytes,
		      int root, const struct mpib_rules *rules,
		      struct mpib_result *result);

/*
 * Calls it once, on bytes that tell whose they are, and looks at what arrived.
 * -EBADMSG if a process got anything else than it should.
 */
int mpib_check_coll(MPI_Comm comm, const struct mpib_coll *coll, int bytes,
		    int root);

/*
 * A nonblocking collective: "ibcast" and so on; the names from i = 0 on, NULL
 * after the last.  Not collective.
 */
const char *mpib_nonblocking_name(int i);

/*
 * `alone` is the collective with a wait at once, `both` the same with `compute`
 * seconds of computing before the wait.  These are the median of `alone`.  The
 * share of the collective that the computing hides is as IMB and OSU define it,
 * (alone + compute - both) / alone, from 0 to 1.
 */
struct mpib_overlap {
	struct mpib_result alone;
	struct mpib_result both;
	double compute;
	double share;
};

/* -EINVAL for another name.  Samples of the rules are those of `alone`. */
int mpib_measure_overlap(MPI_Comm comm, const char *name, int bytes, int root,
			 const struct mpib_rules *rules,
			 struct mpib_overlap *overlap);
/* As mpib_check_coll; of a barrier there is nothing to look at. */
int mpib_check_nonblocking(MPI_Comm comm, const char *name, int bytes,
			   int root);

/*
 * Patterns of messages.  A repetition has a window of them.
 *   bandwidth      rank 0 sends to rank 1 and waits for one answer
 *   bidirectional  both send to each other at the same time
 *   message_rate   bandwidth, of rank i to i + n / 2 for all i < n / 2 at once
 *   multi_pair     round trips of the same pairs at once
 *   put, get, accumulate, fetch_and_op   rank 0 reaches into rank 1's memory
 * The last four have a row for each way to synchronise: fence; lock (and
 * unlock); flush, within a lock that is held; pscw (post, start, complete,
 * wait).  The other ways are "mpi".
 */
struct mpib_pattern {
	const char *name;
	const char *way;
	int bytes;  /* the only size there is, or 0 */
	int window; /* what is usual: 64 or 1 messages */
};
/* The patterns from i = 0 on, NULL after the last.  Not collective. */
const struct mpib_pattern *mpib_pattern_own(int i);

/* -EINVAL for less than 2 processes, and bytes that the pattern has not. */
int mpib_measure_pattern(MPI_Comm comm, const struct mpib_pattern *pattern,
			 int bytes, int window, const struct mpib_rules *rules,
			 struct mpib_result *result);
/* As mpib_check_coll. */
int mpib_check_pattern(MPI_Comm comm, const struct mpib_pattern *pattern,
		       int bytes, int window);
/* The messages of a repetition among n processes.  Not collective. */
int64_t mpib_pattern_messages(const struct mpib_pattern *pattern, int n,
			      int window);

/*
 * Measures a broadcast or scatter by its tasks.  A task is the root's time
 * until one process has acknowledged, less the way of the acknowledgement.
 * Each process has its turn, and the longest is the result. -EINVAL for other
 * kinds.
 */
int mpib_measure_tasks(MPI_Comm comm, const struct mpib_coll *coll, int bytes,
		       int root, const struct mpib_rules *rules,
		       struct mpib_result *result);

/*
 * Round trips of all pairs i < j, with `out` bytes from i to j and `back` bytes
 * back.  If `parallel`, pairs that share no process are measured at the same
 * time.  Results are n (n - 1) / 2: (0,1), (0,2) ... (1,2) ... Timing, start
 * and samples of the rules do not matter.
 */
int mpib_measure_pairs(MPI_Comm comm, int out, int back, bool parallel,
		       const struct mpib_rules *rules,
		       struct mpib_result *results);

/* A round trip of each pair with bytes that tell whose they are; -EBADMSG. */
int mpib_check_pairs(MPI_Comm comm, int out, int back);

/* The place of i < j in these. */
int mpib_pair_index(int n, int i, int j);

/*
 * PLogP's parameters, between processes 0 and 1.  The round trip RTT(m) has
 * `bytes` out and an empty answer.  The overhead o_s(m) is the time that
 * MPI_Send takes; o_r(m) is that of MPI_Recv for a message that has arrived.
 * mpib_measure_gap is the time of each of many sends in a row.
 *
 *	g(m) = RTT(m) - RTT(0) + g(0)
 *	L = RTT(0) / 2 - g(0)
 *
 * Rules matter as for pairs.
 */
struct mpib_plogp {
	struct mpib_result round_trip;
	struct mpib_result send;
	struct mpib_result recv;
};
int mpib_measure_plogp(MPI_Comm comm, int bytes, const struct mpib_rules *rules,
		       struct mpib_plogp *plogp);
int mpib_measure_gap(MPI_Comm comm, int bytes, const struct mpib_rules *rules,
		     struct mpib_result *result);

/*
 * Round trips from each i to two others j < k: `out` bytes to both, then `back`
 * bytes from both.  Results are n (n - 1) (n - 2) / 2: (0,1,2), (0,1,3) ...
 */
int mpib_measure_triples(MPI_Comm comm, int out, int back, bool parallel,
			 const struct mpib_rules *rules,
			 struct mpib_result *results);

int mpib_triple_index(int n, int i, int j, int k);

/*
 * Measures once, then picks the fastest at run time.  The caller frees the
 * choice; colls and what they point at have to stay.  Picking is not collective
 * and is the same at all members.  It takes the fastest (by median) at the
 * largest size measured that is not above `bytes`, or at the smallest.
 */
struct mpib_choice;
int mpib_choice_new(MPI_Comm comm, const struct mpib_coll *const *colls, int n,
		    const int *sizes, int n_sizes,
		    const struct mpib_rules *rules, struct mpib_choice **made);
void mpib_choice_free(struct mpib_choice *choice);
const struct mpib_coll *mpib_choice_pick(const struct mpib_choice *choice,
					 int64_t bytes);
const struct mpib_result *mpib_choice_result(const struct mpib_choice *choice,
					     int coll, int size);

/*
 * The choice made once, at install time, and read by programs.  Rank 0 writes
 * or reads the file.  Its text names the kind, the processes, MPI's library,
 * the implementations, and for each size the fastest, with all medians.
 * mpib_choice_load finds the implementations by their names among `colls`, and
 * then among mpib's own.  -ENOENT and such from the system; -EINVAL for a file
 * that is damaged, or has a name that is nowhere found; -ESTALE for one of
 * another number of processes or another library: then measure again.  Results
 * of a loaded choice have the median and zeroes.
 *
 *     rc = mpib_choice_load(comm, "scatter.choice", NULL, 0, &choice);
 *     if (rc < 0) {
 *             rc = mpib_choice_new(comm, colls, n, sizes, n_sizes,
 *                                  &mpib_rules_usual, &choice);
 *             if (rc == 0)
 *                     mpib_choice_save(comm, choice, "scatter.choice");
 *     }
 */
int mpib_choice_save(MPI_Comm comm, const struct mpib_choice *choice,
		     const char *path);
int mpib_choice_load(MPI_Comm comm, const char *path,
		     const struct mpib_coll *const *colls, int n,
		     struct mpib_choice **made);

/* Collectives as MPI has them, each by its choice. */
int mpib_choice_bcast(const struct mpib_choice *choice, void *buf, int count,
		      MPI_Datatype type, int root, MPI_Comm comm);
int mpib_choice_scatter(const struct mpib_choice *choice, const void *from,
			int count, MPI_Datatype type, void *to, int to_count,
			MPI_Datatype to_type, int root, MPI_Comm comm);
int mpib_choice_gather(const struct mpib_choice *choice, const void *from,
		       int count, MPI_Datatype type, void *to, int to_count,
		       MPI_Datatype to_type, int root, MPI_Comm comm);

/*
 * Clocks.  Processes of one host and time namespace have the same clock.
 * Others are asked by messages at each anchor, and all are if `by_messages`.
 * The offset to rank 0's clock is interpolated between the last two anchors.
 * The result is off by no more than half the least round trip, as long as the
 * clocks' rates differ by a constant in between.
 */
struct mpib_clock;
int mpib_clock_new(MPI_Comm comm, bool by_messages, struct mpib_clock **made);
void mpib_clock_free(struct mpib_clock *clock);
int mpib_clock_anchor(struct mpib_clock *clock);
/* These are not collective, and in ns. */
int64_t mpib_clock_now(void);
int64_t mpib_clock_global(const struct mpib_clock *clock, int64_t local);
int64_t mpib_clock_local(const struct mpib_clock *clock, int64_t global);
int64_t mpib_clock_bound(const struct mpib_clock *clock);

/*
 * Sizes from first to last, and 0.  They follow a stride, or powers of two and
 * then wherever the curve bends.  A curve bends at a size whose time differs by
 * more than `tolerance` from the line between its neighbours.  Not collective:
 * all members have to pass the same.
 */
struct mpib_sizes;
int mpib_sizes_strided(int first, int last, int stride,
		       struct mpib_sizes **made);
int mpib_sizes_adaptive(int first, int last, double tolerance, int most,
			struct mpib_sizes **made);
/*
 * In a random order, the same for the same seed: then what changes with time is
 * not taken for what changes with size.  Before the first is asked for; -EINVAL
 * where the curve says what is next.
 */
int mpib_sizes_shuffle(struct mpib_sizes *sizes, uint64_t seed);
void mpib_sizes_free(struct mpib_sizes *sizes);
/* The next to be measured, or -1; each is told of before the next is asked. */
int mpib_sizes_next(struct mpib_sizes *sizes);
void mpib_sizes_tell(struct mpib_sizes *sizes, double seconds);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: mpib colls | results | clock SECONDS
 *
 * Checks that mpib's own collectives move the right bytes.  Checks that its
 * results are the same at all ranks, and add up.  Checks that it finds by how
 * many seconds the clock of each rank but 0 is ahead of rank 0's.  Silent if
 * all is right.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <mpib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 8
#define ROOM 10000

static int rank;
static int size;
static int failed;

#define RIGHT(is_right)                                                    \
	do {                                                               \
		if (!(is_right)) {                                         \
			printf("rank %d of %d, line %d: %s\n", rank, size, \
			       __LINE__, #is_right);                       \
			failed = 1;                                        \
		}                                                          \
	} while (0)

/* A byte that one rank has for another. */
static unsigned char byte_of(int from, int to, int at)
{
	return (unsigned char)(from * 31 + to * 17 + at * 7 + 1);
}

static void fill(unsigned char *part, int from, int to, int bytes)
{
	for (int i = 0; i < bytes; i++)
		part[i] = byte_of(from, to, i);
}

static bool holds(const unsigned char *part, int from, int to, int bytes)
{
	for (int i = 0; i < bytes; i++)
		if (part[i] != byte_of(from, to, i))
			return false;
	return true;
}

static unsigned char *part(unsigned char *buf, int i, int bytes)
{
	return buf + (size_t)i * (size_t)bytes;
}

static unsigned char out[MOST * ROOM];
static unsigned char in[MOST * ROOM + 1];

static void try_bcast(mpib_bcast *call, int bytes, int root)
{
	memset(in, 0, sizeof(in));
	if (rank == root)
		fill(in, root, 0, bytes);
	RIGHT(call(in, bytes, MPI_BYTE, root, MPI_COMM_WORLD) == MPI_SUCCESS);
	RIGHT(holds(in, root, 0, bytes));
	RIGHT(in[bytes] == 0);
}

static void try_scatter(mpib_scatter *call, int bytes, int root)
{
	memset(in, 0, sizeof(in));
	for (int i = 0; i < size; i++)
		fill(part(out, i, bytes), root, i, bytes);
	RIGHT(call(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root,
		   MPI_COMM_WORLD) == MPI_SUCCESS);
	RIGHT(holds(in, root, rank, bytes));
	RIGHT(in[bytes] == 0);
}

static void try_gather(mpib_gather *call, int bytes, int root)
{
	memset(in, 0, sizeof(in));
	fill(out, rank, root, bytes);
	RIGHT(call(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, root,
		   MPI_COMM_WORLD) == MPI_SUCCESS);
	for (int i = 0; rank == root && i < size; i++)
		RIGHT(holds(part(in, i, bytes), i, root, bytes));
	RIGHT(in[size * bytes] == 0);
}

static void try_reduce(mpib_reduce *call, int bytes, int root)
{
	unsigned char sum;

	memset(in, 0, sizeof(in));
	fill(out, rank, root, bytes);
	RIGHT(call(out, in, bytes, MPI_BYTE, MPI_BXOR, root, MPI_COMM_WORLD) ==
	      MPI_SUCCESS);
	for (int i = 0; rank == root && i < bytes; i++) {
		sum = 0;
		for (int from = 0; from < size; from++)
			sum ^= byte_of(from, root, i);
		RIGHT(in[i] == sum);
	}
	RIGHT(in[bytes] == 0);
}

static void try_allgather(mpib_allgather *call, int bytes)
{
	memset(in, 0, sizeof(in));
	fill(out, rank, 0, bytes);
	RIGHT(call(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD) ==
	      MPI_SUCCESS);
	for (int i = 0; i < size; i++)
		RIGHT(holds(part(in, i, bytes), i, 0, bytes));
	RIGHT(in[size * bytes] == 0);
}

static void try_alltoall(mpib_alltoall *call, int bytes)
{
	memset(in, 0, sizeof(in));
	for (int i = 0; i < size; i++)
		fill(part(out, i, bytes), rank, i, bytes);
	RIGHT(call(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD) ==
	      MPI_SUCCESS);
	for (int i = 0; i < size; i++)
		RIGHT(holds(part(in, i, bytes), i, rank, bytes));
	RIGHT(in[size * bytes] == 0);
}

/* Each has the same count for each; places are in the other order. */
static int counts[MOST];
static int places[MOST];

static int call_v(const struct mpib_coll *coll, int bytes, int root)
{
	switch (coll->kind) {
	case MPIB_SCATTERV:
		return coll->call.scatterv(out, counts, places, MPI_BYTE, in,
					   bytes, MPI_BYTE, root,
					   MPI_COMM_WORLD);
	case MPIB_GATHERV:
		return coll->call.gatherv(out, bytes, MPI_BYTE, in, counts,
					  places, MPI_BYTE, root,
					  MPI_COMM_WORLD);
	case MPIB_ALLGATHERV:
		return coll->call.allgatherv(out, bytes, MPI_BYTE, in, counts,
					     places, MPI_BYTE, MPI_COMM_WORLD);
	default:
		return coll->call.alltoallv(out, counts, places, MPI_BYTE, in,
					    counts, places, MPI_BYTE,
					    MPI_COMM_WORLD);
	}
}

static void try_v(const struct mpib_coll *coll, int bytes, int root)
{
	const bool sends_all = coll->kind == MPIB_SCATTERV ||
			       coll->kind == MPIB_ALLTOALLV;

	memset(in, 0, sizeof(in));
	for (int i = 0; i < size; i++) {
		counts[i] = bytes;
		places[i] = (size - 1 - i) * bytes;
		fill(part(out, sends_all ? size - 1 - i : i, bytes), rank,
		     sends_all ? i : 0, bytes);
	}
	RIGHT(call_v(coll, bytes, root) == MPI_SUCCESS);
	if (coll->kind == MPIB_SCATTERV)
		RIGHT(holds(in, root, rank, bytes));
	else if (coll->kind != MPIB_GATHERV || rank == root)
		for (int i = 0; i < size; i++)
			RIGHT(holds(part(in, size - 1 - i, bytes), i,
				    sends_all ? rank : 0, bytes));
}

static int reduce(const struct mpib_coll *coll, int bytes)
{
	if (coll->kind != MPIB_REDUCE_SCATTER)
		return coll->call.reduction(out, in, bytes, MPI_BYTE, MPI_BXOR,
					    MPI_COMM_WORLD);
	for (int i = 0; i < size; i++)
		counts[i] = bytes;
	return coll->call.reduce_scatter(out, in, counts, MPI_BYTE, MPI_BXOR,
					 MPI_COMM_WORLD);
}

static void try_reduction(const struct mpib_coll *coll, int bytes)
{
	const bool scatters = coll->kind == MPIB_REDUCE_SCATTER ||
			      coll->kind == MPIB_REDUCE_SCATTER_BLOCK;
	const bool before = coll->kind == MPIB_EXSCAN;
	const int last = before || coll->kind == MPIB_SCAN ? rank - before
							   : size - 1;
	const int to = scatters ? rank : 0;

	memset(in, 0, sizeof(in));
	for (int i = 0; i < size; i++)
		fill(part(out, i, bytes), rank, i, bytes);
	RIGHT(reduce(coll, bytes) == MPI_SUCCESS);
	for (int i = 0; last >= 0 && i < bytes; i++) {
		unsigned char sum = 0;

		for (int from = 0; from <= last; from++)
			sum ^= byte_of(from, to, i);
		RIGHT(in[i] == sum);
	}
	RIGHT(in[bytes] == 0);
}

/* Calls of mpib's that forget the last byte, or the whole, while this is set.
 */
#pragma GCC visibility push(default)
static bool forgets;

int MPI_Send(const void *buf, int n, MPI_Datatype type, int to, int tag,
	     MPI_Comm comm)
{
	return PMPI_Send(buf, n - (forgets && n > 0), type, to, tag, comm);
}

int MPI_Isend(const void *buf, int n, MPI_Datatype type, int to, int tag,
	      MPI_Comm comm, MPI_Request *request)
{
	return PMPI_Isend(buf, n - forgets, type, to, tag, comm, request);
}

int MPI_Put(const void *buf, int n, MPI_Datatype type, int at, MPI_Aint place,
	    int n_there, MPI_Datatype type_there, MPI_Win win)
{
	return PMPI_Put(buf, n - forgets, type, at, place, n_there - forgets,
			type_there, win);
}

int MPI_Get(void *buf, int n, MPI_Datatype type, int at, MPI_Aint place,
	    int n_there, MPI_Datatype type_there, MPI_Win win)
{
	return PMPI_Get(buf, n - forgets, type, at, place, n_there - forgets,
			type_there, win);
}

int MPI_Accumulate(const void *buf, int n, MPI_Datatype type, int at,
		   MPI_Aint place, int n_there, MPI_Datatype type_there,
		   MPI_Op op, MPI_Win win)
{
	return PMPI_Accumulate(buf, n - forgets, type, at, place,
			       n_there - forgets, type_there, op, win);
}

int MPI_Fetch_and_op(const void *buf, void *to, MPI_Datatype type, int at,
		     MPI_Aint place, MPI_Op op, MPI_Win win)
{
	return forgets ? MPI_SUCCESS
		       : PMPI_Fetch_and_op(buf, to, type, at, place, op, win);
}

int MPI_Ialltoall(const void *from, int n, MPI_Datatype type, void *to,
		  int n_to, MPI_Datatype to_type, MPI_Comm comm,
		  MPI_Request *request)
{
	return PMPI_Ialltoall(from, n - forgets, type, to, n_to - forgets,
			      to_type, comm, request);
}

int MPI_Iexscan(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
		MPI_Comm comm, MPI_Request *request)
{
	return PMPI_Iexscan(from, to, n - forgets, type, op, comm, request);
}

#pragma GCC visibility pop

/* What is forgotten is found; of one process there are no patterns. */
static void try_pattern(const struct mpib_pattern *pattern, int bytes)
{
	const int due = size < 2 ? -EINVAL : 0;

	for (int window = 1; window <= 3; window += 2)
		RIGHT(mpib_check_pattern(MPI_COMM_WORLD, pattern, bytes,
					 window) == due);
	if (size < 2 || bytes == 1)
		return;
	forgets = true;
	RIGHT(mpib_check_pattern(MPI_COMM_WORLD, pattern, bytes, 3) ==
	      -EBADMSG);
	forgets = false;
}

static void patterns(void)
{
	const struct mpib_pattern *pattern;
	int n = 0;

	for (; (pattern = mpib_pattern_own(n)); n++) {
		if (!pattern->bytes)
			try_pattern(pattern, 1);
		try_pattern(pattern, pattern->bytes ? pattern->bytes : 9973);
	}
	RIGHT(n == 20);
	RIGHT(mpib_check_pairs(MPI_COMM_WORLD, 100, 0) == 0);
	RIGHT(mpib_check_pairs(MPI_COMM_WORLD, 1, 9973) == 0);
	forgets = true;
	RIGHT(mpib_check_pairs(MPI_COMM_WORLD, 1, 99) ==
	      (size < 2 ? 0 : -EBADMSG));
	forgets = false;
}

static void try_nonblocking(const char *name, int root)
{
	const bool can_forget = strcmp(name, "ialltoall") == 0 ||
				(strcmp(name, "iexscan") == 0 && size > 1);
	const int bytes = strcmp(name, "ibarrier") == 0 ? 0 : 97;

	RIGHT(mpib_check_nonblocking(MPI_COMM_WORLD, name, 0, root) == 0);
	RIGHT(mpib_check_nonblocking(MPI_COMM_WORLD, name, bytes, root) == 0);
	forgets = can_forget;
	RIGHT(mpib_check_nonblocking(MPI_COMM_WORLD, name, bytes, root) ==
	      (can_forget ? -EBADMSG : 0));
	forgets = false;
}

static void nonblocking(void)
{
	const char *name;

	for (int i = 0; (name = mpib_nonblocking_name(i)); i++)
		try_nonblocking(name, size - 1);
	RIGHT(mpib_check_nonblocking(MPI_COMM_WORLD, "bcast", 1, 0) == -EINVAL);
}

/* Collectives that forget one byte, at one process. */
static int bad_scan(const void *from, void *to, int count, MPI_Datatype type,
		    MPI_Op op, MPI_Comm comm)
{
	const int rc = MPI_Scan(from, to, count, type, op, comm);

	if (rank == size - 1 && count > 0)
		((char *)to)[count - 1] ^= 1;
	return rc;
}

static int bad_gather(const void *from, int count, MPI_Datatype type, void *to,
		      int to_count, MPI_Datatype to_type, int root,
		      MPI_Comm comm)
{
	const int rc = MPI_Gather(from, count, type, to, to_count, to_type,
				  root, comm);

	if (rank == root && count > 0)
		((char *)to)[size * count - 1] ^= 1;
	return rc;
}

static int no_bcast(void *buf, int count, MPI_Datatype type, int root,
		    MPI_Comm comm)
{
	(void)buf;
	(void)count;
	(void)type;
	(void)root;
	(void)comm;
	return MPI_SUCCESS;
}

/* All members see that the collective is wrong. */
static void try_bad(void)
{
	static const struct mpib_coll bad[] = {
		{ "bad", MPIB_SCAN, { .reduction = bad_scan } },
		{ "bad", MPIB_GATHER, { .gather = bad_gather } },
		{ "none", MPIB_BCAST, { .bcast = no_bcast } },
	};

	for (int i = 0; i < 3; i++)
		RIGHT(mpib_check_coll(MPI_COMM_WORLD, &bad[i], 9, size - 1) ==
		      (i == 2 && size == 1 ? 0 : -EBADMSG));
}

static void try(const struct mpib_coll *coll, int bytes, int root)
{
	switch (coll->kind) {
	case MPIB_BCAST:
		try_bcast(coll->call.bcast, bytes, root);
		break;
	case MPIB_SCATTER:
		try_scatter(coll->call.scatter, bytes, root);
		break;
	case MPIB_GATHER:
		try_gather(coll->call.gather, bytes, root);
		break;
	case MPIB_REDUCE:
		try_reduce(coll->call.reduce, bytes, root);
		break;
	case MPIB_ALLGATHER:
		try_allgather(coll->call.allgather, bytes);
		break;
	case MPIB_ALLTOALL:
		try_alltoall(coll->call.alltoall, bytes);
		break;
	case MPIB_SCATTERV:
	case MPIB_GATHERV:
	case MPIB_ALLGATHERV:
	case MPIB_ALLTOALLV:
		try_v(coll, bytes, root);
		break;
	default:
		try_reduction(coll, bytes);
	}
	RIGHT(mpib_check_coll(MPI_COMM_WORLD, coll, bytes, root) == 0);
}

/* Affine maps by pairs of bytes: joining them is an order's, no sum's. */
static void join(void *from, void *to, int *n, MPI_Datatype *type)
{
	unsigned char *a = from;
	unsigned char *b = to;

	(void)type;
	for (int i = 0; i < *n; i += 2) {
		b[i + 1] = (unsigned char)(a[i] * b[i + 1] + a[i + 1]);
		b[i] = (unsigned char)(a[i] * b[i]);
	}
}

static void try_order(void)
{
	unsigned char mine[2] = { (unsigned char)(2 * rank + 3),
				  (unsigned char)(7 * rank + 1) };
	const struct mpib_coll *coll;
	unsigned char expected[2];
	unsigned char got[2];
	MPI_Op op;

	MPI_Op_create(join, 0, &op);
	MPI_Reduce(mine, expected, 2, MPI_BYTE, op, size - 1, MPI_COMM_WORLD);
	for (int i = 0; (coll = mpib_coll_own(MPIB_REDUCE, i)); i++) {
		coll->call.reduce(mine, got, 2, MPI_BYTE, op, size - 1,
				  MPI_COMM_WORLD);
		if (rank == size - 1)
			RIGHT(memcmp(got, expected, 2) == 0);
	}
	MPI_Op_free(&op);
}

/* Our own collectives refuse at once what they do not take. */
static void try_refused(void)
{
	MPI_Datatype gaps;

	MPI_Type_vector(2, 1, 2, MPI_BYTE, &gaps);
	MPI_Type_commit(&gaps);
	for (int kind = 0; kind < MPIB_ALLREDUCE; kind++)
		RIGHT(mpib_coll_find((enum mpib_kind)kind, "linear") != NULL);
	RIGHT(mpib_coll_find(MPIB_BCAST, "linear")
		      ->call.bcast(in, 1, gaps, 0, MPI_COMM_WORLD) ==
	      MPI_ERR_TYPE);
	RIGHT(mpib_coll_find(MPIB_REDUCE, "binomial")
		      ->call.reduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, 0,
				    MPI_COMM_WORLD) == MPI_ERR_BUFFER);
	MPI_Type_free(&gaps);
}

static void colls(void)
{
	static const int sizes[] = { 0, 1, 9973 };
	const struct mpib_coll *coll;

	for (int kind = 0; kind < MPIB_KINDS; kind++)
		for (int i = 0; (coll = mpib_coll_own((enum mpib_kind)kind, i));
		     i++)
			for (int at = 0; at < 3; at++)
				for (int root = 0; root < size; root++)
					try(coll, sizes[at], root);
	try_bad();
	try_order();
	try_refused();
	nonblocking();
	if (size < 5)
		patterns();
}

/* Not by a pointer of its own: each rank has all of rank 0's. */
static bool is_everywhere(const struct mpib_result *results, int n)
{
	const size_t bytes = (size_t)n * sizeof(*results);
	char *first = malloc(bytes);
	bool same;

	if (!first)
		return false;
	memcpy(first, results, bytes);
	MPI_Bcast(first, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
	same = memcmp(first, results, bytes) == 0;
	free(first);
	return same;
}

/* Sums of equal times may be off in their last digit. */
static bool at_most(double a, double b)
{
	return a <= b * (1 + 1e-9);
}

/* No time is negative, whatever was taken off. */
static bool adds_up(const struct mpib_result *r, const struct mpib_rules *by)
{
	return r->reps >= 1 && r->reps + r->missed >= by->min_reps &&
	       r->reps + r->missed <= by->max_reps && r->least >= 0 &&
	       at_most(r->least, r->low) && at_most(r->low, r->median) &&
	       at_most(r->median, r->high) && at_most(r->high, r->most) &&
	       at_most(r->least, r->mean) && at_most(r->mean, r->most) &&
	       r->error >= 0 && r->cost > 0;
}

/*
 * Operations whose number is known, and that take the root, the last, longest.
 * Confirmations have arrived by then, so that taking them off is wrong.
 */
#define LEAST 3000
static int run_count;

static void count(void *argument)
{
	const int64_t begin = mpib_clock_now();

	RIGHT(argument == &run_count);
	run_count++;
	while (mpib_clock_now() < begin + (rank == size - 1 ? LEAST : 100))
		;
}

static void try_ways(void)
{
	double samples[30];
	struct mpib_rules by = mpib_rules_usual;
	struct mpib_result r;

	by.max_reps = 30;
	by.min_reps = 3;
	by.samples = samples;
	for (int timing = MPIB_MAXIMUM; timing <= MPIB_GLOBAL; timing++)
		for (int start = 0; start <= MPIB_START_AT_ONCE; start++) {
			int rc;

			by.timing = (enum mpib_timing)timing;
			by.start = (enum mpib_start)start;
			run_count = 0;
			rc = mpib_measure(MPI_COMM_WORLD, size - 1, count,
					  &run_count, &by, &r);
			/* Others may have the core at each. */
			if (rc == -ETIME && start == MPIB_START_DEADLINE)
				continue;
			RIGHT(rc == 0);
			RIGHT(run_count == r.reps + r.missed);
			RIGHT(adds_up(&r, &by));
			/* Operations that are not kept apart overlap. */
			RIGHT(start == MPIB_START_AT_ONCE ||
			      at_most(r.mean * r.reps, r.cost));
			RIGHT(r.least > (LEAST - 1) * 1e-9);
			RIGHT(is_everywhere(&r, 1));
			RIGHT(start == MPIB_START_DEADLINE || r.missed == 0);
			for (int i = 0; rank == size - 1 && i < r.reps; i++)
				RIGHT(samples[i] >= r.least &&
				      samples[i] <= r.most);
		}
}

/* Repetitions before the first are not among the results. */
static void try_warm_up(void)
{
	struct mpib_rules by = mpib_rules_usual;
	struct mpib_result r;

	by.max_reps = by.min_reps = 5;
	by.warm_up = 7;
	by.flush = 100000;
	run_count = 0;
	RIGHT(mpib_measure(MPI_COMM_WORLD, 0, count, &run_count, &by, &r) == 0);
	RIGHT(r.reps == 5 && run_count == 12);
	by.warm_up = -1;
	RIGHT(mpib_measure(MPI_COMM_WORLD, 0, count, &run_count, &by, &r) ==
	      -EINVAL);
}

/* A pass over bytes.  How slow it is without a cache is the machine's. */
static char walked[200000];

static void walk(void *argument)
{
	volatile char *at = argument;

	for (size_t i = 0; i < sizeof(walked); i += 64)
		at[i]++;
}

static void try_flush(void)
{
	struct mpib_rules by = mpib_rules_usual;
	struct mpib_result warm;
	struct mpib_result cold;

	by.min_reps = by.max_reps = 30;
	RIGHT(mpib_measure(MPI_COMM_WORLD, 0, walk, walked, &by, &warm) == 0);
	by.flush = 64 << 20;
	RIGHT(mpib_measure(MPI_COMM_WORLD, 0, walk, walked, &by, &cold) == 0);
	RIGHT(warm.least > 0 && cold.least > 0);
}

/* Empty ones, of which confirmations are the most. */
static void try_colls(void)
{
	struct mpib_rules by = mpib_rules_usual;
	const struct mpib_coll *coll;
	struct mpib_result r;

	by.max_reps = 10;
	by.timing = MPIB_ROOT;
	for (int kind = 0; kind < MPIB_KINDS; kind++)
		for (int i = 0; (coll = mpib_coll_own((enum mpib_kind)kind, i));
		     i++) {
			const bool has_tasks = kind <= MPIB_SCATTER;

			RIGHT(mpib_measure_coll(MPI_COMM_WORLD, coll, 0, 0, &by,
						&r) == 0);
			RIGHT(adds_up(&r, &by));
			RIGHT(is_everywhere(&r, 1));
			RIGHT(mpib_measure_tasks(MPI_COMM_WORLD, coll, 9,
						 size - 1, &by, &r) ==
			      (has_tasks ? 0 : -EINVAL));
			RIGHT(adds_up(&r, &by));
		}
	RIGHT(mpib_measure_coll(MPI_COMM_WORLD, mpib_coll_own(MPIB_BCAST, 0), 1,
				size, &by, &r) == -EINVAL);
}

static void try_pairs(bool parallel)
{
	struct mpib_result results[MOST * MOST];
	struct mpib_rules by = mpib_rules_usual;
	const int n = size * (size - 1) / 2;
	int at = 0;

	by.max_reps = 15;
	RIGHT(mpib_measure_pairs(MPI_COMM_WORLD, 100, 0, parallel, &by,
				 results) == 0);
	for (int i = 0; i < size; i++)
		for (int j = i + 1; j < size; j++)
			RIGHT(mpib_pair_index(size, i, j) == at++);
	RIGHT(at == n);
	for (int i = 0; i < n; i++)
		RIGHT(adds_up(&results[i], &by));
	if (n > 0)
		RIGHT(is_everywhere(results, n));
}

static void try_triples(bool parallel)
{
	struct mpib_result results[MOST * MOST];
	struct mpib_rules by = mpib_rules_usual;
	const int n = size * (size - 1) * (size - 2) / 2;
	int at = 0;

	by.max_reps = 15;
	RIGHT(n <= MOST * MOST);
	RIGHT(mpib_measure_triples(MPI_COMM_WORLD, 100, 10, parallel, &by,
				   results) == 0);
	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			for (int k = j + 1; k < size; k++)
				if (j != i && k != i)
					RIGHT(mpib_triple_index(size, i, j,
								k) == at++);
	RIGHT(at == n);
	for (int i = 0; i < n; i++)
		RIGHT(adds_up(&results[i], &by));
	if (n > 0)
		RIGHT(is_everywhere(results, n));
	RIGHT(mpib_measure_triples(MPI_COMM_WORLD, -1, 0, parallel, &by,
				   results) == -EINVAL);
}

/* The user's own, which tells who was called. */
static int slow_calls;

static int slow(void *buf, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
	const int64_t begin = mpib_clock_now();

	slow_calls++;
	while (mpib_clock_now() < begin + 2000000)
		;
	return MPI_Bcast(buf, n, type, root, comm);
}

/* The file that all know of, in the folder of the test. */
static const char *choice_path(void)
{
	static char path[256];

	snprintf(path, sizeof(path), "mpib-%ld.choice",
		 rank == 0 ? (long)getpid() : 0);
	MPI_Bcast(path, sizeof(path), MPI_BYTE, 0, MPI_COMM_WORLD);
	return path;
}

/* Rank 0 writes the file again, with `from` once replaced by `to`. */
static void change_file(const char *path, const char *from, const char *to)
{
	static char text[10000];
	FILE *file;
	char *at;
	size_t n;

	if (rank == 0) {
		file = fopen(path, "r");
		n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
		text[n] = '\0';
		at = strstr(text, from);
		RIGHT(file && at);
		if (file)
			fclose(file);
		file = fopen(path, "w");
		if (at && file)
			fprintf(file, "%.*s%s%s", (int)(at - text), text, to,
				at + strlen(from));
		if (file)
			fclose(file);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* What is read is what was chosen; a changed file is refused. */
static void try_file(const struct mpib_choice *choice,
		     const struct mpib_coll *const *known)
{
	static const struct {
		const char *from;
		const char *to;
		int rc;
	} changes[] = {
		{ "\nend", "\nen", -EINVAL },
		{ "\ncolls 2 ", "\ncolls 3 ", -EINVAL },
		{ " binomial\n", " trinomial\n", -EINVAL },
		{ "\n100 ", "\n1 ", -EINVAL },
		{ "\n100 ", "\n100 2 ", -EINVAL },
		{ "\nlibrary ", "\nlibrary Other ", -ESTALE },
		{ "\nkind bcast ", "\nkind bcast 9", -ESTALE },
		{ "mpib-choice 1", "mpib-choice 2", -EINVAL },
	};
	const char *path = choice_path();
	struct mpib_choice *read;

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		RIGHT(mpib_choice_save(MPI_COMM_WORLD, choice, path) == 0);
		change_file(path, changes[i].from, changes[i].to);
		RIGHT(mpib_choice_load(MPI_COMM_WORLD, path, known, 1, &read) ==
		      changes[i].rc);
	}
	RIGHT(mpib_choice_save(MPI_COMM_WORLD, choice, path) == 0);
	RIGHT(mpib_choice_load(MPI_COMM_WORLD, path, NULL, 0, &read) ==
	      -EINVAL); /* nobody knows "slow" */
	RIGHT(mpib_choice_load(MPI_COMM_WORLD, path, known, 1, &read) == 0);
	for (int bytes = 0; bytes < 200; bytes += 50)
		RIGHT(mpib_choice_pick(read, bytes) ==
		      mpib_choice_pick(choice, bytes));
	for (int i = 0; i < 4; i++)
		RIGHT(fabs(mpib_choice_result(read, i % 2, i / 2)->median /
				   mpib_choice_result(choice, i % 2, i / 2)
					   ->median -
			   1) < 1e-6);
	mpib_choice_free(read);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		unlink(path);
	RIGHT(mpib_choice_load(MPI_COMM_WORLD, "/nowhere/at/all", known, 1,
			       &read) == -ENOENT);
	RIGHT(mpib_choice_save(MPI_COMM_WORLD, choice, "/nowhere/at/all") ==
	      -ENOENT);
}

static void try_choice(void)
{
	const struct mpib_coll own = { "slow", MPIB_BCAST, { .bcast = slow } };
	const struct mpib_coll *colls_of[2] = { &own, NULL };
	const int sizes[] = { 1, 100 };
	struct mpib_rules by = mpib_rules_usual;
	struct mpib_choice *choice;
	int best;

	by.max_reps = 10;
	colls_of[1] = mpib_coll_find(MPIB_BCAST, "binomial");
	RIGHT(mpib_choice_new(MPI_COMM_WORLD, colls_of, 2, sizes, 2, &by,
			      &choice) == 0);
	RIGHT(slow_calls >= 20);
	for (int i = 0; i < 2; i++) {
		best = mpib_choice_result(choice, 1, i)->median <
		       mpib_choice_result(choice, 0, i)->median;
		RIGHT(mpib_choice_pick(choice, sizes[i]) == colls_of[best]);
	}
	RIGHT(mpib_choice_pick(choice, 0) == mpib_choice_pick(choice, 1));
	RIGHT(mpib_choice_pick(choice, 99) == mpib_choice_pick(choice, 1));
	RIGHT(mpib_choice_pick(choice, 1 << 30) ==
	      mpib_choice_pick(choice, 100));
	memset(in, rank == 0 ? 5 : 0, sizeof(in));
	mpib_choice_bcast(choice, in, 500, MPI_BYTE, 0, MPI_COMM_WORLD);
	RIGHT(in[499] == 5);
	try_file(choice, colls_of);
	mpib_choice_free(choice);
}

/* Begins 1 ms of work, which nobody does before the wait. */
static bool is_lazy;

__attribute__((visibility("default"))) int MPI_Ibarrier(MPI_Comm comm,
							MPI_Request *request)
{
	const int64_t begin = mpib_clock_now();

	while (is_lazy && mpib_clock_now() < begin + 1000000)
		;
	return PMPI_Ibarrier(comm, request);
}

/* Nothing is hidden of a start that takes all of the time. */
static void try_overlap(void)
{
	struct mpib_rules by = mpib_rules_usual;
	struct mpib_overlap overlap;
	double hidden;

	by.max_reps = 20;
	RIGHT(mpib_measure_overlap(MPI_COMM_WORLD, "iallgather", 1000, 0, &by,
				   &overlap) == 0);
	RIGHT(adds_up(&overlap.alone, &by) && adds_up(&overlap.both, &by));
	RIGHT(overlap.compute == overlap.alone.median);
	RIGHT(overlap.share >= 0 && overlap.share <= 1);
	is_lazy = size <= 2; /* a crowd's barriers are nonblocking ones */
	RIGHT(mpib_measure_overlap(MPI_COMM_WORLD, "ibarrier", 0, 0, &by,
				   &overlap) == 0);
	RIGHT(!is_lazy || overlap.alone.least > 1e-3);
	RIGHT(!is_lazy || overlap.both.least > 1e-3 + 0.99 * overlap.compute);
	hidden = 2 - overlap.both.median / overlap.compute;
	hidden = hidden < 0 ? 0 : hidden > 1 ? 1 : hidden;
	RIGHT(fabs(overlap.share - hidden) < 1e-6);
	is_lazy = false;
}

static void try_rates(void)
{
	struct mpib_rules by = mpib_rules_usual;
	const struct mpib_pattern *pattern;
	struct mpib_result r;

	by.max_reps = 10;
	for (int i = 0; (pattern = mpib_pattern_own(i)); i++) {
		RIGHT(mpib_measure_pattern(MPI_COMM_WORLD, pattern, 8, 4, &by,
					   &r) == (size < 2 ? -EINVAL : 0));
		RIGHT(size < 2 || adds_up(&r, &by));
		RIGHT(size < 2 || is_everywhere(&r, 1));
	}
	RIGHT(mpib_pattern_messages(mpib_pattern_own(0), 6, 5) == 5);
	RIGHT(mpib_pattern_messages(mpib_pattern_own(1), 6, 5) == 10);
	RIGHT(mpib_pattern_messages(mpib_pattern_own(2), 7, 5) == 15);
	RIGHT(mpib_pattern_messages(mpib_pattern_own(3), 6, 5) == 30);
	RIGHT(mpib_pattern_messages(mpib_pattern_own(4), 6, 5) == 5);
}

static void results(void)
{
	try_overlap();
	try_rates();
	try_warm_up();
	if (size == 1)
		try_flush();
	try_ways();
	try_colls();
	try_pairs(false);
	try_pairs(true);
	try_triples(false);
	try_triples(true);
	try_choice();
}

/* Clocks are compared thrice; the truth is in the bound each time. */
static void clocks(int64_t seconds, bool by_messages)
{
	const int64_t offset = rank == 0 ? 0 : -seconds * 1000000000;
	struct mpib_clock *clock;
	int64_t back;
	int64_t now;

	RIGHT(mpib_clock_new(MPI_COMM_WORLD, by_messages, &clock) == 0);
	for (int i = 0; i < 3; i++) {
		now = mpib_clock_now();
		RIGHT(mpib_clock_anchor(clock) == 0);
		RIGHT(llabs(mpib_clock_global(clock, now) - now - offset) <=
		      mpib_clock_bound(clock));
		back = mpib_clock_local(clock, mpib_clock_global(clock, now));
		RIGHT(llabs(back - now) <= 2 * mpib_clock_bound(clock));
	}
	if (rank == 0 || (seconds == 0 && !by_messages))
		RIGHT(mpib_clock_bound(clock) == 0);
	else
		RIGHT(mpib_clock_bound(clock) > 0);
	mpib_clock_free(clock);
}

/* Starts and ends of one operation, told by clocks that are far apart. */
static void global_times(void)
{
	struct mpib_rules by = mpib_rules_usual;
	struct mpib_result r;

	by.timing = MPIB_GLOBAL;
	by.min_reps = 20;
	RIGHT(mpib_measure(MPI_COMM_WORLD, 0, count, &run_count, &by, &r) == 0);
	RIGHT(r.least > 0 && r.most < 10);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	RIGHT(size <= MOST && argc > 1);
	if (argc == 3) {
		clocks(atol(argv[2]), false);
		clocks(atol(argv[2]), true);
		global_times();
	} else if (strcmp(argv[1], "colls") == 0) {
		colls();
	} else {
		results();
	}
	MPI_Finalize();
	return failed;
}

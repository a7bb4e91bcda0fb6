/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Traffic between engines, each a thread here or a process of its own: every
 * byte, source, tag and length is checked, and that messages do not overtake
 * each other.  What is sent follows from a seed that all know.
 */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libbcs/base/wake.h"
#include "libbcs/demand/engine.h"
#include "libbcs/demand/helper.h"
#include "libbcs/demand/p2p/p2p.h"
#include "libbcs/demand/wait.h"
#include "mds/emds_read.h"

#define RANKS_MAX 5
/* TSan sees no order that comes about by way of another process. */
#ifdef __SANITIZE_THREAD__
#define PROCESSES_MAX 1
#else
#define PROCESSES_MAX RANKS_MAX
#endif
#define ROUNDS   12
#define MESSAGES 40 /* from each to each in a round */
#define TAGS     3
#define LONGEST  40000

/* How a round's messages are received. */
enum mode { EXACT, ANY_TAG, ANY_BOTH, MODES };

struct rank {
	struct engine engine;
	struct board_slot **slots;
	struct engine_options options;
	uint32_t n;
	uint32_t me;
	unsigned seed;
	int errors;
};

struct sent {
	int tag;
	uint32_t bytes;
};

static uint32_t mix(uint32_t a, uint32_t b)
{
	uint64_t x = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;

	x ^= x >> 29;
	return (uint32_t)((x * 0xbf58476d1ce4e5b9u) >> 32);
}

/* Mostly small, some above what a descriptor holds. */
static struct sent message(const struct rank *rank, unsigned round,
			   unsigned from, unsigned to, unsigned i)
{
	const uint32_t r = mix(mix(rank->seed, round),
			       mix(from * RANKS_MAX + to, i));
	const uint32_t limit = r % 7 == 0 ? LONGEST : r % 3 ? 60 : 9000;

	return (struct sent){ (int)(r >> 8) % TAGS, mix(r, 1) % (limit + 1) };
}

static unsigned char byte(unsigned from, unsigned i, uint32_t at)
{
	return (unsigned char)(from * 31 + i * 7 + at);
}

static void complain(struct rank *rank, const char *what, unsigned round,
		     unsigned i)
{
	fprintf(stderr, "rank %d: %s in round %u, receive %u (seed %u)\n",
		rank->me, what, round, i, rank->seed);
	rank->errors++;
}

struct sends {
	struct op ops[RANKS_MAX * MESSAGES];
	unsigned char *bufs[RANKS_MAX * MESSAGES];
	unsigned n;
};

static void send_one(struct rank *rank, struct sends *sends, unsigned round,
		     unsigned to, unsigned i)
{
	const struct sent m = message(rank, round, rank->me, to, i);
	const struct match_key key = { round + 1, rank->me, m.tag };
	unsigned char *buf = malloc(m.bytes + 4);
	struct op *op = &sends->ops[sends->n];

	/* The first four bytes, beside the size, say which it is. */
	for (uint32_t at = 0; at < m.bytes; at++)
		buf[at] = byte(rank->me, i, at);
	if (mix(round, i) % 2 &&
	    engine_send_now(&rank->engine, (uint32_t)to, &key, buf, m.bytes)) {
		free(buf);
		return;
	}
	*op = (struct op){ .kind = OP_SEND,
			   .synchronous = mix(i, round) % 5 == 0,
			   .buf = buf,
			   .bytes = m.bytes,
			   .peer = (uint32_t)to,
			   .key = key };
	sends->bufs[sends->n++] = buf;
	engine_post(&rank->engine, op);
}

static void sends_end(struct rank *rank, struct sends *sends)
{
	for (unsigned i = 0; i < sends->n; i++) {
		engine_wait(&rank->engine, &sends->ops[i]);
		if (sends->ops[i].error)
			rank->errors++;
		free(sends->bufs[i]);
	}
}

struct recvs {
	struct op ops[RANKS_MAX * MESSAGES];
	unsigned n;
};

static void recv_post(struct rank *rank, struct recvs *recvs, unsigned round,
		      enum mode mode, unsigned from, unsigned i)
{
	const struct sent m = message(rank, round, from, rank->me, i);
	struct op *op = &recvs->ops[recvs->n++];

	*op = (struct op){
		.kind = OP_RECV,
		.buf = malloc(LONGEST),
		.bytes = LONGEST,
		.key = { round + 1, mode == ANY_BOTH ? MATCH_ANY : (int)from,
			 mode == EXACT ? m.tag : MATCH_ANY },
	};
	memset(op->buf, 0xee, LONGEST);
	engine_post(&rank->engine, op);
}

/* The next message of that source and tag that was not received yet. */
static void recv_check(struct rank *rank, const struct op *op, unsigned round,
		       unsigned index, unsigned next[RANKS_MAX][TAGS])
{
	const unsigned from = (unsigned)op->source;
	unsigned i;
	struct sent m;

	if (from >= rank->n || (unsigned)op->tag >= TAGS) {
		complain(rank, "a source or tag that is none", round, index);
		return;
	}
	for (i = next[from][op->tag]; i < MESSAGES; i++) {
		m = message(rank, round, from, rank->me, i);
		if (m.tag == op->tag)
			break;
	}
	next[from][op->tag] = i + 1;
	if (i == MESSAGES || op->got != m.bytes || op->error)
		complain(rank, "not the next message", round, index);
	for (uint32_t at = 0; i < MESSAGES && at < op->got; at++)
		if (op->buf[at] != byte(from, i, at)) {
			complain(rank, "wrong bytes", round, index);
			break;
		}
}

static void recvs_end(struct rank *rank, struct recvs *recvs, unsigned round)
{
	unsigned next[RANKS_MAX][TAGS] = { 0 };

	for (unsigned i = recvs->n; i-- > 0;)
		engine_wait(&rank->engine, &recvs->ops[i]);
	for (unsigned i = 0; i < recvs->n; i++) {
		recv_check(rank, &recvs->ops[i], round, i, next);
		free(recvs->ops[i].buf);
	}
}

static void round_run(struct rank *rank, unsigned round)
{
	const enum mode mode = mix(rank->seed, round + rank->me) % MODES;
	struct sends *sends = calloc(1, sizeof(*sends));
	struct recvs *recvs = calloc(1, sizeof(*recvs));
	const bool late = mix(round, rank->me) % 3 == 0;

	for (unsigned i = 0; i < MESSAGES; i++) {
		for (unsigned peer = 0; peer < rank->n; peer++) {
			if (!late)
				recv_post(rank, recvs, round, mode, peer, i);
			send_one(rank, sends, round, peer, i);
		}
		if (i % 8 == 0)
			engine_turn(&rank->engine);
	}
	for (unsigned i = 0; late && i < MESSAGES; i++)
		for (unsigned peer = 0; peer < rank->n; peer++)
			recv_post(rank, recvs, round, mode, peer, i);
	recvs_end(rank, recvs, round);
	sends_end(rank, sends);
	free(sends);
	free(recvs);
}

static void *rank_run(void *arg)
{
	struct rank *rank = arg;

	for (unsigned round = 0; round < ROUNDS; round++)
		round_run(rank, round);
	return NULL;
}

static struct board_slot **slots_make(uint32_t n)
{
	struct board_slot **slots = calloc(n, sizeof(*slots));
	struct board_slot *memory;

	memory = mmap(NULL, n * sizeof(*memory), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(memory, MAP_FAILED);
	for (uint32_t i = 0; i < n; i++)
		slots[i] = &memory[i];
	return slots;
}

static void slots_free(struct board_slot **slots, uint32_t n)
{
	munmap(slots[0], n * sizeof(*slots[0]));
	free(slots);
}

static void rank_start(struct rank *rank, struct board_slot **slots, uint32_t n,
		       uint32_t me, const struct engine_options *options)
{
	*rank = (struct rank){ .slots = slots, .n = n, .me = me };
	ck_assert_int_eq(engine_start(&rank->engine, slots, n, me, options), 0);
}

static void traffic_recorded(uint32_t n, unsigned seed,
			     const struct engine_options *usual, bool copy,
			     struct emds **emds)
{
	struct board_slot **slots = slots_make(n);
	struct rank *ranks = calloc(n, sizeof(*ranks));
	pthread_t threads[RANKS_MAX];

	for (uint32_t i = 0; i < n; i++) {
		struct engine_options options = *usual;

		options.emds = emds ? emds[i] : NULL;
		rank_start(&ranks[i], slots, n, i, &options);
		ranks[i].seed = seed;
		if (!copy)
			memset(ranks[i].engine.copies, -1, n);
	}
	for (uint32_t i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, rank_run, &ranks[i]);
	for (uint32_t i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_int_eq(ranks[i].errors, 0);
		engine_stop(&ranks[i].engine);
	}
	free(ranks);
	slots_free(slots, n);
}

static void traffic_threads(uint32_t n, unsigned seed,
			    const struct engine_options *options, bool copy)
{
	traffic_recorded(n, seed, options, copy, NULL);
}

static const struct engine_options demand = { .budget = 10000,
					      .crowded = true };

START_TEST(test_threads)
{
	for (unsigned seed = 0; seed < 3; seed++)
		traffic_threads((uint32_t)_i, seed, &demand, true);
}
END_TEST

/* As with a core for each: who waits looks for long, and makes others show. */
START_TEST(test_threads_with_cores)
{
	struct engine_options roomy = demand;

	roomy.crowded = false;
	for (unsigned seed = 11; seed < 15; seed++)
		traffic_threads(2, seed, &roomy, true);
	traffic_threads(2, 15, &roomy, false);
}
END_TEST

#define CUT_ROUNDS 2000
#define CUT_MOST   60000

/* Of every second message the receiver wants nothing. */
static void *cut_run(void *arg)
{
	unsigned char *buf = malloc(CUT_MOST);
	struct rank *rank = arg;
	struct op op;

	for (unsigned i = 0; i < CUT_ROUNDS; i++) {
		const uint64_t bytes = mix(i, 3) % CUT_MOST;
		const bool wants = rank->me == 0 || i % 2;

		op = (struct op){ .kind = rank->me ? OP_RECV : OP_SEND,
				  .buf = buf,
				  .bytes = wants ? bytes : 0,
				  .peer = 1,
				  .key = { 1, 0, 0 } };
		for (uint64_t at = 0; rank->me == 0 && at < bytes; at++)
			buf[at] = (unsigned char)(i + at);
		engine_run(&rank->engine, &op);
		rank->errors += op.error != (wants || !bytes ? 0 : -EMSGSIZE);
		for (uint64_t at = 0; wants && at < bytes; at++)
			rank->errors += buf[at] != (unsigned char)(i + at);
	}
	free(buf);
	return NULL;
}

START_TEST(test_cut_early)
{
	struct engine_options roomy = demand;
	struct board_slot **slots = slots_make(2);
	struct rank ranks[2];
	pthread_t threads[2];

	roomy.crowded = false;
	for (uint32_t i = 0; i < 2; i++)
		rank_start(&ranks[i], slots, 2, i, &roomy);
	for (uint32_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, cut_run, &ranks[i]);
	for (uint32_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < 2; i++) {
		ck_assert_int_eq(ranks[i].errors, 0);
		engine_stop(&ranks[i].engine);
	}
	slots_free(slots, 2);
}
END_TEST

/* As where the kernel lets no process read another. */
START_TEST(test_threads_push)
{
	traffic_threads(3, 5, &demand, false);
}
END_TEST

static struct emds *record_start(const char *dir, int rank)
{
	char name[32];
	const struct emds_options options = {
		.dir = dir,
		.name = name,
		.to = UINT64_MAX,
		.resolution = (uint64_t)rank + 1,
		.columns = (1u << EMDS_COLUMNS) - 1,
		.memory = 1 << 20,
		.rank = rank,
		.host = "here",
		.mode = "",
	};
	struct emds *emds;

	snprintf(name, sizeof(name), "%d", rank);
	ck_assert_int_eq(emds_start(&emds, &options), 0);
	return emds;
}

static void record_add(const char *dir, int rank, struct emds_row *sum)
{
	struct emds_reader *reader;
	struct emds_row row;
	char path[64];
	char why[256];

	snprintf(path, sizeof(path), "%s/%d", dir, rank);
	ck_assert_int_eq(emds_open(&reader, path, why, sizeof(why)), 0);
	while (emds_next(reader, &row) == 1)
		for (int i = 0; i < EMDS_COLUMNS; i++)
			sum->value[i] += row.value[i];
	ck_assert_ptr_null(emds_fault(reader));
	ck_assert_uint_eq(emds_dropped(reader), 0);
	emds_close(reader);
	unlink(path);
}

/* Every message is in a slice's row, once. */
START_TEST(test_record)
{
	char dir[] = "/tmp/bcs-engine-XXXXXX";
	struct emds_row sum = { 0 };
	struct emds *emds[3];

	ck_assert_ptr_nonnull(mkdtemp(dir));
	for (int i = 0; i < 3; i++)
		emds[i] = record_start(dir, i);
	traffic_recorded(3, 9, &demand, true, emds);
	for (int i = 0; i < 3; i++) {
		emds_stop(emds[i]);
		record_add(dir, i, &sum);
	}
	rmdir(dir);
	ck_assert_uint_eq(sum.value[EMDS_P2P_MSM], ROUNDS * MESSAGES * 3 * 3);
	ck_assert_uint_ge(sum.value[EMDS_P2P_DEM], sum.value[EMDS_P2P_MSM]);
	ck_assert_uint_gt(sum.value[EMDS_BYTES], 0);
	ck_assert_uint_gt(sum.value[EMDS_COPY], 0);
	ck_assert_uint_eq(sum.value[EMDS_COLL_DEM], 0);
}
END_TEST

/* All are there before the first sends. */
static void meet(_Atomic uint32_t *count, uint32_t n)
{
	atomic_fetch_add(count, 1);
	while (atomic_load(count) < n)
		usleep(100);
}

static int child_run(struct board_slot **slots, uint32_t n, uint32_t me,
		     unsigned seed, _Atomic uint32_t *count)
{
	struct rank *rank = calloc(1, sizeof(*rank));
	int errors;

	rank_start(rank, slots, n, me, &demand);
	rank->seed = seed;
	meet(count, n);
	rank_run(rank);
	errors = rank->errors;
	meet(&count[1], n);
	engine_stop(&rank->engine);
	free(rank);
	return errors != 0;
}

START_TEST(test_processes)
{
	const uint32_t n = (uint32_t)_i;
	struct board_slot **slots = slots_make(n);
	_Atomic uint32_t *count = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	for (uint32_t i = 0; i < n; i++)
		if (fork() == 0)
			_exit(child_run(slots, n, i, 11, count));
	for (uint32_t i = 0; i < n; i++) {
		ck_assert_int_gt(wait(&status), 0);
		ck_assert_int_eq(status, 0);
	}
	munmap(count, 4096);
	slots_free(slots, n);
}
END_TEST

static struct op recv_op(void *buf, uint64_t bytes, int source, int tag)
{
	return (struct op){ .kind = OP_RECV,
			    .buf = buf,
			    .bytes = bytes,
			    .key = { 1, source, tag } };
}

/* A payload is shown while it is written, unless its reader writes as much. */
START_TEST(test_crossed)
{
	static unsigned char out[COPY_WHOLE] = { 1, [COPY_WHOLE - 1] = 2 };
	const bool crossed = _i;
	const struct board_cell head = { .kind = BOARD_EAGER,
					 .context = 1,
					 .bytes = sizeof(out) };
	struct engine_options roomy = demand;
	struct board_slot **slots = slots_make(2);
	unsigned char in[sizeof(out)];
	struct rank ranks[2];
	struct op recv;

	roomy.crowded = false;
	for (uint32_t i = 0; i < 2; i++)
		rank_start(&ranks[i], slots, 2, i, &roomy);
	ck_assert(engine_put(&ranks[0].engine, 1, &head, out, sizeof(out),
			     crossed));
	ck_assert_int_ne(board_is_early(board_at(slots[1], 0)), crossed);
	recv = recv_op(in, sizeof(in), 0, 0);
	engine_post(&ranks[1].engine, &recv);
	engine_wait(&ranks[1].engine, &recv);
	ck_assert_mem_eq(in, out, sizeof(out));
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&ranks[i].engine);
	slots_free(slots, 2);
}
END_TEST

/*
 * A synchronous send is done when its message is received, and not before: one
 * that travels in its descriptor, and one that is too long for that.
 */
START_TEST(test_synchronous)
{
	const uint64_t sizes[] = { 0, 8, 17, 2048, 8448, 8449 };
	const bool known = _i & 1; /* the receive is posted before */
	const uint64_t bytes = sizes[_i / 2];
	struct board_slot **slots = slots_make(2);
	unsigned char out[8449] = { 1, [8448] = 2 };
	unsigned char in[sizeof(out)];
	struct rank ranks[2];
	struct op recv = recv_op(in, bytes, 0, 0);
	struct op send = { .kind = OP_SEND,
			   .synchronous = true,
			   .buf = out,
			   .bytes = bytes,
			   .peer = 1,
			   .key = { 1, 0, 0 } };

	for (uint32_t i = 0; i < 2; i++)
		rank_start(&ranks[i], slots, 2, i, &demand);
	if (known)
		engine_post(&ranks[1].engine, &recv);
	engine_post(&ranks[0].engine, &send);
	ck_assert_uint_eq(board_at(slots[1], 0)->kind,
			  bytes > 8448 ? BOARD_OFFER : BOARD_SYNC);
	if (!known) {
		engine_turn(&ranks[1].engine);
		engine_turn(&ranks[0].engine);
		ck_assert(!op_is_done(&send));
		engine_post(&ranks[1].engine, &recv);
	}
	engine_wait(&ranks[1].engine, &recv);
	engine_wait(&ranks[0].engine, &send);
	ck_assert_int_eq(recv.error, 0);
	ck_assert_uint_eq(recv.got, bytes);
	ck_assert_mem_eq(in, out, bytes);
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&ranks[i].engine);
	slots_free(slots, 2);
}
END_TEST

/*
 * A process that sends to itself, and cuts what does not fit: in the last
 * piece of what is shown early, at its end, or in a piece before.
 */
START_TEST(test_truncation)
{
	const uint64_t sizes[] = { 10,   1023, 1024, 1061,   1064,
				   4096, 8000, 8261, 131072, 200000 };
	struct engine_options options = demand;
	const struct match_key key = { 1, 0, 5 };
	struct board_slot **slots = slots_make(1);
	unsigned char *in = calloc(1, 200001);
	unsigned char *out = calloc(1, 200000);
	struct rank rank;
	struct op send;
	struct op recv;

	options.crowded = _i < 3;
	rank_start(&rank, slots, 1, 0, &options);
	for (int i = 0; i < 200000; i++)
		out[i] = (unsigned char)(i % 251);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const uint64_t fits = _i % 3 == 0   ? sizes[i]
				      : _i % 3 == 1 ? sizes[i] - 5
						    : sizes[i] / 3;

		memset(in, 252, 200001);
		recv = recv_op(in, fits, MATCH_ANY, MATCH_ANY);
		send = (struct op){ .kind = OP_SEND,
				    .buf = out,
				    .bytes = sizes[i],
				    .key = key };
		engine_post(&rank.engine, &send);
		engine_post(&rank.engine, &recv);
		engine_wait(&rank.engine, &recv);
		engine_wait(&rank.engine, &send);
		ck_assert_int_eq(recv.error, _i % 3 ? -EMSGSIZE : 0);
		ck_assert_int_eq(send.error, 0);
		ck_assert_uint_eq(recv.got, fits);
		ck_assert_mem_eq(in, out, fits);
		ck_assert_uint_eq(in[fits], 252);
	}
	engine_stop(&rank.engine);
	slots_free(slots, 1);
	free(out);
	free(in);
}
END_TEST

static struct board_slot *poked;
static unsigned pokes;
static bool slept;

static bool poke_in_vain(void)
{
	pokes++;
	slept |= atomic_load(&poked->asleep);
	return false;
}

static bool poked_enough(void *unused)
{
	(void)unused;
	return pokes == 300;
}

static bool always(void)
{
	return true;
}

/* Where others may need the process at any moment, it waits awake. */
START_TEST(test_must_poke)
{
	struct engine_options options = { .budget = 10000,
					  .crowded = _i & 1,
					  .poke = poke_in_vain,
					  .must_poke = always };
	struct board_slot **slots = slots_make(1);
	struct rank rank;

	poked = slots[0];
	rank_start(&rank, slots, 1, 0, &options);
	engine_wait_until(&rank.engine, poked_enough, NULL);
	ck_assert(!slept);
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

struct taker {
	const struct board_slot *slot;
	unsigned taken;
};

/* As MPI_Mprobe, which takes the message; it comes at the last moment. */
static bool taken_falling_asleep(void *arg)
{
	struct taker *taker = arg;

	if (!taker->taken && !atomic_load(&taker->slot->asleep))
		return false;
	taker->taken++;
	return true;
}

/* What was taken when it was to fall asleep is not taken again. */
START_TEST(test_ready_once)
{
	struct engine_options options = { .budget = 10000, .crowded = _i & 1 };
	struct board_slot **slots = slots_make(1);
	struct taker taker = { .slot = slots[0] };
	struct rank rank;

	rank_start(&rank, slots, 1, 0, &options);
	engine_wait_until(&rank.engine, taken_falling_asleep, &taker);
	ck_assert_uint_eq(taker.taken, 1);
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

/* Its helper runs slices, too. */
static bool rank_has_posted(struct rank *rank)
{
	bool has;

	engine_token_take(&rank->engine);
	has = rank->engine.posted.first;
	engine_token_give(&rank->engine);
	return has;
}

/* It met its message, in memory that was something else's before. */
START_TEST(test_cancel_too_late)
{
	struct board_slot **slots = slots_make(1);
	struct rank rank;
	static unsigned char out[200000] = "abc";
	static char in[sizeof(out)];
	struct op send = { .kind = OP_SEND,
			   .buf = out,
			   .bytes = sizeof(out),
			   .key = { 1, 0, 5 } };
	struct op recv = recv_op(in, sizeof(in), 0, 5);

	rank_start(&rank, slots, 1, 0, &demand);
	memset(&recv.recv, 0xff, sizeof(recv.recv));
	engine_post(&rank.engine, &recv);
	engine_post(&rank.engine, &send);
	while (rank_has_posted(&rank))
		engine_turn(&rank.engine);
	ck_assert(!engine_cancel(&rank.engine, &recv));
	engine_wait(&rank.engine, &recv);
	engine_wait(&rank.engine, &send);
	ck_assert_str_eq(in, "abc");
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

START_TEST(test_probe_and_cancel)
{
	const struct match_key key = { 1, 0, 5 };
	const struct match_key any = { 1, MATCH_ANY, MATCH_ANY };
	struct board_slot **slots = slots_make(1);
	struct engine_found found;
	struct rank rank;
	unsigned char abc[] = "abc";
	struct op send = {
		.kind = OP_SEND, .buf = abc, .bytes = 4, .key = key
	};
	struct op recv;
	char in[8];

	rank_start(&rank, slots, 1, 0, &demand);
	ck_assert(!engine_probe(&rank.engine, &any, &found));

	recv = recv_op(in, sizeof(in), 0, 5);
	engine_post(&rank.engine, &recv);
	ck_assert(engine_cancel(&rank.engine, &recv));
	ck_assert(op_is_done(&recv));
	ck_assert_int_eq(recv.error, -ECANCELED);
	engine_post(&rank.engine, &recv);
	engine_turn(&rank.engine);
	ck_assert(engine_cancel(&rank.engine, &recv));
	ck_assert(op_is_done(&recv));

	engine_post(&rank.engine, &send);
	ck_assert(engine_probe(&rank.engine, &any, &found));
	ck_assert_int_eq(found.tag, 5);
	ck_assert_uint_eq(found.bytes, 4);
	engine_post(&rank.engine, &recv);
	ck_assert(!engine_cancel(&rank.engine, &recv));
	engine_wait(&rank.engine, &recv);
	engine_wait(&rank.engine, &send);
	ck_assert_str_eq(in, "abc");
	ck_assert(!engine_cancel(&rank.engine, &recv));
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

/* A large message, sent while a thread of its receiver's waits. */
struct late {
	struct board_slot **slots;
	unsigned char *out;
	unsigned char *in;
	struct op recv;
	struct op send;
	struct rank ranks[2];
};

static void late_start(struct late *late, const struct engine_options *options)
{
	late->slots = slots_make(2);
	late->out = calloc(1, 200000);
	late->in = calloc(1, 200000);
	late->recv = recv_op(late->in, 200000, 0, 5);
	late->send = (struct op){ .kind = OP_SEND,
				  .buf = late->out,
				  .bytes = 200000,
				  .peer = 1,
				  .key = { 1, 0, 5 } };
	for (uint32_t i = 0; i < 2; i++)
		rank_start(&late->ranks[i], late->slots, 2, i, options);
}

/* By whoever sees to it, for this thread does not. */
static void late_stop(struct late *late)
{
	for (unsigned i = 0; i < 10000 && !op_is_done(&late->recv); i++)
		usleep(1000);
	ck_assert(op_is_done(&late->recv));
	engine_wait(&late->ranks[0].engine, &late->send);
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&late->ranks[i].engine);
	slots_free(late->slots, 2);
	free(late->out);
	free(late->in);
}

/*
 * It comes too late for that thread to notice: the helper has to see to it, for
 * the thread does not come back.
 */
START_TEST(test_offer_at_the_last_moment)
{
	struct late late;
	struct engine *receiver = &late.ranks[1].engine;

	late_start(&late, &demand);
	engine_post(receiver, &late.recv);
	usleep(20000); /* the helpers are idle, then */
	engine_block(receiver);
	engine_post(&late.ranks[0].engine, &late.send);
	engine_unblock(receiver);
	late_stop(&late);
}
END_TEST

/*
 * The thread had nothing open when it went, and posts the receive later, but
 * does not wait for it; behind what it waited for, too.
 */
START_TEST(test_offer_before_its_receive)
{
	const struct match_key first = { 1, 0, 1 };
	const bool behind = _i == 1;
	struct late late;
	struct engine *sender = &late.ranks[0].engine;
	struct engine *receiver = &late.ranks[1].engine;
	struct op few;

	late_start(&late, &demand);
	few = recv_op(late.in, 1, 0, 1);
	usleep(20000);
	engine_block(receiver);
	if (behind) {
		engine_post(receiver, &few);
		engine_send_now(sender, 1, &first, late.out, 1);
	}
	engine_post(sender, &late.send);
	while (behind && !op_is_done(&few))
		engine_turn(receiver);
	engine_unblock(receiver);
	engine_post(receiver, &late.recv);
	late_stop(&late);
}
END_TEST

static void post_number(struct rank *rank, struct op *op, uint32_t number)
{
	*op = (struct op){ .kind = OP_SEND,
			   .buf = malloc(4),
			   .bytes = 4,
			   .peer = 1,
			   .key = { 1, 0, 0 } };
	memcpy(op->buf, &number, 4);
	engine_post(&rank->engine, op);
}

/* It leaves a payload that is still being written, and so does not wait for it
 * with the token. */
START_TEST(test_helper_waits_for_no_payload)
{
	const struct board_cell head = { .kind = BOARD_EAGER,
					 .context = 1,
					 .bytes = 1024 };
	const uint32_t lines = board_lines_early(BOARD_EAGER, 1024);
	const uint64_t first = BOARD_LINE - board_head(BOARD_EAGER);
	struct engine_options roomy = demand;
	struct board_slot **slots = slots_make(1);
	unsigned char out[1024];
	unsigned char in[1024];
	struct board_cell *cell;
	struct rank rank;
	uint64_t known = 0;
	struct op recv;

	roomy.crowded = false;
	memset(out, 3, sizeof(out));
	rank_start(&rank, slots, 1, 0, &roomy);
	recv = recv_op(in, sizeof(in), 0, 0);
	engine_post(&rank.engine, &recv);
	cell = board_reserve(slots[0], &known, lines);
	board_fill(cell, &head, out, first);
	board_show(cell, lines | BOARD_EARLY);
	usleep(20000); /* it is idle, then */
	wake_helper(slots[0]);
	usleep(20000);
	/* Until the test's time is over, if it keeps that. */
	engine_token_take(&rank.engine);
	ck_assert(!op_is_done(&recv));
	memcpy((char *)cell + BOARD_LINE, out + first, sizeof(out) - first);
	atomic_store((_Atomic uint32_t *)board_at(slots[0], lines - 1), 1);
	engine_token_give(&rank.engine);
	while (!op_is_done(&recv))
		usleep(1000);
	ck_assert_mem_eq(in, out, sizeof(out));
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

static unsigned n_lasts;

static void lasts(void)
{
	n_lasts++;
}

/* What only posts something does not last; to wake or to receive does. */
START_TEST(test_lasts)
{
	const struct match_key key = { 1, 0, 0 };
	struct board_slot **slots = slots_make(2);
	struct rank ranks[2];
	struct op recvs[3];
	uint32_t in = 0;

	for (uint32_t i = 0; i < 2; i++)
		rank_start(&ranks[i], slots, 2, i, &demand);
	for (unsigned i = 0; i < 3; i++)
		recvs[i] = recv_op(&in, sizeof(in), 0, 0);
	wake_lasts = lasts;
	engine_post(&ranks[1].engine, &recvs[0]);
	ck_assert(engine_send_now(&ranks[0].engine, 1, &key, &in, sizeof(in)));
	ck_assert_uint_eq(n_lasts, 0);
	engine_wait(&ranks[1].engine, &recvs[0]);
	n_lasts = 0;
	atomic_store(&slots[1]->asleep, 1);
	ck_assert(engine_send_now(&ranks[0].engine, 1, &key, &in, sizeof(in)));
	ck_assert_uint_eq(n_lasts, 1);
	ck_assert(!engine_probe(&ranks[1].engine,
				&(struct match_key){ 1, 0, 1 },
				&(struct engine_found){ 0 }));
	n_lasts = 0;
	engine_post(&ranks[1].engine, &recvs[1]);
	ck_assert_uint_eq(n_lasts, 1);
	engine_wait(&ranks[1].engine, &recvs[1]);
	wake_lasts = NULL;
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&ranks[i].engine);
	slots_free(slots, 2);
}
END_TEST

static void pin_to_one(void)
{
	cpu_set_t cores;

	CPU_ZERO(&cores);
	CPU_SET((size_t)sched_getcpu(), &cores);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(cores), &cores), 0);
}

/* Who sent last may be at work on an answer only if it has another core. */
START_TEST(test_looks)
{
	const struct match_key key = { 1, 0, 0 };
	struct board_slot **slots = slots_make(3);
	struct rank ranks[3];
	struct op recv;
	uint32_t in = 0;

	pin_to_one();
	for (uint32_t i = 0; i < 3; i++)
		rank_start(&ranks[i], slots, 3, i, &demand);
	wait_start(true);
	ck_assert_uint_eq(wait_looks(&ranks[1].engine), 0);
	ck_assert_int_eq(atomic_load(&slots[1]->core), sched_getcpu() + 1);
	recv = recv_op(&in, sizeof(in), 0, 0);
	ck_assert(engine_send_now(&ranks[2].engine, 1, &key, &in, sizeof(in)));
	engine_run(&ranks[1].engine, &recv);
	atomic_store(&slots[2]->core, sched_getcpu() + 2);
	ck_assert_uint_gt(wait_looks(&ranks[1].engine), 0);
	ck_assert_uint_eq(wait_looks(&ranks[2].engine), 0);
	ck_assert_uint_eq(wait_looks(&ranks[1].engine), 0);
	for (uint32_t i = 0; i < 3; i++)
		engine_stop(&ranks[i].engine);
	slots_free(slots, 3);
}
END_TEST

/* A message that a receive which was posted before matches is not for a look.
 */
START_TEST(test_probe_after_receive)
{
	const struct match_key key = { 1, 0, 5 };
	struct board_slot **slots = slots_make(1);
	struct engine_found found;
	struct op send;
	struct op recv;
	struct rank rank;
	char in[8];

	rank_start(&rank, slots, 1, 0, &demand);
	send = (struct op){
		.kind = OP_SEND, .buf = (void *)"abc", .bytes = 4, .key = key
	};
	engine_run(&rank.engine, &send);
	while (!engine_probe(&rank.engine, &key, &found))
		usleep(100);
	recv = recv_op(in, sizeof(in), 0, MATCH_ANY);
	engine_post(&rank.engine, &recv);
	ck_assert(!engine_probe(&rank.engine, &key, &found));
	ck_assert_ptr_null(engine_take(&rank.engine, &key, &found));
	engine_wait(&rank.engine, &recv);
	ck_assert_str_eq(in, "abc");
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

static void send_to_self(struct rank *rank, const void *buf, uint64_t bytes,
			 int tag)
{
	const struct match_key key = { 1, 0, tag };

	ck_assert(engine_send_now(&rank->engine, 0, &key, buf, bytes));
}

/* Receives are posted in another order than their messages come in. */
START_TEST(test_out_of_order)
{
	static const int posted[] = { 2, MATCH_ANY, 1, 0 };
	static const char *const expected[] = { "2", "0", "1", "0" };
	static const int sent[] = { 0, 1, 0, 2 };
	struct board_slot **slots = slots_make(1);
	struct op recvs[4];
	struct rank rank;
	char in[4][2];
	char out[2] = "";

	rank_start(&rank, slots, 1, 0, &demand);
	for (int i = 0; i < 4; i++) {
		recvs[i] = recv_op(in[i], 2, 0, posted[i]);
		engine_post(&rank.engine, &recvs[i]);
	}
	for (int i = 0; i < 4; i++) {
		out[0] = (char)('0' + sent[i]);
		send_to_self(&rank, out, 2, sent[i]);
		if (_i)
			engine_turn(&rank.engine);
	}
	for (int i = 0; i < 4; i++) {
		engine_wait(&rank.engine, &recvs[i]);
		ck_assert_str_eq(in[i], expected[i]);
	}
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

/* What a message left in the ring is not taken for another a round later. */
START_TEST(test_old_payload)
{
	struct board_slot **slots = slots_make(1);
	unsigned char out[BOARD_INLINE];
	unsigned char in[BOARD_INLINE];
	struct rank rank;
	struct op recv;
	uint64_t n;

	memset(out, 0xff, sizeof(out));
	rank_start(&rank, slots, 1, 0, &demand);
	for (unsigned i = 0; i < 5 * BOARD_LINES / 16; i++) {
		n = i % 3 ? i % 100 : sizeof(out) - i % 200;
		recv = recv_op(in, sizeof(in), 0, 7);
		send_to_self(&rank, out, n, 7);
		/* So that the ring is not begun again when it is empty. */
		if (i % 2)
			send_to_self(&rank, out, n, 7);
		for (unsigned k = 0; k <= i % 2; k++) {
			engine_run(&rank.engine, &recv);
			ck_assert_uint_eq(recv.got, n);
			ck_assert_int_eq(memcmp(in, out, n), 0);
		}
	}
	engine_stop(&rank.engine);
	slots_free(slots, 1);
}
END_TEST

/* Who did not receive a MiB gets offers, until it did. */
START_TEST(test_behind)
{
	const uint64_t n = BOARD_INLINE;
	const unsigned much = ENGINE_ROOMS + 2;
	struct board_slot **slots = slots_make(1);
	unsigned char *out = calloc(1, n);
	unsigned char *in = calloc(1, n);
	struct op recv = recv_op(in, n, 0, 5);
	struct op send = {
		.kind = OP_SEND, .buf = out, .bytes = n, .key = { 1, 0, 5 }
	};
	struct rank rank;

	rank_start(&rank, slots, 1, 0, &demand);
	helper_stop(&rank.engine);
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i <= ENGINE_ROOMS; i++) {
			out[0] = (unsigned char)i;
			send_to_self(&rank, out, n, 5);
			engine_turn(&rank.engine);
		}
		out[0] = much;
		engine_post(&rank.engine, &send);
		engine_turn(&rank.engine);
		ck_assert(!op_is_done(&send));
		send_to_self(&rank, out, 100, 6);
		for (unsigned i = 0; i <= ENGINE_ROOMS; i++) {
			engine_run(&rank.engine, &recv);
			ck_assert_uint_eq(in[0], i);
		}
		engine_run(&rank.engine, &recv);
		ck_assert_uint_eq(in[0], much);
		engine_wait(&rank.engine, &send);
		recv = recv_op(in, n, 0, 6);
		engine_run(&rank.engine, &recv);
		recv = recv_op(in, n, 0, 5);
	}
	engine_stop(&rank.engine);
	free(in);
	free(out);
	slots_free(slots, 1);
}
END_TEST

struct both {
	struct board_slot **slots;
	unsigned char *out;
	unsigned char *in;
	struct op recv;
	struct op send;
	struct rank ranks[2];
	struct engine *sender;
	struct engine *receiver;
};

#define BOTH_BYTES (2u * STREAM_PIECES * STREAM_PIECE - 100)

/* Both wait for a message, which is longer than what it is received in. */
static void both_start(struct both *both)
{
	const struct engine_options roomy = { .budget = 1000000 };

	both->slots = slots_make(2);
	both->sender = &both->ranks[0].engine;
	both->receiver = &both->ranks[1].engine;
	both->out = malloc(BOTH_BYTES);
	both->in = calloc(1, BOTH_BYTES);
	both->recv = recv_op(both->in, BOTH_BYTES - 1, 0, 5);
	both->send = (struct op){ .kind = OP_SEND,
				  .buf = both->out,
				  .bytes = BOTH_BYTES,
				  .peer = 1,
				  .key = { 1, 0, 5 } };
	for (uint32_t i = 0; i < BOTH_BYTES; i++)
		both->out[i] = (unsigned char)mix(i, 9);
	for (uint32_t i = 0; i < 2; i++) {
		rank_start(&both->ranks[i], both->slots, 2, i, &roomy);
		helper_stop(&both->ranks[i].engine);
		engine_block(&both->ranks[i].engine);
	}
}

static void both_match(struct both *both)
{
	engine_post(both->receiver, &both->recv);
	engine_post(both->sender, &both->send);
	ck_assert(engine_turn(both->receiver));
}

static void both_stop(struct both *both)
{
	ck_assert(op_is_done(&both->send));
	ck_assert(op_is_done(&both->recv));
	ck_assert_uint_eq(both->sender->outboxes[1].n_offers, 0);
	ck_assert_int_eq(both->recv.error, -EMSGSIZE);
	ck_assert_int_eq(memcmp(both->in, both->out, BOTH_BYTES - 1), 0);
	ck_assert_uint_eq(both->in[BOTH_BYTES - 1], 0);
	for (uint32_t i = 0; i < 2; i++) {
		engine_unblock(&both->ranks[i].engine);
		engine_stop(&both->ranks[i].engine);
	}
	slots_free(both->slots, 2);
	free(both->out);
	free(both->in);
}

static struct pace *both_pace(struct both *both)
{
	return board_pace(both->slots[0], 1, both->recv.crossed, BOTH_BYTES);
}

static struct pace_turns *both_turns(struct both *both)
{
	return p2p_turns(both->receiver, 0, both->recv.crossed, BOTH_BYTES);
}

/* The receiver finds out how, and tells the sender. */
static void both_share(struct both *both)
{
	both_match(both);
	ck_assert(p2p_copy(both->receiver));
	ck_assert(engine_turn(both->sender));
}

/* It goes through the sender's stream, as far as there is room. */
START_TEST(test_stream)
{
	struct both both;

	both_start(&both);
	both_share(&both);
	ck_assert(!p2p_stream(both.receiver)); /* nothing came */
	ck_assert(p2p_stream(both.sender));
	ck_assert(!p2p_stream(both.sender)); /* it is full */
	ck_assert(p2p_stream(both.receiver));
	ck_assert(!p2p_stream(both.receiver));
	ck_assert(p2p_stream(both.sender));
	ck_assert(!op_is_done(&both.recv));
	ck_assert(!stream_take(&both.slots[0]->stream));
	ck_assert(p2p_stream(both.receiver));
	ck_assert(op_is_done(&both.recv));
	ck_assert(!op_is_done(&both.send));
	ck_assert(engine_turn(both.sender));
	ck_assert(stream_take(&both.slots[0]->stream));
	ck_assert_uint_eq(both_pace(&both)->cost[0], 0);
	ck_assert_uint_gt(both_pace(&both)->cost[1], 0);
	both_stop(&both);
}
END_TEST

/*
 * Another thread of the sender gives the rest, and has not said so yet when the
 * receiver tells that it has all.
 */
START_TEST(test_stream_early)
{
	uint64_t moved = STREAM_PIECES * STREAM_PIECE;
	struct both both;

	both_start(&both);
	both_share(&both);
	ck_assert(p2p_stream(both.sender));
	ck_assert(p2p_stream(both.receiver));
	while (moved < BOTH_BYTES - 1)
		moved += stream_fill(&both.slots[0]->stream, both.out, moved,
				     BOTH_BYTES - 1);
	ck_assert(p2p_stream(both.receiver));
	ck_assert(op_is_done(&both.recv));
	ck_assert(engine_turn(both.sender));
	ck_assert(!op_is_done(&both.send));
	ck_assert(p2p_stream(both.sender));
	both_stop(&both);
}
END_TEST

/* Who leaves, and is the last, does first what there is to do for it. */
START_TEST(test_stream_leave)
{
	struct both both;

	both_start(&both);
	both_share(&both);
	engine_block(both.sender);
	engine_unblock(both.sender);
	ck_assert_uint_eq(both.slots[0]->stream.filled, 0);
	engine_unblock(both.sender);
	ck_assert_uint_eq(both.slots[0]->stream.filled, STREAM_PIECES);
	engine_block(both.sender);
	ck_assert(p2p_stream(both.receiver));
	ck_assert(p2p_stream(both.sender));
	ck_assert(p2p_stream(both.receiver));
	ck_assert(engine_turn(both.sender));
	both_stop(&both);
}
END_TEST

/*
 * A part of it, and then another; or the sender has left, and the receiver
 * reads the rest; or a copy is the faster, and each makes a half.
 */
START_TEST(test_stream_parts)
{
	struct both both;

	both_start(&both);
	both.receiver->options.budget = 4 * STREAM_PIECE;
	both_share(&both);
	ck_assert(p2p_stream(both.sender));
	ck_assert(p2p_stream(both.receiver));
	ck_assert(!p2p_stream(both.receiver));
	atomic_store(&both.slots[0]->blocked, _i != 1);
	both_turns(&both)->n = _i == 2 ? PACE_TRIAL : 0;
	ck_assert(p2p_copy(both.receiver));
	ck_assert_uint_eq(op_is_done(&both.recv), _i == 1);
	ck_assert(engine_turn(both.sender));
	ck_assert_uint_eq(p2p_stream(both.sender), _i == 0);
	ck_assert_uint_eq(p2p_copy(both.sender), _i == 2);
	ck_assert_uint_eq(p2p_stream(both.receiver), _i == 0);
	ck_assert_uint_eq(engine_turn(both.receiver), _i == 2);
	ck_assert_uint_eq(engine_turn(both.sender), _i == 0);
	atomic_store(&both.slots[0]->blocked, 1);
	ck_assert_uint_eq(both_pace(&both)->cost[0] > 0, _i == 2);
	both_stop(&both);
}
END_TEST

/*
 * The stream has another message, or is the slower: the receiver reads the
 * first half, the sender writes the rest.
 */
START_TEST(test_halves)
{
	struct both both;

	both_start(&both);
	if (_i == 0)
		ck_assert(stream_take(&both.slots[0]->stream));
	else
		both_turns(&both)->n = PACE_TRIAL;
	both_match(&both);
	ck_assert(p2p_copy(both.receiver));
	ck_assert_uint_eq(both.in[0], both.out[0]);
	ck_assert_uint_eq(both.in[BOTH_BYTES - 2], 0);
	ck_assert_uint_eq(both_pace(&both)->cost[0], 0);
	ck_assert(engine_turn(both.sender));
	ck_assert(!op_is_done(&both.send));
	both.out[0]++; /* no longer the sender's to copy */
	ck_assert(p2p_copy(both.sender));
	both.out[0]--;
	ck_assert(!op_is_done(&both.recv));
	ck_assert(engine_turn(both.receiver));
	ck_assert_uint_eq(both_pace(&both)->cost[0] > 0, _i == 1);
	ck_assert_uint_eq(both_pace(&both)->cost[1], 0);
	both_stop(&both);
}
END_TEST

/*
 * One side does something else, or both have such copies to make: the receiver
 * reads it all.  Only then is it one of two ways that there were.
 */
START_TEST(test_alone)
{
	struct both both;

	both_start(&both);
	both.recv.crossed = _i == 2;
	if (_i == 0)
		atomic_store(&both.slots[0]->blocked, 0);
	else if (_i == 1)
		atomic_store(&both.slots[0]->asleep, 1);
	else
		both_turns(&both)->n = PACE_TRIAL;
	both_match(&both);
	ck_assert(p2p_copy(both.receiver));
	ck_assert(op_is_done(&both.recv));
	atomic_store(&both.slots[0]->blocked, 1);
	ck_assert(engine_turn(both.sender));
	ck_assert_uint_eq(both_pace(&both)->cost[0] > 0, _i == 2);
	both_stop(&both);
}
END_TEST

/* Copies may wait while the other side of each computes. */
START_TEST(test_jobs_can_wait)
{
	struct both both;

	both_start(&both);
	ck_assert(!p2p_jobs_can_wait(both.receiver)); /* there are none */
	atomic_store(&both.slots[0]->blocked, 0);
	both_match(&both);
	ck_assert(p2p_jobs_can_wait(both.receiver));
	atomic_store(&both.slots[0]->blocked, 1);
	ck_assert(!p2p_jobs_can_wait(both.receiver));
	both.recv.pushing = true;
	atomic_store(&both.slots[0]->blocked, 0);
	ck_assert(!p2p_jobs_can_wait(both.receiver));
	both.recv.pushing = false;
	while (engine_work(both.receiver, ENGINE_WHOLE) ||
	       engine_turn(both.sender))
		;
	atomic_store(&both.slots[0]->blocked, 1);
	both_stop(&both);
}
END_TEST

/* It races with the copy, as it is meant to. */
__attribute__((no_sanitize("thread"))) static bool
has_begun(const struct both *both)
{
	return *(volatile unsigned char *)both->in;
}

/* Comes to wait for its message as soon as some of that is there. */
static void *sender_comes(void *arg)
{
	struct both *both = arg;

	while (!has_begun(both))
		;
	atomic_store(&both->slots[0]->blocked, 1);
	return NULL;
}

static void both_finish(struct both *both)
{
	while (engine_turn(both->sender) || engine_turn(both->receiver) ||
	       engine_work(both->receiver, ENGINE_WHOLE) ||
	       engine_work(both->sender, ENGINE_WHOLE))
		;
}

/*
 * Who copies alone leaves off for whoever comes, to share what is left.  It may
 * be through before it sees that.
 */
START_TEST(test_copy_until_both_wait)
{
	bool is_left = false;
	pthread_t sender;
	struct both both;

	while (!is_left) {
		both_start(&both);
		both.out[0] = 1;
		atomic_store(&both.slots[0]->blocked, 0);
		both_match(&both);
		pthread_create(&sender, NULL, sender_comes, &both);
		usleep(1000); /* it looks */
		ck_assert(p2p_copy(both.receiver));
		is_left = !op_is_done(&both.recv);
		pthread_join(sender, NULL);
		both_finish(&both);
		both_stop(&both);
	}
}
END_TEST

/* The receiver posts, and leaves it to the sender, which waits. */
static void both_leave_to_sender(struct both *both)
{
	both_start(both);
	both->out[0] = 1;
	atomic_store(&both->slots[1]->blocked, 0);
	both_match(both);
	ck_assert(engine_turn(both->sender));
}

/* Which gives it back if the receiver waits as well by then. */
START_TEST(test_give_back)
{
	struct both both;

	both_leave_to_sender(&both);
	atomic_store(&both.slots[1]->blocked, _i);
	ck_assert(p2p_copy(both.sender));
	ck_assert_uint_eq(has_begun(&both), !_i);
	ck_assert_uint_eq(op_is_done(&both.send), !_i);
	atomic_store(&both.slots[1]->blocked, 1);
	ck_assert(engine_turn(both.receiver));
	ck_assert_uint_eq(p2p_copy(both.receiver), _i);
	both_finish(&both);
	both_stop(&both);
}
END_TEST

/* The sender has something to receive as well, and took that first. */
static void both_cross(struct both *both, struct op *recv, struct op *send)
{
	engine_post(both->sender, recv);
	atomic_store(&both->slots[1]->blocked, 0);
	both_match(both);
	*send = both->send;
	send->peer = 0;
	send->key = (struct match_key){ 1, 1, 6 };
	engine_post(both->receiver, send);
	ck_assert(engine_turn(both->sender));
	ck_assert_uint_eq(both->sender->n_jobs, 2);
}

/*
 * Before it copies what it has to receive itself; but where nothing is given
 * back all have their turn.
 */
START_TEST(test_give_back_first)
{
	static unsigned char more[BOTH_BYTES];
	struct op recv = recv_op(more, BOTH_BYTES, 1, 6);
	struct both both;
	struct op send;

	both_start(&both);
	both.sender->options.crowded = _i;
	both_cross(&both, &recv, &send);
	ck_assert_ptr_eq(both.sender->jobs.first, _i ? &recv : &both.send);
	atomic_store(&both.slots[1]->blocked, 1);
	ck_assert(p2p_copy(both.sender));
	ck_assert(engine_turn(both.receiver));
	ck_assert_uint_eq(both.receiver->n_jobs, !_i);
	both_finish(&both);
	ck_assert(op_is_done(&send));
	ck_assert_int_eq(memcmp(more, both.out, BOTH_BYTES), 0);
	both_stop(&both);
}
END_TEST

static void *receiver_comes(void *arg)
{
	struct both *both = arg;

	while (!has_begun(both))
		;
	atomic_store(&both->slots[1]->blocked, 1);
	return NULL;
}

/* Or the rest of it, if it sees that in time; also before anything else. */
START_TEST(test_give_back_rest)
{
	bool is_left = false;
	struct op_list *jobs;
	struct op other;
	pthread_t receiver;
	struct both both;

	while (!is_left) {
		both_leave_to_sender(&both);
		jobs = &both.sender->jobs;
		op_list_add(jobs, &other);
		pthread_create(&receiver, NULL, receiver_comes, &both);
		usleep(1000); /* it looks */
		ck_assert(p2p_copy(both.sender));
		is_left = !op_is_done(&both.send);
		ck_assert_ptr_eq(jobs->first, is_left ? &both.send : &other);
		op_list_clear(jobs);
		if (is_left)
			op_list_add(jobs, &both.send);
		pthread_join(receiver, NULL);
		both.out[0] += is_left; /* what is there is not copied again */
		both_finish(&both);
		both.out[0] -= is_left;
		both_stop(&both);
	}
}
END_TEST

#define TICKS (UINT64_C(1) << 30)

/*
 * The receiver has a message for the sender, too: it reads all of its own, and
 * that is timed from the match on; but not if it came to wait later.
 */
START_TEST(test_exchange)
{
	struct outbox *box;
	struct both both;

	both_start(&both);
	box = &both.receiver->outboxes[0];
	box->n_offers = 1;
	atomic_store(&both.slots[0]->blocked, 0);
	atomic_store(&both.slots[1]->blocked, _i);
	both_match(&both);
	ck_assert_uint_eq(both.recv.ready != 0, _i);
	if (_i)
		both.recv.ready -= TICKS;
	p2p_turns(both.receiver, 0, _i, BOTH_BYTES)->n = PACE_TRIAL;
	atomic_store(&both.slots[0]->blocked, 1);
	atomic_store(&both.slots[1]->blocked, 1);
	ck_assert(p2p_copy(both.receiver));
	ck_assert_uint_eq(op_is_done(&both.recv), _i);
	ck_assert_uint_eq(
		board_pace(both.slots[0], 1, true, BOTH_BYTES)->cost[0] >=
			TICKS / BOTH_BYTES * 4096,
		_i);
	both_finish(&both);
	box->n_offers = 0;
	both_stop(&both);
}
END_TEST

#define WAY_BYTES 65536u

/* Both are known, as fast as that; none is tried, and what comes next counts.
 */
static struct pace *ways_set(struct both *both, unsigned next,
			     uint32_t descriptor, uint32_t offer)
{
	struct pace *pace = board_pace(both->slots[0], 1, false, WAY_BYTES);

	both->recv.bytes = WAY_BYTES;
	both->send.bytes = WAY_BYTES;
	pace->cost[0] = descriptor;
	pace->cost[1] = offer;
	p2p_turns(both->sender, 1, false, WAY_BYTES)->n = PACE_TRIAL;
	board_pace(both->slots[0], 1, false, 8246)->cost[1] = 1;
	*p2p_turns(both->receiver, 0, false,
		   WAY_BYTES) = (struct pace_turns){ 0, PACE_WARM, next };
	return pace;
}

static void ways_check(struct both *both)
{
	while (engine_turn(both->receiver) || engine_turn(both->sender) ||
	       p2p_copy(both->receiver) || p2p_copy(both->sender))
		;
	ck_assert(op_is_done(&both->send));
	ck_assert(op_is_done(&both->recv));
	ck_assert_int_eq(both->recv.error, 0);
	ck_assert_int_eq(memcmp(both->in, both->out, WAY_BYTES), 0);
	memset(both->in, 0, WAY_BYTES);
}

static void ways_stop(struct both *both)
{
	atomic_store(&both->slots[1]->blocked, 1);
	both->recv = recv_op(both->in, BOTH_BYTES - 1, 0, 5);
	both->send.bytes = BOTH_BYTES;
	both_match(both);
	while (engine_turn(both->receiver) || engine_turn(both->sender) ||
	       engine_work(both->receiver, ENGINE_WHOLE) ||
	       engine_work(both->sender, ENGINE_WHOLE))
		;
	both_stop(both);
}

/*
 * What fits into a descriptor goes so, if that is the faster, or if nobody
 * waits for it; else it is offered: also if that was waited for which was
 * offered last.
 */
START_TEST(test_ways)
{
	/* Nobody waits when it is sent; it is not even received until then. */
	static const struct {
		bool away;
		bool late;
		bool offered;
	} cases[] = {
		{ true, false, false }, { false, false, true },
		{ true, false, true },  { true, false, false },
		{ false, false, true }, { true, true, true },
		{ true, false, false },
	};
	struct both both;

	both_start(&both);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ways_set(&both, 1, 200, 100);
		atomic_store(&both.slots[1]->blocked, !cases[i].away);
		if (!cases[i].late)
			engine_post(both.receiver, &both.recv);
		ck_assert(p2p_may_offer(both.sender, 1, WAY_BYTES));
		/* As much as MPICH buffers goes in any case. */
		ck_assert(!p2p_may_offer(both.sender, 1, 8246));
		engine_post(both.sender, &both.send);
		ck_assert_int_eq(!op_is_done(&both.send), cases[i].offered);
		engine_turn(both.receiver);
		atomic_store(&both.slots[1]->blocked, 1);
		if (cases[i].late)
			engine_post(both.receiver, &both.recv);
		ways_check(&both);
	}
	ways_stop(&both);
}
END_TEST

/* What takes its time is known from what both sides waited for. */
START_TEST(test_ways_timed)
{
	struct pace *pace;
	struct both both;

	both_start(&both);
	pace = ways_set(&both, 0, 100, 200);
	ck_assert(!p2p_may_offer(both.sender, 1, WAY_BYTES));
	engine_post(both.receiver, &both.recv);
	engine_post(both.sender, &both.send);
	ck_assert(op_is_done(&both.send));
	ways_check(&both);
	ck_assert_uint_eq(pace->cost[0], 100); /* it was all there */
	/* The last of an offer of which nothing is known yet. */
	for (unsigned i = 0; i < 3; i++) {
		const uint32_t offer = i < 2 ? 100 : 0;

		ways_set(&both, 1, 200, offer);
		engine_post(both.receiver, &both.recv);
		engine_post(both.sender, &both.send);
		atomic_store(&both.slots[1]->blocked, i == 1);
		ways_check(&both);
		ck_assert_uint_eq(pace->cost[0], 200);
		ck_assert_int_eq(pace->cost[1] != offer, i > 0);
		atomic_store(&both.slots[1]->blocked, 1);
	}
	ways_stop(&both);
}
END_TEST

/*
 * An inbox takes so much; what is over goes when there is room, and what comes
 * later does not overtake it then.
 */
START_TEST(test_full_inbox)
{
	const unsigned n = 3 * BOARD_LINES;
	struct board_slot **slots = slots_make(2);
	struct op *ops = calloc(n, sizeof(*ops));
	struct rank ranks[2];
	struct op recv;
	struct op last;
	uint32_t in;

	/* The inbox is to stay full until this test empties it. */
	for (uint32_t i = 0; i < 2; i++) {
		rank_start(&ranks[i], slots, 2, i, &demand);
		helper_stop(&ranks[i].engine);
	}
	for (uint32_t i = 0; i < n; i++)
		post_number(&ranks[0], &ops[i], i);
	ck_assert(op_is_done(&ops[0]));
	ck_assert(!op_is_done(&ops[n - 1]));
	for (uint32_t i = 0; i < n; i++) {
		recv = recv_op(&in, 4, 0, 0);
		engine_post(&ranks[1].engine, &recv);
		engine_wait(&ranks[1].engine, &recv);
		ck_assert_uint_eq(in, i);
		if (i == BOARD_LINES / 2)
			post_number(&ranks[0], &last, n);
		if (i > BOARD_LINES / 2)
			engine_turn(&ranks[0].engine);
	}
	for (uint32_t i = 0; i < n; i++) {
		ck_assert(op_is_done(&ops[i]));
		free(ops[i].buf);
	}
	free(last.buf);
	for (uint32_t i = 0; i < 2; i++)
		engine_stop(&ranks[i].engine);
	free(ops);
	slots_free(slots, 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("engine");
	TCase *tcase = tcase_create("engine");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, test_threads, 1, RANKS_MAX + 1);
	tcase_add_test(tcase, test_threads_push);
	tcase_add_test(tcase, test_threads_with_cores);
	tcase_add_test(tcase, test_cut_early);
	tcase_add_loop_test(tcase, test_crossed, 0, 2);
	tcase_add_loop_test(tcase, test_synchronous, 0, 12);
	tcase_add_test(tcase, test_record);
	tcase_add_loop_test(tcase, test_processes, 2, PROCESSES_MAX + 1);
	tcase_add_loop_test(tcase, test_truncation, 0, 6);
	tcase_add_loop_test(tcase, test_must_poke, 0, 2);
	tcase_add_loop_test(tcase, test_ready_once, 0, 2);
	tcase_add_test(tcase, test_cancel_too_late);
	tcase_add_test(tcase, test_probe_and_cancel);
	tcase_add_test(tcase, test_offer_at_the_last_moment);
	tcase_add_loop_test(tcase, test_offer_before_its_receive, 0, 2);
	tcase_add_test(tcase, test_lasts);
	tcase_add_test(tcase, test_looks);
	tcase_add_test(tcase, test_helper_waits_for_no_payload);
	tcase_add_test(tcase, test_probe_after_receive);
	tcase_add_loop_test(tcase, test_out_of_order, 0, 2);
	tcase_add_test(tcase, test_old_payload);
	tcase_add_test(tcase, test_behind);
	tcase_add_test(tcase, test_stream);
	tcase_add_test(tcase, test_stream_leave);
	tcase_add_test(tcase, test_stream_early);
	tcase_add_loop_test(tcase, test_stream_parts, 0, 3);
	tcase_add_loop_test(tcase, test_halves, 0, 2);
	tcase_add_test(tcase, test_jobs_can_wait);
	tcase_add_test(tcase, test_copy_until_both_wait);
	tcase_add_loop_test(tcase, test_give_back, 0, 2);
	tcase_add_loop_test(tcase, test_give_back_first, 0, 2);
	tcase_add_test(tcase, test_give_back_rest);
	tcase_add_loop_test(tcase, test_exchange, 0, 2);
	tcase_add_test(tcase, test_ways);
	tcase_add_test(tcase, test_ways_timed);
	tcase_add_loop_test(tcase, test_alone, 0, 3);
	tcase_add_test(tcase, test_full_inbox);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

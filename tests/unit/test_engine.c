/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Traffic between engines, each a thread here or a process of its own.  Every
 * byte, source, tag and length is checked, and that messages do not overtake
 * each other.  All messages follow from a seed that all know.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mds/emds/emds_read.h"
#include "tests/unit/engine_ranks.h"

#define RANKS_MAX 5
/* TSan sees no order that comes about by way of another process. */
#ifdef __SANITIZE_THREAD__
#define PROCESSES_MAX 1
#define SEEDS         1
#define CUT_ROUNDS    500
#elif defined(__SANITIZE_ADDRESS__)
#define PROCESSES_MAX 3
#define SEEDS         1
#define CUT_ROUNDS    500
#else
#define PROCESSES_MAX RANKS_MAX
#define SEEDS         3
#define CUT_ROUNDS    2000
#endif
#define ROUNDS   12
#define MESSAGES 40 /* from each to each in a round */
#define TAGS     3
#define LONGEST  40000

/* How a round's messages are received. */
enum mode { EXACT, ANY_TAG, ANY_BOTH, MODES };

struct sent {
	int tag;
	uint32_t bytes;
};

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
	if (mix(round, i) % 2 && engine_send_now(&rank->engine, (uint32_t)to,
						 &key, 0, buf, m.bytes)) {
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

START_TEST(test_threads)
{
	for (unsigned seed = 0; seed < SEEDS; seed++)
		traffic_threads((uint32_t)_i, seed, &demand, true);
}
END_TEST

/*
 * With a core for each rank a waiting one spins for long, and makes others show
 * their stores.
 */
START_TEST(test_threads_with_cores)
{
	struct engine_options roomy = demand;

	roomy.crowded = false;
	for (unsigned seed = 11; seed < 15; seed++)
		traffic_threads(2, seed, &roomy, true);
	traffic_threads(2, 15, &roomy, false);
}
END_TEST

#define CUT_MOST 60000

/* The receiver wants nothing of every second message. */
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

/* The kernel lets no process read another. */
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
		.columns = EMDS_ALL,
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

int main(void)
{
	Suite *suite = suite_create("engine");
	TCase *tcase = tcase_create("engine");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, test_threads, 1, RANKS_MAX + 1);
	tcase_add_test(tcase, test_threads_with_cores);
	tcase_add_test(tcase, test_cut_early);
	tcase_add_test(tcase, test_threads_push);
	tcase_add_test(tcase, test_record);
	tcase_add_loop_test(tcase, test_processes, 2, PROCESSES_MAX + 1);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The tree.  A message has some questions, each for a set of members.  It
 * covers all these members within a range of numbers.  The asking member halves
 * the range.  It asks the first member in the upper half, which covers the rest
 * of that half.  Then it halves the lower half, until nothing is left.  The
 * largest part is asked first, for it takes longest.  The tree follows from the
 * sets alone, so members store no tree.
 *
 * A set travels as a bit for each member: 1 KiB for 8192 members, little beside
 * the cost of a message.
 *
 * A member compares before it asks others.  If no condition holds, it asks
 * none.  It answers its parent after all its children have answered, and keeps
 * nothing of the questions.
 *
 * Words are read and written by the processor.  Earlier writes by MPI are
 * visible: the writer flushed them before it left the order, and the asking
 * member entered the order after that.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "libbcs/base/tuning.h"
#include "libbcs/core/fabric.h"
#include "libbcs/core/fabric_tree.h"
#include "mds/base/thread.h"

#define ASSIGN       (CORE_NE + 1) /* beside the relations */
#define CHILDREN_MAX 32

/* Tags of messages. */
enum { QUESTION, ANSWER };

/* Questions of a message. */
#define QUESTIONS 64u

/* A message of 64-bit words: a set of members to be asked, and questions. */
struct asking {
	uint64_t from; /* the range */
	uint64_t to;
	uint64_t n;
	uint64_t words[];
};

struct question {
	uint64_t what;
	uint64_t offset;
	int64_t value;
	uint64_t set[];
};

struct fabric_tree {
	MPI_Comm comm;
	unsigned char *memory;
	uint32_t n;
	int me;

	/* The thread, if there is one. */
	pthread_t thread;
	bool has_thread;
	_Atomic bool ending;

	/* A lock of what follows. */
	atomic_flag taken;
	_Atomic bool wanted; /* by an asking thread: serving threads yield */

	/* The questions under way. */
	int parent;            /* me: they are mine */
	uint64_t holds;        /* a bit for each */
	_Atomic uint32_t open; /* children that did not answer yet */
	uint32_t n_children;
	MPI_Request asked[CHILDREN_MAX];
	uint64_t answer;
	MPI_Request answered;
	uint64_t *askings; /* mine, and one for each child */
};

static size_t set_words(const struct fabric_tree *tree)
{
	return CORE_SET_WORDS(tree->n);
}

static size_t question_words(const struct fabric_tree *tree)
{
	return sizeof(struct question) / sizeof(uint64_t) + set_words(tree);
}

static size_t asking_words(const struct fabric_tree *tree, uint64_t n)
{
	return sizeof(struct asking) / sizeof(uint64_t) + set_words(tree) +
	       n * question_words(tree);
}

/* Message 0 came to this member; message i + 1 goes to its child i. */
static struct asking *asking_at(struct fabric_tree *tree, uint32_t i)
{
	return (void *)(tree->askings + i * asking_words(tree, QUESTIONS));
}

static struct question *question_at(struct fabric_tree *tree, uint64_t i)
{
	struct asking *mine = asking_at(tree, 0);

	return (void *)(mine->words + set_words(tree) +
			i * question_words(tree));
}

/* For asking.  The caller holds the order, so it is the only one. */
static void lock(struct fabric_tree *tree)
{
	atomic_store(&tree->wanted, true);
	while (atomic_flag_test_and_set(&tree->taken))
		sched_yield();
	atomic_store(&tree->wanted, false);
}

static void unlock(struct fabric_tree *tree)
{
	atomic_flag_clear(&tree->taken);
}

/* Whether it holds here. */
static bool carry_out(struct fabric_tree *tree, struct question *question)
{
	_Atomic int64_t *word = (void *)(tree->memory + question->offset);
	const struct core_set set = { question->set, tree->n };
	const struct core_condition condition = {
		.relation = (enum core_relation)question->what,
		.value = question->value,
	};

	if (!core_set_has(&set, (uint32_t)tree->me))
		return true;
	if (question->what != ASSIGN)
		return fabric_holds(&condition, atomic_load(word));
	atomic_store(word, question->value);
	return true;
}

static uint64_t carry_out_all(struct fabric_tree *tree)
{
	uint64_t hold = 0;

	for (uint64_t i = 0; i < asking_at(tree, 0)->n; i++)
		hold |= (uint64_t)carry_out(tree, question_at(tree, i)) << i;
	return hold;
}

/* The child covers the members up to `to`. */
static void ask_child(struct fabric_tree *tree, uint32_t child, uint32_t to)
{
	const size_t words = asking_words(tree, asking_at(tree, 0)->n);
	const uint32_t i = tree->n_children++;
	struct asking *asking = asking_at(tree, i + 1);

	memcpy(asking, tree->askings, words * sizeof(uint64_t));
	asking->from = child + 1;
	asking->to = to;
	MPI_Isend(asking, (int)words, MPI_UINT64_T, (int)child, QUESTION,
		  tree->comm, &tree->asked[i]);
	atomic_fetch_add(&tree->open, 1);
}

static void ask_children(struct fabric_tree *tree)
{
	struct asking *mine = asking_at(tree, 0);
	const struct core_set set = { mine->words, tree->n };
	const uint32_t from = (uint32_t)mine->from;
	uint32_t to = (uint32_t)mine->to;

	while (to > from) {
		uint32_t middle = from + (to - from) / 2;
		uint32_t child = core_set_next(&set, middle);

		if (child < to)
			ask_child(tree, child, to);
		to = middle;
	}
}

/* All children have answered, so the sends to them are complete. */
static void finish(struct fabric_tree *tree)
{
	while (tree->n_children > 0)
		MPI_Wait(&tree->asked[--tree->n_children], MPI_STATUS_IGNORE);
	if (tree->parent == tree->me)
		return;
	tree->answer = tree->holds;
	MPI_Isend(&tree->answer, 1, MPI_UINT64_T, tree->parent, ANSWER,
		  tree->comm, &tree->answered);
}

static void begin(struct fabric_tree *tree, int parent)
{
	tree->parent = parent;
	tree->holds = carry_out_all(tree);
	if (tree->holds)
		ask_children(tree);
	if (atomic_load(&tree->open) == 0)
		finish(tree);
}

/* The wait is short: the questions of the last answer are over. */
static void take_question(struct fabric_tree *tree, int from)
{
	MPI_Wait(&tree->answered, MPI_STATUS_IGNORE);
	MPI_Recv(tree->askings, (int)asking_words(tree, QUESTIONS),
		 MPI_UINT64_T, from, QUESTION, tree->comm, MPI_STATUS_IGNORE);
	begin(tree, from);
}

static void take_answer(struct fabric_tree *tree, int from)
{
	uint64_t answer;

	MPI_Recv(&answer, 1, MPI_UINT64_T, from, ANSWER, tree->comm,
		 MPI_STATUS_IGNORE);
	tree->holds &= answer;
	if (atomic_load(&tree->open) == 1)
		finish(tree);
	/* Released after `holds` is final: ask() reads it once open is 0. */
	atomic_fetch_sub(&tree->open, 1);
}

static bool take(struct fabric_tree *tree)
{
	MPI_Status status;
	int come;

	MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, tree->comm, &come, &status);
	if (come && status.MPI_TAG == QUESTION)
		take_question(tree, status.MPI_SOURCE);
	else if (come)
		take_answer(tree, status.MPI_SOURCE);
	return come;
}

bool fabric_tree_serve(struct fabric_tree *tree)
{
	bool come;

	if (atomic_load(&tree->wanted) ||
	    atomic_flag_test_and_set(&tree->taken))
		return false;
	come = take(tree);
	unlock(tree);
	return come;
}

/* Members from tree->n on are dropped: there are none. */
static void copy_set(struct fabric_tree *tree, uint64_t *words,
		     const struct core_set *from)
{
	struct core_set to = { words, tree->n };
	const uint32_t n = from->n < to.n ? from->n : to.n;

	core_set_clear(&to);
	memcpy(words, from->words, CORE_SET_WORDS(n) * sizeof(uint64_t));
}

static void put(struct fabric_tree *tree, const struct core_query *query,
		bool assigns)
{
	struct asking *mine = asking_at(tree, 0);
	struct question *question = question_at(tree, mine->n++);

	question->what = assigns ? ASSIGN : query->condition.relation;
	question->offset = assigns ? query->assignment.offset
				   : query->condition.offset;
	question->value = assigns ? query->assignment.value
				  : query->condition.value;
	copy_set(tree, question->set, query->on);
	for (size_t i = 0; i < set_words(tree); i++)
		mine->words[i] |= question->set[i];
}

/* Questions that are put between ask_begin and ask_end share a message. */
static void ask_begin(struct fabric_tree *tree)
{
	struct asking *mine = asking_at(tree, 0);

	lock(tree);
	mine->from = 0;
	mine->to = tree->n;
	mine->n = 0;
	memset(mine->words, 0, set_words(tree) * sizeof(uint64_t));
}

/* Then `holds` has the answers. */
static void ask_end(struct fabric_tree *tree)
{
	struct core_set asked = { asking_at(tree, 0)->words, tree->n };

	core_set_remove(&asked, (uint32_t)tree->me);
	begin(tree, tree->me);
	unlock(tree);
	for (unsigned i = 1; atomic_load(&tree->open) != 0; i++)
		if (!fabric_tree_serve(tree) && i % FABRIC_SPINS == 0)
			sched_yield();
}

static uint32_t at_most(uint32_t n)
{
	return n < QUESTIONS ? n : QUESTIONS;
}

void fabric_tree_compare(struct fabric_tree *tree, struct core_query *queries,
			 uint32_t n)
{
	for (uint32_t some; n > 0; n -= some, queries += some) {
		some = at_most(n);
		ask_begin(tree);
		for (uint32_t i = 0; i < some; i++)
			put(tree, &queries[i], false);
		ask_end(tree);
		for (uint32_t i = 0; i < some; i++)
			queries[i].holds = tree->holds >> i & 1;
	}
}

void fabric_tree_assign(struct fabric_tree *tree,
			const struct core_query *queries, uint32_t n)
{
	for (uint32_t some; n > 0; n -= some, queries += some) {
		some = at_most(n);
		ask_begin(tree);
		for (uint32_t i = 0; i < some; i++)
			if (queries[i].holds)
				put(tree, &queries[i], true);
		ask_end(tree);
	}
}

static void *serve_on(void *arg)
{
	struct fabric_tree *tree = arg;
	struct timespec pause = { .tv_nsec = FABRIC_PAUSE_NS };

	prctl(PR_SET_TIMERSLACK, 1);
	while (!atomic_load(&tree->ending)) {
		if (fabric_tree_serve(tree))
			pause.tv_nsec = FABRIC_PAUSE_NS;
		else if (pause.tv_nsec < FABRIC_PAUSE_MOST_NS)
			pause.tv_nsec *= 2;
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static int thread_begin(struct fabric_tree *tree)
{
	int level;
	int rc;

	MPI_Query_thread(&level);
	if (level < MPI_THREAD_MULTIPLE)
		return 0;
	rc = thread_start(&tree->thread, serve_on, tree);
	tree->has_thread = rc == 0;
	return rc;
}

static struct fabric_tree *tree_new(MPI_Comm comm, unsigned char *memory)
{
	struct fabric_tree *tree = calloc(1, sizeof(*tree));
	uint32_t n_askings = 1;
	int n;

	if (!tree)
		return NULL;
	MPI_Comm_size(comm, &n);
	MPI_Comm_rank(comm, &tree->me);
	tree->n = (uint32_t)n;
	tree->comm = comm;
	tree->memory = memory;
	tree->answered = MPI_REQUEST_NULL;
	atomic_flag_clear(&tree->taken);
	for (uint32_t part = tree->n; part > 0; part /= 2)
		n_askings++;
	tree->askings = calloc(n_askings * asking_words(tree, QUESTIONS),
			       sizeof(uint64_t));
	if (tree->askings)
		return tree;
	free(tree);
	return NULL;
}

int fabric_tree_start(struct fabric_tree **tree_p, MPI_Comm comm,
		      unsigned char *memory)
{
	struct fabric_tree *tree = tree_new(comm, memory);

	if (!tree)
		return -ENOMEM;
	if (thread_begin(tree) != 0) {
		fabric_tree_stop(tree);
		return -ENOMEM;
	}
	*tree_p = tree;
	return 0;
}

void fabric_tree_stop(struct fabric_tree *tree)
{
	if (!tree)
		return;
	if (tree->has_thread) {
		atomic_store(&tree->ending, true);
		thread_join(tree->thread);
	}
	MPI_Wait(&tree->answered, MPI_STATUS_IGNORE);
	free(tree->askings);
	free(tree);
}

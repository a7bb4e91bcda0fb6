/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A deadlock between nodes.  Each leader's thread sends what the blocked
 * processes of its node say to the first node, whenever that changed: NEWS.  If
 * the search finds a deadlock there, each node is asked whether the processes
 * in it are as they were: ASK.  All news had been read when the first node
 * asked, and all is looked at again afterwards.  So it held at that moment.
 *
 * What was under way between nodes at that moment is counted.  Each node says
 * how many descriptors of each of these processes it has handed out, before it
 * looks again.  Together they are as many as the process has sent.  By the
 * strobe both are zero: a slice is over on all nodes before the next begins.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "mds/clock.h"
#include "mds/futex.h"
#include "mds/thread.h"
#include "pmpi-shim/dump/fatal.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/site.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/hang/hang_board.h"
#include "pmpi-shim/route/hang/hang_net.h"

#define TICK_NS  100000000
#define SOON_NS  20000000  /* while a process is blocked */
#define FOUND_NS 90000000  /* so that the last ones are in it */
#define GRACE_NS 200000000 /* for other nodes to write their records */
#define TAG      0
#define CALLS    16

enum kind { NEWS, ASK, ANSWER, TOLD, BYE };

/* What each message begins with. */
struct head {
	uint32_t kind;
	uint32_t number; /* of the question */
	uint32_t node;
	uint32_t n; /* of what follows */
	uint32_t n_calls;
	uint32_t yes;     /* ANSWER: they are as they were */
	uint32_t differs; /* and a call of a collective does not fit */
};

/* ASK: one of the processes, by node or not. */
struct claim {
	int32_t rank;
	uint32_t epoch; /* 0: it ended */
};

/* and a collective that it waits for. */
struct call {
	uint32_t context;
	int32_t number;
	uint32_t signature;
};

struct question {
	struct head head;
	struct call calls[CALLS];
	struct claim claims[];
};

/* ANSWER: for each claim. */
struct outcome {
	uint32_t delivered; /* here, of that process */
	uint32_t sent;      /* by it, if it is of this node */
	hang_places places; /* likewise */
};

struct answer {
	struct head head;
	struct outcome outcomes[];
};

struct news {
	struct head head;
	struct hang_entry entries[];
};

/* TOLD: the text, and whom to stop. */
struct told {
	struct head head;
	char text[BLOCKED_TEXT];
	bool dead[BLOCKED_RANKS];
};

static MPI_Comm leaders = MPI_COMM_NULL;
static int me; /* my node */
static int n_nodes;
static pthread_t thread;
static _Atomic uint32_t ending;

/* The message under way to each node, if any. */
static struct out {
	MPI_Request request;
	void *bytes;
} * outs;

static struct news *last_news; /* as it was sent */

/* The first node's: */
static struct deadlock_process *processes; /* by rank */
static uint32_t *epochs;
static bool *dead;                /* as found before */
static uint64_t found_ns;         /* since when; 0: none is */
static struct question *question; /* that is being asked; or NULL */
static struct outcome *outcomes;  /* together, by claim */
static int n_answers;
static bool holds;
static bool is_told;

static size_t question_bytes(const struct question *q)
{
	return sizeof(*q) + q->head.n * sizeof(q->claims[0]);
}

static size_t news_bytes(const struct news *news)
{
	return sizeof(*news) + news->head.n * sizeof(news->entries[0]);
}

static bool is_sent(struct out *out)
{
	int flag = 1;

	if (!out->bytes)
		return true;
	REAL(Test)(&out->request, &flag, MPI_STATUS_IGNORE);
	if (flag) {
		free(out->bytes);
		out->bytes = NULL;
	}
	return flag;
}

/* A copy of it; false if the last one is still under way. */
static bool send(int node, const void *bytes, size_t n)
{
	struct out *out = &outs[node];

	if (!is_sent(out))
		return false;
	out->bytes = malloc(n);
	if (!out->bytes)
		return false;
	memcpy(out->bytes, bytes, n);
	REAL(Isend)
	(out->bytes, (int)n, MPI_BYTE, node, TAG, leaders, &out->request);
	return true;
}

/* The next that came, which the caller frees; or NULL. */
static void *come(void)
{
	MPI_Message message;
	MPI_Status status;
	void *bytes;
	int flag;
	int n;

	REAL(Improbe)
	(MPI_ANY_SOURCE, TAG, leaders, &flag, &message, &status);
	if (!flag)
		return NULL;
	PMPI_Get_count(&status, MPI_BYTE, &n);
	bytes = malloc((size_t)n);
	if (!bytes)
		abort();
	REAL(Mrecv)(bytes, n, MPI_BYTE, &message, MPI_STATUS_IGNORE);
	return bytes;
}

/* What the processes of this node say that are blocked, or ended. */
static struct news *news_make(void)
{
	const size_t n = (size_t)route_n_slots;
	struct news *news = calloc(1, sizeof(*news) +
					      n * sizeof(struct hang_entry));
	struct hang_entry *next;

	if (!news)
		return NULL;
	news->head = (struct head){ .kind = NEWS, .node = (uint32_t)me };
	for (uint32_t i = 0; i < n; i++) {
		next = &news->entries[news->head.n];
		hang_board_read(i, next);
		if ((hang_is_blocked(next) && hang_board_holds(i, next)) ||
		    next->ended)
			news->head.n++;
	}
	return news;
}

static bool is_old(const struct news *news)
{
	return last_news ? news_bytes(last_news) == news_bytes(news) &&
				   !memcmp(last_news, news, news_bytes(news))
			 : news->head.n == 0;
}

static void news_keep(struct news *news)
{
	free(last_news);
	last_news = news;
}

static void news_heard(const struct news *news)
{
	struct deadlock_process *of;

	for (int rank = 0; rank < process.size; rank++) {
		if (route_net_node(rank) != news->head.node)
			continue;
		processes[rank].is_blocked = false;
		processes[rank].ended = 0;
		epochs[rank] = 0;
	}
	for (uint32_t i = 0; i < news->head.n; i++) {
		of = &processes[news->entries[i].rank];
		of->ended = news->entries[i].ended;
		of->is_blocked = hang_is_blocked(&news->entries[i]);
		of->record = news->entries[i].record;
		epochs[news->entries[i].rank] = news->entries[i].epoch;
	}
}

/* Another node may ask this one, which had something to say. */
static bool listens(void)
{
	return last_news && last_news->head.n;
}

static void news_tell(void)
{
	struct news *news = listens() || hang_board_may_be() ? news_make()
							     : NULL;

	if (!news || is_old(news)) {
		free(news);
		return;
	}
	if (me == 0)
		news_heard(news);
	else if (!send(0, news, news_bytes(news))) {
		free(news);
		return;
	}
	news_keep(news);
}

/* The process of a claim, if it is of this node, is as it was. */
static bool claim_holds(const struct claim *claim, struct outcome *outcome)
{
	const uint32_t slot = hang_board_slot(claim->rank);
	struct hang_entry entry;

	if (slot == (uint32_t)route_n_slots)
		return true;
	outcome->sent = hang_board_sent(slot);
	hang_board_read(slot, &entry);
	if (!claim->epoch)
		return entry.ended;
	if (entry.epoch != claim->epoch || !hang_board_holds(slot, &entry))
		return false;
	hang_board_places(slot, &entry.record, &outcome->places);
	return true;
}

/* Counts first: base/board_blocked.h. */
static void look_again(const struct question *q, struct answer *answer)
{
	answer->head.yes = true;
	for (uint32_t i = 0; i < q->head.n; i++)
		answer->outcomes[i].delivered = route_net_delivered(
			q->claims[i].rank);
	for (uint32_t i = 0; i < q->head.n; i++)
		answer->head.yes &= claim_holds(&q->claims[i],
						&answer->outcomes[i]);
	for (uint32_t i = 0; i < q->head.n_calls; i++)
		answer->head.differs |= route_mismatch_differs(
			q->calls[i].context, q->calls[i].number,
			q->calls[i].signature);
}

static struct answer *answer_make(const struct question *q)
{
	struct answer *answer = calloc(
		1, sizeof(*answer) + q->head.n * sizeof(struct outcome));

	if (!answer)
		abort();
	answer->head = (struct head){ .kind = ANSWER,
				      .number = q->head.number,
				      .node = (uint32_t)me,
				      .n = q->head.n };
	look_again(q, answer);
	return answer;
}

static void answer_send(const struct question *q)
{
	struct answer *answer = answer_make(q);

	while (!send(0, answer,
		     sizeof(*answer) +
			     answer->head.n * sizeof(struct outcome)) &&
	       !atomic_load(&ending))
		futex_wait(&ending, 0, SOON_NS);
	free(answer);
}

static void calls_add(struct question *q, const struct blocked_record *r)
{
	const struct blocked_group *group;

	for (uint32_t g = 0; g < r->n_groups && q->head.n_calls < CALLS; g++) {
		group = &r->groups[g];
		if (group->is_thread)
			continue;
		q->calls[q->head.n_calls++] = (struct call){ group->context,
							     group->number,
							     group->signature };
	}
}

/* About the dead, and those that ended. */
static struct question *question_make(void)
{
	static uint32_t number;
	const size_t n = (size_t)process.size;
	struct question *q = calloc(1, sizeof(*q) + n * sizeof(struct claim));

	if (!q)
		abort();
	q->head = (struct head){ .kind = ASK, .number = ++number };
	for (int32_t rank = 0; rank < process.size; rank++) {
		if (!processes[rank].is_dead && !processes[rank].ended)
			continue;
		q->claims[q->head.n++] = (struct claim){
			rank, processes[rank].is_dead ? epochs[rank] : 0
		};
		if (processes[rank].is_dead)
			calls_add(q, &processes[rank].record);
	}
	return q;
}

static void question_end(void)
{
	free(question);
	free(outcomes);
	question = NULL;
	outcomes = NULL;
}

static void ask(void)
{
	question = question_make();
	outcomes = calloc(question->head.n, sizeof(*outcomes));
	n_answers = 0;
	holds = outcomes != NULL;
	for (int node = 1; node < n_nodes; node++)
		holds &= send(node, question, question_bytes(question));
	if (!holds)
		question_end();
}

static bool all_had_come(void)
{
	for (uint32_t i = 0; i < question->head.n; i++)
		if (outcomes[i].delivered != outcomes[i].sent)
			return false;
	return true;
}

static hang_places *places_of(void)
{
	hang_places *places = calloc((size_t)process.size, sizeof(*places));

	for (uint32_t i = 0; places && i < question->head.n; i++)
		memcpy(places[question->claims[i].rank], outcomes[i].places,
		       sizeof(*places));
	return places;
}

/* Sees to messages meanwhile. */
static void grace(void)
{
	const uint64_t until = clock_monotonic_ns() + GRACE_NS;

	do {
		for (int node = 0; node < n_nodes; node++)
			is_sent(&outs[node]);
		futex_wait(&ending, 0, SOON_NS);
	} while (clock_monotonic_ns() < until);
}

static void stop_all(const bool *whom)
{
	for (uint32_t i = 0; i < (uint32_t)route_n_slots; i++)
		if (whom[route_slots[i]->waits.rank] && i != route_me)
			hang_board_stop(i);
	if (whom[process.rank])
		hang_board_stop(route_me);
}

static void act(const struct told *told)
{
	if (process.settings.deadlock == SETTINGS_DEADLOCK_STOP)
		stop_all(told->dead);
	else if (process.settings.deadlock == SETTINGS_DEADLOCK_ABORT && me)
		hang_write();
	else if (process.settings.deadlock == SETTINGS_DEADLOCK_ABORT)
		hang_abort();
}

static void help(void)
{
	const struct deadlock_process *own = &processes[process.rank];

	if (own->is_dead)
		site_help(own->record.groups[0].site);
}

static void tell(void)
{
	struct told told = { .head = { .kind = TOLD } };
	hang_places *places = places_of();

	if (!places)
		return;
	hang_text(processes, places, (uint32_t)process.size, told.text,
		  sizeof(told.text));
	free(places);
	for (int rank = 0; rank < process.size; rank++)
		told.dead[rank] = processes[rank].is_dead;
	is_told = true;
	hang_text_keep(told.text);
	process_warn(told.text);
	help();
	if (process.settings.deadlock == SETTINGS_DEADLOCK_STOP)
		process_warn(HANG_STOPS);
	for (int node = 1; node < n_nodes; node++)
		send(node, &told, sizeof(told));
	grace();
	act(&told);
}

static void answer_add(const struct answer *answer)
{
	if (!question || answer->head.number != question->head.number)
		return;
	n_answers++;
	holds = holds && answer->head.yes && !answer->head.differs;
	for (uint32_t i = 0; i < answer->head.n; i++) {
		const struct outcome *o = &answer->outcomes[i];

		outcomes[i].delivered += o->delivered;
		outcomes[i].sent += o->sent;
		if (route_net_node(question->claims[i].rank) ==
		    answer->head.node)
			memcpy(outcomes[i].places, o->places,
			       sizeof(o->places));
	}
}

/* All others have answered: now this node looks again. */
static void conclude(void)
{
	struct answer *own = answer_make(question);

	answer_add(own);
	free(own);
	if (holds && all_had_come())
		tell();
	question_end();
	found_ns = 0;
}

static bool is_as_before(void)
{
	bool same = true;

	for (int rank = 0; rank < process.size; rank++) {
		same &= dead[rank] == processes[rank].is_dead;
		dead[rank] = processes[rank].is_dead;
	}
	return same;
}

/* Asks once it has been found for some time. */
static void search(void)
{
	const uint64_t now = clock_monotonic_ns();
	const bool any = deadlock_find(processes, (uint32_t)process.size) > 0;
	const bool same = is_as_before();

	if (!any || !same || !found_ns)
		found_ns = any ? now : 0;
	else if (now - found_ns >= FOUND_NS)
		ask();
}

static void told_heard(const struct told *told)
{
	hang_text_keep(told->text);
	act(told);
}

/* Whether it is the last of that node. */
static bool heard(const void *bytes)
{
	const struct head *head = bytes;

	switch ((enum kind)head->kind) {
	case NEWS:
		news_heard(bytes);
		break;
	case ASK:
		answer_send(bytes);
		break;
	case ANSWER:
		answer_add(bytes);
		break;
	case TOLD:
		told_heard(bytes);
		break;
	case BYE:
		return true;
	}
	return false;
}

static int n_byes;

static void listen(void)
{
	void *bytes;

	while ((bytes = come())) {
		n_byes += heard(bytes);
		free(bytes);
	}
}

static void tick(void)
{
	news_tell();
	if (me == 0 || listens())
		listen();
	if (me != 0 || is_told)
		return;
	if (!question)
		search();
	else if (n_answers == n_nodes - 1)
		conclude();
}

static void *thread_main(void *unused)
{
	(void)unused;
	while (!atomic_load(&ending)) {
		tick();
		futex_wait(&ending, 0, listens() ? SOON_NS : TICK_NS);
	}
	return NULL;
}

static void memory_free(void)
{
	free(outs);
	free(processes);
	free(epochs);
	free(dead);
	free(last_news);
	outs = NULL;
	last_news = NULL;
}

static bool memory_make(void)
{
	const size_t n = (size_t)process.size;

	outs = calloc((size_t)n_nodes, sizeof(*outs));
	processes = calloc(n, sizeof(*processes));
	epochs = calloc(n, sizeof(*epochs));
	dead = calloc(n, sizeof(*dead));
	return outs && processes && epochs && dead;
}

void hang_net_start(void)
{
	int can;
	int all;

	if (route_net_leaders() == MPI_COMM_NULL)
		return;
	REAL(Comm_dup)(route_net_leaders(), &leaders);
	REAL(Comm_set_errhandler)(leaders, MPI_ERRORS_RETURN);
	fatal_not_for(leaders);
	n_nodes = route_net_nodes(&me);
	atomic_store(&ending, 0);
	can = memory_make() && thread_start(&thread, thread_main, NULL) == 0;
	REAL(Allreduce)(&can, &all, 1, MPI_INT, MPI_MIN, leaders);
	if (can && !all) {
		atomic_store(&ending, 1);
		futex_wake(&ending);
		thread_join(thread);
	}
	if (all)
		return;
	memory_free();
	REAL(Comm_free)(&leaders);
}

/* Nothing comes behind it. */
static void bye(int node)
{
	const struct head head = { .kind = BYE };

	while (!send(node, &head, sizeof(head)))
		listen();
}

/* The first node speaks with each other, and they with it alone. */
static void part(void)
{
	const int others = me == 0 ? n_nodes - 1 : 1;
	bool quiet = false;

	for (int i = 0; i < others; i++)
		bye(me == 0 ? i + 1 : 0);
	while (n_byes < others || !quiet) {
		listen();
		quiet = true;
		for (int node = 0; node < n_nodes; node++)
			quiet &= is_sent(&outs[node]);
	}
	n_byes = 0;
}

void hang_net_stop(void)
{
	if (leaders == MPI_COMM_NULL)
		return;
	atomic_store(&ending, 1);
	futex_wake(&ending);
	thread_join(thread);
	part();
	question_end();
	memory_free();
	REAL(Comm_free)(&leaders);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A deadlock between nodes.  Each leader's thread sends what the blocked
 * processes of its node say to the first node, whenever that changed:  NEWS.
 * If the search finds a deadlock there, each node is asked whether the
 * processes in it are as they were:  ASK.  All news had been read when the
 * first node asked, and all is looked at again afterwards.  So it held at that
 * moment.
 *
 * Descriptors that were under way between nodes at that moment are counted.
 * Each node says how many descriptors of each of these processes it has handed
 * out, before it looks again.  Together they are as many as the process has
 * sent.  By the strobe both are zero: a slice is over on all nodes before the
 * next begins.
 */
#include <stdlib.h>
#include <string.h>

#include "mds/base/futex.h"
#include "mds/base/thread.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_net.h"
#include "pmpi-shim/route/base/route_peers.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_coll.h"
#include "pmpi-shim/route/hang/hang_first.h"
#include "pmpi-shim/route/hang/hang_net.h"

#define TICK_NS 100000000
#define SOON_NS 20000000 /* while a process is blocked */

static pthread_t thread;
static bool runs;
static _Atomic uint32_t ending;

static struct hang_news *last_news; /* as it was sent */

/* The entries of this node's processes that are blocked or have ended. */
static struct hang_news *news_make(void)
{
	const size_t n = (size_t)route_n_slots;
	struct hang_news *news = calloc(
		1, sizeof(*news) + n * sizeof(struct hang_entry));
	struct hang_entry *next;

	if (!news)
		return NULL;
	news->head = (struct hang_head){ .kind = HANG_NEWS,
					 .node = (uint32_t)hang_node };
	for (uint32_t i = 0; i < n; i++) {
		next = &news->entries[news->head.n];
		hang_board_read(i, next);
		if ((hang_is_blocked(next) && hang_board_holds(i, next)) ||
		    next->ended)
			news->head.n++;
	}
	return news;
}

static bool is_old(const struct hang_news *news)
{
	return last_news
		       ? hang_news_bytes(last_news) == hang_news_bytes(news) &&
				 !memcmp(last_news, news, hang_news_bytes(news))
		       : news->head.n == 0;
}

static void news_keep(struct hang_news *news)
{
	free(last_news);
	last_news = news;
}

/* The first node knows of blocked or ended processes here. */
static bool has_told(void)
{
	return last_news && last_news->head.n;
}

static void news_tell(void)
{
	struct hang_news *news = has_told() || hang_board_may_be() ? news_make()
								   : NULL;

	if (!news || is_old(news)) {
		free(news);
		return;
	}
	if (hang_node == 0)
		hang_first_news(news);
	else if (!hang_wire_send(0, news, hang_news_bytes(news))) {
		free(news);
		return;
	}
	news_keep(news);
}

/* The process of a claim, if it is of this node, is as it was. */
static bool claim_holds(const struct hang_claim *claim,
			struct hang_outcome *outcome)
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
static void look_again(const struct hang_question *q,
		       struct hang_answer *answer)
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

static struct hang_answer *answer_make(const struct hang_question *q)
{
	struct hang_answer *answer = calloc(
		1, sizeof(*answer) + q->head.n * sizeof(struct hang_outcome));

	if (!answer)
		return NULL;
	answer->head = (struct hang_head){ .kind = HANG_ANSWER,
					   .number = q->head.number,
					   .node = (uint32_t)hang_node,
					   .n = q->head.n };
	look_again(q, answer);
	return answer;
}

/* Without memory nothing more is told of. */
static void answer_send(const struct hang_question *q)
{
	struct hang_answer *answer = answer_make(q);

	while (answer &&
	       !hang_wire_send(0, answer, hang_answer_bytes(answer)) &&
	       !atomic_load(&ending))
		futex_wait(&ending, 0, SOON_NS);
	free(answer);
}

static void stop_all(const bool *whom)
{
	for (uint32_t i = 0; i < (uint32_t)route_n_slots; i++)
		if (whom[route_slots[i]->waits.rank] && i != route_me)
			hang_board_stop(i);
	if (whom[process.rank])
		hang_board_stop(route_me);
}

static void act(const struct hang_told *told)
{
	if (process.settings.deadlock == SETTINGS_DEADLOCK_STOP)
		stop_all(told->dead);
	else if (process.settings.deadlock == SETTINGS_DEADLOCK_ABORT &&
		 hang_node)
		hang_write();
	else if (process.settings.deadlock == SETTINGS_DEADLOCK_ABORT)
		hang_abort();
}

static void told_heard(const struct hang_told *told)
{
	hang_text_keep(told->text);
	act(told);
}

/* Whether it is the last of that node. */
static bool heard(const void *bytes)
{
	const struct hang_head *head = bytes;

	switch ((enum hang_kind)head->kind) {
	case HANG_NEWS:
		hang_first_news(bytes);
		break;
	case HANG_ASK:
		answer_send(bytes);
		break;
	case HANG_ANSWER:
		hang_first_answer(bytes);
		break;
	case HANG_TOLD:
		told_heard(bytes);
		break;
	case HANG_BYE:
		return true;
	}
	return false;
}

static int n_byes;

static void listen(void)
{
	void *bytes;

	while ((bytes = hang_wire_come())) {
		n_byes += heard(bytes);
		free(bytes);
	}
}

/* Each node is asked, also one on which all processes compute. */
static void tick(void)
{
	news_tell();
	listen();
	if (hang_node == 0)
		hang_first_turn(answer_make, act);
}

static void *thread_main(void *unused)
{
	(void)unused;
	while (!atomic_load(&ending)) {
		tick();
		futex_wait(&ending, 0, has_told() ? SOON_NS : TICK_NS);
	}
	return NULL;
}

static void thread_end(void)
{
	atomic_store(&ending, 1);
	futex_wake(&ending);
	thread_join(thread);
}

void hang_net_start(void)
{
	bool can;

	if (!hang_wire_start())
		return;
	can = hang_node != 0 || hang_first_start();
	atomic_store(&ending, 0);
	can = can && thread_start(&thread, thread_main, NULL) == 0;
	runs = hang_wire_all(can);
	if (runs)
		return;
	if (can)
		thread_end();
	hang_first_stop();
	hang_wire_stop();
}

/* Nothing comes behind it. */
static void bye(int node)
{
	const struct hang_head head = { .kind = HANG_BYE };

	while (!hang_wire_send(node, &head, sizeof(head)))
		listen();
}

/* The first node speaks with each other, and they with it alone. */
static void part(void)
{
	const int others = hang_node == 0 ? hang_n_nodes - 1 : 1;

	for (int i = 0; i < others; i++)
		bye(hang_node == 0 ? i + 1 : 0);
	while (n_byes < others || !hang_wire_is_quiet())
		listen();
	n_byes = 0;
}

void hang_net_stop(void)
{
	if (!runs)
		return;
	runs = false;
	thread_end();
	part();
	hang_first_stop();
	hang_wire_stop();
	news_keep(NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Buffer Receiver: in the message scheduling microphase it matches the
 * sends that came with the receives of its processes, and schedules what
 * matched.  Each process has its own matching.
 */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/strobe/leader/strobe_exchange.h"

int strobe_buffer_start(struct strobe_leader *leader)
{
	const uint32_t n = leader->strobe->n;
	int rc = 0;

	leader->matches = calloc(n, sizeof(struct match *));
	leader->waiting = calloc(n, sizeof(struct strobe_work *));
	if (!leader->matches || !leader->waiting)
		return -ENOMEM;
	for (uint32_t i = 0; rc == 0 && i < n; i++)
		rc = match_new(&leader->matches[i]);
	strobe_schedule_init(&leader->schedule);
	return rc;
}

uint32_t strobe_buffer_messages(const struct strobe_leader *leader,
				uint32_t slot)
{
	const struct match_message *message = NULL;
	uint32_t n = 0;

	while ((message = match_next_unexpected(leader->matches[slot],
						message)))
		n++;
	return n;
}

static void free_unexpected(struct match *match)
{
	struct match_message *left;

	while (match && (left = match_next_unexpected(match, NULL))) {
		match_withdraw(match, left);
		free(left);
	}
}

static void free_waiting(struct strobe_work *work)
{
	struct strobe_work *next;

	for (; work; work = next) {
		next = work->next;
		free(work);
	}
}

void strobe_buffer_stop(struct strobe_leader *leader)
{
	for (uint32_t i = 0; leader->matches && i < leader->strobe->n; i++) {
		free_unexpected(leader->matches[i]);
		match_free(leader->matches[i]);
	}
	for (uint32_t i = 0; leader->waiting && i < leader->strobe->n; i++)
		free_waiting(leader->waiting[i]);
	free_waiting(leader->spare);
	free(leader->waiting);
	free(leader->matches);
}

/* Receives and probes that found no message yet, the newest first. */
static void wait_for_message(struct strobe_leader *leader,
			     struct strobe_work *work)
{
	struct strobe_work **list = &leader->waiting[work->slot];

	work->next = *list;
	work->link = list;
	if (*list)
		(*list)->link = &work->next;
	*list = work;
}

static void wait_no_more(struct strobe_work *work)
{
	if (!work->link)
		return;
	*work->link = work->next;
	if (work->next)
		work->next->link = work->link;
	work->link = NULL;
}

static void pair(struct strobe_leader *leader, struct strobe_work *send,
		 struct strobe_work *recv)
{
	wait_no_more(recv);
	strobe_moves_begin(leader, send->slot);
	strobe_moves_begin(leader, recv->slot);
	send->peer = recv;
	send->transfer.what = send;
	send->transfer.bytes = copy_at_most(send->d.bytes, recv->d.bytes);
	strobe_count(leader, EMDS_P2P_MSM, 1);
	strobe_schedule_add(&leader->schedule, &send->transfer);
}

static void answer(struct strobe_leader *leader, struct strobe_work *probe,
		   const struct strobe_work *found)
{
	struct strobe_order order = {
		.kind = STROBE_FOUND,
		.op = probe->d.op,
		.error = found ? 0 : -ENOENT,
		.message = (uintptr_t)found,
	};

	if (found) {
		order.source = found->d.key.source;
		order.tag = found->d.key.tag;
		order.got = found->d.bytes;
		order.site = found->d.site;
	}
	strobe_order_give(leader, probe->slot, &order);
	wait_no_more(probe);
	strobe_work_free(leader, probe);
}

/* The place of a message without a receive, or a free one; or NULL. */
static struct strobe_left *left_find(struct strobe_leader *leader,
				     uint32_t slot, uint64_t work)
{
	struct strobe_left *left = strobe_slot(leader->strobe, slot)->left;

	for (unsigned i = 0; i < STROBE_LEFT; i++)
		if (atomic_load_explicit(&left[i].work, memory_order_relaxed) ==
		    work)
			return &left[i];
	return NULL;
}

static void left_remove(struct strobe_leader *leader, uint32_t slot,
			const void *work)
{
	struct strobe_left *left = left_find(leader, slot, (uintptr_t)work);

	leader->n_left--;
	if (left)
		atomic_store(&left->work, 0);
}

/* Whether it was answered. */
static bool probe(struct strobe_leader *leader, struct strobe_work *work)
{
	struct match *match = leader->matches[work->slot];
	struct match_message *found = work->d.takes
					      ? match_take(match, &work->d.key)
					      : match_probe(match,
							    &work->d.key);

	if (!found && work->d.waits)
		return false;
	if (work->d.takes && found)
		left_remove(leader, work->slot, found);
	answer(leader, work, (struct strobe_work *)found);
	return true;
}

/* The oldest first; they are few. */
static void probe_all(struct strobe_leader *leader, struct strobe_work *newest)
{
	if (!newest)
		return;
	probe_all(leader, newest->next);
	if (newest->d.kind == STROBE_PROBE)
		probe(leader, newest);
}

static void left_add(struct strobe_leader *leader,
		     const struct strobe_work *send)
{
	struct strobe_left *left = left_find(leader, send->d.to, 0);

	leader->n_left++;
	if (!left)
		return;
	atomic_store(&left->context, send->d.key.context);
	atomic_store(&left->source, send->d.key.source);
	atomic_store(&left->tag, send->d.key.tag);
	atomic_store(&left->world, (int32_t)send->transfer.source);
	atomic_store(&left->work, (uintptr_t)send);
}

static void arrive(struct strobe_leader *leader, struct strobe_work *send)
{
	struct match_recv *recv = match_arrive(leader->matches[send->d.to],
					       &send->d.key, &send->message);

	if (recv)
		pair(leader, send, (struct strobe_work *)recv);
	else
		left_add(leader, send);
}

static void receive(struct strobe_leader *leader, struct strobe_work *work)
{
	struct match_message *found = match_post(leader->matches[work->slot],
						 &work->d.key, &work->recv);

	if (found) {
		left_remove(leader, work->slot, found);
		pair(leader, (struct strobe_work *)found, work);
	} else {
		wait_for_message(leader, work);
	}
}

static struct strobe_work *find_waiting(const struct strobe_leader *leader,
					const struct strobe_work *cancel)
{
	struct strobe_work *work = leader->waiting[cancel->slot];

	while (work &&
	       (work->d.kind != STROBE_RECV || work->d.op != cancel->d.about))
		work = work->next;
	return work;
}

/* A receive that was matched cannot be cancelled any more. */
static void cancel(struct strobe_leader *leader, struct strobe_work *work)
{
	struct strobe_work *recv = find_waiting(leader, work);

	if (recv) {
		match_cancel(leader->matches[work->slot], &recv->recv);
		wait_no_more(recv);
		strobe_order_done(leader, recv->slot, recv->d.op, -ECANCELED);
		strobe_work_free(leader, recv);
	}
	strobe_order_done(leader, work->slot, work->d.op, recv ? 0 : -ENOENT);
	strobe_work_free(leader, work);
}

static void handle(struct strobe_leader *leader, struct strobe_work *work)
{
	switch (work->d.kind) {
	case STROBE_RECV:
		receive(leader, work);
		break;
	case STROBE_TAKEN:
		pair(leader, (struct strobe_work *)(uintptr_t)work->d.about,
		     work);
		break;
	case STROBE_PROBE:
		if (!probe(leader, work))
			wait_for_message(leader, work);
		break;
	default:
		cancel(leader, work);
		break;
	}
}

static struct strobe_work *take_all(struct strobe_works *works)
{
	struct strobe_work *first = works->first;

	strobe_works_clear(works);
	return first;
}

static struct strobe_order copy_of(const struct strobe_work *send,
				   uint64_t bytes, bool last)
{
	const struct strobe_work *recv = send->peer;

	return (struct strobe_order){
		.kind = STROBE_COPY,
		.last = last,
		.frees = last && send->d.block,
		.from = send->slot,
		.error = send->d.bytes > recv->d.bytes ? -EMSGSIZE : 0,
		.source = send->d.key.source,
		.tag = send->d.key.tag,
		.signature = send->d.signature,
		.site = send->d.site,
		.op = recv->d.op,
		.address = send->d.address + send->transfer.moved,
		.block = send->d.block,
		.skip = send->transfer.moved,
		.begin = send->transfer.moved,
		.bytes = bytes,
		.got = send->transfer.bytes,
		.path = send->d.path,
		.whole = send->d.bytes,
	};
}

/* Its bytes are still on another node. */
static bool is_away(const struct strobe_work *send)
{
	return send->slot == STROBE_REMOTE && !send->d.eager;
}

static uint64_t limit(void *leader, const struct strobe_transfer *transfer,
		      uint64_t bytes)
{
	const struct strobe_work *send = transfer->what;

	return is_away(send) ? strobe_exchange_limit(leader, send, bytes)
			     : bytes;
}

static void move(void *leader_p, struct strobe_transfer *transfer,
		 uint64_t bytes, bool last)
{
	struct strobe_leader *leader = leader_p;
	struct strobe_work *send = transfer->what;
	struct strobe_order order = copy_of(send, bytes, last);

	if (is_away(send)) {
		order.skip = 0;
		strobe_exchange_grant(leader, send, send->peer->slot, &order);
	} else {
		strobe_split_order(leader, send, &order);
		strobe_order_give(leader, send->peer->slot, &order);
	}
	if (!last)
		return;
	strobe_moves_end(leader, send->slot);
	strobe_moves_end(leader, send->peer->slot);
	if (!send->d.eager && !is_away(send))
		strobe_order_done(leader, send->slot, send->d.op, 0);
	strobe_work_free(leader, send->peer);
	strobe_work_free(leader, send);
}

/* The copies that the budget allows. */
static void schedule(struct strobe_leader *leader)
{
	const struct strobe_mover mover = { leader->exchange ? limit : NULL,
					    move, leader };
	const struct strobe_options *options = &leader->strobe->options;
	uint64_t moved;

	strobe_split_begin(leader);
	strobe_schedule_seal(&leader->schedule);
	moved = strobe_schedule_run(&leader->schedule, options->budget, &mover);
	strobe_count(leader, EMDS_BYTES, moved);
	strobe_count(leader, EMDS_CARRIED, leader->schedule.n);
	strobe_count(leader, EMDS_LEFT, leader->n_left);
}

/* By number of their nodes, so that all that is of a slice has one order. */
static void arrive_all(struct strobe_leader *leader)
{
	struct strobe_work *work = take_all(&leader->sends);
	struct strobe_work *next;

	for (; work; work = next) {
		next = work->next;
		arrive(leader, work);
	}
}

static void handle_all(struct strobe_leader *leader)
{
	struct strobe_work *work = take_all(&leader->others);
	struct strobe_work *next;

	for (; work; work = next) {
		next = work->next;
		handle(leader, work);
	}
}

void strobe_buffer_receive(struct strobe_leader *leader)
{
	const struct strobe_options *options = &leader->strobe->options;
	const struct strobe_works own = leader->sends;

	if (own.first)
		strobe_works_clear(&leader->sends);
	for (uint32_t i = 0; i < options->n_nodes || i == 0; i++) {
		if (i == options->node && own.first) {
			*leader->sends.end = own.first;
			leader->sends.end = own.end;
		}
		strobe_exchange_receive_descriptors(leader, i);
	}
	arrive_all(leader);
	for (uint32_t i = 0; i < leader->strobe->n; i++)
		probe_all(leader, leader->waiting[i]);
	handle_all(leader);
	schedule(leader);
	strobe_calls_ask(leader);
	strobe_exchange_send_grants(leader);
}

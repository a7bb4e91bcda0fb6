/* SPDX-License-Identifier: BSD-3-Clause */

/* The leader orders the processes of its node to copy and fold. */
#include <sched.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/leader/strobe_leader.h"
#include "mds/base/cpu.h"
#include "mds/base/futex.h"

static bool is_done(struct strobe_slot *slot)
{
	return atomic_load(&slot->done) == atomic_load(&slot->given);
}

static bool all_done(const struct strobe *strobe)
{
	for (uint32_t i = 0; i < strobe->n; i++)
		if (!is_done(strobe_slot(strobe, i)))
			return false;
	return true;
}

static void sleep_until_progress(struct strobe *strobe)
{
	struct strobe_head *head = strobe->head;
	const uint32_t seen = atomic_load(&head->progress);

	/* Before the look: who leaves a copy to this thread wakes it then. */
	atomic_store(&head->awaits, 1);
	if (!all_done(strobe) && !strobe_dma_is_free(strobe))
		futex_wait(&head->progress, seen, STROBE_ORDERS_SLEEP_NS);
	atomic_store(&head->awaits, 0);
}

/* The leader's own are done by this thread, which has nothing else to do. */
static void await(struct strobe *strobe)
{
	for (unsigned turns = 0; !all_done(strobe); turns++) {
		if (strobe_dma_run(strobe))
			turns = 0;
		else if (turns < STROBE_ORDERS_LOOKS)
			cpu_pause();
		else if (turns < STROBE_ORDERS_LOOKS + STROBE_ORDERS_YIELDS)
			sched_yield();
		else
			sleep_until_progress(strobe);
	}
}

static void call_all(const struct strobe *strobe)
{
	for (uint32_t i = 0; i < strobe->n; i++)
		if (i != strobe->me && !is_done(strobe_slot(strobe, i)))
			strobe_call(strobe, strobe_slot(strobe, i));
}

void strobe_orders_run(struct strobe_leader *leader)
{
	call_all(leader->strobe);
	await(leader->strobe);
}

void strobe_order_done(struct strobe_leader *leader, uint32_t slot, uint64_t op,
		       int error)
{
	const struct strobe_order order = { .kind = STROBE_DONE,
					    .op = op,
					    .error = error };

	strobe_order_give(leader, slot, &order);
}

void strobe_order_give(struct strobe_leader *leader, uint32_t i,
		       const struct strobe_order *order)
{
	struct strobe_slot *slot = strobe_slot(leader->strobe, i);
	const uint32_t at = atomic_load(&slot->given);
	struct strobe_order *place = &slot->orders[at % STROBE_ORDERS];

	if (at - atomic_load(&slot->done) >= STROBE_ORDERS)
		strobe_orders_run(leader);
	*place = *order;
	place->slice = leader->slice;
	leader->touched[i] = true;
	/* Orders the order before the word that shows it. */
	atomic_store(&slot->given, at + 1);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The DMA Helper works in the process that owns the buffer.  It runs what the
 * leader ordered, and shows at the end of the slice what is done.
 */
#include "libbcs/base/tuning.h"
#include "libbcs/strobe/process/strobe_dma.h"
#include "mds/base/clock.h"
#include "mds/base/futex.h"

bool strobe_dma_is_wanted(struct strobe *strobe)
{
	struct strobe_slot *slot = strobe->slot;

	return atomic_load(&slot->asked) ||
	       atomic_load(&slot->given) != atomic_load(&slot->done) ||
	       strobe_dma_is_over(strobe);
}

bool strobe_dma_is_free(struct strobe *strobe)
{
	return strobe_dma_is_wanted(strobe) && !atomic_load(&strobe->copying);
}

/* The next order keeps a thread from its program. */
static bool is_long(const struct strobe *strobe)
{
	struct strobe_slot *slot = strobe->slot;
	const uint32_t at = atomic_load(&slot->done);
	const struct strobe_order *order = &slot->orders[at % STROBE_ORDERS];

	return at != atomic_load(&slot->given) &&
	       order->bytes >= STROBE_LONG_COPY;
}

static enum strobe_helpers helper_of(const struct strobe_order *order)
{
	switch (order->kind) {
	case STROBE_MOVE:
	case STROBE_FAIL:
		return STROBE_CH;
	case STROBE_SUM:
	case STROBE_MERGE:
	case STROBE_FOLD:
	case STROBE_KEEP:
		return STROBE_RH;
	default:
		return STROBE_DH;
	}
}

static void run(struct strobe *strobe, const struct strobe_order *order)
{
	const struct strobe_slot *slot = strobe->slot;

	strobe_dma_run_order(strobe, order);
	if (atomic_load(&slot->done) + 1 == atomic_load(&slot->given))
		strobe_dma_end_splits(strobe);
}

/* The same, with the time that it takes.  Nobody else writes it meanwhile. */
static void run_timed(struct strobe *strobe, const struct strobe_order *order)
{
	_Atomic uint64_t *worked = &strobe->slot->worked[helper_of(order)];
	const uint64_t since = clock_ticks();

	run(strobe, order);
	atomic_store_explicit(
		worked,
		atomic_load_explicit(worked, memory_order_relaxed) +
			clock_ticks() - since,
		memory_order_relaxed);
}

/* The oldest order; whether there was one. */
static bool run_next(struct strobe *strobe)
{
	struct strobe_slot *slot = strobe->slot;
	const uint32_t at = atomic_load(&slot->done);
	const struct strobe_order *order = &slot->orders[at % STROBE_ORDERS];

	if (at == atomic_load(&slot->given))
		return false;
	if (atomic_load_explicit(&strobe->head->recorded, memory_order_relaxed))
		run_timed(strobe, order);
	else
		run(strobe, order);
	/* Orders what was worked before the leader's look at it. */
	atomic_store(&slot->done, at + 1);
	if (at + 1 == atomic_load(&slot->given))
		strobe_tell_leader(strobe);
	return true;
}

/* Others of the process may wait for what is done now. */
static void tell_threads(struct strobe *strobe)
{
	atomic_fetch_add(&strobe->slot->event, 1);
	if (atomic_load(&strobe->slot->blocked))
		futex_wake(&strobe->slot->event);
}

/*
 * Runs one order.  The results of the last slice are shown first.  So a thread
 * that waits for them goes on, however long the copies of the next slice take.
 */
static bool run_once(struct strobe *strobe, bool *closed)
{
	bool ran;

	*closed = false;
	if (atomic_exchange(&strobe->copying, 1))
		return strobe_lend(strobe);
	strobe_lend(strobe);
	*closed = strobe_dma_close(strobe);
	if (*closed)
		tell_threads(strobe);
	ran = !*closed && run_next(strobe);
	atomic_store(&strobe->copying, 0);
	return ran || *closed;
}

/* A thread that finds `copying` held relies on its holder to look once more. */
bool strobe_dma_run(struct strobe *strobe)
{
	bool any = strobe_lend(strobe);
	bool closed;

	while (strobe_dma_is_free(strobe))
		any = run_once(strobe, &closed) || any;
	return any;
}

bool strobe_dma_run_some(struct strobe *strobe)
{
	bool any = strobe_lend(strobe);
	bool closed = false;

	while (!closed && strobe_dma_is_free(strobe))
		any = run_once(strobe, &closed) || any;
	return any;
}

void strobe_dma_leave(struct strobe *strobe)
{
	bool closed;

	while (strobe_dma_is_free(strobe) && !is_long(strobe))
		run_once(strobe, &closed);
	if (strobe_dma_is_free(strobe))
		strobe_call(strobe, strobe->slot);
}

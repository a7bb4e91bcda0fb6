/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The Strobe Receiver: runs the microphases of its node as microstrobes begin
 * them.  On the first node its thread is the Strobe Sender, too.
 */
#include <sched.h>

#include "libbcs/base/tuning.h"
#include "libbcs/strobe/leader/strobe_exchange.h"
#include "mds/base/clock.h"
#include "mds/base/futex.h"

static const struct emds_row no_row;

static bool is_blocked(const struct strobe *strobe, uint32_t i)
{
	return atomic_load(&strobe_slot(strobe, i)->blocked) != 0;
}

/* Shows a process what the slice did. */
static void show(struct strobe_leader *leader, uint32_t i)
{
	struct strobe_slot *slot = strobe_slot(leader->strobe, i);

	leader->touched[i] = false;
	atomic_store(&slot->ends[leader->shown[i]++ % 2],
		     leader->slice << 32 | atomic_load(&slot->ring.taken));
	atomic_fetch_add(&slot->event, 1);
	if (atomic_load(&slot->blocked))
		futex_wake(&slot->event);
}

/* After the events of those whose messages are done. */
static void show_moves(struct strobe_leader *leader, uint32_t i)
{
	struct strobe_moves *moves = &leader->moves[i];

	if (!moves->shown || moves->n)
		return;
	moves->shown = false;
	atomic_store(&strobe_slot(leader->strobe, i)->moves, 0);
}

/* All orders of the slice are done. */
static void count_helpers(struct strobe_leader *leader)
{
	struct strobe_slot *slot;

	for (uint32_t i = 0; i < leader->strobe->n; i++) {
		slot = strobe_slot(leader->strobe, i);
		for (int h = STROBE_DH; h < STROBE_HELPERS; h++)
			strobe_count(leader, (enum emds_column)(EMDS_DH + h),
				     atomic_exchange(&slot->worked[h], 0));
	}
}

static unsigned blocked(const struct strobe *strobe)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < strobe->n; i++)
		n += is_blocked(strobe, i);
	return n;
}

/*
 * Whom a slice found blocked is counted before anyone sees what the slice did:
 * in a late slice, they go on at once.
 */
static void end(struct strobe_leader *leader)
{
	leader->row.value[EMDS_BLOCKED] = blocked(leader->strobe);
	if (leader->strobe->emds)
		count_helpers(leader);
	for (uint32_t i = 0; i < leader->strobe->n; i++) {
		leader->waited[i] = leader->touched[i] &&
				    is_blocked(leader->strobe, i);
		if (leader->touched[i])
			show(leader, i);
	}
	strobe_again_end(leader);
	for (uint32_t i = 0; i < leader->strobe->n; i++)
		show_moves(leader, i);
}

static void count_slice(const struct strobe_leader *leader)
{
	const struct strobe_options *options = &leader->strobe->options;
	const uint64_t *value = leader->row.value;
	struct slice_tally *tally = options->tally;

	if (!tally)
		return;
	slice_tally_set(&tally->slice, value[EMDS_SLICE]);
	slice_tally_set(&tally->length_ns, options->slice_ns);
	slice_tally_set(&tally->budget, options->budget);
	slice_tally_add(&tally->n, 1);
	slice_tally_add(&tally->bytes, value[EMDS_BYTES]);
	slice_tally_add(&tally->ticks, value[EMDS_TIME]);
}

void strobe_row_end(struct strobe_leader *leader)
{
	struct emds *emds = leader->strobe->emds;

	count_slice(leader);
	if (emds && emds_wants(emds, leader->row.value[EMDS_SLICE]))
		emds_add(emds, &leader->row);
	leader->row = no_row;
}

void strobe_row_end_idle(struct strobe_leader *leader)
{
	if (leader->row.value[EMDS_SLICES] && leader->strobe->options.always)
		strobe_row_end(leader);
	leader->row = no_row;
}

/* A slice of which no DEM came was idle everywhere. */
static void row_begin(struct strobe_leader *leader)
{
	strobe_row_end_idle(leader);
	leader->row.value[EMDS_SLICES] = 1;
	leader->row.value[EMDS_SLICE] = leader->slice;
	leader->row.value[EMDS_BEGIN] = leader->begun;
	leader->row.value[EMDS_LATE] = leader->late_ns;
	leader->row.value[EMDS_BLOCKED] = blocked(leader->strobe);
}

/* The slice has come so far. */
static void row_go_on(struct strobe_leader *leader)
{
	leader->row.value[EMDS_HELPER] = leader->by_helper;
	leader->row.value[EMDS_TIME] = clock_ticks() - leader->begun;
}

/* Descriptors of slices before are not done. */
static bool has_work(const struct strobe_leader *leader)
{
	return leader->schedule.first ||
	       (leader->exchange &&
		(strobe_exchange_is_full(leader) || leader->calls_held ||
		 leader->ready.first || strobe_sums_wait(leader)));
}

static void slice_begin(struct strobe_leader *leader, bool closed)
{
	const uint64_t due = strobe_begin_of(leader->strobe, leader->slice);
	const uint64_t now = clock_monotonic_ns();

	leader->late_ns = now > due ? now - due : 0;
	leader->by_helper = strobe_is_helper;
	leader->closed = closed;
	row_begin(leader);
}

/* Says what the node has to do; where nothing is, a post arms it again. */
static void begin(struct strobe_leader *leader)
{
	struct strobe_head *head = leader->strobe->head;
	enum strobe_busy busy = strobe_again_look(leader);
	bool any;

	slice_begin(leader, false);
	atomic_store(&head->armed, 0);
	strobe_exchange_begin(leader);
	strobe_stop_ask(leader);
	any = strobe_buffer_seal(leader) || has_work(leader);
	if (busy == STROBE_IDLE && any)
		busy = STROBE_BUSY;
	else if (busy == STROBE_IDLE && strobe_has_posts(leader->strobe))
		busy = STROBE_LATER;
	else if (busy == STROBE_LATER && strobe_again_has_free(leader))
		busy = STROBE_PROBES;
	if (busy != STROBE_IDLE)
		atomic_store(&head->armed, 1);
	leader->told = busy != STROBE_IDLE;
	core_store(leader->fabric, STROBE_BUSY_AT, busy);
}

/* Work under way goes on until it is done; the slice begins none. */
static void go_on(struct strobe_leader *leader)
{
	slice_begin(leader, true);
	strobe_exchange_begin(leader);
	strobe_buffer_close(leader);
	core_store(leader->fabric, STROBE_BUSY_AT,
		   has_work(leader) ? STROBE_BUSY : STROBE_IDLE);
}

static void pass_sums(struct strobe_leader *leader)
{
	strobe_exchange_receive_shares(leader);
	strobe_sums_send(leader);
	strobe_exchange_send_shares(leader);
}

static void fold(struct strobe_leader *leader)
{
	strobe_exchange_receive_shares(leader);
	strobe_gather_fold(leader);
	strobe_orders_run(leader);
	strobe_gather_end(leader);
}

static void phase_run(struct strobe_leader *leader, enum strobe_phase phase)
{
	switch (phase) {
	case STROBE_BEGIN:
		begin(leader);
		break;
	case STROBE_ASIDE:
		leader->closed = true;
		/* fallthrough */
	case STROBE_DEM:
		strobe_buffer_send(leader);
		break;
	case STROBE_MSM:
		strobe_buffer_receive(leader);
		break;
	case STROBE_GET:
		strobe_exchange_send_data(leader);
		break;
	case STROBE_P2P:
		strobe_exchange_receive_data(leader);
		strobe_calls_schedule(leader);
		strobe_exchange_send_shares(leader);
		strobe_orders_run(leader);
		core_store(leader->fabric, STROBE_TREE_AT,
			   strobe_sums_rounds(leader));
		break;
	case STROBE_TREE:
		pass_sums(leader);
		break;
	case STROBE_BBM:
		pass_sums(leader);
		strobe_gather_move(leader);
		strobe_orders_run(leader);
		break;
	case STROBE_RM:
		fold(leader);
		break;
	case STROBE_END:
		end(leader);
		break;
	case STROBE_CLOSE:
		go_on(leader);
		break;
	default:
		strobe_stop_run(leader, phase);
		break;
	}
}

enum strobe_phase strobe_receiver_run(struct strobe_leader *leader)
{
	static const enum emds_column columns[] = {
		[STROBE_BEGIN] = EMDS_SR,  [STROBE_DEM] = EMDS_DEM,
		[STROBE_MSM] = EMDS_MSM,   [STROBE_GET] = EMDS_GET,
		[STROBE_P2P] = EMDS_P2P,   [STROBE_BBM] = EMDS_BBM,
		[STROBE_RM] = EMDS_RM,     [STROBE_END] = EMDS_SR,
		[STROBE_CLOSE] = EMDS_SR,  [STROBE_TREE] = EMDS_RM,
		[STROBE_ASIDE] = EMDS_DEM,
	};
	const struct strobe_microstrobe *microstrobe = core_block(
		leader->fabric, STROBE_STROBE_AT, sizeof(*microstrobe));
	const enum strobe_phase phase = (enum strobe_phase)microstrobe->phase;
	const uint64_t since = clock_ticks();

	leader->slice = microstrobe->slice;
	leader->microstrobes = microstrobe->number;
	leader->by_helper = leader->by_helper && strobe_is_helper;
	if (phase == STROBE_BEGIN || phase == STROBE_CLOSE)
		leader->begun = since;
	phase_run(leader, phase);
	if (phase <= STROBE_ASIDE) {
		strobe_count(leader, columns[phase], clock_ticks() - since);
		row_go_on(leader);
	}
	core_store(leader->fabric, STROBE_DONE_AT, leader->microstrobes);
	return phase;
}

void strobe_receiver_sleep(struct strobe_leader *leader, uint64_t ns)
{
	struct strobe_head *head = leader->strobe->head;

	atomic_store(&head->armed, 0);
	if (strobe_has_posts(leader->strobe) ||
	    atomic_load(&leader->strobe->ending))
		atomic_store(&head->armed, 1);
	else
		futex_wait(&head->armed, 0, ns);
}

/* The first post here since all were idle: the Strobe Sender hears of it. */
static void tell_sender(struct strobe_leader *leader)
{
	uint64_t words[CORE_SET_WORDS(STROBE_NODES)];
	struct core_set first = { words, leader->all.n };
	const struct core_xfer xfer = {
		.local_event = CORE_NO_EVENT,
		.remote_event = STROBE_ARM_AT,
	};

	core_set_clear(&first);
	core_set_add(&first, 0);
	leader->told = true;
	core_xfer_and_signal(leader->fabric, &first, &xfer);
}

/* Then microstrobes come one after the other. */
static bool is_under_way(const struct strobe_leader *leader)
{
	return leader->told || (leader->strobe->options.always &&
				leader->row.value[EMDS_SLICES]);
}

static void wait_for_strobe(struct strobe_leader *leader)
{
	if (!leader->told && strobe_has_posts(leader->strobe))
		tell_sender(leader);
	else if (is_under_way(leader))
		sched_yield();
	else
		strobe_receiver_sleep(leader, STROBE_RECEIVER_NAP_NS);
}

void strobe_receiver_main(struct strobe_leader *leader)
{
	while (!atomic_load(&leader->strobe->ending)) {
		if (core_test_event(leader->fabric, STROBE_EVENT_AT,
				    CORE_POLL) != 0)
			wait_for_strobe(leader);
		else if (strobe_receiver_run(leader) == STROBE_END)
			strobe_row_end(leader);
	}
}

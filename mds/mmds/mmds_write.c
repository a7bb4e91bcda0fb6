/* SPDX-License-Identifier: BSD-3-Clause */

/* Adds up the tables of all threads, and writes them into a record. */
#include "mds/mmds/mmds_write.h"
#include "mds/base/modules.h"
#include "mds/callpath/callpath_shared.h"
#include "mds/mmds/mmds.h"
#include "mds/mmds/mmds_writing.h"
#include "mds/record/record.h"
#include "mds/settings/settings.h"

#define THREAD_COLUMNS                                                  \
	"thread computation_ns communication_ns waiting_ns yielded_ns " \
	"off_ns calls"
#define PHASE_COLUMNS "phase name count time_ns computation_ns communication_ns"

static void put_ns(struct record_writer *writer, uint64_t ticks)
{
	record_put_u64(writer, clock_to_ns(ticks));
}

static void write_thread(struct record_writer *writer,
			 const struct mmds_thread *thread)
{
	const struct mmds_frame past = mmds_past(thread);
	const struct mmds_sum sum = mmds_sum_until(thread, mmds_until());

	record_put_u64(writer, thread->id);
	put_ns(writer, sum.computation);
	put_ns(writer, sum.communication);
	put_ns(writer, thread->waiting + past.waiting);
	put_ns(writer, thread->yielded);
	put_ns(writer, thread->off);
	record_put_u64(writer, thread->calls + past.n);
	if (path_carried)
		put_ns(writer, sum.path - thread->path_begun);
	record_row_end(writer);
}

static void write_threads(struct record_writer *writer)
{
	record_table_begin(writer, "threads", 1,
			   path_carried ? THREAD_COLUMNS " path_ns"
					: THREAD_COLUMNS);
	for (struct mmds_thread *t = mmds_threads(); t; t = t->next)
		write_thread(writer, t);
	record_table_end(writer);
}

/* A thread's sums of a phase; the current phase counts up to now. */
static struct mmds_phase phase_of(const struct mmds_thread *thread,
				  unsigned number)
{
	struct mmds_phase phase = thread->phases[number];
	struct mmds_sum sum;

	if (thread->phase != number || thread->ended ||
	    mmds_until() <= thread->phase_start)
		return phase;
	sum = mmds_sum_until(thread, mmds_until());
	phase.ticks += mmds_until() - thread->phase_start;
	phase.computation += sum.computation - thread->phase_computation;
	phase.communication += sum.communication - thread->phase_communication;
	phase.path += sum.path - thread->phase_path;
	return phase;
}

static uint64_t phase_time(const struct mmds_phase *phase)
{
	return phase->computation + phase->communication;
}

static void write_phase(struct record_writer *writer, unsigned number)
{
	uint64_t count = number == 0; /* phase 0 began by itself */
	struct mmds_phase most = { 0 };
	uint64_t ticks = 0;

	for (struct mmds_thread *t = mmds_threads(); t; t = t->next) {
		const struct mmds_phase phase = phase_of(t, number);

		count += phase.count;
		ticks += phase.ticks;
		if (phase_time(&phase) > phase_time(&most))
			most = phase;
	}
	record_put_u64(writer, number);
	record_put_str(writer, mmds_phase_name(number));
	record_put_u64(writer, count);
	put_ns(writer, ticks);
	put_ns(writer, most.computation);
	put_ns(writer, most.communication);
	if (path_carried)
		put_ns(writer, most.path);
	record_row_end(writer);
}

static void write_phases(struct record_writer *writer)
{
	record_table_begin(writer, "phases", 1,
			   path_carried ? PHASE_COLUMNS " path_ns"
					: PHASE_COLUMNS);
	for (unsigned i = 0; i < mmds_phase_count(); i++)
		write_phase(writer, i);
	record_table_end(writer);
}

static void write_module(struct record_writer *writer, unsigned i)
{
	const struct module *module = modules_get(i);
	char id[2 * MODULES_ID_BYTES + 1] = "";

	for (unsigned b = 0; b < module->id_len; b++) {
		id[2 * b] = "0123456789abcdef"[module->id[b] >> 4];
		id[2 * b + 1] = "0123456789abcdef"[module->id[b] & 15];
	}
	record_put_u64(writer, i);
	record_put_str(writer, module->file);
	record_put_str(writer, id);
	record_row_end(writer);
}

static void write_modules(struct record_writer *writer)
{
	record_table_begin(writer, "modules", 1, "module file build_id");
	for (unsigned i = 0; i < modules_count(); i++)
		write_module(writer, i);
	record_table_end(writer);
}

/* Most paths come right behind the path that they begin with. */
static void write_callers(struct record_writer *writer)
{
	const uint32_t n = callpath_count();

	record_table_begin(writer, "callers", 1, "back frame");
	for (uint32_t i = 1; i <= n; i++) {
		const struct callpath_link link = callpath_get(i);

		record_put_u64(writer, i - link.parent);
		record_put_u64(writer, link.frame);
		record_row_end(writer);
	}
	record_table_end(writer);
}

static void write_frames(struct record_writer *writer)
{
	const uint32_t n = callpath_frames();

	record_table_begin(writer, "frames", 1, "module offset_hex");
	for (uint32_t i = 0; i < n; i++) {
		const struct callpath_frame frame = callpath_frame(i);

		if (frame.module == UINT32_MAX)
			record_put_str(writer, "");
		else
			record_put_u64(writer, frame.module);
		record_put_hex(writer, frame.offset);
		record_row_end(writer);
	}
	record_table_end(writer);
}

struct mmds_cell mmds_cell_sum(const struct mmds_thread *thread,
			       const struct mmds_cell *cell)
{
	const struct mmds_frame past = mmds_past(thread);
	struct mmds_cell sum = *cell;

	if (past.cell != cell)
		return sum;
	mmds_cell_add(&sum, &past);
	if (!mmds_past_bytes(&past))
		return sum;
	sum.sent += past.n * past.sent;
	sum.received += past.n * past.received;
	if (mmds_past_bytes(&past) < sum.min_bytes)
		sum.min_bytes = mmds_past_bytes(&past);
	if (mmds_past_bytes(&past) > sum.max_bytes)
		sum.max_bytes = mmds_past_bytes(&past);
	return sum;
}

static void write_cell(struct record_writer *writer,
		       const struct mmds_thread *thread,
		       const struct mmds_cell *cell)
{
	record_put_u64(writer, cell->id);
	record_put_u64(writer, thread->id);
	record_put_str(writer, mmds_self.names[cell->key & 0xffff]);
	record_put_u64(writer, cell->key >> 16 & 0xffff);
	record_put_u64(writer, mmds_key_path(cell->key));
	record_put_u64(writer, cell->count);
	put_ns(writer, cell->ticks);
	put_ns(writer, cell->count ? cell->min : 0);
	put_ns(writer, cell->max);
	put_ns(writer, cell->waiting);
	record_put_u64(writer, cell->sent);
	record_put_u64(writer, cell->received);
	record_put_u64(writer, cell->max_bytes ? cell->min_bytes : 0);
	record_put_u64(writer, cell->max_bytes);
	record_row_end(writer);
}

static bool cell_used(const struct mmds_cell *cell)
{
	return cell->count | cell->sent | cell->received;
}

static void write_cells(struct record_writer *writer)
{
	struct mmds_thread *thread = &(struct mmds_thread){ 0 };
	struct mmds_cell *cell = NULL;
	struct mmds_cell sum;

	record_table_begin(writer, "cells", 1,
			   "cell thread call phase path count time_ns min_ns "
			   "max_ns waiting_ns sent_bytes received_bytes "
			   "min_bytes max_bytes");
	thread->next = mmds_threads();
	while ((cell = mmds_cell_next(&thread, cell))) {
		sum = mmds_cell_sum(thread, cell);
		if (cell_used(&sum))
			write_cell(writer, thread, &sum);
	}
	record_table_end(writer);
}

static void write_peer(struct record_writer *writer,
		       const struct mmds_peer *peer)
{
	record_put_u64(writer, (peer->key - 1) >> 32);
	record_put_u64(writer, peer->world_rank);
	record_put_u64(writer, peer->sends);
	record_put_u64(writer, peer->sent);
	record_put_u64(writer, peer->receives);
	record_put_u64(writer, peer->received);
	put_ns(writer, peer->ticks);
	record_row_end(writer);
}

static void write_peers(struct record_writer *writer)
{
	record_table_begin(writer, "peers", 1,
			   "communicator peer sends sent_bytes receives "
			   "received_bytes time_ns");
	for (struct mmds_thread *t = mmds_threads(); t; t = t->next)
		for (uint32_t i = 0; i < t->peers_size; i++)
			if (t->peers[i].key)
				write_peer(writer, &t->peers[i]);
	record_table_end(writer);
}

void mmds_write(struct record_writer *writer)
{
	write_threads(writer);
	write_phases(writer);
	write_cells(writer);
	mmds_write_hists(writer);
	write_peers(writer);
	/* Each of these tables has all that those before it name. */
	write_callers(writer);
	write_frames(writer);
	write_modules(writer);
}

struct mmds_comm mmds_comm_sum(uint32_t comm)
{
	struct mmds_comm sum = { 0 };
	const struct mmds_comm *block;
	struct mmds_frame past;

	for (struct mmds_thread *t = mmds_threads(); t; t = t->next) {
		past = mmds_past(t);
		if (past.cell && past.comm == comm &&
		    mmds_self.metrics & SETTINGS_COMMS)
			mmds_comm_add(&sum, &past);
		block = t->comms[comm / MMDS_COMM_BLOCK];
		if (!block)
			continue;
		sum.calls += block[comm % MMDS_COMM_BLOCK].calls;
		sum.ticks += block[comm % MMDS_COMM_BLOCK].ticks;
		sum.sent += block[comm % MMDS_COMM_BLOCK].sent;
		sum.received += block[comm % MMDS_COMM_BLOCK].received;
	}
	return sum;
}

uint64_t mmds_dropped(void)
{
	struct mmds_thread *thread = &(struct mmds_thread){ 0 };
	struct mmds_cell *cell = NULL;
	uint64_t sum = mmds_lost();

	thread->next = mmds_threads();
	while ((cell = mmds_cell_next(&thread, cell)))
		if (cell->key >> 32 == MMDS_NO_ROOM)
			sum += mmds_cell_sum(thread, cell).count;
	return sum;
}

bool mmds_some_untimed(void)
{
	const struct mmds_thread *thread = mmds_threads();

	while (thread && !thread->untimed)
		thread = thread->next;
	return thread;
}

uint64_t mmds_overhead_ticks(void)
{
	uint64_t sum = 0;

	for (struct mmds_thread *t = mmds_threads(); t; t = t->next)
		sum += (t->samples ? t->calls * t->sampled / t->samples : 0) +
		       (t->paths ? t->paths->slow_ticks : 0);
	return sum;
}

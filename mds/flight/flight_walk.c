/* SPDX-License-Identifier: BSD-3-Clause */

/* Gives the contents of a flight recorder that was read and checked. */
#include "mds/flight/flight_reading.h"

unsigned flight_n_threads(const struct flight *flight)
{
	return flight->head.n_threads;
}

const struct flight_entry *flight_next(const struct flight *flight,
				       const struct flight_entry *entry)
{
	const unsigned char *const log = flight->bytes + flight->head.log_at;
	const unsigned char *next = log;

	if (entry)
		next = (const unsigned char *)entry + entry->bytes;
	return next < log + flight->head.log_used
		       ? (const struct flight_entry *)(const void *)next
		       : NULL;
}

const char *flight_text(const struct flight_entry *entry, size_t size)
{
	return (const char *)entry + size;
}

const struct flight_head *flight_head(const struct flight *flight)
{
	return &flight->head;
}

const struct flight_slices *flight_slices(const struct flight *flight)
{
	return &flight->slices;
}

const struct flight_thread *flight_thread(const struct flight *flight,
					  unsigned i)
{
	return flight_row(flight, i);
}

uint32_t flight_n_calls(const struct flight *flight, unsigned thread)
{
	return flight->n_calls[thread];
}

const struct flight_call *flight_call(const struct flight *flight,
				      unsigned thread, uint32_t back)
{
	const struct flight_thread *row = flight_row(flight, thread);
	const struct flight_call *calls;

	calls = (const void *)(flight->bytes + row->calls_at);
	return &calls[(row->entered - 1 - back) & (row->n_calls - 1)];
}

bool flight_has_waits(const struct flight *flight, unsigned thread)
{
	const struct flight_thread *row = flight_row(flight, thread);

	return row->look.n_waits > 0 && row->look.at == row->entered;
}

const char *flight_name(const struct flight *flight, uint32_t call)
{
	return call < flight->n_names ? flight->names[call] : NULL;
}

uint64_t flight_ns(const struct flight *flight, double ticks)
{
	const double ns = ticks * (double)flight->head.ns_per_tick_32 / 0x1p32;

	return ns >= 0 && ns < 0x1p63 ? (uint64_t)ns : 0;
}

uint64_t flight_since(const struct flight *flight, uint64_t ticks)
{
	if (ticks > flight->until)
		return 0;
	return flight_ns(flight, (double)(flight->until - ticks));
}

void flight_go_on(struct flight *flight, uint64_t monotonic_ns)
{
	const struct flight_head *head = &flight->head;
	double ticks;

	if (monotonic_ns <= head->ns || head->ns_per_tick_32 == 0)
		return;
	ticks = (double)(monotonic_ns - head->ns) * 0x1p32 /
		(double)head->ns_per_tick_32;
	if (ticks < 0x1p62)
		flight->until = head->ticks + (uint64_t)ticks;
}

uint64_t flight_call_end(const struct flight_call *call, uint64_t start)
{
	if (call->took > 0 && call->took < 0x1p62f)
		return start + (uint64_t)call->took;
	return start;
}

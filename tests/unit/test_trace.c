/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A trace is read as it was written, counts what it lost, and ends well where
 * it is cut.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mds/base/clock.h"
#include "mds/trace/trace.h"
#include "mds/trace/trace_read.h"
#include "mds/trace/trace_tally.h"

#define N 30000

static char dir[] = "/tmp/bcs-test-trace-XXXXXX";
static char path[64];
static char other[64]; /* of a ring */

static const char *call_name(unsigned call)
{
	return call == 7 ? "MPI_Isend" : "MPI_Waitall";
}

static const char *phase_name(unsigned phase)
{
	return phase == 1 ? "a b" : "?";
}

static bool comm_about(uint32_t comm, uint64_t *id, uint32_t *rank,
		       uint32_t *size)
{
	*id = 0xfeed + comm;
	*rank = 3;
	*size = 4;
	return comm < 2;
}

static struct trace_options options_of(uint64_t max_events, unsigned threads)
{
	return (struct trace_options){
		.dir = dir,
		.name = "rank-000003.trace",
		.rank = 3,
		.pid = 42,
		.host = "no de",
		.memory = 8 << 20,
		.threads = threads,
		.max_events = max_events,
		.max_bytes = UINT64_MAX,
		.max_ns = UINT64_MAX,
		.names = { call_name, phase_name, comm_about },
	};
}

static struct trace *start(uint64_t max_events, unsigned threads)
{
	const struct trace_options options = options_of(max_events, threads);
	struct trace *trace;

	ck_assert_int_eq(trace_start(&trace, &options), 0);
	return trace;
}

/* The i-th pair of rows of a program that does much alike. */
static struct trace_row call_row(uint64_t i)
{
	return (struct trace_row){
		.start = 1000000 + i * 1000,
		.end = 1000100 + i * 1000 + i % 7,
		.request = ((uint64_t)1 << 40) + i + 1,
		.sent = i % 100 == 5 ? i << 20 : 8,
		.path = (uint32_t)(i % 3),
		.comm = i % 2 ? 1 : TRACE_NO_COMM,
		.peer = i % 11 == 0 ? TRACE_ANYBODY : (int32_t)(i % 5),
		.tag = (int32_t)(i % 1000),
		.call = 7,
		.phase = i % 4 == 0,
	};
}

static struct trace_row item_row(uint64_t i)
{
	return (struct trace_row){
		.request = ((uint64_t)1 << 40) + i + 1,
		.received = i,
		.comm = 0,
		.peer = 1,
		.tag = -1,
		.kind = TRACE_RECEIVED,
	};
}

static void add_pair(struct trace_ring *ring, uint64_t i)
{
	struct trace_row *item = trace_ring_item(ring);
	struct trace_row *call;

	if (item)
		*item = item_row(i);
	call = trace_ring_call(ring);
	ck_assert_ptr_nonnull(call);
	*call = call_row(i);
	trace_ring_publish(ring);
}

static struct trace_reader *open_file(void)
{
	struct trace_reader *reader;
	char why[256];

	ck_assert_int_eq(trace_open(&reader, path, why, sizeof(why)), 0);
	return reader;
}

static void same(const struct trace_event *event, const struct trace_row *row)
{
	ck_assert_uint_eq(event->kind, row->kind);
	ck_assert_uint_eq(event->request, row->request);
	ck_assert_uint_eq(event->sent, row->sent);
	ck_assert_uint_eq(event->received, row->received);
	ck_assert_uint_eq(event->comm, row->comm);
	ck_assert_int_eq(event->peer, row->peer);
	ck_assert_int_eq(event->tag, row->tag);
}

static void check_pair(struct trace_reader *reader, uint64_t i, uint64_t zero)
{
	const struct trace_row call = call_row(i);
	const struct trace_row item = item_row(i);
	struct trace_event event;
	uint64_t begin;

	ck_assert_int_eq(trace_next(reader, &event), 1);
	same(&event, &call);
	ck_assert_uint_eq(event.path, call.path);
	ck_assert_uint_eq(event.phase, call.phase);
	ck_assert_str_eq(trace_call_name(reader, event.call), "MPI_Isend");
	ck_assert_uint_eq(event.begin - zero, i * 1000);
	ck_assert_uint_eq(event.end - event.begin, 100 + i % 7);
	begin = event.begin;

	ck_assert_int_eq(trace_next(reader, &event), 1);
	same(&event, &item);
	ck_assert_uint_eq(event.begin, begin);
	ck_assert_uint_eq(event.call, 7);
}

/* A tick is a ns. */
static uint64_t clock_one(struct trace_reader *reader)
{
	struct trace_head clock = *trace_head(reader);

	clock.ticks = 0;
	clock.ns = 0;
	clock.hz = 1000000000;
	trace_clock(reader, &clock);
	return 1000000;
}

START_TEST(comes_back)
{
	struct trace *trace = start(UINT64_MAX, 1);
	struct trace_ring *ring = trace_ring_make(trace, 0);
	struct trace_reader *reader;
	struct trace_event event;
	struct trace_comm comm;
	uint64_t zero;

	for (uint64_t i = 0; i < N; i++)
		add_pair(ring, i);
	trace_stop(trace);
	reader = open_file();
	ck_assert_uint_eq(trace_head(reader)->rank, 3);
	ck_assert_str_eq(trace_head(reader)->host, "no de");
	zero = clock_one(reader);
	for (uint64_t i = 0; i < N; i++)
		check_pair(reader, i, zero);
	ck_assert_int_eq(trace_next(reader, &event), 0);
	ck_assert_ptr_null(trace_fault(reader));
	ck_assert_uint_eq(trace_lost(reader), 0);
	ck_assert_str_eq(trace_phase_name(reader, 1), "a b");
	ck_assert(trace_comm(reader, 1, &comm));
	ck_assert_uint_eq(comm.id, 0xfeed + 1);
	ck_assert_uint_eq(comm.rank, 3);
	trace_close(reader);
}
END_TEST

/* How many events a file has, and how many it says were lost. */
static uint64_t count(uint64_t *lost, bool *limited, bool *whole)
{
	struct trace_reader *reader = open_file();
	struct trace_event event;
	uint64_t n = 0;

	while (trace_next(reader, &event) == 1)
		n++;
	*lost = trace_lost(reader);
	*limited = trace_is_limited(reader);
	*whole = trace_fault(reader) == NULL;
	trace_close(reader);
	return n;
}

START_TEST(none_goes_uncounted)
{
	struct trace *trace = start(UINT64_MAX, 1);
	struct trace_ring *ring = trace_ring_make(trace, 0);
	struct trace_ring *beyond = trace_ring_make(trace, 1);
	struct trace_row *row;
	uint64_t lost;
	bool limited;
	bool whole;
	uint64_t n;

	ck_assert_ptr_null(trace_ring_call(beyond));
	/* More than the ring has room for, and the writer may be slow. */
	for (uint64_t i = 0; i < 10 * N; i++) {
		row = trace_ring_call(ring);
		if (!row)
			continue;
		*row = call_row(i);
		trace_ring_publish(ring);
	}
	trace_stop(trace);
	n = count(&lost, &limited, &whole);
	ck_assert_uint_eq(n + lost, 10 * N + 1);
	ck_assert_uint_ge(lost, 1);
	ck_assert(whole && !limited);
}
END_TEST

START_TEST(limit_is_told)
{
	struct trace *trace = start(100, 1);
	struct trace_ring *ring = trace_ring_make(trace, 0);
	uint64_t lost;
	bool limited;
	bool whole;
	uint64_t n;

	for (uint64_t i = 0; i < 200; i++)
		add_pair(ring, i);
	trace_flush(trace);
	for (int tries = 0; tries < 10000; tries++) {
		count(&lost, &limited, &whole);
		if (limited)
			break;
		usleep(1000);
	}
	for (uint64_t i = 0; i < 50; i++)
		add_pair(ring, i);
	trace_stop(trace);
	n = count(&lost, &limited, &whole);
	ck_assert(limited && whole);
	/* The writer may have looked before all of the first were there. */
	ck_assert_uint_ge(n, 100);
	ck_assert_uint_le(n, 400);
	ck_assert_uint_eq(n + lost, 500);
}
END_TEST

#define KEPT 1000 /* events of the ring */

static struct trace *start_ring(uint64_t pid)
{
	struct trace_options options = options_of(KEPT, 1);
	struct trace *trace;

	options.is_ring = true;
	options.pid = pid;
	ck_assert_int_eq(trace_start(&trace, &options), 0);
	return trace;
}

/* Waits for the writer after each few, so that the ring turns often. */
static void add_slowly(struct trace *trace, struct trace_ring *ring, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		add_pair(ring, i);
		while (i % 100 == 99 &&
		       atomic_load(&ring->tail) != atomic_load(&ring->head))
			trace_flush(trace);
	}
}

/* The messages of a peer and tag that are sent or received in `n` pairs. */
static uint64_t pairs_of(uint64_t n, const struct trace_count *count)
{
	struct trace_row row;
	uint64_t found = 0;

	for (uint64_t i = 0; i < n; i++) {
		row = count->kind == TRACE_TALLY_SENT ? call_row(i)
						      : item_row(i);
		found += row.comm == count->comm && row.peer == count->peer &&
			 row.tag == count->tag;
	}
	return found;
}

/* Returns how many pairs were counted. */
static uint64_t check_counts(struct trace_reader *reader, uint64_t dropped)
{
	const struct trace_count *counts;
	uint64_t received = 0;
	size_t n;

	counts = trace_counts(reader, &n);
	ck_assert_uint_gt(n, 1);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(counts[i].n, pairs_of(dropped, &counts[i]));
		if (counts[i].kind == TRACE_TALLY_RECEIVED)
			received += counts[i].n;
	}
	return received;
}

START_TEST(ring_keeps_the_last)
{
	const uint64_t n = 5000;
	struct trace *trace = start_ring(42);
	struct trace_ring *ring = trace_ring_make(trace, 0);
	struct trace_reader *reader;
	struct trace_event event;
	uint64_t from;
	uint64_t zero;

	add_slowly(trace, ring, n);
	trace_stop(trace);
	reader = open_file();
	zero = clock_one(reader);
	ck_assert_int_eq(trace_next(reader, &event), 1);
	from = (event.begin - zero) / 1000;
	ck_assert_int_eq(trace_next(reader, &event), 1); /* its item */
	ck_assert_uint_gt(from, 0);
	ck_assert_uint_le(from, n - KEPT / 2);
	ck_assert_uint_eq(check_counts(reader, from), from);
	for (uint64_t i = from + 1; i < n; i++)
		check_pair(reader, i, zero);
	ck_assert_int_eq(trace_next(reader, &event), 0);
	ck_assert_ptr_null(trace_fault(reader));
	ck_assert_uint_eq(trace_dropped(reader), 2 * from);
	ck_assert_uint_eq(trace_lost(reader), 2 * from);
	ck_assert_str_eq(trace_phase_name(reader, 1), "a b");
	trace_close(reader);
}
END_TEST

/* The file that another process left is not taken for a part of the ring. */
START_TEST(ring_of_another)
{
	struct trace *trace = start_ring(42);
	uint64_t lost;
	bool limited;
	bool whole;

	add_slowly(trace, trace_ring_make(trace, 0), KEPT);
	trace_stop(trace);
	ck_assert_int_eq(access(other, F_OK), 0);
	trace = start_ring(43);
	add_slowly(trace, trace_ring_make(trace, 0), 10);
	trace_stop(trace);
	ck_assert_uint_eq(count(&lost, &limited, &whole), 20);
	ck_assert(whole && lost == 0);
	unlink(other);
}
END_TEST

/* A process that is killed leaves its ring. */
START_TEST(ring_is_cut_off)
{
	struct trace *trace = start_ring(42);
	struct trace_ring *ring = trace_ring_make(trace, 0);
	uint64_t lost;
	bool limited;
	bool whole;
	uint64_t n;

	add_slowly(trace, ring, 2000);
	trace_flush(trace);
	n = count(&lost, &limited, &whole);
	ck_assert(!whole && !limited);
	ck_assert_uint_ge(n, KEPT);
	ck_assert_uint_eq(n + lost, 4000);
	trace_stop(trace);
	unlink(other);
}
END_TEST

/* A cut is told, and events before it are read. */
START_TEST(cut_off)
{
	struct trace *trace = start(UINT64_MAX, 1);
	struct trace_ring *ring = trace_ring_make(trace, 0);
	struct stat st;
	uint64_t lost;
	bool limited;
	bool whole;
	uint64_t n;

	for (uint64_t i = 0; i < N; i++)
		add_pair(ring, i);
	trace_stop(trace);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(truncate(path, st.st_size - st.st_size / 4), 0);
	n = count(&lost, &limited, &whole);
	ck_assert(!whole);
	ck_assert_uint_gt(n, 0);
	ck_assert_uint_lt(n, 2 * N);
}
END_TEST

START_TEST(knows_calls)
{
	ck_assert_uint_eq(trace_does("MPI_Send_c"), TRACE_DOES_SEND);
	ck_assert_uint_eq(trace_does("MPI_Irecv"),
			  TRACE_DOES_POST | TRACE_DOES_BEGIN);
	ck_assert_uint_eq(trace_does("MPI_Ibcast"),
			  TRACE_DOES_ALL | TRACE_DOES_BEGIN);
	ck_assert_uint_eq(trace_does("MPI_Iprobe"), TRACE_DOES_TEST);
	ck_assert_uint_eq(trace_does("MPI_Get"), TRACE_DOES_ONE_SIDED);
	ck_assert_uint_eq(trace_does("MPI_Get_count"), TRACE_DOES_NOTHING);
	ck_assert_uint_eq(trace_does("MPI_Put_something"),
			  TRACE_DOES_ONE_SIDED);
	ck_assert_uint_eq(trace_does("send"), TRACE_DOES_NOTHING);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace");
	TCase *cases = tcase_create("trace");
	SRunner *runner;
	int failed;

	clock_start();
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/rank-000003.trace", dir);
	snprintf(other, sizeof(other), "%s/rank-000003.trace2", dir);
	tcase_set_timeout(cases, 120);
	tcase_add_test(cases, comes_back);
	tcase_add_test(cases, none_goes_uncounted);
	tcase_add_test(cases, limit_is_told);
	tcase_add_test(cases, cut_off);
	tcase_add_test(cases, ring_keeps_the_last);
	tcase_add_test(cases, ring_of_another);
	tcase_add_test(cases, ring_is_cut_off);
	tcase_add_test(cases, knows_calls);
	suite_add_tcase(suite, cases);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	unlink(path);
	unlink(other);
	rmdir(dir);
	return failed != 0;
}

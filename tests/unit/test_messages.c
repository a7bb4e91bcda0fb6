/* SPDX-License-Identifier: BSD-3-Clause */

/* Both ends of a message get the same id, in whatever order receives end. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/trace/messages.h"
#include "mds/trace/trace_write.h"

enum { ISEND, IRECV, WAIT, RECV, BARRIER };

static char dir[] = "/tmp/bcs-test-messages-XXXXXX";
static uint32_t writing; /* the rank whose trace is written */

static const char *call_name(unsigned call)
{
	static const char *const names[] = { "MPI_Isend", "MPI_Irecv",
					     "MPI_Waitany", "MPI_Recv",
					     "MPI_Barrier" };

	return names[call];
}

static const char *phase_name(unsigned phase)
{
	(void)phase;
	return "";
}

static bool comm_about(uint32_t comm, uint64_t *id, uint32_t *rank,
		       uint32_t *size)
{
	*id = 0xfeed + comm;
	*rank = writing;
	*size = 2;
	return true;
}

static struct trace_row row(enum trace_kind kind, uint16_t call, int32_t peer,
			    int32_t tag, uint64_t bytes, uint64_t request)
{
	static uint64_t now = 1000000;

	now += 100;
	return (struct trace_row){
		.start = now,
		.end = now + 50,
		.kind = kind,
		.call = call,
		.peer = peer,
		.tag = tag,
		.sent = call == ISEND ? bytes : 0,
		.received = call == ISEND ? 0 : bytes,
		.request = request,
	};
}

/* With `turn`, a ring turns before each so many rows; 0: no ring. */
static void write_ring(uint32_t rank, const struct trace_row *rows, uint32_t n,
		       uint32_t turn)
{
	static struct trace_file file;
	static struct trace_ring ring;
	char name[32];
	const struct trace_options options = {
		.dir = dir,
		.name = name,
		.rank = (int)rank,
		.host = "host",
		.is_ring = turn != 0,
		.names = { call_name, phase_name, comm_about },
	};

	writing = rank;
	snprintf(name, sizeof(name), "rank-%06u.trace", rank);
	file = (struct trace_file){ 0 };
	ring = (struct trace_ring){ 0 };
	ck_assert_int_eq(trace_file_open(&file, &options), 0);
	if (!turn)
		turn = n;
	for (uint32_t i = 0; i < n; i += turn) {
		if (i)
			trace_file_turn(&file);
		ring.last = ring.begun = ring.done = 0;
		trace_file_add(&file, &ring, &rows[i], turn, 0);
	}
	trace_file_close(&file, 0);
}

static void write_trace(uint32_t rank, const struct trace_row *rows, uint32_t n)
{
	write_ring(rank, rows, n, 0);
}

static struct message_end ends[32];
static size_t n_ends;
static uint64_t barriers; /* before the traces' first events, added up */

static void met(void *to, const struct message_end *end)
{
	(void)to;
	ck_assert_uint_lt(n_ends, 32);
	ends[n_ends++] = *end;
}

static void read_traces(void)
{
	const struct run_filter all = { 0 };
	struct traces_process process;
	struct trace_event event;
	struct messages *messages;
	struct traces traces;

	n_ends = 0;
	barriers = 0;
	ck_assert_int_eq(traces_open(&traces, dir, &all), 0);
	for (size_t i = 0; i < traces.files.n; i++) {
		ck_assert_int_eq(traces_begin(&traces, i, &process), 0);
		messages = messages_new(met, NULL);
		for (uint64_t at = 0; trace_next(process.reader, &event) == 1;
		     at++)
			messages_take(messages, &process, &event, at);
		messages_end(messages);
		barriers += trace_colls_before(process.reader, 0);
		traces_end(&traces, &process);
	}
	traces_close(&traces);
}

/* Each of `n` messages is sent and received once, with as many bytes. */
static void check_pairs(size_t n)
{
	size_t pairs = 0;

	ck_assert_uint_eq(n_ends, 2 * n);
	for (size_t i = 0; i < n_ends; i++)
		for (size_t j = 0; j < n_ends; j++) {
			if (i == j || ends[i].id != ends[j].id)
				continue;
			ck_assert(ends[i].sent != ends[j].sent);
			ck_assert_uint_eq(ends[i].bytes, ends[j].bytes);
			pairs++;
		}
	ck_assert_uint_eq(pairs, 2 * n);
}

/* The bytes tell the messages apart. */
static void write_sends(const int32_t *tags, uint32_t n)
{
	struct trace_row rows[8];

	for (uint32_t i = 0; i < n; i++)
		rows[i] = row(TRACE_CALL, ISEND, 1, tags[i], 8 * (i + 1), 0);
	write_trace(0, rows, n);
}

/* The second receive ends first; the one for any sender got the first. */
START_TEST(test_wildcards)
{
	const struct trace_row rows[] = {
		row(TRACE_CALL, IRECV, TRACE_ANYBODY, 7, 0, 1),
		row(TRACE_CALL, IRECV, 0, TRACE_NOBODY, 0, 2),
		row(TRACE_CALL, IRECV, 0, 9, 0, 3),
		row(TRACE_CALL, WAIT, TRACE_NOBODY, 0, 0, 0),
		row(TRACE_RECEIVED, WAIT, 0, 7, 16, 2),
		row(TRACE_CALL, WAIT, TRACE_NOBODY, 0, 0, 0),
		row(TRACE_RECEIVED, WAIT, 0, 9, 24, 3),
		row(TRACE_CALL, WAIT, TRACE_NOBODY, 0, 0, 0),
		row(TRACE_RECEIVED, WAIT, 0, 7, 8, 1),
	};

	write_sends((const int32_t[]){ 7, 7, 9 }, 3);
	write_trace(1, rows, sizeof(rows) / sizeof(rows[0]));
	read_traces();
	check_pairs(3);
}
END_TEST

/* A receive that ended without a message, and one that never ended. */
START_TEST(test_no_message)
{
	const struct trace_row rows[] = {
		row(TRACE_CALL, IRECV, TRACE_ANYBODY, 9, 0, 1),
		row(TRACE_CALL, IRECV, 0, 7, 0, 2),
		row(TRACE_CALL, IRECV, 0, 7, 0, 3),
		row(TRACE_CALL, WAIT, TRACE_NOBODY, 0, 0, 0),
		row(TRACE_RECEIVED, WAIT, 0, 7, 8, 3),
		row(TRACE_CALL, RECV, 0, 7, 16, 0),
		row(TRACE_CALL, WAIT, TRACE_NOBODY, 0, 0, 0),
		row(TRACE_DONE, WAIT, TRACE_NOBODY, 0, 0, 2),
	};

	write_sends((const int32_t[]){ 7, 7 }, 2);
	write_trace(1, rows, sizeof(rows) / sizeof(rows[0]));
	read_traces();
	check_pairs(2);
}
END_TEST

/* A message is received at the call that ends its receive, not at the post. */
START_TEST(test_where)
{
	const struct trace_row rows[] = {
		row(TRACE_CALL, IRECV, 0, 7, 0, 1),
		row(TRACE_CALL, WAIT, TRACE_NOBODY, 0, 0, 0),
		row(TRACE_RECEIVED, WAIT, 0, 7, 8, 1),
	};

	write_sends((const int32_t[]){ 7 }, 1);
	write_trace(1, rows, 3);
	read_traces();
	check_pairs(1);
	ck_assert_uint_eq(ends[ends[0].sent ? 1 : 0].where, 2);
}
END_TEST

/* The files of a ring that has dropped its first are numbered like the rest. */
START_TEST(test_ring)
{
	const struct trace_row rows[] = {
		row(TRACE_CALL, RECV, 0, 7, 8, 0),
		row(TRACE_CALL, RECV, 0, 9, 16, 0),
		row(TRACE_CALL, RECV, 0, 7, 24, 0),
		row(TRACE_CALL, RECV, 0, 7, 32, 0),
		row(TRACE_CALL, RECV, 0, 9, 40, 0),
		row(TRACE_CALL, BARRIER, TRACE_NOBODY, 0, 0, 0),
	};
	struct trace_row sends[6];
	size_t pairs = 0;

	for (int i = 0; i < 5; i++)
		sends[i + 1] = row(TRACE_CALL, ISEND, 1, rows[i].tag,
				   rows[i].received, 0);
	sends[0] = rows[5];
	write_ring(0, sends, 6, 2);
	write_ring(1, rows, 6, 2);
	read_traces();
	/* Receives of 24, 32 and 40 B are left, and sends of 16 B, too. */
	ck_assert_uint_eq(n_ends, 4 + 3);
	for (size_t i = 0; i < n_ends; i++)
		for (size_t j = 0; j < n_ends; j++)
			if (ends[i].sent && !ends[j].sent) {
				ck_assert((ends[i].id == ends[j].id) ==
					  (ends[i].bytes == ends[j].bytes));
				pairs += ends[i].id == ends[j].id;
			}
	ck_assert_uint_eq(pairs, 3);
	ck_assert_uint_eq(barriers, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("messages");
	TCase *cases = tcase_create("messages");
	SRunner *runner;
	char path[64];
	int failed;

	if (!mkdtemp(dir))
		return 1;
	tcase_add_test(cases, test_wildcards);
	tcase_add_test(cases, test_no_message);
	tcase_add_test(cases, test_where);
	tcase_add_test(cases, test_ring);
	suite_add_tcase(suite, cases);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	for (unsigned i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/rank-%06u.trace%s", dir, i / 2,
			 i % 2 ? TRACE_PART_SUFFIX : "");
		unlink(path);
	}
	rmdir(dir);
	return failed != 0;
}

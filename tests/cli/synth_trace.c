/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: synth_trace DIR RANKS ROUNDS [TURN]
 * Writes made-up traces, in rounds of 100 us.  In a round each rank gets 8
 * bytes from its left neighbour.  Even ranks send 64 bytes to the next rank, 15
 * us after that rank began to receive.  Rank 1 is 6 us late for an allreduce.
 * The names fit the record of solve.sh.  A tick is 1 ns: the program has a
 * clock_pair of its own.  With TURN the traces are rings, of which a file has
 * so many rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mds/base/clock.h"
#include "mds/trace/trace_write.h"

#define ZERO  1000000000u
#define ROUND 100000u

enum { INIT, IRECV, ISEND, WAITALL, SEND, RECV, ALLREDUCE };

void __wrap_clock_pair(uint64_t *ticks, uint64_t *ns);

void __wrap_clock_pair(uint64_t *ticks, uint64_t *ns)
{
	static uint64_t now = ZERO;

	*ticks = *ns = now;
	now += 10000000;
}

static struct trace_file file;
static struct trace_ring ring;
static struct trace_row rows[TRACE_BLOCK];
static uint32_t n;
static uint32_t me;
static uint32_t size;

static const char *call_name(unsigned call)
{
	static const char *const names[] = { "MPI_Init",     "MPI_Irecv",
					     "MPI_Isend",    "MPI_Waitall",
					     "MPI_Send",     "MPI_Recv",
					     "MPI_Allreduce" };

	return names[call];
}

static const char *phase_name(unsigned phase)
{
	return phase ? "last <b>quarter</b>" : "";
}

static bool comm_about(uint32_t comm, uint64_t *id, uint32_t *rank,
		       uint32_t *of)
{
	*id = 0x44000000 + comm;
	*rank = me;
	*of = size;
	return true;
}

static void flush(void)
{
	trace_file_add(&file, &ring, rows, n, 0);
	n = 0;
}

static struct trace_row *add(uint32_t kind, unsigned call, uint64_t start,
			     uint64_t end)
{
	if (n == TRACE_BLOCK)
		flush();
	rows[n] = (struct trace_row){
		.kind = kind,
		.call = (uint16_t)call,
		.start = ZERO + start,
		.end = ZERO + end,
		.comm = TRACE_NO_COMM,
		.peer = TRACE_NOBODY,
		.path = call == IRECV || call == WAITALL || call == RECV ? 2
			: call == ALLREDUCE                              ? 3
									 : 1,
	};
	return &rows[n++];
}

static struct trace_row *add_message(uint32_t kind, unsigned call,
				     uint64_t start, uint64_t end,
				     uint32_t peer, int tag)
{
	struct trace_row *row = add(kind, call, start, end);

	row->comm = 0;
	row->peer = (int32_t)peer;
	row->tag = tag;
	return row;
}

static void pair(uint64_t at)
{
	if (me % 2 == 0 && me + 1 < size)
		add_message(TRACE_CALL, SEND, at + 81000, at + 81500, me + 1, 3)
			->sent = 64;
	else if (me % 2 == 1)
		add_message(TRACE_CALL, RECV, at + 66000, at + 82000, me - 1, 3)
			->received = 64;
}

static void add_round(uint64_t i, uint64_t rounds)
{
	const uint64_t at = (i + 1) * ROUND;
	const uint64_t request = i + 1;
	const uint32_t left = (me + size - 1) % size;
	const uint32_t from = n;
	struct trace_row *row;

	add_message(TRACE_CALL, IRECV, at, at + 200, left, 7)
		->request = request;
	add_message(TRACE_CALL, ISEND, at + 300, at + 700, (me + 1) % size, 7)
		->sent = 8;
	add(TRACE_CALL, WAITALL, at + (me == 1 ? 60000 : 40000), at + 65000);
	row = add_message(TRACE_RECEIVED, WAITALL, 0, 0, left, 7);
	row->request = request;
	row->received = 8;
	pair(at);
	row = add(TRACE_CALL, ALLREDUCE, at + (me == 1 ? 90000 : 84000),
		  at + 95000);
	row->comm = 0;
	row->sent = row->received = 8;
	if (i >= rounds - rounds / 4)
		for (uint32_t r = from; r < n; r++)
			rows[r].phase = 1;
}

static void turn_file(void)
{
	flush();
	trace_file_turn(&file);
	ring.last = ring.begun = ring.done = 0;
}

static void write_rank(const char *dir, uint64_t rounds, uint64_t turn)
{
	char name[32];
	const struct trace_options options = {
		.dir = dir,
		.name = name,
		.rank = (int)me,
		.pid = 100 + me,
		.host = "node1",
		.is_ring = turn != 0,
		.names = { call_name, phase_name, comm_about },
	};

	snprintf(name, sizeof(name), "rank-%06u.trace", me);
	memset(&file, 0, sizeof(file));
	memset(&ring, 0, sizeof(ring));
	if (trace_file_open(&file, &options) != 0)
		exit(1);
	add(TRACE_CALL, INIT, 0, 50000);
	for (uint64_t i = 0; i < rounds; i++) {
		if (n + 8 > TRACE_BLOCK)
			flush();
		if (turn && i && i % turn == 0)
			turn_file();
		add_round(i, rounds);
	}
	flush();
	trace_file_close(&file, 0);
}

int main(int argc, char **argv)
{
	if (argc != 4 && argc != 5)
		return 2;
	mkdir(argv[1], 0777);
	size = (uint32_t)strtoul(argv[2], NULL, 10);
	for (me = 0; me < size; me++)
		write_rank(argv[1], strtoull(argv[3], NULL, 10),
			   argc == 5 ? strtoull(argv[4], NULL, 10) : 0);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: synth_events DIR RANKS [RANKS_OF_A_HOST] <EVENTS
 * Writes the traces of ranks whose events are told line by line, those of a
 *rank in their order:
 *
 *	RANK KIND CALL PATH BEGIN END PEER TAG REQUEST BYTES
 *
 * KIND is call, sent, posted, received, done, off or on.  Times are in us. PEER
 * is a rank of the world, the root of a collective call, or "-"; PATH is one of
 * the record of solve.sh.  All of it is in one communicator.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mds/base/clock.h"
#include "mds/trace/trace_write.h"

#define ZERO      1000000000u
#define CALLS_MAX 64
#define NAME      48

void __wrap_clock_pair(uint64_t *ticks, uint64_t *ns);

/* A tick is 1 ns. */
void __wrap_clock_pair(uint64_t *ticks, uint64_t *ns)
{
	static uint64_t now = ZERO;

	*ticks = *ns = now;
	now += 10000000;
}

struct line {
	uint32_t rank;
	struct trace_row row;
};

static struct line *lines;
static size_t n_lines;
static char calls[CALLS_MAX][NAME];
static unsigned n_calls;
static uint32_t me;
static uint32_t size;
static struct trace_file file;
static struct trace_ring ring;

static const char *call_name(unsigned call)
{
	return calls[call];
}

static const char *phase_name(unsigned phase)
{
	(void)phase;
	return "";
}

static bool comm_about(uint32_t comm, uint64_t *id, uint32_t *rank,
		       uint32_t *of)
{
	*id = 0x44000000 + comm;
	*rank = me;
	*of = size;
	return true;
}

static uint16_t call_number(const char *name)
{
	for (unsigned i = 0; i < n_calls; i++)
		if (strcmp(calls[i], name) == 0)
			return (uint16_t)i;
	snprintf(calls[n_calls], NAME, "%s", name);
	return (uint16_t)n_calls++;
}

static uint32_t kind_of(const char *name)
{
	static const char *const kinds[TRACE_KINDS] = {
		[TRACE_CALL] = "call",         [TRACE_SENT] = "sent",
		[TRACE_POSTED] = "posted",     [TRACE_RECEIVED] = "received",
		[TRACE_STARTED] = "started",   [TRACE_DONE] = "done",
		[TRACE_PHASE_BEGIN] = "begin", [TRACE_PHASE_END] = "end",
		[TRACE_OFF] = "off",           [TRACE_ON] = "on",
		[TRACE_CORE] = "core",
	};

	for (uint32_t i = 0; i < TRACE_KINDS; i++)
		if (strcmp(kinds[i], name) == 0)
			return i;
	exit(2);
}

static void line_take(const char *text)
{
	struct line line = { .row.comm = 0 };
	char kind[16];
	char call[NAME];
	char peer[16];
	unsigned long long begin;
	unsigned long long end;
	unsigned long long request;
	unsigned long long bytes;

	if (sscanf(text, "%u %15s %47s %u %llu %llu %15s %d %llu %llu",
		   &line.rank, kind, call, &line.row.path, &begin, &end, peer,
		   &line.row.tag, &request, &bytes) != 10)
		exit(2);
	line.row.kind = kind_of(kind);
	line.row.call = call_number(call);
	line.row.start = ZERO + begin * 1000;
	line.row.end = ZERO + end * 1000;
	line.row.peer = *peer == '-' ? TRACE_NOBODY : atoi(peer);
	line.row.request = request;
	line.row.sent = line.row.received = bytes;
	lines = realloc(lines, (n_lines + 1) * sizeof(*lines));
	lines[n_lines++] = line;
}

static void write_rank(const char *dir, uint32_t of_a_host)
{
	char name[32];
	char host[32];
	const struct trace_options options = {
		.dir = dir,
		.name = name,
		.rank = (int)me,
		.pid = 100 + me,
		.host = host,
		.names = { call_name, phase_name, comm_about },
	};

	snprintf(name, sizeof(name), "rank-%06u.trace", me);
	snprintf(host, sizeof(host), "node%u", me / of_a_host);
	memset(&file, 0, sizeof(file));
	memset(&ring, 0, sizeof(ring));
	if (trace_file_open(&file, &options) != 0)
		exit(1);
	for (size_t i = 0; i < n_lines; i++)
		if (lines[i].rank == me)
			trace_file_add(&file, &ring, &lines[i].row, 1, 0);
	trace_file_close(&file, 0);
}

int main(int argc, char **argv)
{
	char text[256];

	if (argc < 3)
		return 2;
	size = (uint32_t)strtoul(argv[2], NULL, 10);
	mkdir(argv[1], 0777);
	while (fgets(text, sizeof(text), stdin))
		line_take(text);
	for (me = 0; me < size; me++)
		write_rank(argv[1], argc > 3 ? (uint32_t)atoi(argv[3]) : size);
	free(lines);
	return 0;
}

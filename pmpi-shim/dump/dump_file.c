/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes the file of the record of this process, section by section. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "mds/base/arena.h"
#include "mds/base/modules.h"
#include "mds/mmds/mmds.h"
#include "mds/mmds/mmds_write.h"
#include "mds/record/record.h"
#include "pmpi-shim/dump/dump_file.h"
#include "pmpi-shim/dump/dump_now.h"
#include "pmpi-shim/dump/dump_spare.h"
#include "pmpi-shim/job/no_core.h"
#include "pmpi-shim/job/proc_stat.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/record/buffers/buffers.h"
#include "pmpi-shim/record/buffers/reuse.h"
#include "pmpi-shim/record/calls/comm_rows.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/requests.h"
#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/record/findings/thread_level.h"

#define ARGUMENTS_MAX 1024
#define ROOM          32768 /* at first: most records are shorter */
#define ROOMY         (UINT64_C(8) << 30)

static void put_text(struct record_writer *writer, const char *key,
		     const char *value)
{
	record_put_str(writer, key);
	record_put_str(writer, value);
	record_row_end(writer);
}

static void put_number(struct record_writer *writer, const char *key,
		       uint64_t value)
{
	record_put_str(writer, key);
	record_put_u64(writer, value);
	record_row_end(writer);
}

/*
 * The kernel keeps the arguments one after another, each with a zero at its
 * end.
 */
static void put_arguments(struct record_writer *writer)
{
	char text[ARGUMENTS_MAX + 1];
	ssize_t len = -1;
	int fd;

	fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		len = read(fd, text, ARGUMENTS_MAX);
		close(fd);
	}
	if (len < 0)
		len = 0;
	text[len] = '\0';
	for (ssize_t i = 0; i + 1 < len; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	put_text(writer, "arguments", text);
}

static const char *thread_level(void)
{
	switch (process.thread_asked) {
	case 1:
		return "funneled";
	case 2:
		return "serialized";
	case 3:
		return "multiple";
	default:
		return "single";
	}
}

static void write_polite(struct record_writer *writer)
{
	struct polite_stats stats;

	polite_get(&stats);
	put_text(writer, "polite", stats.state);
	put_number(writer, "yields", stats.yields);
	put_number(writer, "sleeps", stats.sleeps);
	put_number(writer, "given_up_ns", clock_to_ns(stats.given_up));
}

static void write_doubts(struct record_writer *writer)
{
	const struct mmds_doubts doubts = mmds_doubts();

	put_number(writer, "cut_calls", doubts.cut);
	put_number(writer, "cut_ns", clock_to_ns(doubts.cut_ticks));
	put_number(writer, "guessed_calls", doubts.guessed);
	put_number(writer, "guessed_ns", clock_to_ns(doubts.guessed_ticks));
	if (doubts.guessed_in != UINT32_MAX)
		put_text(writer, "guessed_in",
			 modules_get(doubts.guessed_in)->file);
}

static void put_no_core(struct record_writer *writer)
{
	uint64_t ns;

	if (no_core_get(&ns))
		put_number(writer, "no_core_ns", ns);
}

static void write_process(struct record_writer *writer, const char *reason)
{
	record_table_begin(writer, "process", 1, "key value");
	if (process.rank >= 0) {
		put_number(writer, "rank", (uint64_t)process.rank);
		put_number(writer, "size", (uint64_t)process.size);
	}
	put_text(writer, "program", program_invocation_short_name);
	put_arguments(writer);
	put_text(writer, "host", process.host);
	put_number(writer, "pid", (uint64_t)process.pid);
	put_number(writer, "started", proc_stat_started(process.pid));
	put_text(writer, "mpi", process.mpi);
	put_number(writer, "start_ns", process.start_ns);
	put_number(writer, "wall_ns", clock_to_ns(mmds_wall_ticks()));
	put_text(writer, "clock", clock_name());
	put_number(writer, "clock_hz", clock_hz());
	put_text(writer, "mode", settings_mode_name(process.settings.mode));
	put_text(writer, "thread_level", thread_level());
	put_text(writer, "reason", reason);
	if (process.status >= 0)
		put_number(writer, "status", (uint64_t)process.status);
	put_text(writer, "ranks", process.settings.ranks);
	put_number(writer, "call_depth", mmds_self.depth);
	put_number(writer, "resolution", mmds_self.bits);
	put_number(writer, "local_ranks", process.local_ranks);
	put_number(writer, "cores", process.millicores);
	put_no_core(writer);
	if (process.slice_zero_ns) {
		put_number(writer, "slice_ns", process.settings.slice_ns);
		put_number(writer, "slice_zero_ns", process.slice_zero_ns);
	}
	write_polite(writer);
	put_number(writer, "dropped_calls", mmds_dropped());
	write_doubts(writer);
	put_number(writer, "overhead_ns", clock_to_ns(mmds_overhead_ticks()));
	put_number(writer, "memory_bytes", arena_used());
	record_table_end(writer);
}

static void put_note(struct record_writer *writer, const char *text)
{
	record_put_str(writer, text);
	record_row_end(writer);
}

static void write_notes(struct record_writer *writer)
{
	record_table_begin(writer, "notes", 1, "text");
	if (process.rcache_off)
		put_note(writer, "UCX_RCACHE_ENABLE=n was set: with MPICH 4.0 "
				 "windows of MPI_Win_create are corrupted "
				 "otherwise");
	if (process.sums[0])
		put_note(writer, process.sums);
	if (process.slices[0])
		put_note(writer, process.slices);
	if (process.parted)
		put_note(writer,
			 "There were more processes than cores, and Linux "
			 "shared the cores by session: a process that yielded "
			 "its core often got it back at once.  sysctl "
			 "kernel.sched_autogroup_enabled=0 shortens the waits");
	if (mmds_some_untimed())
		put_note(writer, "Some calls of MPI_Isend and MPI_Irecv only "
				 "posted a message and were not timed: they "
				 "count with the mean of the timed ones");
	if (comm_rows_missed())
		put_note(writer, "Some communicators found no room: what was "
				 "done on them is with no communicator and no "
				 "peer");
	if (shim_requests_missed())
		put_note(writer, "Some requests found no room: what they "
				 "received is missing.  BCS_MEMORY gives more "
				 "room");
	record_table_end(writer);
}

/* Digits without stdio, which is not for signal handlers. */
static char *digits(char *at, unsigned long value, int width)
{
	char text[24];
	int n = 0;

	do
		text[n++] = (char)('0' + value % 10);
	while ((value /= 10) > 0 || n < width);
	while (n > 0)
		*at++ = text[--n];
	return at;
}

void dump_file_name(char *name, int rank)
{
	if (rank >= 0) {
		name = digits(stpcpy(name, "rank-"), (unsigned long)rank, 6);
	} else {
		name = stpcpy(stpcpy(name, "proc-"), process.host);
		name = digits(stpcpy(name, "-"), (unsigned long)process.pid, 1);
	}
	strcpy(name, ".gz");
}

/*
 * The writer of the next file, reserved ahead. Only the thread that has the
 * turn uses it (dump.c).
 */
static struct record_writer *reserved;

/* True if the disk hardly gets full before the first save, after 1 s. */
static bool disk_is_roomy(void)
{
	struct statvfs disk;

	return process.settings.save_s && statvfs(process.dir, &disk) == 0 &&
	       (uint64_t)disk.f_bavail * disk.f_frsize >= ROOMY;
}

/*
 * A record grows; the last one may be half as long again.  To reserve room and
 * give it back takes 0.3 ms.  So none is reserved for the first second on a
 * disk that has plenty.
 */
static size_t room_for(const char *name)
{
	char path[PATH_MAX + DUMP_FILE_NAME];
	struct stat st;

	stpcpy(stpcpy(stpcpy(path, process.dir), "/"), name);
	if (stat(path, &st) != 0)
		return disk_is_roomy() ? 0 : ROOM;
	if (st.st_size < ROOM)
		return ROOM;
	return (size_t)st.st_size + (size_t)st.st_size / 2;
}

void dump_file_reserve(void)
{
	char name[DUMP_FILE_NAME];

	dump_file_name(name, process.rank);
	/* A later attempt may succeed. */
	if (!reserved &&
	    record_reserve(&reserved, process.dir, name, room_for(name)) != 0)
		reserved = NULL;
}

static int create(struct record_writer **writer_p)
{
	struct record_writer *writer = reserved;
	char name[DUMP_FILE_NAME];
	int rc;

	dump_file_name(name, process.rank);
	if (!writer)
		return record_create(writer_p, process.dir, name);
	reserved = NULL;
	rc = record_begin(writer, process.dir, name);
	if (rc == 0)
		*writer_p = writer;
	return rc;
}

static int write_tables(struct record_writer *writer, const char *reason)
{
	mmds_write_begin();
	write_process(writer, reason);
	write_notes(writer);
	mmds_write(writer);
	shim_comms_write(writer);
	dump_now_write(writer);
	thread_level_look_now();
	findings_write(writer, reason);
	if (process.settings.strict & SETTINGS_STRICT_BUFFERS)
		buffers_write(writer);
	reuse_write(writer);
	return record_close(writer);
}

int dump_file_write(const char *reason)
{
	struct record_writer *writer;
	int rc = create(&writer);

	if (rc == 0)
		rc = write_tables(writer, reason);
	if (!dump_spare_is_for(rc))
		return rc;
	rc = dump_spare_begin(&writer);
	if (rc == 0)
		rc = write_tables(writer, reason);
	if (rc == 0)
		dump_spare_done();
	return rc;
}

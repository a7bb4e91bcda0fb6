/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Decides when the record is written. Requests come from the end of the
 * program, from another process that ends, and from the user, in any thread and
 * in signal handlers.
 *
 * One thread writes at a time. A request that finds the record being written is
 * done with that. The end of the program waits until it can write the last
 * state.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mds/base/clock.h"
#include "mds/mmds/mmds.h"
#include "mds/record/record_failed.h"
#include "mds/record/record_file.h"
#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/dump/dump_file.h"
#include "pmpi-shim/dump/dump_spare.h"
#include "pmpi-shim/dump/watch.h"
#include "pmpi-shim/job/proc_stat.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/calls/events.h"
#include "pmpi-shim/record/outcomes.h"
#include "pmpi-shim/record/slices.h"

#define ALARM_MS 2000 /* that the others have to write */
#define TURN_MS  2000 /* that we wait for another thread to have written */
#define STEP_MS  5

#define STAMP_STEPS 4 /* more only if the clock is set back */

static _Atomic pid_t writer; /* the thread that writes; 0: none */
static _Atomic bool asked;   /* before there was something to write */
static _Atomic bool over;    /* what is being written is the last word */
static _Atomic bool whole;   /* the end's file is there */

static void path_of(char *path, int rank)
{
	dump_file_name(stpcpy(stpcpy(path, process.dir), "/"), rank);
}

static void nap(void)
{
	const struct timespec step = { .tv_nsec = STEP_MS * 1000000 };

	nanosleep(&step, NULL);
}

bool dump_is_wanted(void)
{
	return process.recording && process.dir[0] != '\0';
}

static bool may_write(void)
{
	return dump_is_wanted() && getpid() == process.pid;
}

/*
 * Holds back signals that would end the process until the file is whole. Faults
 * are not held back: the program cannot go on after them.
 */
static void hold_signals(sigset_t *before)
{
	static const int faults[] = { SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
				      SIGTRAP, SIGABRT, SIGSYS };
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

static bool turn_take(void)
{
	pid_t nobody = 0;

	return atomic_compare_exchange_strong(&writer, &nobody, gettid());
}

/* False if it is not to be had: this thread was writing, and a fault came. */
static bool turn_wait(void)
{
	for (int ms = 0; ms < TURN_MS; ms += STEP_MS) {
		if (turn_take())
			return true;
		if (atomic_load(&writer) == gettid())
			return false;
		nap();
	}
	return false;
}

/* Tells the reader, who sees an earlier record or none, why (an empty file). */
static void leave_word(int error)
{
	const char *word = record_failed_by(error)->word;
	char path[PATH_MAX + DUMP_FILE_NAME + sizeof(RECORD_FILE_FAILED) +
		  RECORD_FAILED_WORD];
	char *end;
	int fd;

	path_of(path, process.rank);
	end = stpcpy(strrchr(path, '.'), RECORD_FILE_FAILED);
	if (word)
		stpcpy(stpcpy(end, "-"), word);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
		  0666 & ~record_file_mask);
	if (fd >= 0)
		close(fd);
}

static int write_now(const char *reason, bool is_last)
{
	int rc;

	clock_calibrate();
	rc = dump_file_write(reason);
	if (is_last)
		dump_spare_end();
	if (rc == 0)
		return 0;
	process_warn_failed(rc);
	if (is_last)
		leave_word(-rc);
	return rc;
}

/*
 * In place of what was the last word nothing else is written.  False if the
 * record could not be written.
 */
static bool write_file(const char *reason, bool is_last)
{
	const int saved = errno;
	int rc = 0;
	sigset_t before;

	hold_signals(&before);
	if (is_last ? turn_wait() : turn_take()) {
		if (is_last || !atomic_load(&over))
			rc = write_now(reason, is_last);
		if (!is_last)
			dump_file_reserve();
		atomic_store(&writer, 0);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return rc == 0;
}

void dump_write(const char *reason)
{
	const bool finalized = strcmp(reason, "finalize") == 0;
	bool written;

	slices_flush();
	events_flush();
	outcomes_flush();
	if (!may_write())
		return;
	if (!finalized && atomic_exchange(&over, true))
		return;
	written = write_file(reason, true);
	atomic_store(&whole, true);
	/* Otherwise the flight recorder is all that is left of the run. */
	if (finalized && written)
		watch_end();
}

/* The process that asked looks at the time of the file. */
static void touch(void)
{
	char path[PATH_MAX + DUMP_FILE_NAME];
	const int saved = errno;

	path_of(path, process.rank);
	utimensat(AT_FDCWD, path, NULL, 0);
	errno = saved;
}

void dump_request(void)
{
	/* Before `recording` is looked at: dump_begin() does it the other way.
	 */
	atomic_store(&asked, true);
	if (!may_write())
		return;
	atomic_store(&asked, false);
	if (atomic_load(&whole))
		touch();
	else if (!atomic_load(&over)) {
		slices_flush();
		events_flush();
		outcomes_flush();
		write_file("request", false);
	}
}

void dump_save(void)
{
	if (may_write() && !atomic_load(&over))
		write_file("saved", false);
}

void dump_take_back(void)
{
	atomic_store(&whole, false);
	atomic_store(&over, false);
	dump_save();
}

void dump_begin(void)
{
	char name[DUMP_FILE_NAME];

	if (process.dir[0]) {
		dump_file_reserve();
		dump_file_name(name, process.rank);
		dump_spare_take(name);
	}
	atomic_store(&process.recording, true);
	if (atomic_load(&asked))
		dump_request();
}

static bool is_since(struct timespec when, struct timespec since)
{
	return when.tv_sec > since.tv_sec ||
	       (when.tv_sec == since.tv_sec && when.tv_nsec >= since.tv_nsec);
}

/* Another that still runs, is recorded and has our handler. */
static bool sibling_writes(const struct process_sibling *sibling)
{
	return sibling->pid != process.pid && sibling->answers &&
	       settings_rank_in(process.settings.ranks, sibling->rank) &&
	       proc_stat_started(sibling->pid) == sibling->started;
}

static bool sibling_wrote(const struct process_sibling *sibling,
			  struct timespec since)
{
	char path[PATH_MAX + DUMP_FILE_NAME];
	struct stat st;

	path_of(path, sibling->rank);
	return stat(path, &st) == 0 && is_since(st.st_mtim, since);
}

static void wait_for_siblings(struct timespec since)
{
	int i = 0;

	for (int ms = 0; ms < ALARM_MS && i < process.n_siblings;
	     ms += STEP_MS) {
		while (i < process.n_siblings &&
		       (!sibling_writes(&process.siblings[i]) ||
			sibling_wrote(&process.siblings[i], since)))
			i++;
		if (i < process.n_siblings)
			nap();
	}
}

/*
 * File times come from a clock with steps of some ms. A file written before now
 * has an earlier time than this function returns.
 */
static struct timespec next_stamp(void)
{
	struct timespec was;
	struct timespec now;
	int steps = 0;

	clock_gettime(CLOCK_REALTIME_COARSE, &was);
	do {
		nap();
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
	} while (is_since(was, now) && ++steps < STAMP_STEPS);
	return now;
}

void dump_alarm(void)
{
	struct timespec now;

	if (!may_write() || process.settings.dump_signal == 0)
		return;
	now = next_stamp();
	for (int i = 0; i < process.n_siblings; i++) {
		const struct process_sibling *s = &process.siblings[i];

		if (sibling_writes(s))
			kill(s->pid, process.settings.dump_signal);
	}
	wait_for_siblings(now);
}

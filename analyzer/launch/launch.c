/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Signals are blocked and waited for, so that none is lost and nothing runs in
 * a handler.  A signal of the terminal's keys reaches the whole foreground
 * group.  Passed on a second time, mpiexec would kill everything at once.
 * MPICH's mpiexec may wait for ever if it gets the first one while it starts a
 * job.  So a later one ends all processes here.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/base/say.h"
#include "analyzer/launch/advice.h"
#include "analyzer/launch/kin.h"
#include "analyzer/launch/launch.h"
#include "analyzer/launch/written.h"
#include "analyzer/run/records.h"

#define STEP_MS  20
#define WAIT_MS  1000 /* for the records, in all */
#define QUIET_MS 100  /* without a change: they are written */
#define AGAIN_S  1    /* until a second signal ends all */

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
#define N_ENDING (sizeof(ending) / sizeof(ending[0]))

static int ended_by;

struct launched {
	pid_t pid;
	int dump_signal;
	const struct records *records;
};

/* nohup and the like have a signal ignored: that stays so. */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 &&
	       action.sa_handler == SIG_IGN;
}

static void signals_of(sigset_t *set, int dump_signal)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	for (size_t i = 0; i < N_ENDING; i++)
		if (!is_ignored(ending[i]))
			sigaddset(set, ending[i]);
	if (dump_signal)
		sigaddset(set, dump_signal);
}

static int redirect(posix_spawn_file_actions_t *files, const char *output)
{
	int rc = posix_spawn_file_actions_addopen(files, STDIN_FILENO,
						  "/dev/null", O_RDONLY, 0);

	if (rc == 0)
		rc = posix_spawn_file_actions_addopen(
			files, STDOUT_FILENO, output,
			O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(files, STDOUT_FILENO,
						      STDERR_FILENO);
	return rc;
}

/* Returns 0 or the errno of why it could not be started. */
static int spawn(pid_t *pid, char **command, const sigset_t *mask,
		 const char *output)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc = posix_spawnattr_init(&attr);

	if (rc != 0)
		return rc;
	posix_spawnattr_setsigmask(&attr, mask);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	rc = posix_spawn_file_actions_init(&files);
	if (rc == 0 && output)
		rc = redirect(&files, output);
	if (rc == 0)
		rc = posix_spawnp(pid, command[0], &files, &attr, command,
				  environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}

static int say_not_started(const char *command, int rc)
{
	char *advice;

	if (rc == ENOENT) {
		advice = advice_not_found(command);
		say_error("%s: command not found%s", command, advice);
		free(advice);
		return 127;
	}
	say_error("%s: cannot be run: %s", command, strerror(rc));
	return 126;
}

static bool has_ended(const struct launched *l, int *status)
{
	return waitpid(l->pid, status, WNOHANG) == l->pid;
}

static int status_of(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

static void sleep_a_step(void)
{
	const struct timespec step = { .tv_nsec = STEP_MS * 1000000 };

	nanosleep(&step, NULL);
}

/* Until files changed and then no more did, for as long as we may wait. */
static void wait_until_written(const struct records *records, uint64_t before)
{
	uint64_t last = before;
	int quiet = 0;

	for (int ms = 0; ms < WAIT_MS && quiet < QUIET_MS; ms += STEP_MS) {
		sleep_a_step();
		const uint64_t now = records_print(records);

		if (now == last && now != before)
			quiet += STEP_MS;
		else
			quiet = 0;
		last = now;
	}
}

static void dump(const struct launched *l)
{
	uint64_t before;

	if (!l->dump_signal)
		return;
	before = records_print(l->records);
	if (kin_signal(l->pid, l->dump_signal) > 0)
		wait_until_written(l->records, before);
}

static void dump_and_say(const struct launched *l)
{
	const struct timespec since = written_now();

	dump(l);
	written_say(l->records, since);
}

/* Passes it on, if the terminal did not; or ends all if it is not the first. */
static void end(const struct launched *l, const siginfo_t *info)
{
	static time_t first;
	const time_t now = time(NULL);

	if (ended_by && now - first > AGAIN_S) {
		kin_kill(l->pid);
		return;
	}
	if (!ended_by)
		first = now;
	ended_by = info->si_signo;
	dump(l);
	if (info->si_code != SI_KERNEL)
		kill(l->pid, info->si_signo);
}

static int wait_for_end(const struct launched *l, const sigset_t *signals)
{
	siginfo_t info;
	int status;
	int signal;

	for (;;) {
		signal = sigwaitinfo(signals, &info);
		if (signal == SIGCHLD && has_ended(l, &status))
			return status_of(status);
		if (signal < 0 || signal == SIGCHLD)
			continue;
		if (signal == l->dump_signal)
			dump_and_say(l);
		else
			end(l, &info);
	}
}

int launch(char **command, int dump_signal, const struct records *records,
	   const char *output)
{
	struct launched l = { .dump_signal = dump_signal, .records = records };
	sigset_t signals;
	sigset_t before;
	int rc;

	ended_by = 0;
	/* A process that ignores SIGCHLD is not told when its children end. */
	signal(SIGCHLD, SIG_DFL);
	signals_of(&signals, dump_signal);
	sigprocmask(SIG_BLOCK, &signals, &before);
	rc = spawn(&l.pid, command, &before, output);
	if (rc == 0)
		rc = wait_for_end(&l, &signals);
	else
		rc = say_not_started(command[0], rc);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

int launch_ended_by(void)
{
	return ended_by;
}

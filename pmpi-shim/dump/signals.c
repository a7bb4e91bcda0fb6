/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A signal that would end the process first writes the record. Then it does
 * what it would have done: the exit status and UCX's messages stay the same.
 * Handlers of the program are left alone, so a signal that the program handles
 * costs nothing.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "mds/flight/flight.h"
#include "pmpi-shim/dump/dump.h"
#include "pmpi-shim/job/process.h"

#define STACK_BYTES (128 << 10)
#define TOGETHER_NS 200000000

static struct sigaction before[_NSIG];

/* Signals whose default is to end the process, except SIGKILL. */
static bool is_fatal(int signal)
{
	static const int others[] = { SIGKILL, SIGSTOP, SIGCHLD,
				      SIGCONT, SIGTSTP, SIGTTIN,
				      SIGTTOU, SIGURG,  SIGWINCH };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (signal == others[i])
			return false;
	return signal != process.settings.dump_signal &&
	       !(signal == process.settings.quiesce_signal &&
		 process.settings.mode == SETTINGS_FIXED);
}

static void reason_of(char *reason, int signal)
{
	reason = stpcpy(reason, "signal ");
	if (signal >= 10)
		*reason++ = (char)('0' + signal / 10);
	*reason++ = (char)('0' + signal % 10);
	*reason = '\0';
}

/* A fault comes again when the handler returns; a sent signal is sent again. */
static bool is_fault(int signal, const siginfo_t *info)
{
	return info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS ||
				     signal == SIGFPE || signal == SIGILL);
}

/*
 * A signal to the whole job.  The launcher kills the ranks that outlive the
 * first, and combines all exit statuses by OR.  From 2 and 9 it would make 11,
 * a segmentation fault.  So the ranks of a node end at the same moment.
 */
static void end_together(void)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_nsec = (at.tv_nsec / TOGETHER_NS + 1) * TOGETHER_NS;
	at.tv_sec += at.tv_nsec / 1000000000;
	at.tv_nsec %= 1000000000;
	/* The others' requests interrupt it. */
	while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL) ==
	       EINTR)
		;
}

static void on_fatal(int signal, siginfo_t *info, void *context)
{
	const int saved = errno;
	char reason[16];

	(void)context;
	if (signal == SIGBUS && flight_mend(info->si_addr))
		return;
	reason_of(reason, signal);
	dump_write(reason);
	dump_alarm();
	if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
		end_together();
	sigaction(signal, &before[signal], NULL);
	if (!is_fault(signal, info))
		raise(signal);
	errno = saved;
}

static void on_dump(int signal)
{
	(void)signal;
	dump_request();
}

/* UCX and Open MPI print where the program was, and let the signal end it. */
static bool is_mpis(const struct sigaction *action)
{
	Dl_info where;

	return dladdr((void *)(uintptr_t)action->sa_sigaction, &where) &&
	       (strstr(where.dli_fname, "libucs") ||
		strstr(where.dli_fname, "libopen-pal"));
}

static bool is_ours_to_take(const struct sigaction *action)
{
	if (action->sa_flags & SA_SIGINFO)
		return is_mpis(action);
	return action->sa_handler == SIG_DFL;
}

/* A stack overflow leaves no stack for its handler. */
static void stack_make(void)
{
	stack_t stack = { .ss_size = STACK_BYTES };
	stack_t old;

	if (sigaltstack(NULL, &old) != 0 || !(old.ss_flags & SS_DISABLE))
		return;
	stack.ss_sp = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack.ss_sp != MAP_FAILED)
		sigaltstack(&stack, NULL);
}

void dump_signals_start(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct sigaction dump = { .sa_handler = on_dump,
				  .sa_flags = SA_RESTART };
	struct sigaction old;

	stack_make();
	sigemptyset(&action.sa_mask);
	action.sa_sigaction = on_fatal;
	/* The C library refuses those that are its own. */
	for (int i = 1; i < _NSIG; i++)
		if (is_fatal(i) && sigaction(i, NULL, &before[i]) == 0 &&
		    is_ours_to_take(&before[i]))
			sigaction(i, &action, NULL);

	if (process.settings.dump_signal == 0)
		return;
	sigemptyset(&dump.sa_mask);
	process.answers = sigaction(process.settings.dump_signal, NULL, &old) ==
				  0 &&
			  is_ours_to_take(&old);
	if (process.answers)
		sigaction(process.settings.dump_signal, &dump, NULL);
}

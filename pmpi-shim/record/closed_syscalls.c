/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Each system call of a caught thread raises SIGSYS.  The handler makes
 * harmless calls itself.  For any other it opens the pages, stops catching, and
 * lets the thread repeat the call.
 *
 * Within an MPI call more is harmless: MPI reaches into the buffers that it was
 * given, and these were opened before.
 */
#include "pmpi-shim/record/closed_syscalls.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mds/mmds.h"

#ifdef __x86_64__

#define DISPATCH     59 /* PR_SET_SYSCALL_USER_DISPATCH */
#define DISPATCH_ON  1
#define DISPATCHED   2 /* si_code */
#define CALL_BYTES   2 /* of the instruction `syscall` */
#define RETURN_BYTES 16

enum selector { PASS, CATCH };

/* What the kernel reads; and what the thread told it. */
static __thread char selector __attribute__((tls_model("initial-exec"))) = PASS;
static __thread bool is_told __attribute__((tls_model("initial-exec")));

static void (*open_pages)(const long args[CLOSED_ARGS], const ucontext_t *at);
static struct sigaction others; /* what is done about other SIGSYS */

/* As the kernel has it: glibc's does not tell the restorer. */
struct kernel_action {
	void *handler;
	unsigned long flags;
	uintptr_t restorer;
	uint64_t mask;
};

static long call(long number, const long a[CLOSED_ARGS])
{
	register long r10 __asm__("r10") = a[3];
	register long r8 __asm__("r8") = a[4];
	register long r9 __asm__("r9") = a[5];
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]),
			   "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static bool is_harmless(long number, const long args[CLOSED_ARGS])
{
	switch (number) {
	case SYS_futex:
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_sched_yield:
	case SYS_clock_gettime:
	case SYS_getpid:
	case SYS_gettid:
		return true;
	case SYS_mmap:
		return !(args[3] & MAP_FIXED);
	default:
		return false;
	}
}

static bool is_harmless_in_mpi(long number)
{
	switch (number) {
	case SYS_read:
	case SYS_write:
	case SYS_readv:
	case SYS_writev:
	case SYS_sendto:
	case SYS_recvfrom:
	case SYS_sendmsg:
	case SYS_recvmsg:
	case SYS_poll:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_process_vm_readv:
	case SYS_process_vm_writev:
	case SYS_sched_setaffinity:
	case SYS_sched_getaffinity:
	case SYS_getcpu:
		return true;
	default:
		return false;
	}
}

static void get_args(long args[CLOSED_ARGS], const ucontext_t *at)
{
	static const int registers[CLOSED_ARGS] = { REG_RDI, REG_RSI, REG_RDX,
						    REG_R10, REG_R8,  REG_R9 };

	for (unsigned i = 0; i < CLOSED_ARGS; i++)
		args[i] = at->uc_mcontext.gregs[registers[i]];
}

static void pass_on(int signal, siginfo_t *info, void *context)
{
	if (others.sa_flags & SA_SIGINFO) {
		others.sa_sigaction(signal, info, context);
	} else if (others.sa_handler == SIG_DFL) {
		sigaction(signal, &others, NULL);
		raise(signal);
	} else if (others.sa_handler != SIG_IGN) {
		others.sa_handler(signal);
	}
}

static void on_call(int signal, siginfo_t *info, void *context)
{
	const int saved = errno;
	const struct mmds_thread *thread = mmds_thread;
	ucontext_t *at = context;
	long args[CLOSED_ARGS];

	if (info->si_code != DISPATCHED) {
		pass_on(signal, info, context);
		return;
	}
	selector = PASS;
	get_args(args, at);
	if (is_harmless(info->si_syscall, args) ||
	    (thread && thread->inside &&
	     is_harmless_in_mpi(info->si_syscall))) {
		at->uc_mcontext.gregs[REG_RAX] = call(info->si_syscall, args);
		selector = CATCH;
	} else {
		open_pages(args, at);
		at->uc_mcontext.gregs[REG_RIP] -= CALL_BYTES;
	}
	errno = saved;
}

static bool take_signal(void)
{
	struct sigaction action;

	if (sigaction(SIGSYS, NULL, &action) != 0)
		return false;
	if (action.sa_flags & SA_SIGINFO && action.sa_sigaction == on_call)
		return true;
	others = action;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_call;
	/* A call may sleep in the handler: signals come meanwhile. */
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	return sigaction(SIGSYS, &action, NULL) == 0;
}

/* The call by which handlers return is never caught. */
static bool tell_kernel(void)
{
	struct kernel_action action;

	if (syscall(SYS_rt_sigaction, SIGSYS, NULL, &action,
		    sizeof(action.mask)) != 0)
		return false;
	is_told = prctl(DISPATCH, DISPATCH_ON, action.restorer, RETURN_BYTES,
			&selector) == 0;
	return is_told;
}

bool closed_syscalls_catch(void (*open)(const long args[CLOSED_ARGS],
					const ucontext_t *at))
{
	open_pages = open;
	if (!take_signal() || (!is_told && !tell_kernel()))
		return false;
	selector = CATCH;
	return true;
}

char closed_syscalls_pause(void)
{
	const char before = selector;

	selector = PASS;
	return before;
}

void closed_syscalls_go_on(char before)
{
	selector = before;
}

#else

bool closed_syscalls_catch(void (*open)(const long args[CLOSED_ARGS],
					const ucontext_t *at))
{
	(void)open;
	return false;
}

char closed_syscalls_pause(void)
{
	return 0;
}

void closed_syscalls_go_on(char before)
{
	(void)before;
}

#endif

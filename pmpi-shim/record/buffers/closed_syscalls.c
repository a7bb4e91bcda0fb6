/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Each system call of a caught thread raises SIGSYS.  The handler sends
 * harmless calls on.  For any other it opens the pages, stops catching, and
 * lets the thread repeat the call.  Calls that sleep do so behind the handler:
 * signals that come meanwhile find all as it was, and may jump out.
 *
 * Within an MPI call more is harmless, where it reaches into no closed pages.
 */
#include "pmpi-shim/record/buffers/closed_syscalls.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "mds/mmds/mmds.h"
#include "pmpi-shim/record/buffers/closed_signals.h"

#ifdef __x86_64__

#define DISPATCH    59 /* PR_SET_SYSCALL_USER_DISPATCH */
#define DISPATCH_ON 1
#define DISPATCHED  2 /* si_code */
#define CALL_BYTES  2 /* of the instruction `syscall` */
#define BELOW_STACK 32768
#define ARG_BYTES   64 /* what an argument may point at, at least */

enum selector { PASS, CATCH };

/* The kernel reads the selector of a thread that told it the address. */
static __thread char selector __attribute__((tls_model("initial-exec"))) = PASS;
static __thread bool is_told __attribute__((tls_model("initial-exec")));

static bool (*is_closed)(const void *at, uint64_t bytes);
static void (*open_pages)(const long args[CLOSED_ARGS], const ucontext_t *at);
static struct sigaction others; /* what is done about other SIGSYS */

/*
 * The calls in here are never caught: `closed_raw` makes one, `closed_again`
 * goes on behind one that was caught, from far below the signal's frame, and
 * `closed_return` ends our handlers.  Its bytes are those by which unwinders
 * know such an end.
 */
__asm__(".pushsection .text\n"
	".balign 16\n"
	"closed_region:\n"
	"closed_raw:\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rcx\n"
	"	mov (%rcx), %rdi\n"
	"	mov 8(%rcx), %rsi\n"
	"	mov 16(%rcx), %rdx\n"
	"	mov 24(%rcx), %r10\n"
	"	mov 32(%rcx), %r8\n"
	"	mov 40(%rcx), %r9\n"
	"	syscall\n"
	"	ret\n"
	"	.cfi_startproc\n"
	"	.cfi_signal_frame\n"
	"	.cfi_def_cfa rsp, 32768\n"
	"	.cfi_offset rip, -32768\n"
	"closed_again:\n"
	"	syscall\n"
	"	ret $32760\n"
	"	.cfi_endproc\n"
	"	nop\n"
	"closed_return:\n"
	"	.byte 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00\n"
	"	syscall\n"
	"	ud2\n"
	"closed_region_end:\n"
	".popsection\n");

extern const char closed_region[] __attribute__((visibility("hidden")));
extern const char closed_region_end[] __attribute__((visibility("hidden")));
extern const char closed_again[] __attribute__((visibility("hidden")));
extern const char closed_return[] __attribute__((visibility("hidden")));
long closed_raw(long number, const long args[CLOSED_ARGS])
	__attribute__((visibility("hidden")));

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
	case SYS_pread64:
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
	case SYS_prctl:
		return true;
	default:
		return false;
	}
}

static bool any_meets(const struct iovec *iov, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		if (is_closed(iov[i].iov_base, iov[i].iov_len))
			return true;
	return false;
}

/* What is read or written may have been given to MPI before it was closed. */
static bool lists_closed(long number, const long args[CLOSED_ARGS])
{
	const struct msghdr *message = (const void *)args[1];

	switch (number) {
	case SYS_read:
	case SYS_pread64:
	case SYS_write:
	case SYS_sendto:
	case SYS_recvfrom:
		return is_closed((const void *)args[1], (size_t)args[2]);
	case SYS_readv:
	case SYS_writev:
	case SYS_process_vm_readv:
	case SYS_process_vm_writev:
		return any_meets((const void *)args[1], (size_t)args[2]);
	case SYS_sendmsg:
	case SYS_recvmsg:
		return any_meets(message->msg_iov, message->msg_iovlen);
	default:
		return false;
	}
}

static bool reaches_closed(long number, const long args[CLOSED_ARGS])
{
	for (unsigned i = 0; i < CLOSED_ARGS; i++)
		if (is_closed((const void *)args[i], ARG_BYTES))
			return true;
	return lists_closed(number, args);
}

static void get_args(long args[CLOSED_ARGS], const ucontext_t *at)
{
	static const int registers[CLOSED_ARGS] = { REG_RDI, REG_RSI, REG_RDX,
						    REG_R10, REG_R8,  REG_R9 };

	for (unsigned i = 0; i < CLOSED_ARGS; i++)
		args[i] = at->uc_mcontext.gregs[registers[i]];
}

/* The thread makes the call itself, where it is not caught. */
static void go_on(greg_t registers[])
{
	uintptr_t *stack = (uintptr_t *)(registers[REG_RSP] - BELOW_STACK);

	*stack = (uintptr_t)registers[REG_RIP];
	registers[REG_RSP] = (greg_t)(uintptr_t)stack;
	registers[REG_RIP] = (greg_t)(uintptr_t)closed_again;
}

static void caught(const siginfo_t *info, ucontext_t *at)
{
	const struct mmds_thread *thread = mmds_thread;
	const long number = info->si_syscall;
	greg_t *registers = at->uc_mcontext.gregs;
	struct closed_held held;
	long args[CLOSED_ARGS];

	if (number == SYS_rt_sigreturn) {
		registers[REG_RIP] = (greg_t)(uintptr_t)closed_return;
		return;
	}
	get_args(args, at);
	if ((is_harmless(number, args) ||
	     (thread && thread->inside && is_harmless_in_mpi(number))) &&
	    !reaches_closed(number, args)) {
		go_on(registers);
		return;
	}
	closed_syscalls_hold(&held);
	open_pages(args, at);
	held.before = PASS;
	closed_syscalls_release(&held);
	registers[REG_RIP] -= CALL_BYTES;
}

static void on_call(int signal, siginfo_t *info, void *context)
{
	const int saved = errno;

	if (info->si_code == DISPATCHED)
		caught(info, context);
	else
		closed_signals_pass(&others, signal, info, context);
	errno = saved;
}

static bool tell_kernel(void)
{
	is_told = prctl(DISPATCH, DISPATCH_ON, closed_region,
			closed_region_end - closed_region, &selector) == 0;
	return is_told;
}

bool closed_syscalls_catch(void (*open)(const long args[CLOSED_ARGS],
					const ucontext_t *at),
			   bool (*is_met)(const void *at, uint64_t bytes),
			   struct closed_held *held)
{
	is_closed = is_met;
	open_pages = open;
	if (!closed_signals_take(SIGSYS, on_call, closed_syscalls_return(),
				 &others) ||
	    (!is_told && !tell_kernel()))
		return false;
	held->before = CATCH;
	return true;
}

static void mask(uint64_t new, uint64_t *old)
{
	const long args[CLOSED_ARGS] = { SIG_SETMASK, (long)&new, (long)old,
					 sizeof(new) };

	closed_raw(SYS_rt_sigprocmask, args);
}

void closed_syscalls_hold(struct closed_held *held)
{
	mask(UINT64_MAX, &held->mask);
	held->before = selector;
	selector = PASS;
}

void closed_syscalls_release(const struct closed_held *held)
{
	selector = held->before;
	mask(held->mask, NULL);
}

uintptr_t closed_syscalls_return(void)
{
	return (uintptr_t)closed_return;
}

#else

bool closed_syscalls_catch(void (*open)(const long args[CLOSED_ARGS],
					const ucontext_t *at),
			   bool (*is_met)(const void *at, uint64_t bytes),
			   struct closed_held *held)
{
	(void)open;
	(void)is_met;
	(void)held;
	return false;
}

void closed_syscalls_hold(struct closed_held *held)
{
	(void)held;
}

void closed_syscalls_release(const struct closed_held *held)
{
	(void)held;
}

uintptr_t closed_syscalls_return(void)
{
	return 0;
}

#endif

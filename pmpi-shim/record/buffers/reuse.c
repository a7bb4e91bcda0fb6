/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * When a blocking call is over, the whole pages of its buffer are closed until
 * the program's first access (closed.h): to all accesses where it received, and
 * to writes where it sent.  System calls and MPI calls open what they may reach
 * into.
 *
 * An access costs some microseconds.  So each place is looked at in its first
 * calls, and in one of EVERY later on.
 */
#include "pmpi-shim/record/buffers/reuse.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mds/base/arena.h"
#include "mds/base/pool.h"
#include "mds/base/thread.h"
#include "mds/mmds/mmds.h"
#include "mds/record/record.h"
#include "pmpi-shim/job/proc_stat.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/buffers/closed.h"
#include "pmpi-shim/record/buffers/closed_signals.h"
#include "pmpi-shim/record/buffers/closed_syscalls.h"
#include "pmpi-shim/record/findings/findings.h"

#define LOOKS    64 /* buffers that are closed at a time */
#define ROWS_MAX 2048
#define PLACES   1024 /* a power of two; those of one hash share their counts */
#define FIRST    8
#define EVERY    16
#define BEFORE   64 /* with more, nothing is looked for */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

struct row {
	struct row *next;
	uint64_t key;     /* of the blocking call's cell */
	uint64_t at_call; /* of that which used it; FINDING_NO_CALL: none */
	uint32_t at_path; /* of the access */
	enum buffer_use use;
	_Atomic uint64_t count;
	_Atomic uint64_t ticks; /* computed until then, in all */
};

/* Looks at the same buffer share its pages. */
struct look {
	struct closed *closed; /* NULL: it is unused */
	const void *at;
	uint64_t bytes;
	uint64_t key;
	struct mmds_thread *thread;
	uint64_t computed;
	enum buffer_use use;
};

bool reuse_is_looked_for;

static struct look looks[LOOKS];
static unsigned next_look;
static _Atomic unsigned n_looks; /* with closed pages */
/* Threads of the program may fault at once; no signal comes to the holder. */
static atomic_flag busy = ATOMIC_FLAG_INIT;
static uint32_t calls_of[PLACES];
static struct row *_Atomic rows; /* newest first, for the writer */
static pid_t before[BEFORE];     /* threads that there were before MPI_Init */
static unsigned n_before;
static int n_of_mpi; /* threads that MPI_Init made */
static unsigned n_rows;

static void lock(void)
{
	while (atomic_flag_test_and_set(&busy))
		continue;
}

static void unlock(void)
{
	atomic_flag_clear(&busy);
}

/* Ticks that the thread has computed so far. */
static uint64_t computed_by(struct mmds_thread *thread)
{
	const uint64_t now = thread->inside && thread->now->start
				     ? thread->now->start
				     : clock_ticks();

	if (thread == mmds_thread)
		mmds_settle(thread);
	return thread->computation +
	       (now > thread->last ? now - thread->last : 0);
}

static struct row *row_of(const struct row *like)
{
	struct row *row = atomic_load_explicit(&rows, memory_order_relaxed);

	for (; row; row = row->next)
		if (row->key == like->key && row->use == like->use &&
		    row->at_call == like->at_call &&
		    row->at_path == like->at_path)
			return row;
	if (n_rows == ROWS_MAX || !(row = arena_alloc(sizeof(*row))))
		return NULL;
	n_rows++;
	row->key = like->key;
	row->use = like->use;
	row->at_call = like->at_call;
	row->at_path = like->at_path;
	row->next = atomic_load_explicit(&rows, memory_order_relaxed);
	/* Orders the row before the pointer that shows it to the writer. */
	atomic_store_explicit(&rows, row, memory_order_release);
	return row;
}

/* The first use of a buffer: in a call, or by the instruction at `at`. */
static void note(const struct look *look, const ucontext_t *at)
{
	const uint64_t now = computed_by(look->thread);
	const uint64_t call = at ? FINDING_NO_CALL : findings_key_now();
	const struct row like = {
		.key = look->key,
		.use = look->use,
		.at_call = call,
		.at_path = at ? closed_path(at) : mmds_key_path(call),
	};
	struct row *row;

	row = row_of(&like);
	if (!row)
		return;
	row->count++;
	row->ticks += now > look->computed ? now - look->computed : 0;
}

/*
 * Ends all looks at these pages; `used`: the call, or `at`, is their use. Pages
 * that a fork or a fault elsewhere opened tell of no use.
 */
static void looks_end(struct closed *closed, bool used, const ucontext_t *at)
{
	for (unsigned i = 0; i < LOOKS; i++) {
		if (looks[i].closed != closed)
			continue;
		if (used)
			note(&looks[i], at);
		looks[i].closed = NULL;
		n_looks--;
	}
	closed_end(closed);
}

/*
 * An access within MPI is none of the program's.  Another thread may have ended
 * the look meanwhile, and begun one in its place.
 */
static void touched(void *owner, const ucontext_t *at)
{
	struct look *look = owner;

	lock();
	if (look->closed && !atomic_load(&look->closed->is))
		looks_end(look->closed, !mmds_thread || !mmds_thread->inside,
			  at);
	unlock();
}

static bool points_into(const struct closed *closed,
			const long args[CLOSED_ARGS])
{
	for (unsigned i = 0; i < CLOSED_ARGS; i++)
		if (closed_meets(closed, (uintptr_t)args[i], 1))
			return true;
	return false;
}

/* Opens all.  The call uses the buffers that its arguments point into. */
static void system_call(const long args[CLOSED_ARGS], const ucontext_t *at)
{
	lock();
	for (unsigned i = 0; i < LOOKS; i++) {
		struct closed *closed = looks[i].closed;

		if (closed)
			looks_end(closed,
				  closed->is && points_into(closed, args), at);
	}
	unlock();
}

/* Calls `end` for each buffer that is looked at. */
static void looks_each(void (*end)(const struct look *look, const void *arg),
		       const void *arg)
{
	struct closed_held held;

	if (n_looks == 0)
		return;
	closed_syscalls_hold(&held);
	lock();
	for (unsigned i = 0; i < LOOKS; i++)
		if (looks[i].closed)
			end(&looks[i], arg);
	unlock();
	closed_syscalls_release(&held);
}

static bool is_met(const struct look *look, const void *at, uint64_t bytes)
{
	return closed_meets(look->closed, (uintptr_t)at, bytes);
}

struct given {
	const void *at;
	uint64_t bytes;
	enum buffer_use use;
};

/* A call that only sends leaves a buffer that was sent as it is. */
static void end_met(const struct look *look, const void *arg)
{
	const struct given *given = arg;

	if (given->use == BUFFER_SENT && look->use == BUFFER_SENT)
		return;
	if (is_met(look, given->at, given->bytes))
		looks_end(look->closed, look->closed->is, NULL);
}

void reuse_given(enum buffer_use use, const void *at, MPI_Count count,
		 MPI_Datatype type)
{
	struct given given = { .use = use };
	MPI_Aint lb;

	if (!at || at == MPI_IN_PLACE || count <= 0)
		return;
	given.bytes = buffers_span(count, type, &lb);
	given.at = (const char *)at + lb;
	looks_each(end_met, &given);
}

/* Opens all.  A buffer that begins at one of the two is used by the call. */
static void end_at(const struct look *look, const void *arg)
{
	const void *const *two = arg;
	const bool used = look->at == two[0] || look->at == two[1];

	looks_end(look->closed, look->closed->is && used, NULL);
}

void reuse_given_at(const void *one, const void *other)
{
	looks_each(end_at, (const void *[]){ one, other });
}

void reuse_stop(void)
{
	reuse_given_at(NULL, NULL);
	reuse_is_looked_for = false;
}

/* Whether this call of the place is one of those that are looked at. */
static bool is_chosen(uint64_t key, enum buffer_use use)
{
	const uint32_t hash = pool_hash(key, use);
	const uint32_t n = calls_of[hash % PLACES]++;

	return n < FIRST || n % EVERY == 0;
}

/* Takes the oldest. */
static struct look *take_look(void)
{
	struct look *look = &looks[next_look++ % LOOKS];

	if (look->closed)
		looks_end(look->closed, false, NULL);
	return look;
}

/* A look that meets these bytes; NULL: there is none. */
static const struct look *look_at(const void *at, uint64_t bytes)
{
	for (unsigned i = 0; i < LOOKS; i++)
		if (looks[i].closed && is_met(&looks[i], at, bytes))
			return &looks[i];
	return NULL;
}

/* A buffer on the stack is gone when its function returns. */
static bool is_on_stack(const struct mmds_thread *thread, const void *at)
{
	const struct callpath_cache *paths = thread->paths;

	return (uintptr_t)at - paths->low < paths->top - paths->low;
}

/* Whether pages may be written; nothing is. */
static bool may_be_written(const void *at, uint64_t bytes)
{
	const uintptr_t from = (uintptr_t)at & ~(uintptr_t)4095;

	return madvise((void *)from, (uintptr_t)at + bytes - from,
		       MADV_POPULATE_WRITE) == 0;
}

/* Closes the pages, or shares those of an earlier look at the same buffer. */
static struct closed *pages_of(struct look *look)
{
	const bool sent = look->use == BUFFER_SENT;
	const struct look *other = look_at(look->at, look->bytes);

	if (other)
		return other->use == look->use && other->at == look->at &&
				       other->bytes == look->bytes
			       ? other->closed
			       : NULL;
	if (sent && !may_be_written(look->at, look->bytes))
		return NULL;
	return closed_begin(look->at, look->bytes, sent ? PROT_READ : PROT_NONE,
			    touched, look);
}

static bool look_begin(uint64_t key, enum buffer_use use, const void *at,
		       uint64_t bytes)
{
	struct look *look = take_look();

	*look = (struct look){
		.use = use,
		.key = key,
		.at = at,
		.bytes = bytes,
		.thread = mmds_thread,
		.computed = computed_by(mmds_thread),
	};
	look->closed = pages_of(look);
	n_looks += look->closed != NULL;
	return look->closed;
}

/* Between parts of a buffer others may be, into which messages are under way.
 */
static bool is_whole(MPI_Count count, MPI_Datatype type, uint64_t bytes)
{
	MPI_Count size;

	return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size >= 0 &&
	       (uint64_t)size * (uint64_t)count == bytes;
}

/*
 * System calls of other threads are not caught.  Those of MPI, and ours, reach
 * into no closed buffer; the program's might.
 */
static bool is_alone(void)
{
	const int n = proc_stat_threads();

	return n > 0 && n - atomic_load(&thread_n_own) - n_of_mpi == 1;
}

static void look_at_buffer(uint64_t key, enum buffer_use use, const void *at,
			   uint64_t bytes, struct closed_held *held)
{
	bool begun;

	lock();
	begun = look_begin(key, use, at, bytes);
	unlock();
	if (begun && !closed_syscalls_catch(system_call, closed_is_met, held))
		reuse_stop();
}

void reuse_look(enum buffer_use use, const void *at, MPI_Count count,
		MPI_Datatype type)
{
	const struct mmds_thread *thread = mmds_thread;
	const uint64_t key = findings_key_now();
	struct closed_held held;
	MPI_Aint lb;
	uint64_t bytes;

	if (!thread || !thread->inside || !thread->paths || !at ||
	    at == MPI_IN_PLACE || count <= 0 || key == FINDING_NO_CALL ||
	    is_on_stack(thread, at) || !is_chosen(key, use))
		return;
	bytes = buffers_span(count, type, &lb);
	if (!is_whole(count, type, bytes))
		return;
	/* What is asked of the kernel here opens nothing. */
	closed_syscalls_hold(&held);
	if (is_alone() && closed_signals_come(held.mask))
		look_at_buffer(key, use, (const char *)at + lb, bytes, &held);
	closed_syscalls_release(&held);
}

void reuse_prepare(void)
{
	if (process.settings.advise)
		n_before = proc_stat_tasks(before, BEFORE);
}

/* A library may have begun one that has ended since: UCX 1.18 does. */
static int left_of_before(void)
{
	int n = 0;

	for (unsigned i = 0; i < n_before; i++)
		n += tgkill(getpid(), before[i], 0) == 0;
	return n;
}

/* Tried out, so that it is known before the first call. */
void reuse_start(void)
{
	struct closed_held held = { 0 };

	if (!process.settings.advise)
		return;
	n_of_mpi = proc_stat_threads() - atomic_load(&thread_n_own) -
		   left_of_before();
	if (process.thread_asked == MPI_THREAD_MULTIPLE ||
	    !closed_syscalls_catch(system_call, closed_is_met, &held)) {
		if (process_is_first())
			process_warn("uses of buffers are not looked for: that "
				     "needs Linux 5.14 on x86-64, and a "
				     "program without MPI_THREAD_MULTIPLE");
		return;
	}
	closed_start();
	reuse_is_looked_for = true;
}

static void write_row(struct record_writer *writer, const struct row *row)
{
	const bool in_call = row->at_call != FINDING_NO_CALL;

	record_put_str(writer, mmds_self.names[mmds_key_call(row->key)]);
	record_put_u64(writer, mmds_key_path(row->key));
	record_put_str(writer, row->use == BUFFER_SENT ? "sent" : "received");
	record_put_str(writer,
		       in_call ? mmds_self.names[mmds_key_call(row->at_call)]
			       : "");
	record_put_u64(writer, row->at_path);
	record_put_u64(writer, row->count);
	record_put_u64(writer, clock_to_ns(row->ticks));
	record_row_end(writer);
}

void reuse_write(struct record_writer *writer)
{
	/* Orders the pointer before what it points at. */
	const struct row *row = atomic_load_explicit(&rows,
						     memory_order_acquire);

	if (!process.settings.advise)
		return;
	record_table_begin(
		writer, "reuses", 1,
		"call path use at_call at_path count computation_ns");
	for (; row; row = row->next)
		write_row(writer, row);
	record_table_end(writer);
}

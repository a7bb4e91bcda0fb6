/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A window's accesses are kept until a call completes them at their target.
 * Accesses that begin at the same place there overlap, whatever the target's
 * displacement unit is.  Whether others overlap is not known.  An access to a
 * process that is not locked is a fault if another one is locked: then the
 * program uses locks, and not fences.
 */
#include "pmpi-shim/record/findings/epochs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "mds/mmds/mmds.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/pmpi.h"
#include "pmpi-shim/record/findings/findings.h"

#define REAL(name)  (*below.MPI_##name)
#define WINDOWS     32
#define LOCKS       64
#define ALL_TARGETS (-1)

/* MPI_Wait completes a READ, which is not kept: its request is not known. */
#define PUT        EPOCHS_PUT
#define GET        EPOCHS_GET
#define READ       EPOCHS_READ
#define ACCUMULATE EPOCHS_ACCUMULATE

struct window {
	MPI_Win win;
	unsigned n;
	struct epochs_access accesses[EPOCHS_ACCESSES];
	unsigned n_locks;
	int locks[LOCKS]; /* targets, or all */
	bool lost;        /* there were more locks */
};

static struct shim_pmpi below;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct window *windows[WINDOWS];

/* NULL if there is no room for it. */
static struct window *window_of(MPI_Win win)
{
	struct window **free_one = NULL;

	for (int i = 0; i < WINDOWS; i++) {
		if (windows[i] && windows[i]->win == win)
			return windows[i];
		if (!windows[i] && !free_one)
			free_one = &windows[i];
	}
	if (!free_one || !(*free_one = calloc(1, sizeof(**free_one))))
		return NULL;
	(*free_one)->win = win;
	return *free_one;
}

static void forget_window(MPI_Win win)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < WINDOWS; i++)
		if (windows[i] && windows[i]->win == win) {
			free(windows[i]);
			windows[i] = NULL;
		}
	pthread_mutex_unlock(&lock);
}

static void found(enum finding what)
{
	findings_count(&(struct finding_about){
		.key = findings_key_now(),
		.comm = MMDS_NONE,
		.what = what,
	});
}

static bool is_locked(const struct window *w, int target)
{
	for (unsigned i = 0; i < w->n_locks; i++)
		if (w->locks[i] == target || w->locks[i] == ALL_TARGETS)
			return true;
	return w->lost || w->n_locks == 0;
}

static bool conflicts(const struct window *w, const struct epochs_access *a)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->accesses[i].target == a->target &&
		    w->accesses[i].at == a->at &&
		    epochs_harm(w->accesses[i].how, a->how))
			return true;
	return false;
}

unsigned epochs_accesses(MPI_Win win, struct epochs_access *to)
{
	unsigned n = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < WINDOWS; i++)
		if (windows[i] && windows[i]->win == win &&
		    windows[i]->n_locks == 0 && !windows[i]->lost) {
			n = windows[i]->n;
			memcpy(to, windows[i]->accesses, n * sizeof(*to));
		}
	pthread_mutex_unlock(&lock);
	return n;
}

/* MPI took the call.  Derived types are not compared: two of them may have
 * their elements in each other's gaps. */
static void look(enum epochs_how how, int target, MPI_Aint at, MPI_Count count,
		 MPI_Datatype type, MPI_Win win)
{
	struct epochs_access access = { .target = target,
					.how = how,
					.at = at };
	bool has_conflict;
	bool is_outside;
	struct window *w;

	if (target < 0)
		return;
	pthread_mutex_lock(&lock);
	w = window_of(win);
	is_outside = w && !is_locked(w, target);
	has_conflict = false;
	if (w && count > 0 && abi_type_is_builtin(type)) {
		access.bytes = count * (MPI_Count)abi_type_size(type);
		access.key = findings_key_now();
		has_conflict = conflicts(w, &access);
		if (how != READ && w->n < EPOCHS_ACCESSES)
			w->accesses[w->n++] = access;
	}
	pthread_mutex_unlock(&lock);
	if (is_outside)
		found(FINDING_UNLOCKED);
	if (has_conflict)
		found(FINDING_CONFLICT);
}

/* Forgets accesses to the target, all or only those that got something. */
static void forget(MPI_Win win, int target, bool gets_only)
{
	struct window *w;
	unsigned n = 0;

	pthread_mutex_lock(&lock);
	w = window_of(win);
	for (unsigned i = 0; w && i < w->n; i++)
		if ((gets_only && w->accesses[i].how != GET) ||
		    (target != ALL_TARGETS && w->accesses[i].target != target))
			w->accesses[n++] = w->accesses[i];
	if (w)
		w->n = n;
	pthread_mutex_unlock(&lock);
}

/* Accesses to the target are complete there. */
static void complete(MPI_Win win, int target)
{
	forget(win, target, false);
}

/* They are complete at this process only: so MPI_Get has read there. */
static void complete_here(MPI_Win win, int target)
{
	forget(win, target, true);
}

static void locked(MPI_Win win, int target)
{
	struct window *w;

	pthread_mutex_lock(&lock);
	w = window_of(win);
	if (w && w->n_locks < LOCKS)
		w->locks[w->n_locks++] = target;
	else if (w)
		w->lost = true;
	pthread_mutex_unlock(&lock);
}

static void unlocked(MPI_Win win, int target)
{
	struct window *w;
	unsigned n = 0;

	complete(win, target);
	pthread_mutex_lock(&lock);
	w = window_of(win);
	for (unsigned i = 0; w && i < w->n_locks; i++)
		if (w->locks[i] != target)
			w->locks[n++] = w->locks[i];
	if (w)
		w->n_locks = n;
	pthread_mutex_unlock(&lock);
}

#define NOTHING_PARAMETER
#define NOTHING_ARGUMENT
#define REQUEST_PARAMETER , MPI_Request *request
#define REQUEST_ARGUMENT  , request

#define ACCESS(name, how, qualified, end)                                      \
	static int name(qualified *out, int n_out, MPI_Datatype out_type,      \
			int target, MPI_Aint at, int count, MPI_Datatype type, \
			MPI_Win win end##_PARAMETER)                           \
	{                                                                      \
		const int rc = REAL(name)(out, n_out, out_type, target, at,    \
					  count, type, win end##_ARGUMENT);    \
                                                                               \
		if (rc == MPI_SUCCESS)                                         \
			look(how, target, at, count, type, win);               \
		return rc;                                                     \
	}

ACCESS(Put, PUT, const void, NOTHING)
ACCESS(Get, GET, void, NOTHING)
ACCESS(Rput, PUT, const void, REQUEST)
ACCESS(Rget, READ, void, REQUEST)

static int Accumulate(const void *out, int n_out, MPI_Datatype out_type,
		      int target, MPI_Aint at, int count, MPI_Datatype type,
		      MPI_Op op, MPI_Win win)
{
	const int rc = REAL(Accumulate)(out, n_out, out_type, target, at, count,
					type, op, win);

	if (rc == MPI_SUCCESS)
		look(ACCUMULATE, target, at, count, type, win);
	return rc;
}

static int Win_fence(int assert, MPI_Win win)
{
	const int rc = REAL(Win_fence)(assert, win);

	complete(win, ALL_TARGETS);
	return rc;
}

static int Win_lock(int type, int target, int assert, MPI_Win win)
{
	const int rc = REAL(Win_lock)(type, target, assert, win);

	if (rc == MPI_SUCCESS)
		locked(win, target);
	return rc;
}

static int Win_lock_all(int assert, MPI_Win win)
{
	const int rc = REAL(Win_lock_all)(assert, win);

	if (rc == MPI_SUCCESS)
		locked(win, ALL_TARGETS);
	return rc;
}

/* Calls that complete accesses, to one target or to all. */
#define TO_ONE(name, done)                              \
	static int name(int target, MPI_Win win)        \
	{                                               \
		const int rc = REAL(name)(target, win); \
                                                        \
		if (rc == MPI_SUCCESS)                  \
			done(win, target);              \
		return rc;                              \
	}
#define TO_ALL(name, done)                      \
	static int name(MPI_Win win)            \
	{                                       \
		const int rc = REAL(name)(win); \
                                                \
		if (rc == MPI_SUCCESS)          \
			done(win, ALL_TARGETS); \
		return rc;                      \
	}

TO_ONE(Win_unlock, unlocked)
TO_ALL(Win_unlock_all, unlocked)
TO_ONE(Win_flush, complete)
TO_ALL(Win_flush_all, complete)
TO_ONE(Win_flush_local, complete_here)
TO_ALL(Win_flush_local_all, complete_here)
TO_ALL(Win_complete, complete)

static int Win_free(MPI_Win *win)
{
	const MPI_Win was = win ? *win : MPI_WIN_NULL;
	const int rc = REAL(Win_free)(win);

	if (rc == MPI_SUCCESS)
		forget_window(was);
	return rc;
}

#define PLACE(name) shim_pmpi.MPI_##name = name

void epochs_start(void)
{
	if (!(process.settings.strict & SETTINGS_STRICT_BUFFERS))
		return;
	below = shim_pmpi;
	PLACE(Put);
	PLACE(Get);
	PLACE(Rput);
	PLACE(Rget);
	PLACE(Accumulate);
	PLACE(Win_fence);
	PLACE(Win_lock);
	PLACE(Win_lock_all);
	PLACE(Win_unlock);
	PLACE(Win_unlock_all);
	PLACE(Win_flush);
	PLACE(Win_flush_all);
	PLACE(Win_flush_local);
	PLACE(Win_flush_local_all);
	PLACE(Win_complete);
	PLACE(Win_free);
}

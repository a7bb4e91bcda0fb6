/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * With MPI_THREAD_SERIALIZED the program lets one thread at a time call MPI, by
 * a lock.  The lock orders what a wrapper writes: a thread that finds another
 * one within a call was not kept out by it.
 */
#include "pmpi-shim/record/findings/thread_level.h"

#include <string.h>
#include <unistd.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/findings/findings.h"

static pid_t first; /* the thread that called MPI_Init */

/*
 * Any thread may call these at any time: table 11.1 of MPI 4.0.  By name, since
 * an older MPI lacks some.
 */
static bool is_free(enum shim_call call)
{
	static const char *const names[] = {
		"MPI_Initialized",
		"MPI_Finalized",
		"MPI_Query_thread",
		"MPI_Is_thread_main",
		"MPI_Get_version",
		"MPI_Get_library_version",
		"MPI_Info_create",
		"MPI_Info_create_env",
		"MPI_Info_delete",
		"MPI_Info_dup",
		"MPI_Info_free",
		"MPI_Info_get",
		"MPI_Info_get_nkeys",
		"MPI_Info_get_nthkey",
		"MPI_Info_get_string",
		"MPI_Info_get_valuelen",
		"MPI_Info_set",
		"MPI_Session_create_errhandler",
		"MPI_Session_call_errhandler",
		"MPI_Errhandler_free",
		"MPI_Error_string",
		"MPI_Error_class",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], shim_names[call]) == 0)
			return true;
	return false;
}

/* The others write these words while this thread reads them. */
__attribute__((no_sanitize("thread"))) static bool
other_is_inside(const struct mmds_thread *thread)
{
	const struct mmds_thread *t = mmds_threads();

	for (; t; t = t->next)
		if (t != thread && !t->ended &&
		    __atomic_load_n(&t->inside, __ATOMIC_RELAXED) &&
		    !is_free(t->now->call))
			return true;
	return false;
}

static void tell(uint64_t key)
{
	findings_count(&(struct finding_about){
		.key = key,
		.comm = MMDS_NONE,
		.what = FINDING_THREAD,
	});
}

static bool are_serialized(void)
{
	return process.thread_asked == MPI_THREAD_SERIALIZED;
}

static void sampled(const struct mmds_frame *frame)
{
	if (!is_free(frame->call) && other_is_inside(frame->thread))
		tell(mmds_frame_key(frame));
}

void thread_level_start(void)
{
	first = gettid();
	if (are_serialized())
		mmds_on_sample = sampled;
}

uint64_t thread_level_key(struct mmds_thread *thread, enum shim_call call,
			  const void *ra, const void *fa)
{
	struct mmds_frame frame = { .thread = thread, .call = (uint16_t)call };

	frame.slot = thread->paths ? callpath_find(thread->paths, (uintptr_t)ra,
						   (uintptr_t)fa)
				   : &thread->flat[call];
	return mmds_frame_key(&frame);
}

static bool is_foreign(void)
{
	return process.thread_asked < MPI_THREAD_SERIALIZED &&
	       gettid() != first;
}

bool thread_level_leaves_out(enum shim_call call)
{
	return is_free(call) && is_foreign();
}

void thread_level_look(struct mmds_thread *thread, enum shim_call call,
		       const void *ra, const void *fa)
{
	if (is_free(call))
		return;
	if (is_foreign() || (are_serialized() && other_is_inside(thread)))
		tell(thread_level_key(thread, call, ra, fa));
}

void thread_level_look_now(void)
{
	const struct mmds_thread *thread = mmds_thread;

	if (are_serialized() && thread && thread->inside &&
	    !is_free(thread->now->call) && other_is_inside(thread))
		findings_two_inside(findings_key_now());
}

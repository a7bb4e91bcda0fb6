/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Phases: their names, which all threads share, and the time of each in a
 * thread.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "mds/mmds/mmds.h"

#define NAME_BYTES 48

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char names[MMDS_PHASES][NAME_BYTES];
static _Atomic unsigned n_names = 1; /* 0 is the program outside all phases */

/* The number of a phase; `around` if there is no room for another name. */
static unsigned phase_number(const char *name, unsigned around)
{
	unsigned n;
	unsigned i;

	pthread_mutex_lock(&lock);
	n = atomic_load(&n_names);
	for (i = 1; i < n; i++)
		if (strncmp(names[i], name, NAME_BYTES - 1) == 0)
			break;
	if (i == MMDS_PHASES) {
		i = around;
	} else if (i == n) {
		strncpy(names[i], name, NAME_BYTES - 1);
		atomic_store(&n_names, n + 1);
	}
	pthread_mutex_unlock(&lock);
	return i;
}

/*
 * Time counts for the innermost phase only.  The thread has counted its last
 * call, and computes since.
 */
static void phase_account(struct mmds_thread *thread)
{
	struct mmds_phase *phase = &thread->phases[thread->phase];
	const uint64_t now = clock_ticks();
	const struct mmds_sum sum = mmds_sum_until(thread, now);

	phase->ticks += now - thread->phase_start;
	phase->computation += sum.computation - thread->phase_computation;
	phase->communication += sum.communication - thread->phase_communication;
	phase->path += sum.path - thread->phase_path;
	thread->phase_start = now;
	thread->phase_computation = sum.computation;
	thread->phase_communication = sum.communication;
	thread->phase_path = sum.path;
}

void mmds_phase_begin(struct mmds_thread *thread, const char *name)
{
	const unsigned phase = phase_number(name, thread->phase);

	phase_account(thread);
	if (thread->n_outer < MMDS_PHASES)
		thread->outer[thread->n_outer] = thread->phase;
	thread->n_outer++;
	thread->phase = (uint16_t)phase;
	thread->phases[phase].count++;
}

void mmds_phase_end(struct mmds_thread *thread)
{
	if (thread->n_outer == 0)
		return;
	phase_account(thread);
	thread->n_outer--;
	if (thread->n_outer < MMDS_PHASES)
		thread->phase = thread->outer[thread->n_outer];
}

unsigned mmds_phase_count(void)
{
	return atomic_load(&n_names);
}

const char *mmds_phase_name(unsigned phase)
{
	return names[phase];
}

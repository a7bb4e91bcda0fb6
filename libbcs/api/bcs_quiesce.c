/* SPDX-License-Identifier: BSD-3-Clause */

/* Known states: of the BCS API, or of the preload. */
#include <errno.h>
#include <stdlib.h>

#include "libbcs/api/bcs_state.h"

struct hook {
	struct hook *next;
	bcs_hook run;
	void *arg;
};

/* In the order in which they came. */
static struct hook *hooks;
static struct hook **hooks_end = &hooks;

static _Atomic uint32_t n_states; /* so far */

int bcs_on_quiesce(bcs_hook run, void *arg)
{
	struct hook *hook = malloc(sizeof(*hook));

	if (!hook)
		return -ENOMEM;
	*hook = (struct hook){ NULL, run, arg };
	*hooks_end = hook;
	hooks_end = &hook->next;
	return 0;
}

void bcs_hooks_run(const struct bcs_known *known)
{
	for (struct hook *hook = hooks; hook; hook = hook->next)
		hook->run(known, hook->arg);
	atomic_fetch_add(&n_states, 1);
}

void bcs_known(const struct strobe_known *known)
{
	bcs_hooks_run(&(struct bcs_known){ known->slice, known->open,
					   known->messages });
}

/* Without the preload the call does nothing. */
static int quiesce_mpi(void)
{
	const uint32_t before = atomic_load(&n_states);

	if (MPI_Pcontrol(6) != MPI_SUCCESS)
		return -ETIMEDOUT;
	return atomic_load(&n_states) == before ? -ENOTSUP : 0;
}

int bcs_quiesce(void)
{
	if (!bcs_state.size)
		return quiesce_mpi();
	return bcs_state.engines.strobe
		       ? strobe_engine_quiesce(bcs_state.engines.strobe)
		       : -ENOTSUP;
}

int bcs_quiesce_ask(void)
{
	if (!bcs_state.size || !bcs_state.engines.strobe)
		return -ENOTSUP;
	strobe_engine_quiesce_ask(bcs_state.engines.strobe);
	return 0;
}

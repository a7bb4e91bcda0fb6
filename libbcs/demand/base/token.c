/* SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>

#include "libbcs/demand/base/token.h"

__thread bool token_by_helper __attribute__((tls_model("initial-exec")));

void token_wait(struct engine *engine)
{
	for (unsigned turns = 0; !token_try(engine); turns++)
		if (turns > 100)
			sched_yield();
}

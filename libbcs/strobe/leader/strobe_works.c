/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Memory for descriptors that were taken.  Some is set aside for what other
 * nodes send, which cannot wait.
 */
#include <stdlib.h>

#include "libbcs/strobe/leader/strobe_leader.h"

struct strobe_work *strobe_work_reserved(struct strobe_leader *leader)
{
	struct strobe_work *work = leader->spare;

	leader->spare = work->next;
	leader->n_spare--;
	return work;
}

struct strobe_work *strobe_work_new(struct strobe_leader *leader)
{
	return leader->n_spare > leader->reserve
		       ? strobe_work_reserved(leader)
		       : malloc(sizeof(struct strobe_work));
}

void strobe_work_free(struct strobe_leader *leader, struct strobe_work *work)
{
	work->next = leader->spare;
	leader->spare = work;
	leader->n_spare++;
}

bool strobe_works_reserve(struct strobe_leader *leader, uint32_t n)
{
	struct strobe_work *work;

	leader->reserve = n;
	while (leader->n_spare < n) {
		work = malloc(sizeof(*work));
		if (!work)
			return false;
		strobe_work_free(leader, work);
	}
	return true;
}

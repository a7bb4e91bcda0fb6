/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>

#include "analyzer/cli/verb.h"

static const struct verb *const verbs[] = { &verb_model_eval, &verb_model_fit,
					    &verb_model_simulate, NULL };

const struct verb verb_model = {
	.name = "model",
	.summary = "predict what operations take on a cluster",
	.operands = "VERB [options] ...",
	.about = "Predicts times of computation, communication and disks, "
		 "power, "
		 "and the probability\nthat no node fails, by the formulas "
		 "of Proficz and Czarnul (2015).\n",
	.verbs = verbs,
};

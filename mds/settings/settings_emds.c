/* SPDX-License-Identifier: BSD-3-Clause */
#include "mds/settings/settings_emds.h"

#define MACHINE_MEMORY (8u << 20)

struct emds_options settings_emds_options(const struct settings *settings,
					  unsigned local_ranks)
{
	return (struct emds_options){
		.from = settings->emds_from,
		.to = settings->emds_to,
		.resolution = settings->emds_resolution,
		.every = settings->emds == SETTINGS_EMDS_EVERY,
		.columns = settings->emds_columns,
		.memory = MACHINE_MEMORY / local_ranks,
		.local_ranks = local_ranks,
	};
}

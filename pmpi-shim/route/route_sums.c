/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds settings of MPICH that change its order of sums, for the record. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/route_sums.h"

/* MPICH looks for a setting of its own by each of them. */
static const char *const prefixes[] = { "MPIR_CVAR_", "MPIR_PARAM_", "MPICH_" };

/* Names of settings of how sums are made have one of them. */
static const char *const parts[] = {
	"REDUCE",
	"SCAN",
	"SELECTION_TUNING_JSON_FILE",
	"SMP_COLLECTIVES",
	"DEVICE_COLLECTIVES",
	"HCOLL",
};

/* "SCAN" is in no other setting's name; "auto" is what MPICH does anyway. */
static bool is_of_sums(const char *setting, size_t prefix)
{
	const size_t n = strcspn(setting, "=");

	if (strncmp(setting + n, "=auto", sizeof("=auto")) == 0)
		return false;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (memmem(setting + prefix, n - prefix, parts[i],
			   strlen(parts[i])))
			return true;
	return false;
}

static const char *setting_find(void)
{
	for (char **setting = environ; *setting; setting++)
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]);
		     i++) {
			const size_t n = strlen(prefixes[i]);

			if (strncmp(*setting, prefixes[i], n) == 0 &&
			    is_of_sums(*setting, n))
				return *setting;
		}
	return NULL;
}

void route_sums_tell(void)
{
	const char *setting = setting_find();

	if (!setting)
		return;
	snprintf(process.sums, sizeof(process.sums),
		 "%.*s is set, which the preload does not follow: sums may "
		 "have other bits than the program has alone",
		 (int)strcspn(setting, "="), setting);
	if (process_is_first())
		process_warn(process.sums);
}

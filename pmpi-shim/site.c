/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mds/mmds.h"
#include "mds/utf8.h"
#include "pmpi-shim/site.h"

uint64_t site_of_call(void)
{
	const struct mmds_thread *thread = mmds_thread;

	if (!thread || !thread->paths || !thread->inside)
		return 0;
	return thread->paths->site;
}

void site_text(pid_t pid, uint64_t address, char *text, size_t size)
{
	char name[64];
	char line[512];
	char path[400];
	char shown[65];
	const char *file;
	uint64_t begin;
	uint64_t end;
	uint64_t offset;
	FILE *maps;

	snprintf(text, size, "an unknown place");
	snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
	maps = address ? fopen(name, "r") : NULL;
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line,
			   "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64
			   " %*s %*s %399s",
			   &begin, &end, &offset, path) != 4 ||
		    address < begin || address >= end)
			continue;
		file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
		utf8_escape(shown, sizeof(shown), file);
		snprintf(text, size, "%s+0x%" PRIx64, shown,
			 address - begin + offset);
	}
	if (maps)
		fclose(maps);
}

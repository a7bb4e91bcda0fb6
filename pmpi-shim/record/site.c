/* SPDX-License-Identifier: BSD-3-Clause */

/* Names the place in the program from which MPI was called. */
#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mds/base/utf8.h"
#include "mds/mmds/mmds.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/site.h"

/* A shell takes these as they are. */
#define SAFE                                                   \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"0123456789/._-+=:,@%"

/* The call site of MPI_Finalize, which is not recorded as other calls are. */
static _Thread_local uint64_t outside;

void site_set(const void *behind)
{
	outside = (uint64_t)(uintptr_t)behind;
}

uint64_t site_of_call(void)
{
	const struct mmds_thread *thread = mmds_thread;

	if (!thread || !thread->paths || !thread->inside)
		return outside;
	return thread->paths->site;
}

/* A path as a shell takes it: quoted if it has to be. */
static void shell_word(char *to, size_t size, const char *path)
{
	const char *const quote = "'\\''";
	size_t n = 0;

	if (!path[strspn(path, SAFE)]) {
		snprintf(to, size, "%s", path);
		return;
	}
	to[n++] = '\'';
	for (; *path && n + 8 < size; path++) {
		if (*path == '\'')
			n += (size_t)snprintf(to + n, size - n, "%s", quote);
		else
			to[n++] = *path;
	}
	snprintf(to + n, size - n, "'");
}

void site_help(uint64_t address)
{
	static _Thread_local uint64_t last; /* whose line was told */
	const void *const behind = (const void *)(uintptr_t)address;
	char line[PATH_MAX + 192];
	char word[PATH_MAX + 64];
	char path[PATH_MAX] = "";
	struct link_map *module;
	Dl_info info;

	if (address == last ||
	    !dladdr1(behind, &info, (void **)&module, RTLD_DL_LINKMAP))
		return;
	last = address;
	snprintf(path, sizeof(path), "%s", module->l_name);
	if (!*path)
		(void)!readlink("/proc/self/exe", path, sizeof(path) - 1);
	shell_word(word, sizeof(word), path);
	/* The call itself is before the address behind it. */
	snprintf(line, sizeof(line),
		 "`addr2line -Cfpe %s 0x%" PRIx64 "` tells that line", word,
		 address - 1 - (uint64_t)module->l_addr);
	process_warn(line);
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
		/* addr2line needs the call, which is before its return. */
		snprintf(text, size, "%s+0x%" PRIx64, shown,
			 address - 1 - begin + offset);
	}
	if (maps)
		fclose(maps);
}

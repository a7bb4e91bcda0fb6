/* SPDX-License-Identifier: BSD-3-Clause */
#include "pmpi-shim/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abi.h"

struct search {
	const struct library_file *files;
	const char *found;
};

static int look_at(struct dl_phdr_info *library, size_t size, void *arg)
{
	const char *slash = strrchr(library->dlpi_name, '/');
	const char *base = slash ? slash + 1 : library->dlpi_name;
	struct search *search = arg;

	(void)size;
	for (const struct library_file *f = search->files; f->begin; f++)
		if (strncmp(base, f->begin, strlen(f->begin)) == 0)
			search->found = f->name;
	return search->found != NULL;
}

const char *library_loaded(const struct library_file *files)
{
	struct search search = { .files = files };

	dl_iterate_phdr(look_at, &search);
	return search.found;
}

bool library_has_other(void)
{
	char path[PATH_MAX];
	const char *slash;
	Dl_info info;

	if (!dladdr((const void *)(uintptr_t)library_has_other, &info))
		return false;
	slash = strrchr(info.dli_fname, '/');
	snprintf(path, sizeof(path), "%.*s%s",
		 slash ? (int)(slash + 1 - info.dli_fname) : 0, info.dli_fname,
		 ABI_OTHER_PRELOAD);
	return access(path, R_OK) == 0;
}

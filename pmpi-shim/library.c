/* SPDX-License-Identifier: BSD-3-Clause */
#include "pmpi-shim/library.h"

#include <link.h>
#include <string.h>

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

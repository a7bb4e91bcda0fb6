/* SPDX-License-Identifier: BSD-3-Clause */

/* The places of the calls of one process, from the paths of its record. */
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/export/export.h"
#include "analyzer/run/run_read.h"
#include "analyzer/run/symbols.h"

struct export_sites {
	struct run run; /* its code alone */
	struct run_map paths;
	struct symbols *symbols;
	char **texts; /* of each frame that was asked for */
};

static void read_paths(struct export_sites *sites, const struct record *record)
{
	struct run_reading reading = { .run = &sites->run, .record = record };

	run_read_paths(&reading);
	sites->paths = reading.paths;
}

struct export_sites *export_sites_open(const char *path)
{
	struct export_sites *sites = mem_alloc(1, sizeof(*sites));
	struct record *record;
	char why[512];

	/* A process that was killed early has a trace only. */
	if (access(path, F_OK) == 0) {
		if (record_open(&record, path, READING_RECORD, why,
				sizeof(why)) == 0) {
			read_paths(sites, record);
			record_free(record);
		} else {
			say_warning("%s; its calls have no site", why);
		}
	}
	sites->symbols = symbols_new(&sites->run.code);
	sites->texts = mem_alloc(sites->run.code.frames.n + 1,
				 sizeof(*sites->texts));
	return sites;
}

const char *export_site(struct export_sites *sites, uint32_t path)
{
	size_t known = path ? run_map_get(&sites->paths, path) : INTERN_NONE;

	if (known != INTERN_NONE)
		known = code_site(&sites->run.code, known);
	if (known == INTERN_NONE)
		return NULL;
	if (!sites->texts[known])
		sites->texts[known] = symbols_text(sites->symbols, known);
	return sites->texts[known];
}

void export_sites_close(struct export_sites *sites)
{
	for (size_t i = 0; i < sites->run.code.frames.n; i++)
		free(sites->texts[i]);
	free(sites->texts);
	symbols_free(sites->symbols);
	run_map_clear(&sites->paths);
	code_clear(&sites->run.code);
	free(sites);
}

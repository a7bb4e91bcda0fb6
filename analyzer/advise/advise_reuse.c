/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds where the buffers of a call are used again, in the record of the run.
 */
#include "analyzer/advise/advise_reuse.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"

struct advise_reuses {
	const struct run *run;
	struct symbols *symbols;
	/* By number in run.reuses: of the call, and of the use. */
	char **sites;
	size_t *frames;
};

static const char *word(const struct run *run, size_t number)
{
	return intern_key(&run->words, number);
}

static bool is_of_libc(const struct code *code, size_t frame)
{
	const uint64_t module = code_frame_get(code, frame)->module;
	const char *file;

	if (module == CODE_UNKNOWN)
		return false;
	file = strrchr(code->modules[module].file, '/');
	return file && strncmp(file, "/libc.", 6) == 0;
}

/* The innermost frame with a line that is not in libc, as memcpy is. */
static size_t frame_with_line(const struct advise_reuses *reuses, size_t path)
{
	const struct code *code = &reuses->run->code;
	size_t n_frames;
	const size_t *frames;

	if (path == INTERN_NONE)
		return INTERN_NONE;
	frames = code_path_frames(code, path, &n_frames);
	for (size_t i = 0; i < n_frames; i++) {
		size_t n;
		const struct symbol *symbol = symbols_get(reuses->symbols,
							  frames[i], &n);

		if (n && symbol->file && !is_of_libc(code, frames[i]))
			return frames[i];
	}
	return code_site(code, path);
}

struct advise_reuses *advise_reuses_new(const struct run *run)
{
	struct advise_reuses *reuses = mem_alloc(1, sizeof(*reuses));

	reuses->run = run;
	reuses->symbols = symbols_new(&run->code);
	reuses->sites = mem_alloc(run->n_reuses + 1, sizeof(*reuses->sites));
	reuses->frames = mem_alloc(run->n_reuses + 1, sizeof(*reuses->frames));
	for (size_t i = 0; i < run->n_reuses; i++) {
		reuses->sites[i] = symbols_text(reuses->symbols,
						run->reuses[i].place);
		reuses->frames[i] = frame_with_line(reuses,
						    run->reuses[i].at_path);
	}
	return reuses;
}

void advise_reuses_free(struct advise_reuses *reuses)
{
	if (!reuses)
		return;
	for (size_t i = 0; i < reuses->run->n_reuses; i++)
		free(reuses->sites[i]);
	free(reuses->sites);
	free(reuses->frames);
	symbols_free(reuses->symbols);
	free(reuses);
}

char *advise_reuse_text(const struct advise_reuses *reuses,
			const struct advise_reuse *reuse)
{
	const char *const call = word(reuses->run, reuse->at_call);
	char *site;
	char *text;

	if (reuse->at == INTERN_NONE)
		return mem_text(call);
	site = symbols_text(reuses->symbols, reuse->at);
	text = *call ? mem_print("%s at %s", call, site) : mem_text(site);
	free(site);
	return text;
}

/* How often buffers of those calls were used at the place of one of them. */
static uint64_t count_at(const struct advise_reuses *reuses, const size_t *rows,
			 size_t n, size_t one)
{
	uint64_t count = 0;

	for (size_t i = 0; i < n; i++) {
		const struct run_reuse *row = &reuses->run->reuses[rows[i]];

		if (reuses->frames[rows[i]] == reuses->frames[one] &&
		    row->at_call == reuses->run->reuses[one].at_call)
			count += row->count;
	}
	return count;
}

static struct advise_reuse sum(const struct advise_reuses *reuses,
			       const size_t *rows, size_t n)
{
	struct advise_reuse all = { .at = INTERN_NONE };
	uint64_t time = 0;
	uint64_t most = 0;

	for (size_t i = 0; i < n; i++) {
		const struct run_reuse *row = &reuses->run->reuses[rows[i]];
		const uint64_t count = count_at(reuses, rows, n, rows[i]);

		all.count += row->count;
		time += row->computation;
		if (count <= most)
			continue;
		most = count;
		all.at = reuses->frames[rows[i]];
		all.at_call = row->at_call;
	}
	all.computation = all.count ? time / all.count : 0;
	return all;
}

struct advise_reuse advise_reuse(const struct advise_reuses *reuses,
				 uint64_t rank, const char *call,
				 const char *site, const char *use)
{
	const struct run *run = reuses->run;
	size_t *rows = mem_alloc(run->n_reuses + 1, sizeof(*rows));
	struct advise_reuse all;
	size_t n = 0;

	for (size_t i = 0; i < run->n_reuses; i++) {
		const struct run_reuse *row = &run->reuses[i];

		if ((rank == ADVISE_ALL_RANKS || rank == row->rank) &&
		    strcmp(word(run, row->use), use) == 0 &&
		    strcmp(word(run, row->call), call) == 0 &&
		    strcmp(reuses->sites[i], site) == 0)
			rows[n++] = i;
	}
	all = sum(reuses, rows, n);
	free(rows);
	return all;
}

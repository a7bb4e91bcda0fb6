/* SPDX-License-Identifier: BSD-3-Clause */

/* Decides which files of a folder belong to one run. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/run/read/run_read.h"
#include "analyzer/run/run_choose.h"

#define START_APART ((uint64_t)600 * 1000000000) /* ns, within a run */

static bool is_of_run(const struct run *run, uint64_t size, uint64_t start)
{
	const uint64_t apart = start > run->start ? start - run->start
						  : run->start - start;

	return run->size == size && apart < START_APART;
}

struct run *run_choose_for(struct run_choose *choose,
			   const struct record *record, const char *file)
{
	const uint64_t size = run_process_u64(record, "size");
	const uint64_t start = run_process_u64(record, "start_ns");
	struct run *run;

	for (size_t i = 0; i < choose->n; i++)
		if (is_of_run(choose->runs[i], size, start))
			return choose->runs[i];
	if (choose->n == RUN_CHOOSE_MAX)
		return NULL;
	run = mem_alloc(1, sizeof(*run));
	run->size = size;
	run->start = start;
	choose->first_files[choose->n] = mem_text(file);
	choose->runs[choose->n++] = run;
	return run;
}

static void say_left_out(const struct run_choose *choose, size_t i)
{
	const size_t n = choose->runs[i]->n_ranks;

	if (n > 1)
		say_warning("%s and %zu more: of another run; left out",
			    choose->first_files[i], n - 1);
	else
		say_warning("%s: of another run; left out",
			    choose->first_files[i]);
}

struct run *run_choose_end(struct run_choose *choose)
{
	size_t best = 0;
	struct run *run = NULL;

	for (size_t i = 1; i < choose->n; i++)
		if (choose->runs[i]->n_ranks > choose->runs[best]->n_ranks)
			best = i;
	for (size_t i = 0; i < choose->n; i++) {
		if (i == best) {
			run = choose->runs[i];
		} else {
			say_left_out(choose, i);
			run_free(choose->runs[i]);
		}
		free(choose->first_files[i]);
	}
	return run;
}

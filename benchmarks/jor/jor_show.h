/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_SHOW_H
#define JOR_SHOW_H

#include "jor_bench.h"
#include "jor_options.h"
#include "jor_sites.h"

/* Output of rank 0: a table, lines of JSON in a file, and the progress. */

/* Whether the file of results can be written; if not, it has been said. */
bool show_begin(const struct options *options);
/* Whether all of it was written. */
bool show_end(const struct options *options);

void show_sites(const struct options *options, const struct sites *sites);
void show_local(const struct bench *bench, int site, bool large);
void show_coupled(const struct bench *bench, const struct bench_series *series,
		  const char *what);
void show_summary(const struct bench *bench);

/* A step of so many is done. */
void show_progress(const struct options *options, int done, int steps);

#endif

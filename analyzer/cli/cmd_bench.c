/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs bench`: lists the benchmarks and runs one, from the build or as
 * installed.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/place.h"
#include "analyzer/cli/verb.h"
#include "analyzer/show/output.h"

/* Where the scripts are: in a build, and installed; and their programs. */
static const char *const scripts[] = { "../../benchmarks", BCS_BENCH_FROM_BIN,
				       NULL };
static const char *const programs[] = { "../benchmarks",
					BCS_BENCH_PROGRAMS_FROM_BIN, NULL };

/* True if this build has the benchmark; one with Open MPI has only some. */
static bool has(const char *name)
{
	char *word = mem_print(" %s ", name);
	const bool has = !*BCS_BENCHES || strstr(BCS_BENCHES, word);

	free(word);
	return has;
}

/* A benchmark's script, NAME/NAME.sh; the caller frees it. */
static char *script_path(const char *folder, const char *name)
{
	return mem_print("%s/%s/%s.sh", folder, name, name);
}

/* The third line of a benchmark says what it measures. */
static void show_one(const char *folder, const char *name)
{
	char *path = script_path(folder, name);
	FILE *from = fopen(path, "r");
	bool is_there = from != NULL;
	char line[256];

	for (int i = 0; i < 3; i++)
		is_there = is_there && fgets(line, sizeof(line), from);
	if (is_there)
		printf("  %-15s %s", name, line + strspn(line, "# "));
	if (from)
		fclose(from);
	free(path);
}

static int list(const char *folder)
{
	struct dirent **entries;
	const int n = scandir(folder, &entries, NULL, alphasort);

	printf("benchmarks, by bcs bench NAME:\n");
	for (int i = 0; i < n; i++) {
		if (has(entries[i]->d_name))
			show_one(folder, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return output_end();
}

static int set_place(const char *name, const char *const places[],
		     const char *file)
{
	char path[PATH_MAX];

	if (place_find(path, places, file) != 0) {
		say_error("%s is neither beside this command's build nor "
			  "installed",
			  file);
		return -ENOENT;
	}
	return setenv(name, path, 1);
}

/* Results are left in the current folder, if the user has not said where. */
static int set_places(void)
{
	static const char *const here[] = { ".", NULL };
	char folder[PATH_MAX];
	char *results;
	int rc;

	if (!getcwd(folder, sizeof(folder)))
		return -errno;
	results = mem_print("%s/results", folder);
	rc = setenv("BCS_RESULTS", results, 0);
	free(results);
	if (rc == 0)
		rc = setenv("BCS_BENCH_MPI", BCS_MPI, 1);
	if (rc == 0 && strcmp(BCS_MPI, "mpich") == 0)
		rc = set_place("BCS_BENCH_PRELOAD", place_preload,
			       PLACE_PRELOAD);
	if (rc == 0)
		rc = set_place("BCS_BENCH_PROGRAMS", programs, "");
	if (rc == 0)
		rc = set_place("BCS_BENCH_COMMAND", here, "bcs");
	return rc;
}

/* Its head: comments from the third line on. */
static int help(const char *script)
{
	FILE *from = fopen(script, "r");
	char line[512];

	for (int i = 0; from && fgets(line, sizeof(line), from); i++) {
		if (*line != '#')
			break;
		if (i >= 2)
			fputs(line + 1 + (line[1] == ' '), stdout);
	}
	if (from)
		fclose(from);
	return output_end();
}

static bool is_help(const char *word)
{
	return word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0);
}

static int start(const char *folder, char **argv)
{
	char *script = script_path(folder, argv[0]);
	char *name = argv[0];
	int rc;

	if (strchr(name, '/') || !has(name) || access(script, R_OK) != 0) {
		say_error("there is no benchmark '%s' (see bcs bench)", name);
		free(script);
		return 2;
	}
	if (is_help(argv[1])) {
		rc = help(script);
		free(script);
		return rc;
	}
	if (set_places() != 0)
		return 2;
	/* Its arguments follow it; the word before them is our own's. */
	argv[0] = script;
	argv[-1] = (char *)(uintptr_t) "sh";
	execv("/bin/sh", argv - 1);
	say_error("/bin/sh: %s", strerror(errno));
	return 2;
}

static int bench(int argc, char **argv)
{
	char folder[PATH_MAX];

	if (place_find(folder, scripts, "") != 0) {
		say_error("the benchmarks are neither beside this command's "
			  "build nor installed");
		return 2;
	}
	return argc == 0 ? list(folder) : start(folder, argv);
}

const struct verb verb_bench = {
	.name = "bench",
	.summary = "measure what slices and records cost on this machine",
	.operands = "[NAME [ARGUMENT]...]",
	.about = "Runs a benchmark and prints its table.  Writes the figures "
		 "and "
		 "a description of the\nmachine to ./results (BCS_RESULTS) as "
		 "lines of JSON.  Without NAME it lists the\nbenchmarks; "
		 "--help after NAME shows what it measures, and its "
		 "arguments.\n",
	.first_ends = true,
	.run = bench,
};

/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks the settings of a run before it begins, and sets its environment. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/input.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/launch/preload.h"
#include "analyzer/launch/setup.h"
#include "tree/tree_save.h"

static bool refused;

/* The preload goes on with the default; here nothing has begun yet. */
static void refuse(const char *line)
{
	say_error("%s", line);
	refused = true;
}

static int make_out(const char *folder, char *out)
{
	struct stat st;

	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		return -errno;
	if (!realpath(folder, out) || stat(out, &st) != 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return access(out, W_OK | X_OK) == 0 ? 0 : -errno;
}

/* Ranks may run in another folder: an absolute path is the same to them all. */
static int set_out(struct settings *settings)
{
	static char out[PATH_MAX];
	const int rc = make_out(settings->out, out);

	if (rc != 0) {
		say_error("%s: no record can be made there: %s (--out says "
			  "where)",
			  settings->out, strerror(-rc));
		return rc;
	}
	setenv("BCS_OUT", out, 1);
	settings->out = out;
	return 0;
}

static int check_tree(const char *file)
{
	struct tree_fault fault;
	struct tree_flat flat;
	size_t size;
	char *text = input_read(file, READING_SETTING, &size);
	int rc = text ? tree_save_read(&flat, text, size, &fault) : -ENOENT;

	if (rc == 0)
		tree_flat_clear(&flat);
	else if (text)
		say_error("%s: %s", file,
			  rc == -EINVAL ? fault.text : strerror(-rc));
	free(text);
	return rc;
}

/* The preload goes on without them; here nothing is lost yet. */
static int check_trees(const struct settings *settings)
{
	char *files = mem_print("%s", settings->trees);
	char *state = NULL;
	int rc = 0;

	for (char *file = strtok_r(files, ",", &state); file && rc == 0;
	     file = strtok_r(NULL, ",", &state))
		rc = check_tree(file);
	free(files);
	return rc;
}

static void set_job(struct settings *settings)
{
	static char job[32];

	if (*settings->job)
		return;
	snprintf(job, sizeof(job), "%ld", (long)getpid());
	setenv("BCS_JOB", job, 1);
	settings->job = job;
}

bool setup_has_command(int argc, const char *verb)
{
	if (argc > 0)
		return true;
	say_error("which command is to be run? such as: bcs %s -- mpiexec -n 4 "
		  "./app (see --help)",
		  verb);
	return false;
}

int setup_run(struct settings *settings, char *const *command)
{
	int rc;

	settings_check(settings, refuse);
	if (refused)
		return -EINVAL;
	rc = check_trees(settings);
	if (rc == 0)
		rc = set_out(settings);
	if (rc == 0)
		rc = preload_set(command);
	set_job(settings);
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/mem.h"
#include "analyzer/options.h"
#include "analyzer/run.h"
#include "analyzer/say.h"
#include "analyzer/verb.h"

/* What is to be copied. */
static struct {
	char **paths;
	size_t n;
	size_t room;
} files;

static const char *name_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

static bool is_of_record(const char *name)
{
	const char *end = strrchr(name, '.');

	return end && (strcmp(end, ".gz") == 0 || strcmp(end, ".slices") == 0);
}

static int file_add(const char *folder, const char *name)
{
	for (size_t i = 0; i < files.n; i++)
		if (strcmp(name_of(files.paths[i]), name) == 0) {
			say_error("%s/%s: is in %s, too; these are not parts "
				  "of one record",
				  folder, name, files.paths[i]);
			return -EEXIST;
		}
	files.paths = mem_grow(files.paths, &files.room, files.n,
			       sizeof(*files.paths));
	files.paths[files.n++] = mem_print("%s/%s", folder, name);
	return 0;
}

static int files_add(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int rc = 0;

	if (!dir) {
		say_error("%s: %s", folder, strerror(errno));
		return -errno;
	}
	while (rc == 0 && (entry = readdir(dir)))
		if (is_of_record(entry->d_name))
			rc = file_add(folder, entry->d_name);
	closedir(dir);
	return rc;
}

/* Program and size of a record; NULL after it has said why not. */
static char *run_text(const char *folder)
{
	static const struct run_filter all;
	struct run *run;
	uint64_t others;
	char *text;

	if (run_load(&run, folder, &all) != 0)
		return NULL;
	text = mem_print("%s of %llu ranks",
			 run_fact(run, RUN_PROGRAM, &others),
			 (unsigned long long)run->size);
	run_free(run);
	return text;
}

static int parts_check(int n, char **folders)
{
	char *first = run_text(folders[0]);
	char *next;
	int rc = first ? 0 : -EINVAL;

	for (int i = 1; rc == 0 && i < n; i++) {
		next = run_text(folders[i]);
		if (next && strcmp(next, first) != 0)
			say_error("%s is of %s, %s of %s", folders[0], first,
				  folders[i], next);
		rc = next && strcmp(next, first) == 0 ? 0 : -EINVAL;
		free(next);
	}
	free(first);
	return rc;
}

static int copy_bytes(int from, int to)
{
	char bytes[65536];
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		for (ssize_t done = 0, m; done < n; done += m) {
			m = write(to, bytes + done, (size_t)(n - done));
			if (m < 0)
				return -errno;
		}
	return n < 0 ? -errno : 0;
}

static int file_copy(const char *path, const char *folder)
{
	char *to_path = mem_print("%s/%s", folder, name_of(path));
	const int from = open(path, O_RDONLY | O_CLOEXEC);
	const int to = open(to_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			    0666);
	int rc = from < 0 || to < 0 ? -errno : copy_bytes(from, to);

	if (from >= 0)
		close(from);
	if (to >= 0 && close(to) != 0 && rc == 0)
		rc = -errno;
	if (rc != 0)
		say_error("%s: cannot be copied to %s: %s", path, to_path,
			  strerror(-rc));
	free(to_path);
	return rc;
}

static int files_copy(const char *folder)
{
	int rc = 0;

	if (mkdir(folder, 0777) != 0) {
		say_error("%s: %s", folder,
			  errno == EEXIST ? "is there already; name a folder "
					    "that is to be made"
					  : strerror(errno));
		return -errno;
	}
	for (size_t i = 0; rc == 0 && i < files.n; i++)
		rc = file_copy(files.paths[i], folder);
	return rc;
}

static int merge(int argc, char **argv)
{
	int rc = 0;

	if (argc < 2) {
		say_error("into which folder, and from which? bcs merge "
			  "INTO FROM...");
		return 2;
	}
	for (int i = 0; i < argc; i++)
		options_drop_slashes(argv[i]);
	rc = parts_check(argc - 1, argv + 1);
	for (int i = 1; rc == 0 && i < argc; i++)
		rc = files_add(argv[i]);
	if (rc == 0)
		rc = files_copy(argv[0]);
	say_rest();
	for (size_t i = 0; i < files.n; i++)
		free(files.paths[i]);
	free(files.paths);
	return rc == 0 ? 0 : 2;
}

static const struct option_spec *options(void)
{
	static const struct option_spec none[] = {
		{ NULL, 0, NULL, NULL, NULL, NULL },
	};

	return none;
}

const struct verb verb_merge = {
	.name = "merge",
	.summary = "put what the nodes of a run recorded into one folder",
	.operands = "INTO FROM...",
	.about =
		"Where nodes do not share a file system each has a folder of\n"
		"its own with the records of its ranks. INTO is made, and has\n"
		"copies of all of them.\n",
	.options = options,
	.run = merge,
};

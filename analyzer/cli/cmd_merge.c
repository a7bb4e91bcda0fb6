/* SPDX-License-Identifier: BSD-3-Clause */

/* `bcs merge`: copies the parts of a record from several folders into one. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/run/run.h"
#include "analyzer/run/run_unnamed.h"
#include "mds/base/reading.h"
#include "mds/flight/flight.h"

/* The files to copy. */
static struct {
	char **paths;
	size_t n;
	size_t room;
	size_t n_left_out;
	mode_t mode; /* what all of their folders allow */
} files;

static const char *name_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

static bool ends_with(const char *name, const char *end)
{
	const char *at = strrchr(name, '.');

	return at && strcmp(at, end) == 0;
}

static int file_add(const char *path)
{
	for (size_t i = 0; i < files.n; i++)
		if (strcmp(name_of(files.paths[i]), name_of(path)) == 0) {
			say_error("%s: is in %s, too; these are not parts "
				  "of one record",
				  path, files.paths[i]);
			return -EEXIST;
		}
	files.paths = mem_grow(files.paths, &files.room, files.n,
			       sizeof(*files.paths));
	files.paths[files.n++] = mem_text(path);
	return 0;
}

/* Whether the file goes with the record of a process. */
static bool is_beside(const char *path)
{
	static const char *const ends[] = { ".slices", ".trace", ".trace2",
					    ".schedule", FLIGHT_SUFFIX };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(path, ends[i]))
			return true;
	return false;
}

/* For those: they are not read, and only have to be files. */
static bool file_is_good(const char *path)
{
	const int fd = reading_open(path, READING_RECORD);

	if (fd >= 0)
		close(fd);
	else
		say_warning("%s: %s; left out", path,
			    reading_text(fd, READING_RECORD));
	return fd >= 0;
}

/* A record that was not read, and was not replaced by another of the rank. */
static bool is_missing(const struct run *run, const char *path)
{
	bool replaced = false;

	if (!ends_with(path, ".gz"))
		return false;
	for (size_t i = 0; i < run->files.n && !replaced; i++) {
		char *name = run_unnamed_name(intern_key(&run->files, i));

		replaced = strcmp(name, name_of(path)) == 0;
		free(name);
	}
	return !replaced;
}

static int path_add(const struct run *run, const char *path)
{
	if (is_beside(path) ? file_is_good(path)
			    : intern_find(&run->files, path, strlen(path)) !=
				      INTERN_NONE)
		return file_add(path);
	files.n_left_out += is_beside(path) || is_missing(run, path);
	return 0;
}

static int files_add(const struct run *run, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	struct stat st;
	char *path;
	int rc = 0;

	if (!dir || fstat(dirfd(dir), &st) != 0) {
		rc = -errno;
		say_error("%s: %s", folder, strerror(-rc));
	}
	while (rc == 0 && (entry = readdir(dir))) {
		path = mem_print("%s/%s", folder, entry->d_name);
		rc = path_add(run, path);
		free(path);
	}
	if (rc == 0)
		files.mode &= st.st_mode;
	if (dir)
		closedir(dir);
	return rc;
}

/* Program and size of a record. */
static char *run_text(const struct run *run)
{
	uint64_t others;

	return mem_print("%s of %llu ranks",
			 run_fact(run, RUN_PROGRAM, &others),
			 (unsigned long long)run->size);
}

/* `first` is the text of the first folder, where it is NULL before. */
static int part_add(const char *folder, const char *first_folder, char **first)
{
	static const struct run_filter all;
	struct run *run;
	char *text;
	int rc = run_load(&run, folder, &all);

	if (rc != 0)
		return rc;
	text = run_text(run);
	if (*first && strcmp(text, *first) != 0) {
		say_error("%s is of %s, %s of %s", first_folder, *first, folder,
			  text);
		rc = -EINVAL;
	} else {
		rc = files_add(run, folder);
	}
	if (!*first)
		*first = text;
	else
		free(text);
	run_free(run);
	return rc;
}

static int parts_add(int n, char **folders)
{
	char *first = NULL;
	int rc = 0;

	files.mode = 0777;
	for (int i = 0; rc == 0 && i < n; i++)
		rc = part_add(folders[i], folders[0], &first);
	free(first);
	return rc;
}

/* Holes stay holes: with them a file may be larger than any disk. */
static int copy_bytes(int from, int to, off_t size)
{
	char bytes[65536];
	off_t at = 0;
	ssize_t n;

	while ((at = lseek(from, at, SEEK_DATA)) >= 0) {
		n = read(from, bytes, sizeof(bytes));
		if (n <= 0)
			return n < 0 ? -errno : 0;
		for (ssize_t done = 0, m; done < n; done += m) {
			m = pwrite(to, bytes + done, (size_t)(n - done),
				   at + done);
			if (m < 0)
				return -errno;
		}
		at += n;
	}
	if (errno != ENXIO)
		return -errno;
	return ftruncate(to, size) < 0 ? -errno : 0;
}

/* The copy is for nobody who could not read the file. */
static int copy_opened(int from, const char *to_path)
{
	struct stat st;
	int to;
	int rc;

	if (fstat(from, &st) != 0)
		return -errno;
	to = open(to_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		  st.st_mode & 0666);
	if (to < 0)
		return -errno;
	rc = copy_bytes(from, to, st.st_size);
	if (close(to) != 0 && rc == 0)
		rc = -errno;
	return rc;
}

static int file_copy(const char *path, const char *folder)
{
	char *name = run_unnamed_name(path);
	char *to_path = mem_print("%s/%s", folder, name);
	const int from = reading_open(path, READING_RECORD);
	int rc = from < 0 ? from : copy_opened(from, to_path);

	if (from >= 0)
		close(from);
	if (rc != 0)
		say_error("%s: cannot be copied to %s: %s", path, to_path,
			  reading_text(rc, READING_RECORD));
	free(to_path);
	free(name);
	return rc;
}

static void show_progress(size_t file)
{
	char line[64];

	if (!say_progress_due())
		return;
	snprintf(line, sizeof(line), "copying file %zu of %zu", file + 1,
		 files.n);
	say_progress(line);
}

static int files_copy(const char *folder)
{
	int rc = 0;

	if (mkdir(folder, files.mode | S_IRWXU) != 0) {
		say_error("%s: %s", folder,
			  errno == EEXIST ? "is there already; name a folder "
					    "that is to be made"
					  : strerror(errno));
		return -errno;
	}
	for (size_t i = 0; rc == 0 && i < files.n; i++) {
		show_progress(i);
		rc = file_copy(files.paths[i], folder);
	}
	say_progress(NULL);
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
	rc = parts_add(argc - 1, argv + 1);
	if (rc == 0)
		rc = files_copy(argv[0]);
	say_rest();
	if (rc == 0 && files.n_left_out) {
		say_error("%s: is not all of the record: %zu %s left out; look "
			  "at what is said of them before FROM is removed",
			  argv[0], files.n_left_out,
			  files.n_left_out == 1 ? "file is" : "files are");
		rc = -EINVAL;
	}
	for (size_t i = 0; i < files.n; i++)
		free(files.paths[i]);
	free(files.paths);
	return rc == 0 ? 0 : 2;
}

const struct verb verb_merge = {
	.name = "merge",
	.summary = "put what the nodes of a run recorded into one folder",
	.operands = "INTO FROM...",
	.about = "Makes the folder INTO with copies of the records in all "
		 "folders\n"
		 "FROM.  Use it where nodes do not share a file system: each "
		 "node\n"
		 "then has a folder with the records of its own ranks.  A file "
		 "that\n"
		 "cannot be read as a record is left out; the exit status is "
		 "then 2.\n",
	.run = merge,
};

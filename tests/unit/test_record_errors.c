/* SPDX-License-Identifier: BSD-3-Clause */

/* Where a record cannot be written: an error, no file, and nothing else. */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mds/record/record.h"
#include "mds/record/record_file.h"

#define NAME   "rank-000000.gz"
#define NOBODY 65534

static char dir[64];
static char run[128]; /* the folder of the run, inside dir */
static char path[256];

static void setup(void)
{
	strcpy(dir, "/tmp/bcs-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(run, sizeof(run), "%s/run.bcs", dir);
	snprintf(path, sizeof(path), "%s/%s", run, NAME);
}

static void teardown(void)
{
	unlink(path);
	rmdir(run);
	ck_assert_int_eq(rmdir(dir), 0); /* nothing else is left in it */
}

static struct record_writer *create(void)
{
	struct record_writer *writer;

	ck_assert_int_eq(record_create(&writer, run, NAME), 0);
	return writer;
}

static int try_create(const char *in, const char *name)
{
	struct record_writer *writer = NULL;
	const int rc = record_create(&writer, in, name);

	ck_assert(rc < 0);
	ck_assert_ptr_null(writer);
	return rc;
}

static void put_rows(struct record_writer *writer, uint64_t n)
{
	record_table_begin(writer, "peers", 1, "communicator peer sends");
	for (uint64_t i = 0; i < n; i++) {
		record_put_u64(writer, i * 7919 % 104729);
		record_put_u64(writer, i * 104729 % 7919);
		record_put_u64(writer, i * i % 1000003);
		record_row_end(writer);
	}
	record_table_end(writer);
}

static void put_note(struct record_writer *writer, const char *text)
{
	record_table_begin(writer, "notes", 1, "text");
	record_put_str(writer, text);
	record_row_end(writer);
	record_table_end(writer);
}

/* After an error `dir` has no file, neither old nor temporary. */
static void check_nothing(void)
{
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(rmdir(run), 0);
}

START_TEST(the_folder_is_made_but_not_the_one_above)
{
	char deep[256];

	ck_assert_int_eq(record_close(create()), 0);
	ck_assert_int_eq(record_close(create()), 0);
	ck_assert_int_eq(access(path, R_OK), 0);
	snprintf(deep, sizeof(deep), "%s/none/run.bcs", dir);
	ck_assert_int_eq(try_create(deep, NAME), -ENOENT);
}
END_TEST

START_TEST(the_folder_is_a_file)
{
	ck_assert_int_eq(record_close(create()), 0);
	ck_assert_int_eq(try_create(path, NAME), -ENOTDIR);
}
END_TEST

START_TEST(the_folder_is_not_ours)
{
	const uid_t user = geteuid();

	ck_assert_int_eq(mkdir(run, 0555), 0);
	ck_assert_int_eq(chmod(dir, 0755), 0);
	if (user == 0)
		ck_assert_int_eq(seteuid(NOBODY), 0);
	ck_assert_int_eq(try_create(run, NAME), -EACCES);
	ck_assert_int_eq(seteuid(user), 0);
	check_nothing();
}
END_TEST

/* All may write there, and root everywhere: who owns it tells. */
START_TEST(the_folder_is_a_stranger_s)
{
	ck_assert_int_eq(mkdir(run, 0777), 0);
	ck_assert_int_eq(chmod(run, 0777), 0);
	if (geteuid() == 0) {
		ck_assert_int_eq(chown(run, NOBODY, NOBODY), 0);
		ck_assert(!record_file_dir_is_safe(run));
		ck_assert_int_eq(try_create(run, NAME), -EPERM);
	}
	ck_assert(!record_file_dir_is_safe(run));
	check_nothing();
	ck_assert_int_eq(symlink(".", run), 0);
	ck_assert(!record_file_dir_is_safe(run));
	ck_assert_int_eq(try_create(run, NAME), -ENOTDIR);
	ck_assert_int_eq(unlink(run), 0);
	ck_assert_int_eq(record_file_make_dir(run), 0);
	ck_assert(record_file_dir_is_safe(run));
	check_nothing();
}
END_TEST

START_TEST(the_temporary_name_is_taken)
{
	char taken[2][256];

	ck_assert_int_eq(record_file_make_dir(run), 0);
	for (int i = 0; i < 2; i++)
		snprintf(taken[i], sizeof(taken[i]), "%s/.%s.%d.%d", run, NAME,
			 (int)getpid(), i);
	ck_assert_int_eq(mkfifo(taken[0], 0777), 0);
	ck_assert_int_eq(symlink("/dev/full", taken[1]), 0);
	ck_assert_int_eq(record_close(create()), 0);
	ck_assert_int_eq(unlink(taken[0]), 0);
	ck_assert_int_eq(unlink(taken[1]), 0);
}
END_TEST

static unsigned mode_of(const char *file)
{
	struct stat st;

	ck_assert_int_eq(stat(file, &st), 0);
	return st.st_mode & 07777;
}

START_TEST(permissions)
{
	const mode_t before = umask(0);

	ck_assert_int_eq(record_close(create()), 0);
	ck_assert_uint_eq(mode_of(run), 0700);
	ck_assert_uint_eq(mode_of(path), 0600);
	unlink(path);
	rmdir(run);
	umask(026);
	record_file_mask = 0;
	ck_assert_int_eq(record_close(create()), 0);
	ck_assert_uint_eq(mode_of(run), 0751);
	ck_assert_uint_eq(mode_of(path), 0640);
	umask(before);
}
END_TEST

START_TEST(the_name_is_too_long)
{
	char name[NAME_MAX + 1];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(try_create(dir, name), -ENAMETOOLONG);
}
END_TEST

START_TEST(the_name_is_taken_by_a_folder)
{
	struct record_writer *writer = create();

	ck_assert_int_eq(mkdir(path, 0777), 0);
	put_rows(writer, 10);
	ck_assert_int_eq(record_close(writer), -EISDIR);
	ck_assert_int_eq(rmdir(path), 0);
	check_nothing();
}
END_TEST

START_TEST(a_row_has_as_many_fields_as_columns)
{
	struct record_writer *writer = create();

	record_table_begin(writer, "notes", 1, "text");
	record_row_end(writer);
	record_table_end(writer);
	ck_assert_int_eq(record_close(writer), -EINVAL);
	check_nothing();

	writer = create();
	record_table_begin(writer, "notes", 1, "text");
	record_put_u64(writer, 1);
	record_put_u64(writer, 2);
	record_row_end(writer);
	record_table_end(writer);
	ck_assert_int_eq(record_close(writer), -EINVAL);
	check_nothing();
}
END_TEST

START_TEST(tables_and_rows_are_ended)
{
	struct record_writer *writer = create();

	record_table_begin(writer, "notes", 1, "text");
	ck_assert_int_eq(record_close(writer), -EINVAL);
	check_nothing();

	writer = create();
	record_table_begin(writer, "notes", 1, "text");
	record_put_str(writer, "half a row");
	record_table_end(writer);
	ck_assert_int_eq(record_close(writer), -EINVAL);
	check_nothing();

	writer = create();
	record_put_str(writer, "in no table");
	record_row_end(writer);
	ck_assert_int_eq(record_close(writer), -EINVAL);
	check_nothing();
}
END_TEST

/* The first error is the one that is told. */
START_TEST(a_row_fits_a_section)
{
	struct record_writer *writer = create();
	char blanks[RECORD_TEXT_MAX + 1];

	memset(blanks, ' ', RECORD_TEXT_MAX);
	blanks[RECORD_TEXT_MAX] = '\0';
	put_rows(writer, 3000);
	record_table_begin(writer, "notes", 1, "a b c");
	for (int i = 0; i < 3; i++)
		record_put_str(writer, blanks);
	record_table_end(writer);
	put_rows(writer, 3000);
	ck_assert_int_eq(record_close(writer), -EMSGSIZE);
	check_nothing();
}
END_TEST

/* Some 150 KB packed, so that the file is written before it is closed. */
static int fill(void)
{
	struct record_writer *writer = create();

	put_rows(writer, 30000);
	return record_close(writer);
}

/* SIGXFSZ would end the program if it got through. */
START_TEST(the_file_is_limited)
{
	const struct rlimit limit = { 20000, RLIM_INFINITY };
	sigset_t pending;

	signal(SIGXFSZ, SIG_DFL);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(fill(), -EFBIG);
	check_nothing();
	sigpending(&pending);
	ck_assert(!sigismember(&pending, SIGXFSZ));
}
END_TEST

/* Needs the right to mount; the limit above goes the same way. */
START_TEST(the_disk_is_full)
{
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", dir, "tmpfs", 0, "size=32k") < 0)
		return;
	ck_assert_int_eq(fill(), -ENOSPC);
	check_nothing();
	ck_assert_int_eq(umount(dir), 0);
}
END_TEST

static volatile sig_atomic_t handled = 1;

static void write_in_handler(int number)
{
	struct record_writer *writer;
	int rc = record_create(&writer, run, NAME);

	(void)number;
	if (rc == 0) {
		put_note(writer, "written in a handler");
		rc = record_close(writer);
	}
	handled = rc;
}

START_TEST(a_signal_handler_writes)
{
	struct record_writer *writer = create();
	struct record *record;
	char why[256];

	signal(SIGUSR1, write_in_handler);
	put_rows(writer, 100);
	raise(SIGUSR1);
	ck_assert_int_eq(handled, 0);
	record_abandon(writer);
	ck_assert_int_eq(
		record_open(&record, path, READING_RECORD, why, sizeof(why)),
		0);
	ck_assert_str_eq(record_str(record_table(record, "notes"), 0, 0),
			 "written in a handler");
	record_free(record);
}
END_TEST

/* KiB of address space. */
static long memory(void)
{
	FILE *statm = fopen("/proc/self/statm", "r");
	long pages = 0;

	ck_assert_ptr_nonnull(statm);
	ck_assert_int_eq(fscanf(statm, "%ld", &pages), 1);
	fclose(statm);
	return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static int open_files(void)
{
	const int fd = dup(0);

	close(fd);
	return fd;
}

START_TEST(a_writer_is_small_and_gives_all_back)
{
	struct record_writer *writer;
	const int files = open_files();
	long before = memory();
	long during;

	writer = create();
	during = memory();
	ck_assert_int_le(during - before, 128);
	ck_assert_int_ge(during - before, 64);
	ck_assert_int_eq(record_close(writer), 0);
	for (int i = 0; i < 50; i++) {
		record_abandon(create());
		try_create("/proc/none", NAME);
		try_create("/proc/self", NAME);
	}
	ck_assert_int_lt(memory() - before, 64);
	ck_assert_int_eq(open_files(), files);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record_errors");
	TCase *tcase = tcase_create("record_errors");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, the_folder_is_made_but_not_the_one_above);
	tcase_add_test(tcase, the_folder_is_a_file);
	tcase_add_test(tcase, the_folder_is_not_ours);
	tcase_add_test(tcase, the_folder_is_a_stranger_s);
	tcase_add_test(tcase, the_temporary_name_is_taken);
	tcase_add_test(tcase, permissions);
	tcase_add_test(tcase, the_name_is_too_long);
	tcase_add_test(tcase, the_name_is_taken_by_a_folder);
	tcase_add_test(tcase, a_row_has_as_many_fields_as_columns);
	tcase_add_test(tcase, tables_and_rows_are_ended);
	tcase_add_test(tcase, a_row_fits_a_section);
	tcase_add_test(tcase, the_file_is_limited);
	tcase_add_test(tcase, the_disk_is_full);
	tcase_add_test(tcase, a_signal_handler_writes);
	tcase_add_test(tcase, a_writer_is_small_and_gives_all_back);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of the record's writer and reader: what is written is read. */
#include <check.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mds/record/record.h"

#define NAME "rank-000000.gz"

static char dir[64];
static char path[128];
static char why[256];

static void setup(void)
{
	strcpy(dir, "/tmp/bcs-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/%s", dir, NAME);
}

static void teardown(void)
{
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0); /* nothing else is left in it */
}

static struct record_writer *create(void)
{
	struct record_writer *writer;

	ck_assert_int_eq(record_create(&writer, dir, NAME), 0);
	return writer;
}

static struct record *open_whole(void)
{
	struct record *record;

	ck_assert_msg(record_open(&record, path, READING_RECORD, why,
				  sizeof(why)) == 0,
		      "%s", why);
	ck_assert_str_eq(why, "");
	ck_assert_int_eq(record_state(record), RECORD_WHOLE);
	return record;
}

/* A table with one text; the record is the whole file. */
static void write_text(const char *text)
{
	struct record_writer *writer = create();

	record_table_begin(writer, "notes", 1, "text");
	record_put_str(writer, text);
	record_row_end(writer);
	record_table_end(writer);
	ck_assert_int_eq(record_close(writer), 0);
}

static void check_text(const char *written, const char *read)
{
	struct record *record;
	const struct record_table *notes;

	write_text(written);
	record = open_whole();
	notes = record_table(record, "notes");
	ck_assert_uint_eq(record_rows(notes), 1);
	ck_assert_str_eq(record_str(notes, 0, 0), read);
	record_free(record);
}

START_TEST(texts_come_back_as_they_went)
{
	char all[256];

	for (int i = 0; i < 255; i++)
		all[i] = (char)(i + 1);
	all[255] = '\0';
	check_text(all, all);
	check_text("", "");
	check_text(NULL, "");
	check_text("%", "%");
	check_text("%41 100%", "%41 100%");
	check_text("two\nlines and\ta tab ", "two\nlines and\ta tab ");
	check_text("\xc3\xa9t\xc3\xa9 \xe2\x82\xac",
		   "\xc3\xa9t\xc3\xa9 \xe2\x82\xac");
}
END_TEST

START_TEST(long_texts_are_cut_between_characters)
{
	char text[RECORD_TEXT_MAX + 8];
	char cut[RECORD_TEXT_MAX + 8];

	memset(text, ' ', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	strcpy(cut, text);
	cut[RECORD_TEXT_MAX] = '\0';
	check_text(text, cut);

	/* Three bytes of which the second would be the first one too many. */
	memcpy(text + RECORD_TEXT_MAX - 1, "\xe2\x82\xac", 3);
	cut[RECORD_TEXT_MAX - 1] = '\0';
	check_text(text, cut);
}
END_TEST

static const uint64_t numbers[] = {
	0,
	1,
	9,
	10,
	15,
	16,
	99,
	100,
	101,
	999,
	1000,
	4294967296,
	999999999999999999,
	1000000000000000000,
	9999999999999999999u,
	10000000000000000000u,
	UINT64_MAX - 1,
	UINT64_MAX,
};
#define N_NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

START_TEST(numbers_come_back_as_they_went)
{
	struct record_writer *writer = create();
	const struct record_table *paths;
	struct record *record;

	record_table_begin(writer, "paths", 1, "path level offset_hex");
	for (size_t i = 0; i < N_NUMBERS; i++) {
		record_put_u64(writer, numbers[i]);
		record_put_u64(writer, i);
		record_put_hex(writer, numbers[i]);
		record_row_end(writer);
	}
	record_table_end(writer);
	ck_assert_int_eq(record_close(writer), 0);

	record = open_whole();
	paths = record_table(record, "paths");
	ck_assert_uint_eq(record_rows(paths), N_NUMBERS);
	for (size_t i = 0; i < N_NUMBERS; i++) {
		ck_assert_uint_eq(record_u64(paths, i, 0), numbers[i]);
		ck_assert_uint_eq(record_u64(paths, i, 1), i);
		ck_assert_uint_eq(record_u64(paths, i, 2), numbers[i]);
	}
	record_free(record);
}
END_TEST

START_TEST(what_is_not_there_is_nothing)
{
	const struct record_table *notes;
	struct record *record;

	write_text("12x");
	record = open_whole();
	ck_assert_ptr_null(record_table(record, "cells"));
	ck_assert_uint_eq(record_rows(NULL), 0);
	ck_assert_int_eq(record_column(NULL, "text"), -1);
	ck_assert_str_eq(record_str(NULL, 0, 0), "");
	ck_assert_uint_eq(record_u64(NULL, 0, 0), 0);

	notes = record_table(record, "notes");
	ck_assert_int_eq(record_column(notes, "text"), 0);
	ck_assert_int_eq(record_column(notes, "tex"), -1);
	ck_assert_str_eq(record_str(notes, 0, -1), "");
	ck_assert_str_eq(record_str(notes, 0, 1), "");
	ck_assert_str_eq(record_str(notes, 1, 0), "");
	ck_assert_str_eq(record_str(notes, 1 << 30, 0), "");
	ck_assert_uint_eq(record_u64(notes, 0, 0), 0);

	ck_assert_str_eq(record_value(record, "record", "format"), "1");
	ck_assert_ptr_null(record_value(record, "record", "colour"));
	ck_assert_ptr_null(record_value(record, "notes", "text"));
	ck_assert_ptr_null(record_value(record, "process", "rank"));
	record_free(record);
	record_free(NULL);
}
END_TEST

static void put_rows(struct record_writer *writer, uint64_t n)
{
	record_table_begin(writer, "phases", 1, "phase name count time_ns");
	for (uint64_t i = 0; i < n; i++) {
		record_put_u64(writer, i);
		record_put_str(writer, "a phase with a rather long name");
		record_put_u64(writer, i * i);
		record_put_u64(writer, i * 1000000007);
		record_row_end(writer);
	}
	record_table_end(writer);
}

START_TEST(a_long_table_is_one_again)
{
	struct record_writer *writer = create();
	const struct record_table *phases;
	struct record *record;
	int name;

	put_rows(writer, 5000);
	ck_assert_int_eq(record_close(writer), 0);
	record = open_whole();
	phases = record_table(record, "phases");
	name = record_column(phases, "name");
	ck_assert_uint_eq(record_rows(phases), 5000);
	for (uint64_t i = 0; i < 5000; i++) {
		ck_assert_uint_eq(record_u64(phases, i, 0), i);
		ck_assert_str_eq(record_str(phases, i, name),
				 "a phase with a rather long name");
		ck_assert_uint_eq(record_u64(phases, i, 2), i * i);
		ck_assert_uint_eq(record_u64(phases, i, 3), i * 1000000007);
	}
	record_free(record);
}
END_TEST

/* Sections are bounded, or a crash would cost too much. */
START_TEST(a_long_table_is_cut_into_sections)
{
	struct record_writer *writer = create();
	char command[256];
	FILE *pipe;
	int n = 0;

	put_rows(writer, 5000);
	ck_assert_int_eq(record_close(writer), 0);
	snprintf(command, sizeof(command),
		 "zcat %s | grep -c '^section phases 1 [0-9]*$'", path);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	ck_assert_int_eq(fscanf(pipe, "%d", &n), 1);
	pclose(pipe);
	ck_assert_int_ge(n, 5000 * 50 / 32768);
}
END_TEST

static off_t size_with_rows(uint64_t n)
{
	struct record_writer *writer = create();
	struct stat st;

	put_rows(writer, n);
	ck_assert_int_eq(record_close(writer), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	return st.st_size;
}

/* The program waits for its last record, and packing takes long. */
START_TEST(a_long_record_is_packed_at_its_beginning_only)
{
	const off_t text = 5000 * 50;
	const off_t packed = size_with_rows(1000);

	ck_assert_int_lt(packed, 1000 * 50 / 2);
	ck_assert_int_gt(size_with_rows(5000), text - 98304);
}
END_TEST

START_TEST(an_empty_table_has_columns)
{
	struct record_writer *writer = create();
	struct record *record;

	put_rows(writer, 0);
	ck_assert_int_eq(record_close(writer), 0);
	record = open_whole();
	ck_assert_ptr_nonnull(record_table(record, "phases"));
	ck_assert_uint_eq(record_rows(record_table(record, "phases")), 0);
	ck_assert_int_eq(
		record_column(record_table(record, "phases"), "time_ns"), 3);
	record_free(record);
}
END_TEST

/* The file that was there stays until the new one is whole. */
START_TEST(a_later_record_replaces_the_earlier)
{
	struct record_writer *writer;
	struct record *record;

	write_text("first");
	writer = create();
	put_rows(writer, 5000);
	record = open_whole();
	ck_assert_ptr_nonnull(record_table(record, "notes"));
	record_free(record);

	ck_assert_int_eq(record_close(writer), 0);
	record = open_whole();
	ck_assert_ptr_null(record_table(record, "notes"));
	ck_assert_uint_eq(record_rows(record_table(record, "phases")), 5000);
	record_free(record);
}
END_TEST

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int count_visible(void)
{
	struct dirent **entries;
	const int n = scandir(dir, &entries, visible, alphasort);

	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	return n;
}

/* Or who looks at the folder of a run under way would take it for a record. */
START_TEST(what_is_not_whole_is_hidden)
{
	struct record_writer *writer = create();

	put_rows(writer, 5000);
	ck_assert_int_eq(count_visible(), 0);
	ck_assert_int_eq(record_close(writer), 0);
	ck_assert_int_eq(count_visible(), 1);
}
END_TEST

START_TEST(two_writers_do_not_mix)
{
	struct record_writer *outer = create();
	struct record *record;

	put_rows(outer, 3000);
	write_text("inner");
	record = open_whole();
	ck_assert_ptr_nonnull(record_table(record, "notes"));
	record_free(record);

	ck_assert_int_eq(record_close(outer), 0);
	record = open_whole();
	ck_assert_uint_eq(record_rows(record_table(record, "phases")), 3000);
	record_free(record);
}
END_TEST

START_TEST(what_is_abandoned_leaves_nothing)
{
	struct record_writer *writer = create();

	put_rows(writer, 5000);
	record_abandon(writer);
	record_abandon(NULL);
	ck_assert_int_eq(access(path, F_OK), -1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record");
	TCase *tcase = tcase_create("record");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, texts_come_back_as_they_went);
	tcase_add_test(tcase, long_texts_are_cut_between_characters);
	tcase_add_test(tcase, numbers_come_back_as_they_went);
	tcase_add_test(tcase, what_is_not_there_is_nothing);
	tcase_add_test(tcase, a_long_table_is_one_again);
	tcase_add_test(tcase, a_long_table_is_cut_into_sections);
	tcase_add_test(tcase, a_long_record_is_packed_at_its_beginning_only);
	tcase_add_test(tcase, an_empty_table_has_columns);
	tcase_add_test(tcase, a_later_record_replaces_the_earlier);
	tcase_add_test(tcase, what_is_not_whole_is_hidden);
	tcase_add_test(tcase, two_writers_do_not_mix);
	tcase_add_test(tcase, what_is_abandoned_leaves_nothing);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

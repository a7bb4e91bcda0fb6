/* SPDX-License-Identifier: BSD-3-Clause */

/* Files that are cut off or changed: a prefix of the tables, never a crash. */
#include <check.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mds/record/record.h"
#include "tests/unit/pack_member.h"

#define N_ROWS  150 /* long ones: three sections */
#define N_NOTES 20

static unsigned char *file;
static size_t file_size;
static char *text; /* the same unpacked */
static size_t text_size;
static char why[256];

static void write_file(const char *dir)
{
	struct record_writer *writer;
	char name[500] = "";

	ck_assert_int_eq(record_create(&writer, dir, "r"), 0);
	record_table_begin(writer, "notes", 1, "text");
	for (int i = 0; i < N_NOTES; i++) {
		record_put_str(writer, i % 2 ? "100 % of it" : "");
		record_row_end(writer);
	}
	record_table_end(writer);
	memset(name, 'x', sizeof(name) - 1);
	record_table_begin(writer, "phases", 1, "phase name count time_ns");
	for (uint64_t i = 0; i < N_ROWS; i++) {
		record_put_u64(writer, i);
		record_put_str(writer, name);
		record_put_u64(writer, i % 7);
		record_put_u64(writer, 1000000 + i);
		record_row_end(writer);
	}
	record_table_end(writer);
	ck_assert_int_eq(record_close(writer), 0);
}

static void *slurp(FILE *from, size_t *size)
{
	char *bytes = malloc(1 << 20);

	ck_assert_ptr_nonnull(from);
	ck_assert_ptr_nonnull(bytes);
	*size = fread(bytes, 1, 1 << 20, from);
	return bytes;
}

static void setup(void)
{
	char dir[] = "/tmp/bcs-test-XXXXXX";
	char path[64];
	char command[128];
	FILE *from;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	write_file(dir);
	snprintf(path, sizeof(path), "%s/r", dir);
	from = fopen(path, "rb");
	file = slurp(from, &file_size);
	fclose(from);
	snprintf(command, sizeof(command), "zcat <%s", path);
	from = popen(command, "r");
	text = slurp(from, &text_size);
	ck_assert_int_eq(pclose(from), 0);
	unlink(path);
	rmdir(dir);
}

static void teardown(void)
{
	free(file);
	free(text);
}

/* Exactly as large as it is, so that the address sanitizer sees its end. */
static int parse(struct record **record_p, const void *bytes, size_t size)
{
	char *copy = malloc(size ? size : 1);
	int rc;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, bytes, size);
	*record_p = NULL;
	rc = record_parse(record_p, copy, size, "file", why, sizeof(why));
	free(copy);
	return rc;
}

/* One assertion for all rows: libcheck takes its time over each. */
static size_t good_rows(const struct record_table *phases)
{
	size_t i = 0;

	while (i < record_rows(phases) && record_u64(phases, i, 0) == i &&
	       record_u64(phases, i, 3) == 1000000 + i)
		i++;
	return i;
}

static void check_prefix(const struct record *record)
{
	const struct record_table *notes = record_table(record, "notes");
	const struct record_table *phases = record_table(record, "phases");

	ck_assert(!notes || record_rows(notes) == N_NOTES);
	ck_assert(!phases || notes);
	ck_assert_uint_le(record_rows(phases), N_ROWS);
	ck_assert_uint_eq(good_rows(phases), record_rows(phases));
}

/* Touches every field that there is. */
static uint64_t walk(const struct record *record)
{
	static const char *const names[] = { "record", "notes", "phases",
					     "end" };
	const struct record_table *table;
	uint64_t sum = 0;

	for (size_t t = 0; t < sizeof(names) / sizeof(names[0]); t++) {
		table = record_table(record, names[t]);
		for (size_t row = 0; row < record_rows(table); row++)
			for (int c = 0; c < 5; c++)
				sum += record_u64(table, row, c) +
				       strlen(record_str(table, row, c));
	}
	return sum;
}

START_TEST(cut_off_anywhere)
{
	struct record *record;
	size_t rows = 0;
	int states = 0;

	for (size_t size = 0; size < file_size; size++) {
		const int rc = parse(&record, file, size);

		ck_assert_ptr_eq(strstr(why, "file: "), why);
		if (rc < 0) {
			ck_assert_int_eq(rc, -EPROTO);
			ck_assert_int_eq(states, 0);
			continue;
		}
		ck_assert_int_eq(record_state(record), RECORD_PARTIAL);
		ck_assert_ptr_null(record_table(record, "end"));
		check_prefix(record);
		/* Rows that were readable stay so with more of the file. */
		ck_assert_uint_ge(record_rows(record_table(record, "phases")),
				  rows);
		if (record_rows(record_table(record, "phases")) > rows)
			states++;
		rows = record_rows(record_table(record, "phases"));
		states += states == 0;
		record_free(record);
	}
	ck_assert_int_gt(states, 2); /* the long table came piece by piece */
	ck_assert_int_eq(parse(&record, file, file_size), 0);
	ck_assert_int_eq(record_state(record), RECORD_WHOLE);
	record_free(record);
}
END_TEST

/* The checksums of gzip tell what is damaged from what is not. */
START_TEST(any_byte_changed)
{
	struct record *record;

	for (size_t i = 0; i < file_size; i++) {
		file[i] ^= (unsigned char)(1u << i % 8);
		if (parse(&record, file, file_size) == 0) {
			check_prefix(record);
			record_free(record);
		}
		file[i] ^= (unsigned char)(1u << i % 8);
	}
}
END_TEST

/* Beneath the checksums: the changed text is packed as if it were good. */
START_TEST(any_byte_of_the_text_changed)
{
	static const char bytes[] = "\n %0a\x7f\x00\xff";
	unsigned char *packed;
	struct record *record;
	size_t packed_size;
	uint64_t sum = 0;

	for (size_t i = 0; i < text_size; i += i < 500 ? 1 : 211) {
		const char was = text[i];

		text[i] = bytes[i % sizeof(bytes)];
		packed = NULL;
		packed_size = 0;
		pack_member(&packed, &packed_size, text, text_size);
		if (parse(&record, packed, packed_size) == 0) {
			sum += walk(record);
			record_free(record);
		}
		free(packed);
		text[i] = was;
	}
	ck_assert_uint_gt(sum, 0);
}
END_TEST

START_TEST(packed_again_it_is_the_same)
{
	unsigned char *packed = NULL;
	size_t packed_size = 0;
	struct record *record;

	pack_member(&packed, &packed_size, text, text_size / 2);
	pack_member(&packed, &packed_size, text + text_size / 2,
		    text_size - text_size / 2);
	ck_assert_int_eq(parse(&record, packed, packed_size), 0);
	ck_assert_int_eq(record_state(record), RECORD_WHOLE);
	check_prefix(record);
	ck_assert_uint_eq(record_rows(record_table(record, "phases")), N_ROWS);
	record_free(record);
	free(packed);
}
END_TEST

/* Two files in one: the first is read, the second is told of. */
START_TEST(two_files_in_one)
{
	struct record *record;

	ck_assert_uint_lt(2 * file_size, 1 << 20);
	memcpy(file + file_size, file, file_size);
	ck_assert_int_eq(parse(&record, file, 2 * file_size), 0);
	ck_assert_int_eq(record_state(record), RECORD_PARTIAL);
	ck_assert_ptr_nonnull(strstr(why, "more after the end"));
	check_prefix(record);
	ck_assert_uint_eq(record_rows(record_table(record, "phases")), N_ROWS);
	record_free(record);
}
END_TEST

START_TEST(rubbish_behind_the_end)
{
	struct record *record;

	memset(file + file_size, 'x', 1000);
	ck_assert_int_eq(parse(&record, file, file_size + 1000), 0);
	ck_assert_int_eq(record_state(record), RECORD_PARTIAL);
	ck_assert_ptr_nonnull(strstr(why, "damaged at byte"));
	check_prefix(record);
	ck_assert_ptr_nonnull(record_table(record, "end"));
	record_free(record);
}
END_TEST

/* 16 MiB pack to 70 KB; twenty of them are more than a record may be. */
START_TEST(a_bomb_is_refused)
{
	const size_t size = 16 << 20;
	unsigned char *packed = NULL;
	size_t packed_size = 0;
	struct record *record;
	char *rows = malloc(size);
	unsigned char *bomb;

	ck_assert_ptr_nonnull(rows);
	memset(rows, 'x', size);
	pack_member(&packed, &packed_size, rows, size);
	bomb = malloc(20 * packed_size);
	ck_assert_ptr_nonnull(bomb);
	for (int i = 0; i < 20; i++)
		memcpy(bomb + (size_t)i * packed_size, packed, packed_size);
	ck_assert_int_eq(parse(&record, bomb, 20 * packed_size), -EFBIG);
	ck_assert_str_eq(why, "file: unpacks to more than 256 MiB");
	free(rows);
	free(packed);
	free(bomb);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record_damage");
	TCase *tcase = tcase_create("record_damage");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 100);
	tcase_add_test(tcase, cut_off_anywhere);
	tcase_add_test(tcase, any_byte_changed);
	tcase_add_test(tcase, any_byte_of_the_text_changed);
	tcase_add_test(tcase, packed_again_it_is_the_same);
	tcase_add_test(tcase, two_files_in_one);
	tcase_add_test(tcase, rubbish_behind_the_end);
	tcase_add_test(tcase, a_bomb_is_refused);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

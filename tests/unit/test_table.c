/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of units and of the layout of tables. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/units.h"
#include "analyzer/places/intern.h"
#include "analyzer/show/table.h"
#include "mds/base/utf8.h"

START_TEST(times_have_a_unit_that_suits)
{
	ck_assert_str_eq(units_time_text(0), "0 ns");
	ck_assert_str_eq(units_time_text(999), "999 ns");
	ck_assert_str_eq(units_time_text(1500), "1.500 us");
	/* Not 1000.000 us. */
	ck_assert_str_eq(units_time_text(999999999), "1.000 s");
	ck_assert_str_eq(units_time_text(4000000000000), "4000.000 s");
	ck_assert_str_eq(units_bytes_text(1024), "1.0 KiB");
	ck_assert_str_eq(units_bytes_text(UINT64_MAX), "16777216.0 TiB");
}
END_TEST

/* A column goes by its typical number, unless the greatest is too long then. */
START_TEST(a_column_has_one_unit)
{
	ck_assert_str_eq(units_time(1500, 2000).name, "us");
	ck_assert_str_eq(units_time(1500, 900000000).name, "us");
	ck_assert_str_eq(units_time(1500, 5000000000).name, "ms");
	ck_assert_int_eq(units_time(1500, 2000).decimals, 3);
	ck_assert_int_eq(units_time(1500, 900000000).decimals, 1);
	ck_assert_int_eq(units_time(1, 2).decimals, 0);
	ck_assert_str_eq(units_bytes(2048, 4096).name, "KiB");
}
END_TEST

START_TEST(only_utf8_is_a_character)
{
	static const struct {
		const char *text;
		unsigned length;
	} texts[] = {
		{ "a", 1 },
		{ "\xc3\xa4", 2 },
		{ "\xe2\x82\xac", 3 },
		{ "\xf0\x9f\x98\x80", 4 },
		{ "\xff", 0 },
		{ "\xc0\x80", 0 },
		{ "\xe0\x80\x80", 0 },
		{ "\xed\xa0\x80", 0 },
		{ "\xf4\x90\x80\x80", 0 },
		{ "\xe2\x82", 0 },
		{ "\x80", 0 },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		ck_assert_uint_eq(utf8_length(texts[i].text), texts[i].length);
	ck_assert_uint_eq(utf8_width("\xc3\xa4\xff\xe2\x82\xac"), 3);
}
END_TEST

START_TEST(texts_are_cut_between_characters)
{
	char text[32];

	strcpy(text, "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f");
	utf8_cut(text, 4);
	ck_assert_str_eq(text, "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f");
	strcpy(text, "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9fxy");
	utf8_cut(text, 5);
	ck_assert_str_eq(text, "\xc3\xa4\xc3\xb6...");
	strcpy(text, "solve_the_equation app.c:120");
	utf8_cut_to_tail(text, 12);
	ck_assert_str_eq(text, "...app.c:120");
}
END_TEST

static void check_escape(const char *text, size_t size, const char *expected)
{
	char to[64];

	memset(to, 'x', sizeof(to));
	utf8_escape(to, size, text);
	ck_assert_str_eq(to, expected);
	/* Escaped text stays as it is. */
	utf8_escape(to, sizeof(to), expected);
	ck_assert_str_eq(to, expected);
}

START_TEST(what_upsets_a_terminal_is_escaped)
{
	check_escape("", 1, "");
	check_escape("\xc3\xa4 b\\", 64, "\xc3\xa4 b\\");
	check_escape("\x1b[2J\n\x7f", 64, "\\x1b[2J\\x0a\\x7f");
	check_escape("\xff\xc3", 64, "\\xff\\xc3");
	check_escape("\xc2\x80\xc2\x9f\xc2\xa0", 64, "\\u0080\\u009f\xc2\xa0");
	check_escape("\xd8\x9c\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90",
		     64, "\\u061c\xe2\x80\x8d\\u200e\\u200f\xe2\x80\x90");
	check_escape("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf", 64,
		     "\xe2\x80\xa7\\u2028\\u202e\xe2\x80\xaf");
	check_escape("\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", 64,
		     "\xe2\x81\xa5\\u2066\\u2069\xe2\x81\xaa");
	check_escape("\xf0\x9f\x98\x80", 64, "\xf0\x9f\x98\x80");
	/* Whole characters and whole escapes only. */
	check_escape("ab\x1b", 7, "ab\\x1b");
	check_escape("ab\x1b", 6, "ab");
	check_escape("ab\xc3\xa4", 5, "ab\xc3\xa4");
	check_escape("ab\xc3\xa4", 4, "ab");
}
END_TEST

#define N_KEYS 20000

/* Long keys first: those that come later are beginnings of them. */
static size_t make_key(char *key, size_t size, size_t i)
{
	return (size_t)snprintf(key, size, "%zu", N_KEYS - i);
}

START_TEST(keys_have_numbers)
{
	struct intern intern = { 0 };
	char key[32];
	size_t len;

	for (size_t i = 0; i < N_KEYS; i++) {
		make_key(key, sizeof(key), i);
		ck_assert_uint_eq(intern_text(&intern, key), i);
	}
	for (size_t i = 0; i < N_KEYS; i++) {
		len = make_key(key, sizeof(key), i);
		ck_assert_uint_eq(intern_find(&intern, key, len), i);
		ck_assert_uint_eq(intern_text(&intern, key), i);
		ck_assert_str_eq(intern_key(&intern, i), key);
	}
	ck_assert_uint_eq(intern_find(&intern, "x", 1), INTERN_NONE);
	/* The empty key is one too, and another than a zero byte. */
	ck_assert_uint_eq(intern_add(&intern, "", 0), N_KEYS);
	ck_assert_uint_eq(intern_add(&intern, "", 1), N_KEYS + 1);
	intern_clear(&intern);
	ck_assert_uint_eq(intern_find(&intern, "1", 1), INTERN_NONE);
}
END_TEST

/* In a small table two keys often meet in one place. */
START_TEST(the_beginning_of_a_key_is_another_key)
{
	char key[32];
	size_t len;

	for (size_t i = 0; i < 1000; i++) {
		struct intern intern = { 0 };

		len = make_key(key, sizeof(key), i);
		ck_assert_uint_eq(intern_add(&intern, key, len), 0);
		ck_assert_uint_eq(intern_add(&intern, key, len - 1), 1);
		intern_clear(&intern);
	}
}
END_TEST

static const struct table_column columns[] = {
	{ "name", "Name", TABLE_TEXT, 0, TABLE_BY_NAME },
	{ "time_ns", "Time", TABLE_TIME, 0, TABLE_BY_TIME },
	{ 0 },
};

static struct table_row *add(struct table *table, const char *name,
			     uint64_t time)
{
	struct table_row *row = table_row(table, 0);

	table_words(table, name);
	table_number_if(table, time > 0, time);
	return row;
}

static const char *name_at(const struct table *table, size_t row)
{
	return table->rows[row].cells[0].words;
}

/* Equal ones stay in order, what has no number comes behind, the last last. */
START_TEST(rows_are_sorted)
{
	struct table *table = table_new("t", "T", columns, 0);

	add(table, "none", 0);
	add(table, "b", 5);
	add(table, "a", 5);
	add(table, "large", UINT64_MAX);
	add(table, "sum", 1)->last = true;
	table_sort(table, TABLE_BY_COUNT, TABLE_BY_TIME);
	ck_assert_str_eq(name_at(table, 0), "large");
	ck_assert_str_eq(name_at(table, 1), "b");
	ck_assert_str_eq(name_at(table, 2), "a");
	ck_assert_str_eq(name_at(table, 3), "none");
	ck_assert_str_eq(name_at(table, 4), "sum");
	table_sort(table, TABLE_BY_NAME, TABLE_BY_TIME);
	ck_assert_str_eq(name_at(table, 0), "a");
	table_cut(table, 1);
	ck_assert_uint_eq(table_hidden(table), 3);
	ck_assert(table_is_hidden(table, 1));
	ck_assert(!table_is_hidden(table, 4));
	table_free(table);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table");
	TCase *tcase = tcase_create("table");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, times_have_a_unit_that_suits);
	tcase_add_test(tcase, a_column_has_one_unit);
	tcase_add_test(tcase, only_utf8_is_a_character);
	tcase_add_test(tcase, what_upsets_a_terminal_is_escaped);
	tcase_add_test(tcase, texts_are_cut_between_characters);
	tcase_add_test(tcase, keys_have_numbers);
	tcase_add_test(tcase, the_beginning_of_a_key_is_another_key);
	tcase_add_test(tcase, rows_are_sorted);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* FORMAT.md against the reader: each rule broken once, each table compared. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mds/emds/emds.h"
#include "mds/record/record.h"
#include "mds/record/record_schema.h"
#include "tests/unit/pack_member.h"

#define RECORD "section record 1 19\nkey value\nformat 1\n"
#define END    "section end 1 10\nkey value\n"

static char why[256];

static int parse(struct record **record_p, const char *text)
{
	unsigned char *packed = NULL;
	size_t size = 0;
	int rc;

	pack_member(&packed, &size, text, strlen(text));
	rc = record_parse(record_p, packed, size, "file", why, sizeof(why));
	free(packed);
	return rc;
}

/* A record whose one table has this body, with the right length. */
static int parse_table(struct record **record_p, const char *table,
		       const char *body)
{
	char text[1 << 14];

	snprintf(text, sizeof(text), RECORD "section %s %zu\n%s" END, table,
		 strlen(body), body);
	return parse(record_p, text);
}

static const struct {
	const char *table;
	const char *body;
	const char *why; /* NULL: it is fine */
} tables[] = {
	{ "phases 1", "phase name\n0 x\n", NULL },
	{ "phases 1", "phase name\n", NULL },
	{ "phases 1", "phase name\n0 %\n", NULL },
	{ "phases 1", "phase name\n0 %20%25%7f%7F\n", NULL },
	{ "phases 1", "name phase\nx 18446744073709551615\n", NULL },
	{ "phases 1", "phase colour\n1 dark%20red\n", NULL },
	{ "paths 1", "offset_hex\nffffffffffffffff\n0\n", NULL },
	{ "colours 7", "what ever\n\n  it is", NULL },

	{ "phases 1", "phase\n12x\n",
	  "line 6, table phases, column phase: \"12x\" is no number" },
	{ "phases 1", "phase\n1\n-1\n", "line 7, table phases, column phase" },
	{ "phases 1", "phase\n18446744073709551616\n", "is no number" },
	{ "phases 1", "phase\n100000000000000000000\n", "is no number" },
	{ "phases 1", "phase\n01\n", "is no number" },
	{ "phases 1", "phase\n%\n", "is no number" },
	{ "paths 1", "offset_hex\nFF\n", "is no hexadecimal number" },
	{ "paths 1", "offset_hex\n00\n", "is no hexadecimal number" },
	{ "paths 1", "offset_hex\n10000000000000000\n", "is no hexadecimal" },
	{ "phases 1", "name\nx%2\n", "is no text" },
	{ "phases 1", "name\n%%\n", "is no text" },
	{ "phases 1", "name\nx%g0\n", "is no text" },
	{ "phases 1", "name\nx%00\n", "is no text" },
	{ "phases 1", "name\nx\ty\n", "is no text" },
	{ "phases 1", "name\n\x7f\n", "is no text" },
	{ "phases 1", "name\n\n", "is no text" },
	{ "phases 1", "name phase\nx  1\n", "column phase: \"\" is no number" },
	{ "phases 1", "name phase\nx\n", "not as many fields as columns" },
	{ "phases 1", "name phase\nx 1 2\n", "not as many fields as columns" },
	{ "phases 1", "name phase\nx 1 \n", "not as many fields as columns" },
	{ "phases 1", "name phase\nx 1", "ends within a line" },
	{ "phases 1", "", "ends within a line" },
	{ "phases 1", "\n", "a column has no proper name" },
	{ "phases 1", "name  phase\n", "a column has no proper name" },
	{ "phases 1", "name Phase\n", "a column has no proper name" },
	{ "phases 1", "name phase name\n", "a column comes twice" },
	{ "phases 2", "phase name\n0 x\n", "newer kind and left out" },
	{ "phases x", "phase name\n0 x\n", "the section has no length" },
	{ "phases", "phase name\n0 x\n", "the section has no length" },
};

START_TEST(a_table)
{
	const char *wanted = tables[_i].why;
	struct record *record;

	ck_assert_int_eq(
		parse_table(&record, tables[_i].table, tables[_i].body), 0);
	if (wanted)
		ck_assert_msg(strstr(why, wanted), "%s", why);
	else
		ck_assert_str_eq(why, "");
	ck_assert_int_eq(record_state(record),
			 wanted ? RECORD_PARTIAL : RECORD_WHOLE);
	if (wanted)
		ck_assert_ptr_null(record_table(record, "phases"));
	record_free(record);
}
END_TEST

static const struct {
	const char *text;
	int rc;
	const char *why;
} files[] = {
	{ RECORD END, 0, "" },
	{ RECORD, 0,
	  "file: line 4: cut off, there is no end; "
	  "read up to table record" },
	{ RECORD END END, 0, "file: line 6: more after the end" },
	{ RECORD END RECORD END, 0, "file: line 6: more after the end" },
	{ RECORD RECORD END, 0,
	  "file: line 4: table record comes a second time; "
	  "read up to table record" },
	{ RECORD "section notes 1 7\ntext\nx\n"
		 "section notes 1 7\ntext\ny\n" END,
	  0, "" },
	{ RECORD "section notes 1 7\ntext\nx\n"
		 "section phases 1 6\nphase\n"
		 "section notes 1 7\ntext\ny\n" END,
	  0,
	  "file: line 9: table notes comes a second time; "
	  "read up to table phases" },
	{ RECORD "section notes 1 7\ntext\nx\n"
		 "section notes 1 11\nt text\ny y\n" END,
	  0,
	  "file: line 8, table notes: other columns than further up; "
	  "read up to table notes" },
	{ RECORD "section notes 1 100\ntext\nx\n" END, 0,
	  "file: line 4: the section is shorter than it says; "
	  "read up to table record" },
	{ RECORD "section notes 1 18446744073709551615\ntext\nx\n" END, 0,
	  "file: line 4: the section is shorter than it says; "
	  "read up to table record" },
	{ RECORD "section notes 1 6\ntext\nx\n" END, 0,
	  "file: line 5, table notes: the section ends within a line; "
	  "read up to table record" },
	{ RECORD "section notes 1 7\ntext\nx\n\n" END, 0,
	  "file: line 7: no section begins here; read up to table notes" },
	{ "", -EPROTO, "file: unpacks to nothing" },
	{ "hello\n", -EPROTO, "file: line 1: is no record, no section begins" },
	{ "section notes 1 7\ntext\nx\n" END, -EPROTO,
	  "file: is no record: does not begin with the table record" },
	{ "section record 1 10\nkey value\n" END, -EPROTO,
	  "file: line 3: table record names no format" },
	{ "section record 1 19\nkey value\nformat 0\n" END, -EPROTO,
	  "file: line 4: table record names no format" },
	{ "section record 1 19\nkey value\nformat 2\n" END, -EPROTONOSUPPORT,
	  "file: was written by a newer version (format 2); "
	  "this one reads format 1: update bcs" },
};

START_TEST(a_file)
{
	struct record *record = NULL;

	ck_assert_int_eq(parse(&record, files[_i].text), files[_i].rc);
	ck_assert_str_eq(why, files[_i].why);
	ck_assert_int_eq(record != NULL, files[_i].rc == 0);
	if (record)
		ck_assert_int_eq(record_state(record),
				 *why ? RECORD_PARTIAL : RECORD_WHOLE);
	record_free(record);
}
END_TEST

START_TEST(sixty_four_columns)
{
	struct record *record;
	char line[1024];
	int len = 0;

	for (int i = 0; i < 64; i++)
		len += sprintf(line + len, "c%d ", i);
	line[len - 1] = '\n';
	ck_assert_int_eq(parse_table(&record, "phases 1", line), 0);
	ck_assert_str_eq(why, "");
	record_free(record);

	strcpy(line + len - 1, " one_more\n");
	ck_assert_int_eq(parse_table(&record, "phases 1", line), 0);
	ck_assert_ptr_nonnull(strstr(why, "more than 64 columns"));
	record_free(record);
}
END_TEST

/* Text in a file must not drive the terminal that shows it. */
START_TEST(why_is_one_harmless_line)
{
	struct record *record;

	ck_assert_int_eq(
		parse_table(&record, "phases 1", "phase\n\x1b[31mred\r\n"), 0);
	record_free(record);
	for (const char *p = why; *p; p++)
		ck_assert((unsigned char)*p >= 0x20 && *p != 0x7f);
	ck_assert_ptr_nonnull(strstr(why, "\\x1b[31mred\\x0d"));
}
END_TEST

START_TEST(why_may_be_short)
{
	struct record *record;
	char small[8];

	ck_assert_int_eq(
		record_parse(&record, "", 0, "file", small, sizeof(small)),
		-EPROTO);
	ck_assert_str_eq(small, "file: i");
	ck_assert_int_eq(record_parse(&record, "", 0, "file", NULL, 0),
			 -EPROTO);
}
END_TEST

static void check_open(const char *path, int wanted, const char *text)
{
	struct record *record = NULL;
	char line[128];

	ck_assert_int_eq(
		record_open(&record, path, READING_RECORD, why, sizeof(why)),
		wanted);
	ck_assert_ptr_null(record);
	snprintf(line, sizeof(line), "%s: %s", path, text);
	ck_assert_str_eq(why, line);
}

static void check_large(const char *path)
{
	const int fd = open(path, O_WRONLY | O_CREAT, 0600);

	ck_assert_int_eq(ftruncate(fd, (off_t)1 << 40), 0);
	check_open(path, -EFBIG, "is larger than any record");
	close(fd);
}

START_TEST(what_is_no_file)
{
	char path[] = "/tmp/bcs-test-XXXXXX";
	const uid_t user = geteuid();
	const int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	check_open("/tmp", -EISDIR,
		   "is a folder, not a file: name a file in it");
	check_open("/dev/null", -ENOTBLK,
		   "is a device, not a file: name a regular file");
	check_open("/none/r", -ENOENT, "No such file or directory");
	check_open(path, -EPROTO, "is empty");
	ck_assert_int_eq(write(fd, "hello\n", 6), 6);
	check_open(path, -EPROTO, "is no record: not packed by gzip");
	ck_assert_int_eq(fchmod(fd, 0), 0);
	ck_assert_int_eq(seteuid(65534), user == 0 ? 0 : -1);
	check_open(path, -EACCES, "Permission denied");
	ck_assert_int_eq(seteuid(user), 0);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	check_open(path, -ESPIPE,
		   "is a pipe, not a file: save what it gives in a file");
	ck_assert_int_eq(unlink(path), 0);
	/* A link is not followed, even a loop. */
	ck_assert_int_eq(symlink(path, path), 0);
	check_open(path, -ELOOP,
		   "is a symbolic link: put the file itself in its place");
	ck_assert_int_eq(unlink(path), 0);
	check_large(path);
	unlink(path);
	close(fd);
}
END_TEST

/* The columns that FORMAT.md gives a table, with one blank between. */
static void columns_on_page(char *to, const char *page, const char *table)
{
	char head[64];
	const char *p;

	snprintf(head, sizeof(head), "\n`%s`: `", table);
	p = strstr(page, head);
	ck_assert_msg(p, "FORMAT.md has no table %s", table);
	for (p += strlen(head); *p != '`'; p++)
		*to++ = *p == '\n' ? ' ' : *p;
	*to = '\0';
}

static int tables_on_page(const char *page)
{
	int n = 0;

	for (const char *p = page; (p = strstr(p, "`: `")); p++)
		n++;
	return n;
}

START_TEST(the_page_and_the_reader_agree)
{
	static char page[1 << 16];
	char columns[1024];
	FILE *from = fopen(FORMAT_MD, "r");

	ck_assert_ptr_nonnull(from);
	ck_assert_uint_gt(fread(page, 1, sizeof(page) - 1, from), 0);
	fclose(from);
	for (int i = 0; i < RECORD_TABLES; i++) {
		columns_on_page(columns, page, record_schema[i].table);
		ck_assert_str_eq(record_schema[i].columns, columns);
	}
	ck_assert_int_eq(tables_on_page(page), RECORD_TABLES);
	for (int i = 0; i < EMDS_COLUMNS; i++) {
		snprintf(columns, sizeof(columns), "\n| `%s` |", emds_names[i]);
		ck_assert_msg(strstr(page, columns), "FORMAT.md has no %s",
			      emds_names[i]);
	}
}
END_TEST

START_TEST(texts_are_columns)
{
	const struct record_schema *schema = &record_schema[_i];

	for (const char *p = schema->texts; *p;) {
		const size_t len = strcspn(p, " ");

		ck_assert(record_schema_word_in(schema->columns, p, len));
		p += len + (p[len] == ' ');
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record_format");
	TCase *tcase = tcase_create("record_format");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_loop_test(tcase, a_table, 0,
			    sizeof(tables) / sizeof(tables[0]));
	tcase_add_loop_test(tcase, a_file, 0, sizeof(files) / sizeof(files[0]));
	tcase_add_test(tcase, sixty_four_columns);
	tcase_add_test(tcase, why_is_one_harmless_line);
	tcase_add_test(tcase, why_may_be_short);
	tcase_add_test(tcase, what_is_no_file);
	tcase_add_test(tcase, the_page_and_the_reader_agree);
	tcase_add_loop_test(tcase, texts_are_columns, 0, RECORD_TABLES);
	suite_add_tcase(suite, tcase);

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of mds/emds/emds.h: the record of slices, written and read. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "mds/base/clock.h"
#include "mds/emds/emds.h"
#include "mds/emds/emds_read.h"

#define ALL       EMDS_ALL
#define WHOLE_MAX (1 << 20)

static char dir[] = "/tmp/bcs-emds-XXXXXX";
static char path[64];
static char copy[64];
static unsigned char whole[WHOLE_MAX];

static struct emds_options options_make(void)
{
	return (struct emds_options){
		.dir = dir,
		.name = "rank-000003.slices",
		.to = UINT64_MAX,
		.resolution = 1,
		.columns = ALL,
		.memory = 1 << 20,
		.rank = 3,
		.pid = 17,
		.host = "north sea",
		.mode = "fixed",
		.slice_ns = 250000,
		.zero_ns = clock_monotonic_ns(),
		.local_ranks = 4,
	};
}

static void setup(void)
{
	clock_start();
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/rank-000003.slices", dir);
	snprintf(copy, sizeof(copy), "%s/copy", dir);
}

static void teardown(void)
{
	unlink(path);
	unlink(copy);
	rmdir(dir);
	snprintf(dir, sizeof(dir), "/tmp/bcs-emds-XXXXXX");
}

/* Recorded in ticks of the clock, read in ns, as the beginning is. */
static bool is_time(int column)
{
	const char *name = emds_names[column];
	const char *unit = strstr(name, "_ticks");

	return unit && column != EMDS_BEGIN && unit[strlen("_ticks")] == '\0';
}

/* Numbers of all lengths. */
static uint64_t value_of(uint64_t slice, int column)
{
	const uint64_t mixed = (slice + 1) * 0x9e3779b97f4a7c15u * 31 +
			       (uint64_t)column * 0x7f4a7c159e3779b9u;

	if (column == EMDS_SLICE)
		return slice;
	if (column == EMDS_SLICES)
		return 1;
	if (column == EMDS_CARRIED)
		return 5;
	if (is_time(column))
		return mixed >> 40;
	return mixed >> (mixed & 63);
}

static void add(struct emds *emds, uint64_t slice)
{
	struct emds_row row;

	for (int i = 0; i < EMDS_COLUMNS; i++)
		row.value[i] = value_of(slice, i);
	row.value[EMDS_BEGIN] = clock_ticks();
	emds_add(emds, &row);
	if (row.value[EMDS_SLICES] != 0)
		ck_abort_msg("the row is not empty");
}

static void write_file(const struct emds_options *options, uint64_t n)
{
	struct emds *emds;

	ck_assert_int_eq(emds_start(&emds, options), 0);
	for (uint64_t i = 0; i < n; i++) {
		add(emds, i);
		/* So that there is room for all. */
		if (i % 200 == 199)
			emds_flush(emds);
	}
	emds_stop(emds);
}

static struct emds_reader *open_file(const char *at)
{
	struct emds_reader *reader;
	char why[256];

	clock_calibrate();
	ck_assert_int_eq(emds_open(&reader, at, why, sizeof(why)), 0);
	return reader;
}

static bool is_about(uint64_t value, double ns)
{
	return ns * 0.99 - 1 <= (double)value && (double)value <= ns * 1.01 + 1;
}

/* An assertion that holds costs microseconds: too much for each value. */
static void check_row(const struct emds_row *row, uint64_t slice)
{
	for (int i = 0; i < EMDS_COLUMNS; i++) {
		const uint64_t expected = value_of(slice, i);
		const uint64_t value = row->value[i];

		if (i == EMDS_BEGIN)
			continue;
		if (is_time(i) ? !is_about(value, clock_to_real_ns(expected))
			       : value != expected)
			ck_abort_msg("slice %llu: %s is %llu",
				     (unsigned long long)slice, emds_names[i],
				     (unsigned long long)value);
	}
}

START_TEST(test_round_trip)
{
	const struct emds_options options = options_make();
	const uint64_t before = clock_monotonic_ns() - options.zero_ns;
	struct emds_reader *reader;
	uint64_t last = 0;
	struct emds_row row;

	write_file(&options, 2000);
	reader = open_file(path);
	for (uint64_t i = 0; i < 2000; i++) {
		ck_assert_int_eq(emds_next(reader, &row), 1);
		check_row(&row, i);
		ck_assert_uint_ge(row.value[EMDS_BEGIN] + 1000, last);
		last = row.value[EMDS_BEGIN];
		if (i == 0)
			ck_assert_uint_ge(last + 1000, before);
	}
	ck_assert_uint_le(last, clock_monotonic_ns() - options.zero_ns);
	ck_assert_int_eq(emds_next(reader, &row), 0);
	ck_assert_ptr_null(emds_fault(reader));
	ck_assert_uint_eq(emds_dropped(reader), 0);
	ck_assert_uint_eq(emds_columns(reader), ALL);
	emds_close(reader);
}
END_TEST

START_TEST(test_head)
{
	struct emds_options options = options_make();
	struct emds_reader *reader;
	const struct emds_head *head;

	options.from = 7;
	options.every = true;
	write_file(&options, 1);
	reader = open_file(path);
	head = emds_head(reader);
	ck_assert(head->ranked);
	ck_assert_uint_eq(head->rank, 3);
	ck_assert_uint_eq(head->pid, 17);
	ck_assert_str_eq(head->host, "north sea");
	ck_assert_str_eq(head->mode, "fixed");
	ck_assert_uint_eq(head->slice_ns, 250000);
	ck_assert_uint_eq(head->zero_ns, options.zero_ns);
	/* The record does not have it. */
	ck_assert_uint_eq(head->first_ns, options.zero_ns);
	ck_assert_uint_eq(head->local_ranks, 4);
	ck_assert_uint_eq(head->resolution, 1);
	ck_assert_uint_eq(head->from, 7);
	ck_assert_uint_eq(head->to, UINT64_MAX);
	ck_assert_uint_eq(head->every, 1);
	emds_close(reader);
}
END_TEST

START_TEST(test_columns)
{
	struct emds_options options = options_make();
	struct emds_reader *reader;
	struct emds_row row;

	options.columns = EMDS_BIT(EMDS_SLICE) | EMDS_BIT(EMDS_BYTES);
	write_file(&options, 300);
	reader = open_file(path);
	for (uint64_t i = 0; i < 300; i++) {
		ck_assert_int_eq(emds_next(reader, &row), 1);
		ck_assert_uint_eq(row.value[EMDS_SLICE], i);
		ck_assert_uint_eq(row.value[EMDS_BYTES],
				  value_of(i, EMDS_BYTES));
		ck_assert_uint_eq(row.value[EMDS_CARRIED], 0);
	}
	ck_assert_uint_eq(emds_columns(reader), options.columns);
	emds_close(reader);
}
END_TEST

/* A row that finds the ring full is counted, whoever empties it. */
START_TEST(test_full)
{
	struct emds_row rows[4];
	struct emds emds = { .size = 4, .free_to = 4, .rows = rows };

	for (uint64_t i = 0; i < 6; i++)
		add(&emds, i);
	ck_assert_uint_eq(emds.dropped, 2);
	ck_assert_uint_eq(emds.head, 4);
	emds.tail = 1;
	add(&emds, 6);
	ck_assert_uint_eq(emds.dropped, 2);
	ck_assert_uint_eq(rows[0].value[EMDS_SLICE], 6);
	ck_assert_uint_eq(rows[3].value[EMDS_SLICE], 3);
}
END_TEST

/* Perhaps faster than it can be written: each is in the file, or counted. */
START_TEST(test_dropped)
{
	struct emds_options options = options_make();
	struct emds_reader *reader;
	uint64_t last = UINT64_MAX;
	uint64_t n = 0;
	struct emds_row row;
	struct emds *emds;

	options.memory = 0;
	ck_assert_int_eq(emds_start(&emds, &options), 0);
	for (uint64_t i = 0; i < 100000; i++)
		add(emds, i);
	atomic_fetch_add(&emds->dropped, 1000000);
	emds_stop(emds);
	reader = open_file(path);
	for (; emds_next(reader, &row) == 1; n++) {
		check_row(&row, row.value[EMDS_SLICE]);
		if (last != UINT64_MAX && row.value[EMDS_SLICE] <= last)
			ck_abort_msg("slices are not in order");
		last = row.value[EMDS_SLICE];
	}
	ck_assert_uint_ge(n, 256);
	ck_assert_uint_eq(n + emds_dropped(reader), 1100000);
	emds_close(reader);
}
END_TEST

/* A flush does not wait for a disk that is slow. */
static struct emds_reader *flushed_file(struct emds *emds, struct emds_row *row)
{
	struct emds_reader *reader;

	for (int tries = 100; tries > 0; tries--) {
		emds_flush(emds);
		reader = open_file(path);
		if (emds_next(reader, row) == 1)
			return reader;
		emds_close(reader);
	}
	ck_abort_msg("no row comes");
	return NULL;
}

/* The file is there while the program runs. */
START_TEST(test_flush)
{
	const struct emds_options options = options_make();
	struct emds_reader *reader;
	struct emds_row row;
	struct emds *emds;

	ck_assert_int_eq(emds_start(&emds, &options), 0);
	add(emds, 0);
	reader = flushed_file(emds, &row);
	check_row(&row, 0);
	ck_assert_int_eq(emds_next(reader, &row), 0);
	ck_assert_ptr_nonnull(strstr(emds_fault(reader), "did not end well"));
	emds_close(reader);
	emds_stop(emds);
}
END_TEST

static size_t file_read(void)
{
	gzFile file = gzopen(path, "rb");
	const int n = gzread(file, whole, sizeof(whole));

	gzclose(file);
	ck_assert_int_gt(n, 0);
	return (size_t)n;
}

static void file_write(const unsigned char *bytes, size_t n)
{
	const int fd = open(copy, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

/* How many rows can be read; *fault_p: whether it says that some cannot. */
static uint64_t rows_left(bool *fault_p)
{
	struct emds_reader *reader;
	char why[256] = "";
	struct emds_row row;
	uint64_t n = 0;

	*fault_p = true;
	if (emds_open(&reader, copy, why, sizeof(why)) != 0) {
		ck_assert_int_ne(why[0], '\0');
		return 0;
	}
	while (emds_next(reader, &row) == 1)
		n++;
	*fault_p = emds_fault(reader) != NULL;
	emds_close(reader);
	return n;
}

START_TEST(test_cut_off)
{
	const struct emds_options options = options_make();
	uint64_t last = 0;
	uint64_t n;
	size_t size;
	bool fault;

	write_file(&options, 600);
	size = file_read();
	for (size_t at = 0; at < size; at += 3 + at / 400) {
		file_write(whole, at);
		n = rows_left(&fault);
		ck_assert(fault);
		ck_assert_uint_ge(n, last);
		last = n;
	}
	file_write(whole, size);
	ck_assert_uint_eq(rows_left(&fault), 600);
	ck_assert(!fault);
}
END_TEST

/* Whatever the bytes are, it ends; sanitizers see the rest. */
START_TEST(test_damaged)
{
	const struct emds_options options = options_make();
	bool fault;
	size_t size;

	write_file(&options, 8);
	size = file_read();
	for (size_t at = 0; at < size; at++) {
		const unsigned char was = whole[at];

		/* Another bit each time, or all. */
		whole[at] = (unsigned char)(at % 9 == 8 ? ~was
							: was ^ 1 << at % 9);
		file_write(whole, size);
		rows_left(&fault);
		whole[at] = was;
	}
}
END_TEST

START_TEST(test_other_files)
{
	static const char text[] = "section record 1 18\nkey value\nformat 1\n";
	struct emds_reader *reader;
	char why[256];

	ck_assert_int_eq(emds_open(&reader, copy, why, sizeof(why)), -ENOENT);
	ck_assert_ptr_nonnull(strstr(why, copy));
	file_write((const unsigned char *)text, sizeof(text) - 1);
	ck_assert_int_eq(emds_open(&reader, copy, why, sizeof(why)), -EPROTO);
	ck_assert_ptr_nonnull(strstr(why, "not a record of slices"));
}
END_TEST

START_TEST(test_no_folder)
{
	struct emds_options options = options_make();
	struct emds *emds;

	options.dir = "/nowhere/at all";
	ck_assert_int_eq(emds_start(&emds, &options), -ENOENT);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("emds");
	TCase *tc = tcase_create("emds");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, test_round_trip);
	tcase_add_test(tc, test_head);
	tcase_add_test(tc, test_columns);
	tcase_add_test(tc, test_full);
	tcase_add_test(tc, test_dropped);
	tcase_add_test(tc, test_flush);
	tcase_add_test(tc, test_cut_off);
	tcase_add_test(tc, test_damaged);
	tcase_add_test(tc, test_other_files);
	tcase_add_test(tc, test_no_folder);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}

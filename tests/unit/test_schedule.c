/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A schedule is read as it was written.  If it was cut off between two members,
 * it is read up to there.  Any other damage is an error.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mds/base/clock.h"
#include "mds/schedule/schedule.h"

#define N    20000 /* outcomes: several sections */
#define SAME 10000

static char dir[] = "/tmp/bcs-test-schedule-XXXXXX";
static char path[64];
static char why[256];

static const struct schedule_about about = {
	.rank = 2, .size = 4, .mode = "fixed", .build = "12ab"
};

/* Value n of the outcomes that are no list. */
static uint64_t value(unsigned n)
{
	return (uint64_t)n * n * n << (n % 20);
}

static struct schedule_writer *begin(void)
{
	struct schedule_writer *writer;

	ck_assert_int_eq(
		schedule_create(&writer, dir, "rank-000002.schedule", &about),
		0);
	schedule_put_call(writer, "MPI_Recv", "a b+0x12");
	schedule_put_call(writer, "MPI_Testsome", "an unknown place");
	return writer;
}

static void put(struct schedule_writer *writer, unsigned n)
{
	const int list[] = { (int)n, 0, 300 };

	if (n % 7 == 3)
		schedule_put_list(writer, 1, list, 3);
	else
		schedule_put(writer, 0, value(n));
	if (n % 3 == 0)
		schedule_put_source(writer, n);
}

static struct schedule *reopen(void)
{
	struct schedule *schedule;

	ck_assert_msg(schedule_open(&schedule, path, why, sizeof(why)) == 0,
		      "%s", why);
	return schedule;
}

static void expect(struct schedule *schedule, unsigned n)
{
	struct schedule_outcome o;
	uint64_t source;

	ck_assert_int_eq(schedule_next(schedule, &o), 1);
	ck_assert_int_eq(o.is_list, n % 7 == 3);
	if (o.is_list) {
		ck_assert_str_eq(o.call, "MPI_Testsome");
		ck_assert_str_eq(o.place, "an unknown place");
		ck_assert_int_eq(o.value, 3);
		/* Half of the lists are left unread. */
		if (n % 2 == 0) {
			ck_assert_int_eq(schedule_list_next(schedule), n);
			ck_assert_int_eq(schedule_list_next(schedule), 0);
			ck_assert_int_eq(schedule_list_next(schedule), 300);
			ck_assert_int_eq(schedule_list_next(schedule), 0);
		}
	} else {
		ck_assert_str_eq(o.call, "MPI_Recv");
		ck_assert_str_eq(o.place, "a b+0x12");
		ck_assert_uint_eq(o.value, value(n));
	}
	if (n % 3 != 0)
		return;
	ck_assert_int_eq(schedule_next_source(schedule, &source), 1);
	ck_assert_uint_eq(source, n);
}

START_TEST(is_read_as_written)
{
	struct schedule_writer *writer = begin();
	struct schedule *schedule;
	struct schedule_outcome o;
	uint64_t source;

	for (unsigned n = 0; n < N; n++)
		put(writer, n);
	ck_assert_int_eq(schedule_close(writer), 0);
	schedule = reopen();
	ck_assert(schedule_is_whole(schedule));
	ck_assert_int_eq(schedule_about(schedule)->rank, 2);
	ck_assert_int_eq(schedule_about(schedule)->size, 4);
	ck_assert_str_eq(schedule_about(schedule)->mode, "fixed");
	ck_assert_str_eq(schedule_about(schedule)->build, "12ab");
	for (unsigned n = 0; n < N; n++)
		expect(schedule, n);
	ck_assert_int_eq(schedule_next(schedule, &o), 0);
	ck_assert_int_eq(schedule_next_source(schedule, &source), 0);
	schedule_free(schedule);
}
END_TEST

static long file_size(void)
{
	FILE *file = fopen(path, "rb");
	long size;

	ck_assert(file && fseek(file, 0, SEEK_END) == 0);
	size = ftell(file);
	fclose(file);
	return size;
}

START_TEST(equal_ones_are_counted)
{
	struct schedule_writer *writer = begin();
	struct schedule *schedule;
	struct schedule_outcome o;

	for (int i = 0; i < SAME; i++)
		schedule_put(writer, 0, 0);
	schedule_put(writer, 0, 1);
	ck_assert_int_eq(schedule_close(writer), 0);
	ck_assert_int_lt(file_size(), 500);
	schedule = reopen();
	for (int i = 0; i < SAME; i++) {
		ck_assert_int_eq(schedule_next(schedule, &o), 1);
		ck_assert_uint_eq(o.value, 0);
	}
	ck_assert_int_eq(schedule_next(schedule, &o), 1);
	ck_assert_uint_eq(o.value, 1);
	ck_assert_int_eq(schedule_next(schedule, &o), 0);
	schedule_free(schedule);
}
END_TEST

/* Cuts the file; how many outcomes are there, or -1 if it is refused. */
static int cut_at(long size)
{
	struct schedule *schedule;
	struct schedule_outcome o;
	int n = 0;

	ck_assert_int_eq(truncate(path, size), 0);
	if (schedule_open(&schedule, path, why, sizeof(why)) != 0) {
		ck_assert_str_ne(why, "");
		return -1;
	}
	ck_assert(!schedule_is_whole(schedule));
	while (schedule_next(schedule, &o) == 1)
		n++;
	schedule_free(schedule);
	return n;
}

START_TEST(a_part_is_read)
{
	struct schedule_writer *writer = begin();
	long flushed[3];

	for (unsigned n = 0; n < 30; n++) {
		put(writer, n);
		if (n % 10 == 9) {
			schedule_flush(writer);
			flushed[n / 10] = file_size();
		}
	}
	ck_assert_int_eq(schedule_close(writer), 0);
	for (long size = file_size() - 1; size >= 0; size--) {
		const int n = cut_at(size);

		for (int i = 0; i < 3; i++)
			if (size == flushed[i])
				ck_assert_int_eq(n, 10 * (i + 1));
	}
}
END_TEST

START_TEST(nonsense_is_refused)
{
	static const char *const outcomes[] = {
		"\x01",             /* a code that no call has */
		"\x00\x01",         /* more of nothing */
		"\x06\x01",         /* the third of two calls */
		"\x05\x01\x00\x00", /* more of a list */
		"\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	};
	static const size_t sizes[] = { 1, 2, 2, 5, 13 };
	struct schedule *schedule;
	FILE *file;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		file = fopen(path, "wb");
		ck_assert_ptr_nonnull(file);
		fprintf(file, "section schedule_of 1 10\nkey value\n");
		fprintf(file, "section calls 1 8\nA b\nC d\n");
		fprintf(file, "section outcomes 1 %zu\n", sizes[i]);
		fwrite(outcomes[i], 1, sizes[i], file);
		fprintf(file, "section end 1 10\nkey value\n");
		fclose(file);
		ck_assert_msg(
			schedule_open(&schedule, path, why, sizeof(why)) != 0,
			"row %zu", i);
		ck_assert_str_ne(why, "");
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("schedule");
	TCase *tests = tcase_create("schedule");
	SRunner *runner = srunner_create(suite);
	int failed;

	clock_start();
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/rank-000002.schedule", dir);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, is_read_as_written);
	tcase_add_test(tests, equal_ones_are_counted);
	tcase_add_test(tests, a_part_is_read);
	tcase_add_test(tests, nonsense_is_refused);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	unlink(path);
	rmdir(dir);
	return failed > 0;
}

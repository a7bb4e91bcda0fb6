/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Entries of a flight recorder are read as they were written, also once the
 * ring was written over.  A file may be cut off or changed anywhere.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mds/base/clock.h"
#include "mds/flight/flight.h"
#include "mds/flight/flight_read.h"
#include "mds/mmds/mmds_flight.h"

static const char *const names[] = { "MPI_Send", "MPI_Recv" };
static char dir[] = "/tmp/bcs-test-flight-XXXXXX";
static char path[64];
static struct mmds_thread threads[FLIGHT_THREADS + 1];

static int start(bool several)
{
	const struct flight_options options = {
		.dir = dir,
		.name = "rank-000003.flight",
		.threads = several,
		.names = names,
		.n_names = 2,
		.facts = { .rank = 3,
			   .size = 4,
			   .any_source = -2,
			   .any_tag = -1,
			   .host = "a node",
			   .program = "b prog",
			   .mode = "demand" },
	};

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/rank-000003.flight", dir);
	clock_start();
	return flight_start(&options);
}

/* Takes a ring as mmds_thread.c does.  Returns false if none is left. */
static bool take(unsigned i)
{
	const bool is = flight_ring_take(&threads[i].flight, i);

	if (is)
		threads[i].entry = threads[i].flight.end - 1;
	return is;
}

static void end(void)
{
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

/* A call that sends a byte more than the one before. */
static void call(struct mmds_thread *thread, uint64_t i)
{
	struct callpath_slot slot = { .path = (uint32_t)i };
	struct mmds_frame frame = { .thread = thread,
				    .slot = &slot,
				    .start = 1000 * (i + 1),
				    .end = 1000 * (i + 1) + 10,
				    .call = i % 2,
				    .peer = 2,
				    .tag = (int)i,
				    .sent = i };

	mmds_flight_enter(thread, &frame, i % 2, -1);
	mmds_flight_about(&frame);
	mmds_flight_leave(&frame);
}

static struct flight *open_it(void)
{
	struct flight *flight;
	char why[256] = "";

	ck_assert_msg(flight_open(&flight, path, READING_RECORD, why,
				  sizeof(why)) == 0,
		      "%s", why);
	return flight;
}

START_TEST(calls_are_read)
{
	struct flight *flight;

	ck_assert_int_eq(start(false), 0);
	ck_assert(take(0));
	ck_assert(!take(1));
	for (uint64_t i = 0; i < 10; i++)
		call(&threads[0], i);
	flight = open_it();
	ck_assert_int_eq(flight_head(flight)->rank, 3);
	ck_assert_str_eq(flight_head(flight)->host, "a node");
	ck_assert_uint_eq(flight_n_calls(flight, 0), 10);
	for (uint32_t i = 0; i < 10; i++) {
		const struct flight_call *at = flight_call(flight, 0, 9 - i);

		ck_assert_str_eq(flight_name(flight, at->call), names[i % 2]);
		ck_assert_uint_eq(at->start, 1000 * (i + 1));
		ck_assert_uint_eq(at->path, i);
		ck_assert_int_eq(at->tag, (int)i);
		ck_assert_uint_eq(at->bytes, i);
		ck_assert(at->took >= 10 && at->took <= 11);
	}
	flight_close(flight);
	flight_remove();
	ck_assert_int_ne(access(path, F_OK), 0);
	end();
}
END_TEST

START_TEST(slices_are_read)
{
	const struct flight_slices slices = {
		.at = 1,
		.length_ns = 2,
		.budget = 3,
		.slice = 4,
		.n = 5,
		.bytes = 6,
		.ticks = 7,
	};
	struct flight *flight;
	uint32_t odd = 1;
	int fd;

	ck_assert_int_eq(start(false), 0);
	flight = open_it();
	ck_assert_uint_eq(flight_slices(flight)->length_ns, 0);
	flight_close(flight);
	flight_show_slices(&slices);
	flight_show_slices(&slices);
	flight = open_it();
	ck_assert_uint_eq(flight_slices(flight)->changes, 4);
	ck_assert_mem_eq(&flight_slices(flight)->at, &slices.at,
			 sizeof(slices) - offsetof(struct flight_slices, at));
	flight_close(flight);
	/* While they are written there are none. */
	fd = open(path, O_RDWR);
	ck_assert_int_eq(pwrite(fd, &odd, sizeof(odd), FLIGHT_SLICES_AT),
			 sizeof(odd));
	close(fd);
	flight = open_it();
	ck_assert_uint_eq(flight_slices(flight)->length_ns, 0);
	flight_close(flight);
	flight_remove();
	end();
}
END_TEST

/* A posting call is shown when it is over; if it takes time, before. */
START_TEST(posts_are_shown_late)
{
	struct callpath_slot slot = { .path = 5 };
	struct mmds_frame frame = { .thread = &threads[0],
				    .slot = &slot,
				    .peer = 2,
				    .end = 30,
				    .sent = 8 };
	struct flight *flight;

	ck_assert_int_eq(start(false), 0);
	ck_assert(take(0));
	call(&threads[0], 0);
	mmds_flight_post(&threads[0], &frame, 1);
	mmds_flight_about(&frame);
	flight = open_it();
	ck_assert_uint_eq(flight_n_calls(flight, 0), 1);
	flight_close(flight);
	mmds_flight_leave_post(&frame);
	mmds_flight_post(&threads[0], &frame, 1);
	flight_call_late(&threads[0].flight, threads[0].entry, 5000);
	flight = open_it();
	ck_assert_uint_eq(flight_n_calls(flight, 0), 3);
	ck_assert(flight_call(flight, 0, 1)->took == FLIGHT_UNTIMED);
	ck_assert_uint_eq(flight_call(flight, 0, 1)->bytes, 8);
	ck_assert(flight_call(flight, 0, 0)->took == 0);
	ck_assert_uint_eq(flight_call(flight, 0, 0)->start, 5000);
	flight_close(flight);
	end();
}
END_TEST

START_TEST(last_calls_stay)
{
	const uint64_t n = 3 * FLIGHT_CALLS + 5;
	struct flight *flight;

	ck_assert_int_eq(start(false), 0);
	take(0);
	for (uint64_t i = 0; i < n; i++)
		call(&threads[0], i);
	flight = open_it();
	ck_assert_uint_eq(flight_n_calls(flight, 0), FLIGHT_CALLS - 1);
	for (uint32_t back = 0; back < FLIGHT_CALLS - 1; back++)
		ck_assert_int_eq(flight_call(flight, 0, back)->tag,
				 (int)(n - 1 - back));
	flight_close(flight);
	end();
}
END_TEST

START_TEST(threads_have_their_own)
{
	struct flight *flight;

	ck_assert_int_eq(start(true), 0);
	for (unsigned i = 0; i < FLIGHT_THREADS; i++)
		ck_assert(take(i));
	ck_assert(!take(FLIGHT_THREADS));
	for (unsigned i = 0; i < FLIGHT_THREADS; i++)
		for (uint64_t k = 0; k < 1000; k++)
			call(&threads[i], 10000 * i + k);
	flight = open_it();
	for (unsigned i = 0; i < FLIGHT_THREADS; i++) {
		const uint32_t n = i ? FLIGHT_MORE - 1 : 1000;

		ck_assert_uint_eq(flight_n_calls(flight, i), n);
		for (uint32_t back = 0; back < n; back++)
			ck_assert_int_eq(flight_call(flight, i, back)->tag,
					 (int)(10000 * i + 999 - back));
	}
	flight_close(flight);
	end();
}
END_TEST

START_TEST(names_are_kept_as_they_fit)
{
	const struct flight_entry *entry = NULL;
	struct flight *flight;
	uint32_t last = 0;

	ck_assert_int_eq(start(false), 0);
	flight_comm(7, 0xabc, 4, 3, "a name");
	for (uint32_t i = 1; i < 10000; i++)
		flight_path(i, i - 1, UINT32_MAX, 16 * i);
	flight = open_it();
	ck_assert_uint_gt(flight_head(flight)->log_lost, 0);
	while ((entry = flight_next(flight, entry))) {
		if (entry->kind == FLIGHT_COMM)
			ck_assert_str_eq(
				flight_text(entry, sizeof(struct flight_comm)),
				"a name");
		if (entry->kind == FLIGHT_PATH)
			ck_assert_uint_eq(entry->number, ++last);
	}
	ck_assert_uint_gt(last, 3000);
	flight_close(flight);
	end();
}
END_TEST

static size_t load(unsigned char **bytes)
{
	struct stat st;
	const int fd = open(path, O_RDONLY);

	ck_assert_int_eq(fstat(fd, &st), 0);
	*bytes = malloc((size_t)st.st_size);
	ck_assert_int_eq(read(fd, *bytes, (size_t)st.st_size), st.st_size);
	close(fd);
	return (size_t)st.st_size;
}

static void fill(void)
{
	ck_assert_int_eq(start(false), 0);
	take(0);
	flight_path(1, 0, UINT32_MAX, 16);
	for (uint64_t i = 0; i < 5000; i++)
		call(&threads[0], i);
}

/* Each is refused in a line. */
START_TEST(cut_files_are_refused)
{
	unsigned char *bytes;
	struct flight *flight;
	size_t size;
	char why[256];

	fill();
	size = load(&bytes);
	free(bytes);
	for (size_t at = size - 1; at<size; at -= at> 1200 ? 487 : 1) {
		ck_assert_int_eq(truncate(path, (off_t)at), 0);
		why[0] = '\0';
		ck_assert_int_ne(flight_open(&flight, path, READING_RECORD, why,
					     sizeof(why)),
				 0);
		ck_assert(why[0] && !strchr(why, '\n'));
	}
	end();
}
END_TEST

/* Whatever is there is read within its bounds, or refused. */
START_TEST(changed_files_are_read_or_refused)
{
	unsigned char *bytes;
	struct flight *flight;
	size_t size;
	char why[256];
	int fd;

	fill();
	size = load(&bytes);
	fd = open(path, O_RDWR);
	for (size_t at = 0; at<8600; at += at> 1500 && at < 8190 ? 61 : 1) {
		const unsigned char was = bytes[at];
		const unsigned char is = was ^ 0xff;

		ck_assert_int_eq(pwrite(fd, &is, 1, (off_t)at), 1);
		why[0] = '\0';
		if (flight_open(&flight, path, READING_RECORD, why,
				sizeof(why)) == 0) {
			for (uint32_t i = 0; i < flight_n_calls(flight, 0); i++)
				flight_call(flight, 0, i);
			flight_close(flight);
		} else {
			ck_assert(why[0] != '\0');
		}
		ck_assert_int_eq(pwrite(fd, &was, 1, (off_t)at), 1);
	}
	ck_assert_uint_gt(size, 8600);
	close(fd);
	free(bytes);
	end();
}
END_TEST

/* The process goes on, whatever somebody does to its file. */
static void on_bus(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	if (!flight_mend(info->si_addr))
		_exit(9);
}

START_TEST(cut_mapping_is_mended)
{
	const struct sigaction action = { .sa_sigaction = on_bus,
					  .sa_flags = SA_SIGINFO };

	fill();
	sigaction(SIGBUS, &action, NULL);
	ck_assert_int_eq(truncate(path, 0), 0);
	for (uint64_t i = 0; i < 5000; i++)
		call(&threads[0], i);
	flight_moment(true);
	ck_assert(!flight_mend(&action));
	end();
}
END_TEST

/* Nothing is left where it cannot be made, and no signal comes. */
START_TEST(limits_are_an_error)
{
	const struct rlimit limit = { 4096, 4096 };

	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_int_eq(start(false), -EFBIG);
	ck_assert(!take(0));
	flight_path(1, 0, 0, 0);
	flight_moment(true);
	end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("flight");
	TCase *all = tcase_create("all");
	SRunner *runner;
	int failed;

	tcase_set_timeout(all, 60);
	tcase_add_test(all, calls_are_read);
	tcase_add_test(all, slices_are_read);
	tcase_add_test(all, posts_are_shown_late);
	tcase_add_test(all, last_calls_stay);
	tcase_add_test(all, threads_have_their_own);
	tcase_add_test(all, names_are_kept_as_they_fit);
	tcase_add_test(all, cut_files_are_refused);
	tcase_add_test(all, changed_files_are_read_or_refused);
	tcase_add_test(all, cut_mapping_is_mended);
	tcase_add_test(all, limits_are_an_error);
	suite_add_tcase(suite, all);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

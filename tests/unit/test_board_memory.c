/* SPDX-License-Identifier: BSD-3-Clause */

/* Memory that processes share by a ticket, and tickets that are not good. */
#include <check.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libbcs/base/board_memory.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define BYTES 10000u

static void child(const struct board_ticket *ticket)
{
	unsigned char *memory = board_memory_join(ticket);

	if (!memory || memory[0] != 7)
		_exit(1);
	memory[BYTES - 1] = 9;
	_exit(0);
}

START_TEST(test_two_processes)
{
	struct board_ticket ticket;
	unsigned char *memory = board_memory_make(&ticket, BYTES);
	int status;
	pid_t pid;

	ck_assert_ptr_nonnull(memory);
	for (unsigned i = 0; i < BYTES; i++)
		ck_assert_uint_eq(memory[i], 0);
	memory[0] = 7;
	pid = fork();
	if (pid == 0)
		child(&ticket);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_eq(memory[BYTES - 1], 9);
	board_memory_close(&ticket);
	ck_assert_uint_eq(memory[0], 7); /* it stays */
	ck_assert_ptr_null(board_memory_join(&ticket));
	board_memory_free(memory, BYTES);
}
END_TEST

/* The number may be that of another file by now. */
START_TEST(test_other_file)
{
	struct board_ticket tickets[2];
	void *memory[2];

	for (unsigned i = 0; i < 2; i++)
		memory[i] = board_memory_make(&tickets[i], BYTES);
	tickets[0].fd = tickets[1].fd;
	ck_assert_ptr_null(board_memory_join(&tickets[0]));
	tickets[0].fd = STDIN_FILENO;
	ck_assert_ptr_null(board_memory_join(&tickets[0]));
	tickets[0].fd = -1;
	ck_assert_ptr_null(board_memory_join(&tickets[0]));
	board_memory_close(&tickets[0]);
	board_memory_close(&tickets[1]);
	for (unsigned i = 0; i < 2; i++)
		board_memory_free(memory[i], BYTES);
	board_memory_free(NULL, BYTES);
}
END_TEST

/* Beyond `ulimit -f` there is none, and no signal. */
START_TEST(test_file_limit)
{
	struct rlimit limit;
	struct board_ticket ticket;

	signal(SIGXFSZ, SIG_DFL);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = BYTES - 1;
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ck_assert_ptr_null(board_memory_make(&ticket, BYTES));
	ck_assert_int_eq(ticket.fd, -1);
	board_memory_close(&ticket);
}
END_TEST

static bool can_populate(void)
{
	void *page = mmap(NULL, 1, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int rc = madvise(page, 1, MADV_POPULATE_WRITE);

	munmap(page, 1);
	return rc == 0;
}

/* Its pages are there, also where it begins within one. */
START_TEST(test_take)
{
	struct board_ticket ticket;
	unsigned char *memory = board_memory_make(&ticket, BYTES);
	struct stat st;

	ck_assert_int_eq(fstat(ticket.fd, &st), 0);
	ck_assert_int_eq(st.st_blocks, 0);
	ck_assert_int_eq(board_memory_take(memory + 100, BYTES - 100), 0);
	ck_assert_int_eq(fstat(ticket.fd, &st), 0);
	if (can_populate())
		ck_assert_int_ge(st.st_blocks * 512, BYTES);
	board_memory_close(&ticket);
	board_memory_free(memory, BYTES);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("board_memory");
	TCase *tcase = tcase_create("board_memory");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, test_two_processes);
	tcase_add_test(tcase, test_other_file);
	tcase_add_test(tcase, test_file_limit);
	tcase_add_test(tcase, test_take);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* Which names a call has among its arguments, in C and in Fortran. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/places/source_call.h"

static char file[] = "/tmp/bcs-test-source-XXXXXX";
static const char *program = "/proc/self/exe";

static const char text[] =
	"if (sum) MPI_Bcast(&values[0],\n"
	"		2 * (n + 1), MPI_INT);\n"
	"MPI_Send(other_values, values_of(n), 1);\n"
	"rc = own_send(values, (int)n) + last;\n"
	"if (rank == 0) call MPI_Recv(Values, 1, &\n"
	"	MPI_INTEGER, n)\n"
	"MPI_Send(text(\"(\"\"(values\\\"\", ')'), n); f(values);\n"
	"never_closed(\n";
static const char after_long[] = ")\nMPI_Wait(behind_it);\n";

static bool names(int line, const char *name)
{
	return source_call_names(file, line, program, name);
}

START_TEST(arguments_of_c)
{
	ck_assert(names(1, "values"));
	ck_assert(names(1, "n"));
	ck_assert(!names(1, "sum"));
	ck_assert(!names(1, "other_values"));
	ck_assert(!names(3, "values"));
	ck_assert(names(3, "other_values"));
	ck_assert(names(4, "values"));
	ck_assert(!names(4, "rc"));
	ck_assert(!names(4, "last"));
}
END_TEST

START_TEST(arguments_of_fortran)
{
	ck_assert(names(5, "values"));
	ck_assert(names(5, "n"));
	ck_assert(!names(5, "rank"));
}
END_TEST

/*
 * Quoted text holds no names, and its parentheses do not count: the call ends.
 */
START_TEST(quotes)
{
	ck_assert(names(7, "n"));
	ck_assert(!names(7, "values"));
}
END_TEST

START_TEST(no_call)
{
	ck_assert(!names(8, "values"));
	ck_assert(!names(100, "values"));
	ck_assert(!source_call_names("/", 1, program, "values"));
	ck_assert(!source_call_names("/tmp/there/is/none", 1, program, "n"));
	ck_assert(!source_call_names("relative.c", 1, program, "values"));
}
END_TEST

START_TEST(younger_source)
{
	const struct timespec soon[2] = { { .tv_sec = 4000000000 },
					  { .tv_sec = 4000000000 } };

	ck_assert_int_eq(utimensat(AT_FDCWD, file, soon, 0), 0);
	ck_assert(!names(1, "values"));
	ck_assert(!source_call_names(file, 1, "/tmp/there/is/none", "values"));
}
END_TEST

/* It counts as one, however long it is. */
START_TEST(long_line)
{
	ck_assert(names(10, "behind_it"));
	ck_assert(!names(0, "behind_it"));
}
END_TEST

static void write_file(void)
{
	const struct timespec old[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	const int fd = mkstemp(file);

	static char blanks[2000];

	memset(blanks, ' ', sizeof(blanks));
	if (fd < 0 || write(fd, text, sizeof(text) - 1) < 0 ||
	    write(fd, blanks, sizeof(blanks)) < 0 ||
	    write(fd, after_long, sizeof(after_long) - 1) < 0 ||
	    futimens(fd, old) != 0)
		exit(1);
	close(fd);
}

int main(void)
{
	Suite *suite = suite_create("source_call");
	TCase *tcase = tcase_create("all");
	SRunner *runner = srunner_create(suite);
	int failed;

	write_file();
	tcase_add_test(tcase, arguments_of_c);
	tcase_add_test(tcase, arguments_of_fortran);
	tcase_add_test(tcase, quotes);
	tcase_add_test(tcase, no_call);
	tcase_add_test(tcase, long_line);
	tcase_add_test(tcase, younger_source);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	unlink(file);
	return failed ? 1 : 0;
}

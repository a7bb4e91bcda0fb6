/* SPDX-License-Identifier: BSD-3-Clause */

/* Where the command finds its files, and what it says if it does not. */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/cli/place.h"

/* A build with Open MPI has no preload, wherever one looks. */
START_TEST(no_preload)
{
	char path[PATH_MAX];

	ck_assert_int_eq(place_find(path, place_preload, "no.so"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(place_no_preload(), "needs MPICH"));
}
END_TEST

/* Beside this test lies the folder of its objects. */
START_TEST(beside)
{
	static const char *const folders[] = { "none", ".", NULL };
	char path[PATH_MAX];

	ck_assert_int_eq(place_find(path, folders, "test_place.p"), 0);
	ck_assert_ptr_nonnull(strstr(path, "/test_place.p"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("place");
	TCase *all = tcase_create("all");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(all, no_preload);
	tcase_add_test(all, beside);
	suite_add_tcase(suite, all);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

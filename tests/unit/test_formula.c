/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of model/formula.h against the values of the paper. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/formula.h"
#include "model/preset.h"

static const char *const clusters[] = { "galera+", "galera", "kask" };

/* Each value was worked out by hand from the paper's tables 1 and 3. */
static void check_near(double is, double wanted)
{
	ck_assert_double_eq_tol(is, wanted, 1e-8 * fmax(1, fabs(wanted)));
}

static struct formula_value value_of(const struct formula_system *system,
				     enum formula_operation operation,
				     struct formula_input input)
{
	struct formula_value value;

	ck_assert_int_eq(formula_eval(system, operation, &input, &value, NULL),
			 0);
	return value;
}

static void check_all(enum formula_operation operation,
		      struct formula_input input, double first, double second,
		      double third)
{
	const double wanted[] = { first, second, third };

	for (size_t i = 0; i < PRESETS; i++)
		check_near(value_of(&preset_find(clusters[i])->system,
				    operation, input)
				   .value,
			   wanted[i]);
}

START_TEST(communication_is_as_worked_out)
{
	const struct formula_input large = { .bytes = 1 << 20,
					     .processes = 64 };

	check_all(FORMULA_P2P, (struct formula_input){ .bytes = 0 }, 3.7, 1.3,
		  1.3);
	check_all(FORMULA_P2P, (struct formula_input){ .bytes = 1 }, 4.99024,
		  4.00336, 5.00688);
	check_all(FORMULA_P2P, (struct formula_input){ .bytes = 2048 }, 4.99024,
		  4.00336, 5.00688);
	check_all(FORMULA_P2P, (struct formula_input){ .bytes = 2049 }, 6.28048,
		  6.70672, 8.71376);
	check_all(FORMULA_P2P, large, 664.30288, 1385.42032, 1899.22256);
	check_all(FORMULA_BCAST,
		  (struct formula_input){ .bytes = 65536, .processes = 2 },
		  124.90768, 129.31664, 3800.048);
	check_all(FORMULA_BCAST, large, 11829.63728, 12518.89744, 364903.408);
	check_all(FORMULA_SCATTER, large, 339.2336, 807.1928, 867.9752);
	check_all(FORMULA_GATHER, large, 348.23184, 114.704, 983.2096);
	check_all(FORMULA_ALLTOALL, large, 8060.56368, 8071.36368, 32222.35472);
	check_all(FORMULA_BARRIER, large, 46.4, 122.4, 133.8);
	check_all(FORMULA_READ, large, 7852.89728, 35363.8624, 38008.704);
	check_all(FORMULA_WRITE, large, 6170.25024, 7190.6016, 10851.7568);
}
END_TEST

START_TEST(computation_is_as_worked_out)
{
	const double h = 11e6;

	check_all(FORMULA_COMPUTE, (struct formula_input){ h, 1, 0, 0, 0 },
		  18150, 20900, 36300);
	/* Up to P_low, beyond it (Galera has no hyper-threads), beyond P_hi. */
	check_all(FORMULA_COMPUTE, (struct formula_input){ h, 4, 0, 0, 0 },
		  18150, 20900, 36300);
	check_all(FORMULA_COMPUTE, (struct formula_input){ h, 9, 0, 0, 0 },
		  18150, 24541, 43252);
	check_all(FORMULA_COMPUTE, (struct formula_input){ h, 8, 0, 0, 0 },
		  18150, 20900, 37400);
	check_all(FORMULA_COMPUTE, (struct formula_input){ h, 25, 0, 0, 0 },
		  25509, 65901, 116116);
}
END_TEST

START_TEST(power_and_success_are_as_worked_out)
{
	const double known[][2] = { { 0, 78 },      { 6, 107.04 },
				    { 12, 136.08 }, { 13, 133.7 },
				    { 24, 154.6 },  { 25, 151 } };
	const struct formula_system *system = &preset_find("galera+")->system;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		check_near(value_of(system, FORMULA_POWER,
				    (struct formula_input){
					    .threads = known[i][0] })
				   .value,
			   known[i][1]);
	ck_assert_double_eq_tol(
		value_of(system, FORMULA_SUCCESS,
			 (struct formula_input){ .processes = 192,
						 .seconds = 86400 })
			.value,
		0.99168443, 5e-9);
}
END_TEST

START_TEST(times_below_zero_are_zero)
{
	const struct formula_input alone = { .bytes = 1 << 20, .processes = 1 };
	struct formula_value value = value_of(&preset_find("kask")->system,
					      FORMULA_BARRIER, alone);

	ck_assert(value.clamped);
	ck_assert_double_eq(value.value, 0);
	value = value_of(&preset_find("galera+")->system, FORMULA_BARRIER,
			 alone);
	ck_assert(!value.clamped);
	check_near(value.value, 1.4);
}
END_TEST

START_TEST(log_has_the_base_that_is_asked_for)
{
	struct formula_system system = preset_find("galera+")->system;
	const struct formula_input input = { .processes = 100 };

	system.log_base = 10;
	check_near(value_of(&system, FORMULA_BARRIER, input).value, 16.4);
}
END_TEST

START_TEST(what_is_not_known_is_said)
{
	const struct formula_system *system = &preset_find("galera")->system;
	const struct formula_input input = { .threads = 2, .processes = 2 };
	struct formula_value value;
	enum formula_param lacking;

	ck_assert_int_eq(
		formula_eval(system, FORMULA_POWER, &input, &value, &lacking),
		-ENODATA);
	ck_assert_int_eq(lacking, FORMULA_PW_LOW);
	ck_assert_int_eq(
		formula_eval(system, FORMULA_SUCCESS, &input, &value, &lacking),
		-ENODATA);
	ck_assert_int_eq(lacking, FORMULA_LAMBDA);
}
END_TEST

START_TEST(input_without_sense_is_refused)
{
	const struct formula_system *system = &preset_find("galera+")->system;
	const struct formula_input bad[] = {
		{ 1, 1, -1, 2, 1 },
		{ 1, 1, NAN, 2, 1 },
		{ 1, 1, 1, 0, 1 },
		{ 1, 1, 1, -2, 1 },
	};
	struct formula_value value;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(formula_eval(system, FORMULA_BCAST, &bad[i],
					      &value, NULL),
				 -EDOM);
}
END_TEST

START_TEST(names_find_what_they_name)
{
	for (int i = 0; i < FORMULA_OPERATIONS; i++)
		ck_assert_int_eq(formula_find(formulas[i].name), i);
	for (int i = 0; i < FORMULA_PARAMS; i++)
		ck_assert_int_eq(formula_param_find(formula_param_name(i)), i);
	ck_assert_int_eq(formula_find("none"), FORMULA_OPERATIONS);
	ck_assert_int_eq(formula_param_find("none"), FORMULA_PARAMS);
	ck_assert_ptr_null(preset_find("none"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("formula");
	TCase *tcase = tcase_create("formula");
	SRunner *runner;
	int failed;

	tcase_add_test(tcase, communication_is_as_worked_out);
	tcase_add_test(tcase, computation_is_as_worked_out);
	tcase_add_test(tcase, power_and_success_are_as_worked_out);
	tcase_add_test(tcase, times_below_zero_are_zero);
	tcase_add_test(tcase, log_has_the_base_that_is_asked_for);
	tcase_add_test(tcase, what_is_not_known_is_said);
	tcase_add_test(tcase, input_without_sense_is_refused);
	tcase_add_test(tcase, names_find_what_they_name);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

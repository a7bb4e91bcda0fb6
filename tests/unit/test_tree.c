/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests of tree/: maps, quadtrees, look-up tables and files. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree_save.h"

#define HEAD     "collective,processes,bytes,algorithm,segment,seconds\n"
#define LAUNCHES "collective,processes,bytes,algorithm,segment,seconds,launch\n"
#define ROOM     (1 << 20)

static char text[ROOM];
static struct tree_fault fault;

/* The best of a point of 2^i processes and bytes. */
typedef unsigned best_of(unsigned row, unsigned column);

static size_t put(size_t at, unsigned row, unsigned column, unsigned method,
		  double seconds)
{
	return at + (size_t)sprintf(text + at, "bcast,%u,%u,m%02u,%u,%g\n",
				    row + 2, 8 * column, method, 1024 * method,
				    seconds);
}

/* The worse the further from the best; a little more for more processes. */
static void make_map(struct tree_map *map, unsigned rows, unsigned columns,
		     unsigned methods, best_of *best)
{
	size_t at = (size_t)sprintf(text, HEAD);
	struct tree_points points;

	for (unsigned r = 0; r < rows; r++)
		for (unsigned c = 0; c < columns; c++)
			for (unsigned m = 0; m < methods; m++)
				at = put(at, r, c, m,
					 (r + 1) * 1e-6 *
						 (1 + fabs((double)m -
							   best(r, c))));
	ck_assert_int_eq(tree_read_csv(&points, text, at, &fault), 0);
	ck_assert_int_eq(tree_map_make(map, &points, "bcast", NULL, &fault), 0);
	tree_points_clear(&points);
}

static unsigned noise(unsigned row, unsigned column)
{
	return (row * 7919u + column * 104729u) % 31 * 5 % 4;
}

static void take(struct tree_stats *stats, const struct tree_map *map,
		 const struct tree_limits *limits)
{
	struct tree_quad quad;

	ck_assert_int_eq(tree_quad_make(&quad, map, limits), 0);
	ck_assert_int_eq(tree_stats_take(stats, &quad), 0);
	tree_quad_clear(&quad);
}

static void check_exact(unsigned rows, unsigned columns, enum tree_shape shape)
{
	struct tree_limits limits = tree_exact;
	struct tree_quad quad;
	struct tree_flat flat;
	struct tree_map map;
	uint8_t best;

	limits.shape = shape;
	make_map(&map, rows, columns, 4, noise);
	ck_assert_int_eq(tree_quad_make(&quad, &map, &limits), 0);
	ck_assert_int_eq(tree_flat_make(&flat, &quad), 0);
	for (unsigned r = 0; r < rows; r++)
		for (unsigned c = 0; c < columns; c++) {
			best = tree_map_best(&map, r, c);
			ck_assert_uint_eq(map.methods[best].segment,
					  1024 * noise(r, c));
			ck_assert_uint_eq(tree_quad_method(&quad, r, c), best);
			best = tree_flat_method(
				&flat, tree_flat_row(&flat, r + 2), 8 * c);
			ck_assert_uint_eq(flat.methods[best].segment,
					  1024 * noise(r, c));
		}
	tree_flat_clear(&flat);
	tree_quad_clear(&quad);
	tree_map_clear(&map);
}

START_TEST(exact_trees_are_their_maps)
{
	for (enum tree_shape shape = TREE_SQUARE; shape <= TREE_FREE; shape++) {
		check_exact(16, 16, shape);
		check_exact(1, 13, shape);
		check_exact(9, 1, shape);
		check_exact(27, 19, shape);
		check_exact(49, 38, shape);
	}
}
END_TEST

START_TEST(more_depth_costs_less)
{
	struct tree_limits limits = tree_exact;
	struct tree_stats stats;
	struct tree_map map;
	double before = 1e9;

	make_map(&map, 29, 22, 4, noise);
	for (limits.depth = 0; limits.depth <= 5; limits.depth++) {
		take(&stats, &map, &limits);
		ck_assert_uint_le(stats.depth_max, limits.depth);
		ck_assert_uint_eq(stats.n_nodes % 4, 1);
		ck_assert_uint_eq(stats.n_leaves * 4, stats.n_nodes * 3 + 1);
		ck_assert_double_le(stats.penalty_mean, before);
		before = stats.penalty_mean;
	}
	ck_assert_double_eq(before, 0);
	ck_assert_double_eq(stats.penalty_max, 0);
	tree_map_clear(&map);
}
END_TEST

/* A map of 8 by 8. */
static unsigned quarters;   /* bits: quarters that are of several methods */
static unsigned sixteenths; /* likewise, of these quarters' quarters */

static unsigned shaped(unsigned row, unsigned column)
{
	const unsigned quarter = row / 4 * 2 + column / 4;
	const unsigned sixteenth = row / 2 * 4 + column / 2;

	if (!(quarters >> quarter & 1))
		return quarter;
	if (!(sixteenths >> sixteenth & 1))
		return 4 + row / 2 % 2 * 2 + column / 2 % 2;
	return 8 + row % 2 * 2 + column % 2;
}

static void shape_is(const char *depth_mean, unsigned depth_min, size_t leaves,
		     size_t nodes)
{
	struct tree_stats stats;
	struct tree_map map;
	char mean[16];

	make_map(&map, 8, 8, 12, shaped);
	take(&stats, &map, &tree_exact);
	snprintf(mean, sizeof(mean), "%.2f", stats.depth_mean);
	ck_assert_str_eq(mean, depth_mean);
	ck_assert_uint_eq(stats.depth_min, depth_min);
	ck_assert_uint_eq(stats.n_leaves, leaves);
	ck_assert_uint_eq(stats.n_nodes, nodes);
	tree_map_clear(&map);
}

/*
 * The first three lines of the paper's tables 1 and 2: which blocks are divided
 * follows from how many leaves there are.
 */
START_TEST(shapes_are_as_in_the_paper)
{
	quarters = 0;
	shape_is("1.00", 1, 4, 5);
	quarters = 0x7;
	shape_is("1.92", 1, 13, 17);
	sixteenths = 0x0031;
	shape_is("2.50", 1, 22, 29);
	quarters = 0xf;
	sixteenths = 0;
	shape_is("2.00", 2, 16, 21);
	sixteenths = 0x007f;
	shape_is("2.76", 2, 37, 49);
}
END_TEST

/* Its table 3: bytes of trees whose ifs, 4 to each inner node, are the column
 * of sizes. */
START_TEST(sizes_are_as_in_the_paper)
{
	static const size_t ifs[] = { 4, 12, 68, 136, 264, 884 };
	static const size_t bytes[] = { 712, 1096, 3784, 7048, 13192, 42952 };

	for (int i = 0; i < 6; i++) {
		const struct tree_stats stats = { .n_nodes = ifs[i] + 1 };

		ck_assert_uint_eq(tree_stats_paper_bytes(&stats), bytes[i]);
	}
}
END_TEST

static unsigned mostly(unsigned row, unsigned column)
{
	return row == 1 && column == 2;
}

START_TEST(accuracy_makes_leaves)
{
	struct tree_limits limits = tree_exact;
	struct tree_stats stats;
	struct tree_map map;

	make_map(&map, 4, 4, 2, mostly);
	limits.accuracy = 93.75;
	take(&stats, &map, &limits);
	ck_assert_uint_eq(stats.n_nodes, 1);
	ck_assert_double_eq_tol(stats.penalty_max, 100, 1e-9);
	ck_assert_double_eq_tol(stats.penalty_mean, 100. / 16, 1e-9);
	ck_assert_double_eq(stats.penalty_median, 0);
	limits.accuracy = 93.8;
	take(&stats, &map, &limits);
	ck_assert_uint_eq(stats.n_nodes, 9);
	tree_map_clear(&map);
}
END_TEST

/* Two points cost little with the other method, one costs much. */
START_TEST(leaves_are_cheap_or_frequent)
{
	static const char csv[] = HEAD "bcast,2,1,a,0,1.0\nbcast,2,1,b,0,1.1\n"
				       "bcast,2,2,a,0,1.0\nbcast,2,2,b,0,1.1\n"
				       "bcast,4,1,a,0,9.0\nbcast,4,1,b,0,1.0\n"
				       "bcast,4,2,a,0,1.0\nbcast,4,2,b,0,1.1\n";
	struct tree_limits limits = { 0, 100, TREE_SQUARE, TREE_BY_COUNT };
	struct tree_points points;
	struct tree_stats stats;
	struct tree_map map;

	ck_assert_int_eq(tree_read_csv(&points, csv, strlen(csv), &fault), 0);
	ck_assert_int_eq(tree_map_make(&map, &points, "bcast", NULL, &fault),
			 0);
	take(&stats, &map, &limits);
	ck_assert_double_eq_tol(stats.penalty_mean, 200, 1e-9);
	limits.vote = TREE_BY_PENALTY;
	take(&stats, &map, &limits);
	ck_assert_double_eq_tol(stats.penalty_mean, 7.5, 1e-9);
	tree_map_clear(&map);
	tree_points_clear(&points);
}
END_TEST

static double time_of(const struct tree_map *map, size_t row, size_t column,
		      size_t method)
{
	return tree_map_seconds(map, row, column)[method];
}

START_TEST(missing_times_are_interpolated)
{
	static const char csv[] =
		"\xef\xbb\xbf"
		"seconds,segment,algorithm,bytes,processes,collective\r\n"
		"1e-6,0,a,16,2,\"bcast\"\r\n"
		"9e-6,0,a,256,2,bcast\r\n"
		"4e-6,0,b,64,2,bcast\r\n"
		"4e-6,0,a,16,8,bcast\r\n"
		"1e-6,0,a,16,4,reduce\r\n"
		"7e-6,0,b,64,4,bcast\r\n";
	struct tree_points points;
	struct tree_map map;

	ck_assert_int_eq(tree_read_csv(&points, csv, strlen(csv), &fault), 0);
	ck_assert_int_eq(tree_map_make(&map, &points, "bcast", NULL, &fault),
			 0);
	ck_assert_uint_eq(map.n_rows, 3);
	ck_assert_uint_eq(map.n_columns, 3);
	/* The middle by their logarithms: along the bytes, the processes. */
	ck_assert_double_eq_tol(time_of(&map, 0, 1, 0), 3e-6, 1e-12);
	ck_assert_double_eq_tol(time_of(&map, 1, 0, 0), 2e-6, 1e-12);
	ck_assert(isnan(time_of(&map, 0, 0, 1)));
	ck_assert_uint_eq(map.n_measured, 5);
	ck_assert_uint_eq(map.n_interpolated, 2);
	/* 4 processes: 256 bytes as 64; 8 processes: 64 and 256 as 16. */
	ck_assert_uint_eq(map.n_filled, 3);
	ck_assert_double_eq(time_of(&map, 1, 2, 1), 7e-6);
	ck_assert_double_eq(time_of(&map, 2, 2, 0), 4e-6);
	ck_assert(isnan(tree_map_penalty(&map, 0, 0, 1)));
	tree_map_clear(&map);
	tree_points_clear(&points);
}
END_TEST

#define MOST_COLUMNS 9

/* Bounds anywhere, several within a power of two; so many of them. */
static void check_flat(unsigned columns)
{
	static const uint64_t bytes[MOST_COLUMNS] = { 0,    6,    1024,
						      1448, 1500, 1501,
						      2000, 4096, 4097 };
	static const uint32_t processes[] = { 0, 3, 4, 17 };
	static const struct tree_method methods[4] = {
		{ .algorithm = "a" },
	};
	uint8_t cells[4 * MOST_COLUMNS];
	struct tree_flat flat;
	unsigned wrong = 0;
	const struct tree_ranges ranges = { "bcast",   methods, 4,
					    processes, 4,       bytes,
					    columns,   cells };
	const uint8_t *row;

	for (unsigned i = 0; i < 4 * columns; i++)
		cells[i] = (uint8_t)(i * 7 / 3 % 4);
	ck_assert_int_eq(tree_flat_from_ranges(&flat, &ranges), 0);
	for (unsigned p = 0, r = 0; p < 40; p++) {
		while (r + 1 < 4 && processes[r + 1] <= p)
			r++;
		row = tree_flat_row(&flat, p);
		for (unsigned b = 0, c = 0; b < 9000; b++) {
			while (c + 1 < columns && bytes[c + 1] <= b)
				c++;
			wrong += tree_flat_method(&flat, row, b) !=
				 cells[r * columns + c];
		}
		ck_assert_uint_eq(wrong, 0);
		ck_assert_uint_eq(tree_flat_method(&flat, row, UINT64_MAX),
				  cells[(r + 1) * columns - 1]);
	}
	tree_flat_clear(&flat);
}

START_TEST(flat_rows_have_every_size)
{
	for (unsigned columns = 1; columns <= MOST_COLUMNS; columns++)
		check_flat(columns);
}
END_TEST

static char *save(const struct tree_flat *flat, size_t *size)
{
	char *saved;
	FILE *to = open_memstream(&saved, size);

	ck_assert_ptr_nonnull(to);
	tree_save(flat, to);
	fclose(to);
	return saved;
}

START_TEST(saved_trees_come_back)
{
	struct tree_flat flat;
	struct tree_flat back;
	struct tree_quad quad;
	struct tree_map map;
	char *saved[2];
	size_t size[2];

	make_map(&map, 27, 19, 4, noise);
	ck_assert_int_eq(tree_quad_make(&quad, &map, &tree_exact), 0);
	ck_assert_int_eq(tree_flat_make(&flat, &quad), 0);
	saved[0] = save(&flat, &size[0]);
	ck_assert_int_eq(tree_save_read(&back, saved[0], size[0], &fault), 0);
	saved[1] = save(&back, &size[1]);
	ck_assert_str_eq(saved[0], saved[1]);
	ck_assert_mem_eq(flat.first, back.first, sizeof(flat.first));
	/* Whatever is cut off is missed, but the end of the last line. */
	for (size_t n = 0; n + 1 < size[0]; n++)
		ck_assert_int_eq(tree_save_read(&back, saved[0], n, &fault),
				 -EINVAL);
	for (int i = 0; i < 2; i++)
		free(saved[i]);
	tree_flat_clear(&back);
	tree_flat_clear(&flat);
	tree_quad_clear(&quad);
	tree_map_clear(&map);
}
END_TEST

static const struct {
	const char *csv;
	const char *fault;
} bad_csv[] = {
	{ "", "line 1: the columns are not" },
	{ "collective,processes,bytes\n", "line 1: the columns are not" },
	{ "collective,processes,bytes,age\n", "line 1: 'age' is no column" },
	{ "bytes,bytes\n", "line 1: 'bytes' is no column, or twice" },
	{ HEAD, "no measurements" },
	{ HEAD "bcast,2,1,a,0,-1\n", "line 2: '-1' cannot be seconds" },
	{ HEAD "bcast,2,1,a,0,0\n", "line 2: '0' cannot be seconds" },
	{ HEAD "bcast,2,1,a,0,nan\n", "line 2: 'nan' cannot be seconds" },
	{ HEAD "bcast,2,1,a,0,1e999\n", "line 2: '1e999' cannot be seconds" },
	{ HEAD "bcast,2,1,a,0,0x1\n", "line 2: '0x1' cannot be seconds" },
	{ HEAD "bcast,0,1,a,0,1\n", "line 2: '0' cannot be processes" },
	{ HEAD "bcast,2,-1,a,0,1\n", "line 2: '-1' cannot be bytes" },
	{ HEAD "bcast,2,18446744073709551617,a,0,1\n", "cannot be bytes" },
	{ HEAD "bcast,2,1,a b,0,1\n", "line 2: 'a b' cannot be algorithm" },
	{ HEAD "bcast,2,1,a,0\n", "line 2: not as many values" },
	{ HEAD "bcast,2,1,a,0,1,1\n", "line 2: not as many values" },
	{ HEAD "bcast,2,1,a,0,1\nbcast,4,1,a,0,1\nbcast,2,1,a,0,2\n",
	  "lines 2 and 4: the same measurement twice" },
	{ LAUNCHES "bcast,2,1,a,0,1,7\nbcast,2,1,a,0,2,7\n",
	  "lines 2 and 3: the same measurement twice" },
	{ LAUNCHES "bcast,2,1,a,0,1,x\n", "line 2: 'x' cannot be launch" },
};

START_TEST(bad_measurements_are_refused)
{
	struct tree_points points;

	for (size_t i = 0; i < sizeof(bad_csv) / sizeof(bad_csv[0]); i++) {
		ck_assert_int_eq(tree_read_csv(&points, bad_csv[i].csv,
					       strlen(bad_csv[i].csv), &fault),
				 -EINVAL);
		ck_assert_msg(strstr(fault.text, bad_csv[i].fault), "%zu: %s",
			      i, fault.text);
	}
}
END_TEST

#define TREE "bcs-tree 1\ncollective bcast\nmethod a 0\nmethod b 8\n"

static const char *const bad_trees[] = {
	"bcs-tree 2\n",
	"bcs-tree 1\nmethod a 0\n",
	"bcs-tree 1\ncollective bcast\nbytes 0\nrow 0 0\nend\n",
	TREE "bytes 1 2\nrow 0 0 1\nend\n",
	TREE "bytes 0 2 2\nrow 0 0 1 1\nend\n",
	TREE "bytes 0 2\nrow 0 0 2\nend\n",
	TREE "bytes 0 2\nrow 0 0\nend\n",
	TREE "bytes 0 2\nrow 0 0 1 1\nend\n",
	TREE "bytes 0 2\nrow 1 0 1\nend\n",
	TREE "bytes 0 2\nrow 0 0 1\nrow 0 0 1\nend\n",
	TREE "bytes 0 2\nrow 0 0 -1\nend\n",
	TREE "bytes 0 2\nrow 0 0 1\nend \n",
	TREE "bytes 0 2\nrow 0 0 1\nend\nend\n",
	TREE "bytes 0 2\nend\n",
};

START_TEST(bad_trees_are_refused)
{
	static const char good[] = TREE "bytes 0 2\nrow 0 0 1\nend\n";
	struct tree_flat flat;

	ck_assert_int_eq(tree_save_read(&flat, good, strlen(good), &fault), 0);
	tree_flat_clear(&flat);
	for (size_t i = 0; i < sizeof(bad_trees) / sizeof(bad_trees[0]); i++) {
		*fault.text = '\0';
		ck_assert_msg(tree_save_read(&flat, bad_trees[i],
					     strlen(bad_trees[i]),
					     &fault) == -EINVAL,
			      "%zu was taken", i);
		ck_assert_ptr_nonnull(strstr(fault.text, "line "));
	}
}
END_TEST

/* Three launches, and two more of a file that was joined to it. */
START_TEST(launches_are_joined)
{
	static const char csv[] = LAUNCHES
		"bcast,2,1,a,0,4,1\nbcast,2,1,a,0,1,2\nbcast,2,1,a,0,3,3\n"
		"bcast,2,1,b,0,5,1\n" LAUNCHES
		"bcast,2,1,b,0,8,1\nbcast,2,1,a,0,9,1\nbcast,2,1,a,0,9,2\n";
	struct tree_points points;

	ck_assert_int_eq(tree_read_csv(&points, csv, strlen(csv), &fault), 0);
	ck_assert_uint_eq(points.n, 7);
	tree_points_join(&points);
	ck_assert_uint_eq(points.n, 2);
	ck_assert_double_eq(points.points[0].seconds, 4);
	ck_assert_double_eq(points.points[1].seconds, 6.5);
	ck_assert_str_eq(points.points[1].method.algorithm, "b");
	tree_points_clear(&points);
}
END_TEST

START_TEST(one_point_is_no_map)
{
	static const char csv[] = HEAD "bcast,2,1,a,0,1\nbcast,2,1,b,0,1\n";
	struct tree_points points;
	struct tree_map map;

	ck_assert_int_eq(tree_read_csv(&points, csv, strlen(csv), &fault), 0);
	ck_assert_int_eq(tree_map_make(&map, &points, "bcast", NULL, &fault),
			 -EINVAL);
	ck_assert_ptr_nonnull(strstr(fault.text, "one point"));
	ck_assert_int_eq(tree_map_make(&map, &points, "scan", NULL, &fault),
			 -EINVAL);
	tree_points_clear(&points);
}
END_TEST

static Suite *tree_suite(void)
{
	Suite *suite = suite_create("tree");
	TCase *tcase = tcase_create("all");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, exact_trees_are_their_maps);
	tcase_add_test(tcase, more_depth_costs_less);
	tcase_add_test(tcase, launches_are_joined);
	tcase_add_test(tcase, shapes_are_as_in_the_paper);
	tcase_add_test(tcase, sizes_are_as_in_the_paper);
	tcase_add_test(tcase, accuracy_makes_leaves);
	tcase_add_test(tcase, leaves_are_cheap_or_frequent);
	tcase_add_test(tcase, missing_times_are_interpolated);
	tcase_add_test(tcase, flat_rows_have_every_size);
	tcase_add_test(tcase, saved_trees_come_back);
	tcase_add_test(tcase, bad_measurements_are_refused);
	tcase_add_test(tcase, bad_trees_are_refused);
	tcase_add_test(tcase, one_point_is_no_map);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(tree_suite());
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The cost of a decision in three forms: the flat table, a quadtree of nodes
 * with pointers as in the paper, and the function that `bcs tree` writes.  Each
 * line has the limit of the depth, the mean penalty and the form.  Then it has
 * the ns of an independent decision, the ns of one that depends on the one
 * before, and bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tree/tree_flat.h"
#include "tree_times.h"

#define QUERIES   65536u /* more than what predicts branches can learn */
#define SECONDS   0.2
#define PROCESSES 51

unsigned bcs_depth3_choose(unsigned processes, unsigned long long bytes);
unsigned bcs_exact_choose(unsigned processes, unsigned long long bytes);

/* The paper's: four pointers, what a leaf says, and the block. */
struct node {
	struct node *child[4];
	int method;
	unsigned short block[4];
};

struct pointers {
	struct node *root;
	unsigned levels;
	const struct tree_map *map;
	unsigned short row[PROCESSES];           /* of the grid */
	unsigned short column[TREE_COLUMNS_MAX]; /* likewise */
};

static uint32_t processes[QUERIES];
static uint64_t bytes[QUERIES];
static struct pointers pointers;
static struct tree_flat flat;
static const uint8_t *rows[PROCESSES];

static void *must(void *memory)
{
	if (memory)
		return memory;
	perror("tree");
	exit(1);
}

static struct node *node_make(const struct tree_quad *quad, size_t at)
{
	const struct tree_node *from = &quad->nodes[at];
	struct node *node = must(calloc(1, sizeof(*node)));

	node->method = from->method;
	for (unsigned i = 0; from->children && i < 4; i++)
		node->child[i] = node_make(quad, from->children + i);
	return node;
}

static void node_free(struct node *node)
{
	for (unsigned i = 0; i < 4; i++)
		if (node->child[i])
			node_free(node->child[i]);
	free(node);
}

static void pointers_make(const struct tree_quad *quad)
{
	const struct tree_map *map = quad->map;
	const size_t side = quad->n_rows;

	pointers.root = node_make(quad, 0);
	pointers.map = map;
	for (pointers.levels = 0; 1u << pointers.levels < side;)
		pointers.levels++;
	for (size_t i = 0; i < map->n_rows; i++)
		pointers.row[i] = (unsigned short)((i * side + map->n_rows -
						    1) /
						   map->n_rows);
	for (size_t i = 0; i < map->n_columns; i++)
		pointers.column[i] = (unsigned short)((i * side +
						       map->n_columns - 1) /
						      map->n_columns);
}

/* The last that is not above it, or the first. */
static size_t find_row(const struct tree_map *map, uint32_t n)
{
	size_t low = 0;
	size_t high = map->n_rows;

	while (high - low > 1) {
		const size_t middle = (low + high) / 2;

		if (map->processes[middle] <= n)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static size_t find_column(const struct tree_map *map, uint64_t n)
{
	size_t low = 0;
	size_t high = map->n_columns;

	while (high - low > 1) {
		const size_t middle = (low + high) / 2;

		if (map->bytes[middle] <= n)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static unsigned by_pointers(uint32_t p, uint64_t n)
{
	const unsigned row = pointers.row[find_row(pointers.map, p)];
	const unsigned column = pointers.column[find_column(pointers.map, n)];
	const struct node *node = pointers.root;

	for (unsigned bit = pointers.levels - 1; node->child[0]; bit--)
		node = node->child[(row >> bit & 1) * 2 + (column >> bit & 1)];
	return (unsigned)node->method;
}

static unsigned by_flat(uint32_t p, uint64_t n)
{
	return tree_flat_method(&flat, rows[p], n);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* 0, of which the compiler does not know that it is. */
static volatile uint64_t nothing;

/*
 * All queries.  Where they depend on each other the bytes of one need the
 * method of the one before it.
 */
#define PASS(name, decide)                                           \
	static unsigned name##_apart(void)                           \
	{                                                            \
		unsigned sum = 0;                                    \
		for (unsigned i = 0; i < QUERIES; i++)               \
			sum += decide(processes[i], bytes[i]);       \
		return sum;                                          \
	}                                                            \
	static unsigned name##_chained(void)                         \
	{                                                            \
		const uint64_t zero = nothing;                       \
		unsigned method = 0;                                 \
		for (unsigned i = 0; i < QUERIES; i++)               \
			method = decide(processes[i],                \
					bytes[i] + (method & zero)); \
		return method;                                       \
	}

PASS(flat, by_flat)
PASS(pointers, by_pointers)
PASS(depth3, bcs_depth3_choose)
PASS(exact, bcs_exact_choose)

/* ns a decision; the least of several stretches, for others share the cores. */
static double measure(unsigned (*pass)(void))
{
	const double end = now() + SECONDS;
	volatile unsigned sink;
	double least = 1e9;
	double start;

	do {
		start = now();
		sink = pass();
		(void)sink;
		if (now() - start < least)
			least = now() - start;
	} while (now() < end);
	return least / QUERIES * 1e9;
}

static void report(const char *depth, double penalty, const char *by,
		   unsigned (*apart)(void), unsigned (*chained)(void),
		   size_t size)
{
	printf("%s %.2f %s %.2f %.2f %zu\n", depth, penalty, by, measure(apart),
	       measure(chained), size);
}

/* They have to decide alike: the function counts its methods as the table. */
static int check(unsigned (*emitted)(unsigned, unsigned long long))
{
	for (unsigned i = 0; i < QUERIES; i++) {
		const unsigned method = by_flat(processes[i], bytes[i]);
		const unsigned other = by_pointers(processes[i], bytes[i]);

		if (method != emitted(processes[i], bytes[i]) ||
		    tree_method_compare(&flat.methods[method],
					&pointers.map->methods[other]) != 0)
			return -1;
	}
	return 0;
}

static int run(const struct tree_map *map, unsigned depth, const char *name)
{
	const bool is_exact = depth == TREE_DEPTH_MAX;
	struct tree_limits limits = tree_exact;
	struct tree_stats stats;
	struct tree_quad quad;
	int rc;

	limits.depth = depth;
	if (tree_quad_make(&quad, map, &limits) != 0 ||
	    tree_stats_take(&stats, &quad) != 0 ||
	    tree_flat_make(&flat, &quad) != 0)
		return -1;
	for (uint32_t p = 0; p < PROCESSES; p++)
		rows[p] = tree_flat_row(&flat, p);
	pointers_make(&quad);
	rc = check(is_exact ? bcs_exact_choose : bcs_depth3_choose);
	report(name, stats.penalty_mean, "pointers", pointers_apart,
	       pointers_chained,
	       stats.n_nodes * sizeof(struct node) + map->n_rows * 6 +
		       map->n_columns * 10 + map->n_methods * 8);
	report(name, stats.penalty_mean, "function",
	       is_exact ? exact_apart : depth3_apart,
	       is_exact ? exact_chained : depth3_chained, 0);
	report(name, stats.penalty_mean, "flat", flat_apart, flat_chained,
	       tree_flat_bytes(&flat));
	node_free(pointers.root);
	tree_flat_clear(&flat);
	tree_quad_clear(&quad);
	return rc;
}

static int make_map(struct tree_map *map)
{
	struct tree_points points;
	struct tree_fault fault;
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int rc;

	must(to);
	tree_times_put("bcast", to);
	fclose(to);
	rc = tree_read_csv(&points, text, size, &fault);
	if (rc == 0) {
		rc = tree_map_make(map, &points, "bcast", NULL, &fault);
		tree_points_clear(&points);
	}
	free(text);
	return rc;
}

int main(void)
{
	struct tree_map map;
	int rc;

	srand(1);
	for (unsigned i = 0; i < QUERIES; i++) {
		processes[i] = 2 + (uint32_t)rand() % (PROCESSES - 2);
		bytes[i] = UINT64_C(1) << rand() % 24;
		bytes[i] += (uint64_t)rand() % bytes[i];
	}
	if (make_map(&map) != 0)
		return 1;
	rc = run(&map, 3, "3");
	if (rc == 0)
		rc = run(&map, TREE_DEPTH_MAX, "exact");
	tree_map_clear(&map);
	if (rc == 0)
		return 0;
	fputs("tree: they do not decide alike\n", stderr);
	return 1;
}

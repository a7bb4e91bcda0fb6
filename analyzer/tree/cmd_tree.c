/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs tree`: reads measurements or a saved tree, builds decision trees and
 * writes them in the form asked for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/input.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/show/output.h"
#include "analyzer/tree/tree_curve.h"
#include "analyzer/tree/tree_svg.h"
#include "analyzer/tree/tree_table.h"
#include "tree/tree_emit.h"
#include "tree/tree_save.h"

/* A form in which a tree is written. */
struct language {
	const char *name;
	void (*emit)(const struct tree_flat *flats, size_t n, FILE *to);
	bool (*has)(const char *collective, const struct tree_method *method);
	const char *library; /* whose measurements count; NULL: all */
	const char *whose;   /* the same for people */
};

/* A file of BCS_TREE is of one collective. */
static void emit_saved(const struct tree_flat *flats, size_t n, FILE *to)
{
	(void)n;
	tree_save(flats, to);
}

/* BCS_TREE takes what was measured of libbcs. */
static bool tree_has(const char *collective, const struct tree_method *method)
{
	(void)collective;
	return tree_method_is_of(method, "bcs") && !method->is_default;
}

static const struct language languages[] = {
	{ "c", tree_emit_c, NULL, NULL, NULL },
	{ "mpich", TREE_EMIT_MPICH, tree_emit_mpich_has, "mpich", "MPICH" },
	{ "mpich-4.0", tree_emit_mpich_4_0, tree_emit_mpich_has, "mpich",
	  "MPICH" },
	{ "mpich-4.1", tree_emit_mpich_4_1, tree_emit_mpich_has, "mpich",
	  "MPICH" },
	{ "openmpi", tree_emit_openmpi, tree_emit_openmpi_has, "openmpi",
	  "Open MPI" },
	{ "tree", emit_saved, tree_has, "bcs", "libbcs" },
};
#define COLLECTIVES_MAX 64 /* of a file; MPI has 44 */
#define N_LANGUAGES     (sizeof(languages) / sizeof(languages[0]))

/* A picture of one tree, or of trees by their limits. */
struct picture {
	const char *name;
	void (*of_tree)(const struct tree_quad *quad);
	int (*of_limits)(const struct tree_map *map,
			 const struct tree_limits *limits);
};

static const struct picture pictures[] = {
	{ "map", tree_svg_map, NULL },
	{ "penalty", tree_svg_penalty, NULL },
	{ "accuracy", NULL, tree_curve_accuracy },
	{ "limits", NULL, tree_curve_limits },
};
#define N_PICTURES (sizeof(pictures) / sizeof(pictures[0]))

/* The options of the command line. */
static struct {
	const char *collective;
	struct tree_limits limits;
	const struct language *language; /* NULL: the table */
	const struct picture *picture;
} choice = { .limits = { TREE_DEPTH_MAX, 100, TREE_SQUARE, TREE_BY_PENALTY } };

static bool set_accuracy(const struct option_spec *option, const char *value)
{
	const size_t len = strcspn(value, "%");
	double accuracy;

	(void)option;
	if (!tree_text_positive(value, len, &accuracy) || accuracy > 100 ||
	    (value[len] && value[len + 1]))
		return false;
	choice.limits.accuracy = accuracy;
	return true;
}

static bool set_exact(const struct option_spec *option, const char *value)
{
	(void)option;
	(void)value;
	choice.limits.depth = tree_exact.depth;
	choice.limits.accuracy = tree_exact.accuracy;
	return true;
}

static bool set_language(const struct option_spec *option, const char *value)
{
	(void)option;
	for (size_t i = 0; i < N_LANGUAGES; i++)
		if (strcmp(languages[i].name, value) == 0)
			choice.language = &languages[i];
	return choice.language && strcmp(choice.language->name, value) == 0;
}

static bool set_svg(const struct option_spec *option, const char *value)
{
	(void)option;
	for (size_t i = 0; i < N_PICTURES; i++)
		if (strcmp(pictures[i].name, value) == 0)
			choice.picture = &pictures[i];
	return choice.picture && strcmp(choice.picture->name, value) == 0;
}

static const struct option_spec *options(void)
{
	static const struct option_spec list[] = {
		{ "collective", 'c', "NAME", "a name of FILE",
		  "choose a collective, if FILE has several; --emit=c, mpich "
		  "and openmpi write all of them",
		  OPTION_TEXT(&choice.collective) },
		{ "exact", 0, NULL, NULL,
		  "keep the decision of every measured point; the default",
		  .set = set_exact },
		{ "depth", 'd', "N", NULL, "limit the depth of the tree to N",
		  OPTION_NUMBER(&choice.limits.depth, 0, TREE_DEPTH_MAX) },
		{ "accuracy", 'a', "PERCENT", "a number up to 100, like 70",
		  "make a block a leaf if PERCENT of its points have one "
		  "method",
		  .set = set_accuracy },
		{ "leaf", 0, "HOW", "cheapest or frequent",
		  "method of a leaf whose points have several: the cheapest on "
		  "average, or the most frequent, as in the paper; default: "
		  "cheapest",
		  OPTION_WORD(&choice.limits.vote, TREE_BY_PENALTY) },
		{ "shape", 0, "WHAT", "square or free",
		  "area to divide: a square of 2^k with repeated rows and "
		  "columns, as in the paper, or the map as it is (free); "
		  "default: square",
		  OPTION_WORD(&choice.limits.shape, TREE_SQUARE) },
		{ "emit", 'e', "WHAT",
		  "c, mpich, mpich-4.0, mpich-4.1, openmpi or tree",
		  "write the tree as a C function (c), a tuning file of MPICH "
		  "4.0 (mpich-4.0), of MPICH 4.1 to 5.0 (mpich-4.1), of the "
		  "MPICH that bcs was built with (mpich), as rules of Open MPI "
		  "(openmpi) or as a file for BCS_TREE (tree)",
		  .set = set_language },
		{ "svg", 0, "WHAT", "map, penalty, accuracy or limits",
		  "draw the decisions (map), their cost (penalty), depth and "
		  "penalty by accuracy (accuracy), or the penalty by depth for "
		  "both limits (limits)",
		  .set = set_svg },
		REPORT_OPTION_WIDTH,
		REPORT_OPTION_CSV("print the table as CSV"),
		REPORT_OPTION_JSON("print the table as JSON"),
		{ 0 },
	};

	return list;
}

static void show_table(const struct tree_map *map)
{
	struct table *table = tree_table(map, &choice.limits);

	if (report_choice.format == REPORT_AS_JSON) {
		printf("{\"format\": 1, \"bcs\": \"" BCS_VERSION "\",\n "
		       "\"collective\": ");
		table_json_text(map->collective);
		printf(", \"measured\": %zu, \"interpolated\": %zu, "
		       "\"filled\": %zu,\n ",
		       map->n_measured, map->n_interpolated, map->n_filled);
		table_json(table);
		puts("}");
	} else {
		report_choice_tables(&table, 1);
	}
	table_free(table);
}

static int show_picture(const struct tree_map *map)
{
	struct tree_quad quad;
	int rc;

	if (choice.picture->of_limits)
		return choice.picture->of_limits(map, &choice.limits);
	rc = tree_quad_make(&quad, map, &choice.limits);
	if (rc != 0)
		return rc;
	choice.picture->of_tree(&quad);
	tree_quad_clear(&quad);
	return 0;
}

static int make_flat(struct tree_flat *flat, const struct tree_map *map)
{
	struct tree_quad quad;
	int rc = tree_quad_make(&quad, map, &choice.limits);

	if (rc == 0) {
		rc = tree_flat_make(flat, &quad);
		tree_quad_clear(&quad);
	}
	return rc;
}

/* The one that was asked for, or the only one; NULL after it has said why. */
static const char *collective_of(const struct tree_points *points)
{
	const char *first = points->points[0].collective;
	const char *last = points->points[points->n - 1].collective;

	if (choice.collective)
		return choice.collective;
	if (strcmp(first, last) == 0)
		return first;
	say_error("measurements of %s, %s ...: --collective says of which",
		  first, last);
	return NULL;
}

static void warn_one(const char *collective, const struct tree_method *method)
{
	const char *whose = choice.language->whose;

	if (tree_method_is_of(method, choice.language->library))
		say_warning("%s has no %s, segment %llu, for %s: left out",
			    whose, method->algorithm,
			    (unsigned long long)method->segment, collective);
	else
		say_warning("the %s of %s was not measured of %s: left out",
			    method->algorithm, method->library, whose);
}

/* Methods that the reader of the file does not have count for nothing. */
static void warn_lacking(const struct tree_points *points,
			 const char *collective)
{
	const struct language *language = choice.language;
	const struct tree_point *point = points->points;
	const struct tree_point *before = NULL;

	for (size_t i = 0; i < points->n; i++, point++) {
		if (strcmp(point->collective, collective) != 0 ||
		    language->has(collective, &point->method))
			continue;
		if (!before ||
		    tree_method_compare(&before->method, &point->method) != 0)
			warn_one(collective, &point->method);
		before = point;
	}
	say_rest();
}

/* Times of one library's algorithm say nothing of another's. */
static int check_measured(const struct tree_points *points,
			  const char *collective, struct tree_fault *fault)
{
	const struct language *language = choice.language;
	bool said = false;

	for (size_t i = 0; i < points->n; i++) {
		const struct tree_point *point = &points->points[i];

		if (strcmp(point->collective, collective) != 0)
			continue;
		if (language->has(collective, &point->method))
			return 0;
		said = said || *point->method.library;
	}
	if (said)
		return tree_fault_set(fault, -EINVAL,
				      "no %s that %s can be told to take was "
				      "measured of it",
				      collective, language->whose);
	return tree_fault_set(fault, -EINVAL,
			      "it does not say whose algorithms it measured: "
			      "--emit=%s needs a column library, with '%s' and "
			      "its version",
			      language->name, language->library);
}

/* The table of one collective, of what the language has. */
static int flat_of_points(struct tree_flat *flat,
			  const struct tree_points *points,
			  const char *collective, struct tree_fault *fault)
{
	struct tree_map map;
	int rc = 0;

	if (choice.language->has)
		rc = check_measured(points, collective, fault);
	if (rc != 0)
		return rc;
	if (choice.language->has)
		warn_lacking(points, collective);
	rc = tree_map_make(&map, points, collective, choice.language->has,
			   fault);
	if (rc != 0)
		return rc;
	rc = make_flat(flat, &map);
	tree_map_clear(&map);
	return rc;
}

static int emit_one(const struct tree_points *points, const char *collective,
		    struct tree_fault *fault)
{
	struct tree_flat flat;
	int rc = flat_of_points(&flat, points, collective, fault);

	if (rc == 0) {
		choice.language->emit(&flat, 1, stdout);
		tree_flat_clear(&flat);
	}
	return rc;
}

/* Where the points of the next collective begin; they are sorted. */
static size_t next_collective(const struct tree_points *points, size_t at)
{
	const char *collective = points->points[at].collective;

	while (at < points->n &&
	       strcmp(points->points[at].collective, collective) == 0)
		at++;
	return at;
}

/* A collective of which there is no table keeps the library's own choice. */
static int emit_several(const struct tree_points *points,
			struct tree_fault *fault)
{
	struct tree_flat flats[COLLECTIVES_MAX];
	size_t n = 0;
	int rc = 0;

	for (size_t at = 0; at < points->n && n < COLLECTIVES_MAX;
	     at = next_collective(points, at)) {
		rc = flat_of_points(&flats[n], points,
				    points->points[at].collective, fault);
		if (rc == -ENOMEM)
			break;
		if (rc != 0)
			say_warning("%s: left out: %s",
				    points->points[at].collective, fault->text);
		n += rc == 0;
	}
	if (rc != -ENOMEM)
		rc = n > 0 ? 0 : -EINVAL;
	if (rc == 0)
		choice.language->emit(flats, n, stdout);
	while (n > 0)
		tree_flat_clear(&flats[--n]);
	return rc;
}

static int show_one(const struct tree_points *points, const char *collective,
		    struct tree_fault *fault)
{
	struct tree_map map;
	int rc = tree_map_make(&map, points, collective, NULL, fault);

	if (rc != 0)
		return rc;
	if (choice.picture)
		rc = show_picture(&map);
	else
		show_table(&map);
	tree_map_clear(&map);
	return rc;
}

static bool takes_several(const struct language *language)
{
	return language && language->emit != emit_saved;
}

static int tree_of_points(const struct tree_points *points,
			  struct tree_fault *fault)
{
	const char *collective;

	if (!choice.collective && takes_several(choice.language) &&
	    next_collective(points, 0) < points->n)
		return emit_several(points, fault);
	collective = collective_of(points);
	if (!collective)
		return -ECANCELED;
	return choice.language ? emit_one(points, collective, fault)
			       : show_one(points, collective, fault);
}

static int tree_of_csv(const char *text, size_t size, struct tree_fault *fault)
{
	struct tree_points points;
	int rc = tree_read_csv(&points, text, size, fault);

	if (rc == 0) {
		tree_points_join(&points);
		rc = tree_of_points(&points, fault);
		tree_points_clear(&points);
	}
	return rc;
}

static int check_saved(struct tree_fault *fault)
{
	const struct language *language = choice.language;

	if (!language)
		return tree_fault_set(fault, -EINVAL,
				      "a tree has no times: --emit says what "
				      "to write it as");
	if (language->library && strcmp(language->library, "bcs") != 0)
		return tree_fault_set(fault, -EINVAL,
				      "the algorithms of a tree are libbcs's, "
				      "not %s's",
				      language->whose);
	return 0;
}

/* The options that decide how a tree is built. */
static const char *const of_measurements[] = { "collective", "exact", "depth",
					       "accuracy",   "leaf",  "shape",
					       NULL };

static int tree_of_saved(const char *text, size_t size,
			 struct tree_fault *fault)
{
	struct tree_flat flat;
	int rc = tree_save_read(&flat, text, size, fault);

	if (rc != 0)
		return rc;
	rc = options_none(of_measurements, "on a tree by --emit=tree")
		     ? check_saved(fault)
		     : -ECANCELED;
	if (rc == 0)
		choice.language->emit(&flat, 1, stdout);
	tree_flat_clear(&flat);
	return rc;
}

static int tree_of(const char *path)
{
	struct tree_fault fault = { "there is no memory left" };
	size_t size;
	char *text = input_read(path, READING_ARGUMENT, &size);
	int rc;

	if (!text)
		return 2;
	rc = tree_save_is(text, size) ? tree_of_saved(text, size, &fault)
				      : tree_of_csv(text, size, &fault);
	free(text);
	if (rc != 0 && rc != -ECANCELED)
		say_error("%s: %s", path, fault.text);
	return rc ? 2 : 0;
}

static bool suits(void)
{
	if (choice.picture && choice.picture->of_limits &&
	    choice.limits.accuracy < 100) {
		say_error("--svg=%s is of all accuracies: no --accuracy",
			  choice.picture->name);
		return false;
	}
	return options_one_at_most(OPTIONS("svg", "emit", "csv", "json")) &&
	       options_one_at_most(OPTIONS("width", "svg")) &&
	       options_one_at_most(OPTIONS("width", "emit")) &&
	       options_one_at_most(OPTIONS("width", "csv")) &&
	       options_one_at_most(OPTIONS("width", "json")) &&
	       options_one_at_most(OPTIONS("exact", "depth")) &&
	       options_one_at_most(OPTIONS("exact", "accuracy"));
}

static int tree(int argc, char **argv)
{
	int status;

	if (argc != 1) {
		say_error("one FILE of measurements (see --help)");
		return 2;
	}
	if (!suits())
		return 2;
	report_choice_look();
	status = tree_of(argv[0]);
	return output_end() ? 2 : status;
}

const struct verb verb_tree = {
	.name = "tree",
	.summary =
		"choose the best algorithm of a collective from measurements",
	.operands = "FILE",
	.about = "Reads the measured times of a collective from FILE (-: "
		 "stdin).  Builds a decision\ntree that chooses the fastest "
		 "algorithm by processes and bytes.  Shows what a\nsmaller "
		 "tree costs, or writes the tree for a library "
		 "(--emit).\n\nFILE is CSV, or a tree that --emit=tree wrote.  "
		 "The first line of CSV names the\ncolumns: collective, "
		 "processes, bytes, algorithm, segment and seconds.  Three "
		 "more\ncolumns may be there: library, such as 'mpich 4.0.2', "
		 "names the library that was\nmeasured; choice says whether "
		 "the algorithm was forced or the library's default;\nof "
		 "several a launch, a number, the median is taken.  --emit "
		 "writes for a library\nonly what was measured with it.\n",
	.options = options,
	.run = tree,
};

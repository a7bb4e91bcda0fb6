/* SPDX-License-Identifier: BSD-3-Clause */

/* The options of mpib_run. */
#include "mpib_options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char mpib_options_help[] =
	"usage: mpiexec -n RANKS mpib_run WHAT [OPTION]...\n"
	"Measures what communication costs.\n"
	"WHAT, collectives: bcast, scatter, gather, reduce, allgather, "
	"alltoall,\n"
	"allreduce, reduce_scatter, reduce_scatter_block, scan, exscan, "
	"scatterv,\n"
	"gatherv, allgatherv, alltoallv, barrier;\n"
	"nonblocking ones, and how much of them computing hides: ibcast and "
	"so\n"
	"on, ibarrier;\n"
	"windows of sends: bandwidth, bidirectional (of ranks 0 and 1), "
	"message_rate\n"
	"(of all pairs i, i + n/2 at once); multi_pair, round trips of these "
	"pairs;\n"
	"one-sided, of rank 0 at rank 1: put, get, accumulate, fetch_and_op;\n"
	"pairs, round trips of all pairs; triples, of one to two; plogp, of "
	"ranks 0\n"
	"and 1: gap, round trip (rtt) and overheads (o_s, o_r); clock, how\n"
	"well clocks are compared by messages; skew, how far apart a start "
	"is.\n"
	"  --algorithm=NAME         mpi, linear, binomial, ring; of "
	"one-sided:\n"
	"                           fence, lock, flush, pscw; else all\n"
	"  --window=N               messages of a pattern (64; one-sided and\n"
	"                           multi_pair: 1)\n"
	"  --sizes=FIRST:LAST:STEP  bytes (0:65536:8192)\n"
	"  --sizes=FIRST-LAST       powers of two, and where the curve bends\n"
	"  --check                  what arrives, before each figure\n"
	"  --shuffle                those with a STEP in random order\n"
	"  --back=BYTES             of pairs, triples, if not as much as "
	"there\n"
	"  --parallel               those at the same time, not in turn\n"
	"  --timing=NAME            maximum, root, global, tasks\n"
	"  --start=NAME             barrier, deadline, once\n"
	"  --repetitions=MIN:MAX    (10:1000)\n"
	"  --error=SHARE            of the mean that is enough (0.05; 0: "
	"none)\n"
	"  --budget=SECONDS         for each figure\n"
	"  --warm-up=N              repetitions before those that count (0)\n"
	"  --flush=BYTES            written before each repetition, so that "
	"what\n"
	"                           is sent is in no cache (0: caches are "
	"warm)\n"
	"  --progress               a line on stderr for each figure\n"
	"  --root=RANK  --seed=NUMBER\n"
	"  --csv, --json, --gnuplot not a table; --json with all samples,\n"
	"                           --gnuplot a script that draws them\n";

static const struct option known[] = {
	{ "algorithm", required_argument, NULL, 'a' },
	{ "sizes", required_argument, NULL, 's' },
	{ "back", required_argument, NULL, 'b' },
	{ "parallel", no_argument, NULL, 'p' },
	{ "timing", required_argument, NULL, 't' },
	{ "start", required_argument, NULL, 'i' },
	{ "repetitions", required_argument, NULL, 'r' },
	{ "error", required_argument, NULL, 'e' },
	{ "budget", required_argument, NULL, 'u' },
	{ "root", required_argument, NULL, 'o' },
	{ "seed", required_argument, NULL, 'n' },
	{ "warm-up", required_argument, NULL, 'm' },
	{ "flush", required_argument, NULL, 'f' },
	{ "window", required_argument, NULL, 'w' },
	{ "shuffle", no_argument, NULL, 'h' },
	{ "check", no_argument, NULL, 'k' },
	{ "progress", no_argument, NULL, 'l' },
	{ "csv", no_argument, NULL, 'c' },
	{ "json", no_argument, NULL, 'j' },
	{ "gnuplot", no_argument, NULL, 'g' },
	{ NULL, 0, NULL, 0 },
};

/* Up to `end`, which is what follows the number. */
static int number(const char **text, char end, int *value)
{
	char *rest;
	long read;

	errno = 0;
	read = strtol(*text, &rest, 10);
	if (errno || rest == *text || read < 0 || read > INT_MAX ||
	    *rest != end)
		return -EINVAL;
	*text = rest + (end != '\0');
	*value = (int)read;
	return 0;
}

static int real(const char *text, double *value)
{
	char *rest;
	const double read = strtod(text, &rest);

	if (rest == text || *rest || !(read >= 0) || !isfinite(read))
		return -EINVAL;
	*value = read;
	return 0;
}

static int read_sizes(struct mpib_options *options, const char *text)
{
	const bool bends = strchr(text, '-') != NULL;

	if (number(&text, bends ? '-' : ':', &options->first) < 0)
		return -EINVAL;
	if (bends) {
		options->stride = 0;
		return number(&text, '\0', &options->last);
	}
	if (number(&text, ':', &options->last) < 0 ||
	    number(&text, '\0', &options->stride) < 0)
		return -EINVAL;
	return options->stride > 0 ? 0 : -EINVAL;
}

static int read_repetitions(struct mpib_rules *rules, const char *text)
{
	if (number(&text, ':', &rules->min_reps) < 0 ||
	    number(&text, '\0', &rules->max_reps) < 0)
		return -EINVAL;
	return rules->min_reps >= 1 && rules->max_reps >= rules->min_reps
		       ? 0
		       : -EINVAL;
}

static int one_of(const char *const *names, int n, const char *text)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], text) == 0)
			return i;
	return -EINVAL;
}

#define TASKS (MPIB_GLOBAL + 1)
static const char *const timings[] = {
	[MPIB_MAXIMUM] = "maximum",
	[MPIB_ROOT] = "root",
	[MPIB_GLOBAL] = "global",
	[TASKS] = "tasks",
};

static const char *const starts[] = {
	[MPIB_START_BARRIER] = "barrier",
	[MPIB_START_DEADLINE] = "deadline",
	[MPIB_START_AT_ONCE] = "once",
};

const char *mpib_options_timing(const struct mpib_options *options)
{
	return timings[options->tasks ? TASKS : (int)options->rules.timing];
}

const char *mpib_options_start(const struct mpib_options *options)
{
	return starts[options->rules.start];
}

static int read_timing(struct mpib_options *options, const char *text)
{
	const int at = one_of(timings, TASKS + 1, text);

	if (at < 0)
		return at;
	options->tasks = at == TASKS;
	if (!options->tasks)
		options->rules.timing = (enum mpib_timing)at;
	return 0;
}

static int read_start(struct mpib_rules *rules, const char *text)
{
	const int at = one_of(starts, 3, text);

	if (at >= 0)
		rules->start = (enum mpib_start)at;
	return at < 0 ? at : 0;
}

static int read_seed(struct mpib_rules *rules, const char *text)
{
	int seed;
	const int rc = number(&text, '\0', &seed);

	if (rc == 0)
		rules->seed = (uint64_t)seed;
	return rc;
}

static int read_flush(struct mpib_rules *rules, const char *text)
{
	int bytes;
	const int rc = number(&text, '\0', &bytes);

	if (rc == 0)
		rules->flush = bytes;
	return rc;
}

static int read_rule(struct mpib_options *options, int which, const char *text)
{
	switch (which) {
	case 't':
		return read_timing(options, text);
	case 'i':
		return read_start(&options->rules, text);
	case 'r':
		return read_repetitions(&options->rules, text);
	case 'e':
		return real(text, &options->rules.error);
	case 'u':
		return real(text, &options->rules.budget);
	case 'm':
		return number(&text, '\0', &options->rules.warm_up);
	case 'f':
		return read_flush(&options->rules, text);
	case 'n':
		return read_seed(&options->rules, text);
	default:
		return -EINVAL;
	}
}

static int read_one(struct mpib_options *options, int which, const char *text)
{
	switch (which) {
	case 'a':
		options->algorithm = text;
		return 0;
	case 's':
		return read_sizes(options, text);
	case 'b':
		return number(&text, '\0', &options->back);
	case 'w':
		return number(&text, '\0', &options->window) < 0 ||
				       options->window < 1
			       ? -EINVAL
			       : 0;
	case 'p':
		options->parallel = true;
		return 0;
	case 'h':
		options->shuffle = true;
		return 0;
	case 'l':
		options->progress = true;
		return 0;
	case 'k':
		options->check = true;
		return 0;
	case 'o':
		return number(&text, '\0', &options->root);
	case 'c':
		options->form = FORM_CSV;
		return 0;
	case 'j':
		options->form = FORM_JSON;
		return 0;
	case 'g':
		options->form = FORM_GNUPLOT;
		return 0;
	default:
		return read_rule(options, which, text);
	}
}

/* By rank 0. */
static int wrong(const char *format, ...)
{
	va_list arguments;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank != 0)
		return -EINVAL;
	fputs("mpib_run: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs("; see --help\n", stderr);
	return -EINVAL;
}

/* By the letters of `known`: what is never looked at. */
static const struct {
	const char *what;
	const char *vain;
} whats[] = {
	{ "clock", "asbptieuoncjghkwmfl" }, { "skew", "asbptohkw" },
	{ "barrier", "asbpohkw" },          { "pairs", "atiowmf" },
	{ "triples", "atiokwmf" },          { "plogp", "abptiowmf" },
};

static const char *const vain_of[] = {
	[GROUP_COLL] = "bpw",
	[GROUP_NONBLOCKING] = "abpw",
	[GROUP_PATTERN] = "bpo",
};

#define N_WHATS (sizeof(whats) / sizeof(whats[0]))

static const char *vain(const struct mpib_options *options)
{
	for (size_t i = 0; i < N_WHATS; i++)
		if (strcmp(whats[i].what, options->what) == 0)
			return whats[i].vain;
	return options->group == GROUP_OTHER ? "" : vain_of[options->group];
}

/* Whether it is the same size always: a barrier, a counter. */
static bool is_fixed(const char *what)
{
	return strcmp(what, "ibarrier") == 0 ||
	       strcmp(what, "fetch_and_op") == 0;
}

static int suits(const struct mpib_options *options, const char *given)
{
	for (int i = 0; known[i].name; i++)
		if (strchr(given, known[i].val) &&
		    (strchr(vain(options), known[i].val) ||
		     (is_fixed(options->what) && strchr("sh", known[i].val))))
			return wrong("--%s has no effect on %s", known[i].name,
				     options->what);
	if (options->tasks && strcmp(options->what, "barrier") == 0)
		return wrong("--timing=tasks is not of a barrier");
	for (const char *form = "cjg"; *form; form++)
		if (strchr(given, *form) && strpbrk(given, form + 1))
			return wrong("--csv, --json or --gnuplot, one of them");
	return 0;
}

/* The algorithms of a kind, in a line. */
static void list_algorithms(enum mpib_kind kind, char *list, size_t size)
{
	const struct mpib_coll *coll;
	size_t n = 0;

	for (int i = 0; (coll = mpib_coll_own(kind, i)) && n < size; i++)
		n += (size_t)snprintf(list + n, size - n, "%s%s",
				      i > 0 ? ", " : "", coll->name);
}

static int check_collective(const struct mpib_options *options)
{
	const enum mpib_kind kind = mpib_kind_find(options->what);
	char list[128];

	if (options->tasks && kind != MPIB_BCAST && kind != MPIB_SCATTER)
		return wrong("--timing=tasks is of bcast and scatter alone");
	if (!options->algorithm || mpib_coll_find(kind, options->algorithm))
		return 0;
	list_algorithms(kind, list, sizeof(list));
	return wrong("--algorithm=%s: %s has %s", options->algorithm,
		     options->what, list);
}

static int check_pattern(const struct mpib_options *options, int size)
{
	const struct mpib_pattern *row;
	int most = 1;
	bool has = !options->algorithm;

	for (int i = 0; (row = mpib_pattern_own(i)); i++) {
		if (strcmp(row->name, options->what) != 0)
			continue;
		has |= options->algorithm &&
		       strcmp(row->way, options->algorithm) == 0;
		most = options->window ? options->window : row->window;
	}
	if (!has)
		return wrong("--algorithm=%s: %s has not that",
			     options->algorithm, options->what);
	if (options->last > INT_MAX / most)
		return wrong("--sizes: a window of %d times %d bytes is more "
			     "than an int holds",
			     most, options->last);
	return size >= 2 ? 0 : wrong("%s needs 2 processes", options->what);
}

/* Whether it can be measured, and by so many processes. */
static int check_what(const struct mpib_options *options)
{
	int size;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (options->root >= size)
		return wrong("--root=%d: there are ranks 0 to %d",
			     options->root, size - 1);
	if (strcmp(options->what, "pairs") == 0)
		return size >= 2 ? 0 : wrong("pairs need 2 processes");
	if (strcmp(options->what, "plogp") == 0)
		return size >= 2 ? 0 : wrong("plogp needs 2 processes");
	if (strcmp(options->what, "triples") == 0)
		return size >= 3 ? 0 : wrong("triples need 3 processes");
	for (size_t i = 0; i < N_WHATS; i++)
		if (strcmp(whats[i].what, options->what) == 0)
			return 0;
	if (options->tasks && options->group != GROUP_COLL)
		return wrong("--timing=tasks is of bcast and scatter alone");
	if (options->group == GROUP_PATTERN)
		return check_pattern(options, size);
	if (options->last > INT_MAX / size)
		return wrong("--sizes: %d bytes of %d processes are more than "
			     "an int holds",
			     options->last, size);
	return options->group == GROUP_COLL ? check_collective(options) : 0;
}

static int read_all(struct mpib_options *options, int argc, char **argv,
		    char *given)
{
	int which;

	opterr = 0;
	while ((which = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (which == '?' || read_one(options, which, optarg) < 0)
			return wrong("no such option, or not with that value: "
				     "'%s'",
				     argv[optind - 1]);
		if (!strchr(given, which))
			given[strlen(given)] = (char)which;
	}
	if (optind + 1 != argc)
		return wrong("one WHAT is to be measured");
	options->what = argv[optind];
	return 0;
}

static bool is_pattern(const char *what)
{
	const struct mpib_pattern *row;

	for (int i = 0; (row = mpib_pattern_own(i)); i++)
		if (strcmp(row->name, what) == 0)
			return true;
	return false;
}

static bool is_nonblocking(const char *what)
{
	const char *name;

	for (int i = 0; (name = mpib_nonblocking_name(i)); i++)
		if (strcmp(name, what) == 0)
			return true;
	return false;
}

static int find_group(struct mpib_options *options)
{
	for (size_t i = 0; i < N_WHATS; i++)
		if (strcmp(whats[i].what, options->what) == 0)
			return 0;
	if (is_pattern(options->what))
		options->group = GROUP_PATTERN;
	else if (is_nonblocking(options->what))
		options->group = GROUP_NONBLOCKING;
	else if (mpib_kind_find(options->what) != MPIB_KINDS)
		options->group = GROUP_COLL;
	else
		return wrong("'%s' is nothing that is measured", options->what);
	return 0;
}

int mpib_options_read(struct mpib_options *options, int argc, char **argv)
{
	char given[sizeof(known) / sizeof(*known)] = "";
	int rc;

	*options = (struct mpib_options){
		.rules = mpib_rules_usual,
		.last = 65536,
		.stride = 8192,
		.back = -1,
	};
	rc = read_all(options, argc, argv, given);
	if (rc == 0)
		rc = find_group(options);
	if (rc == 0)
		rc = suits(options, given);
	if (rc == 0)
		rc = check_what(options);
	if (rc == 0 && options->last < options->first)
		rc = wrong("--sizes: the last is less than the first");
	if (rc == 0 && options->shuffle && options->stride == 0)
		rc = wrong("--shuffle: the curve says what size is next; "
			   "--sizes=FIRST:LAST:STEP");
	if (rc == 0 && options->shuffle && options->form == FORM_GNUPLOT)
		rc = wrong("--gnuplot draws lines from size to size: not with "
			   "--shuffle");
	return rc;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/* The options of jor. */
#include "jor_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/lib/kernel.h"

#define SIZE_MOST   16384
#define PERIOD_MOST 1000000

const char options_help[] =
	"usage: mpiexec -n RANKS jor [OPTION]...\n"
	"What two coupled sites bring: heat on 2 N x N points, relaxed until "
	"a tenth of\n"
	"the error is left, by each site alone, by both, and by both with "
	"balanced load\n"
	"and an exchange between them only once a period.\n"
	"  --class=NAME         S, W, A, B or C: N is 16 (S, the default), "
	"128, 256, 512,\n"
	"                       1024\n"
	"  --size=N             instead of a class\n"
	"  --sites=times        by round trips of all pairs (the default)\n"
	"  --sites=hosts        by those of a process of each host\n"
	"  --sites=A+B          the first A processes, and the B others\n"
	"  --sites=mask:NAME    those on hosts of that name, with * and ?, and "
	"the others\n"
	"  --sites=file:FILE    lines 'HOST SITE' or 'FIRST-LAST SITE', of "
	"ranks\n"
	"  --periods=LIST       iterations from exchange to exchange "
	"(1,2,5,10,20,50)\n"
	"  --repetitions=N      of each run (5), which alternate; the fastest\n"
	"  --blocks             a site's part is cut both ways, not into "
	"strips\n"
	"  --overlap            the inside is computed while messages are on "
	"their way\n"
	"  --delay=US           messages between the sites take so much "
	"longer (one machine)\n"
	"  --bandwidth=MB       a second, at most, between the sites (one "
	"machine)\n"
	"  --between=A+B        while sites are looked for it is between "
	"these\n"
	"  --duty=A,B           percent of the time that each site computes "
	"(100,100)\n"
	"  --pin                a site has one half of the processors, the "
	"other the other\n"
	"  --results=FILE       adds the figures as lines of JSON\n"
	"  --progress           shows how far it is, on stderr\n"
	"  --count              only tells: period, iterations, check value\n"
	"  --solve              only one run, of the first period: seconds, "
	"check value\n"
	"  --frontier=ROWS      of the first site, for these two (N)\n";

enum {
	CLASS,
	SIZE,
	SITES,
	PERIODS,
	REPETITIONS,
	BLOCKS,
	OVERLAP,
	DELAY,
	BANDWIDTH,
	BETWEEN,
	DUTY,
	PIN,
	RESULTS,
	PROGRESS,
	COUNT,
	SOLVE,
	FRONTIER,
	HELP,
};

static const struct option known[] = {
	[CLASS] = { "class", required_argument, NULL, CLASS },
	[SIZE] = { "size", required_argument, NULL, SIZE },
	[SITES] = { "sites", required_argument, NULL, SITES },
	[PERIODS] = { "periods", required_argument, NULL, PERIODS },
	[REPETITIONS] = { "repetitions", required_argument, NULL, REPETITIONS },
	[BLOCKS] = { "blocks", no_argument, NULL, BLOCKS },
	[OVERLAP] = { "overlap", no_argument, NULL, OVERLAP },
	[DELAY] = { "delay", required_argument, NULL, DELAY },
	[BANDWIDTH] = { "bandwidth", required_argument, NULL, BANDWIDTH },
	[BETWEEN] = { "between", required_argument, NULL, BETWEEN },
	[DUTY] = { "duty", required_argument, NULL, DUTY },
	[PIN] = { "pin", no_argument, NULL, PIN },
	[RESULTS] = { "results", required_argument, NULL, RESULTS },
	[PROGRESS] = { "progress", no_argument, NULL, PROGRESS },
	[COUNT] = { "count", no_argument, NULL, COUNT },
	[SOLVE] = { "solve", no_argument, NULL, SOLVE },
	[FRONTIER] = { "frontier", required_argument, NULL, FRONTIER },
	[HELP] = { "help", no_argument, NULL, HELP },
	{ NULL, 0, NULL, 0 },
};

bool options_wrong(const char *format, ...)
{
	va_list arguments;

	if (!kernel_speaks())
		return false;
	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return false;
}

static bool number(int which, const char *text, int most, int *value)
{
	char *end;
	const long read = strtol(text, &end, 10);

	if (end == text || *end || read < 1 || read > most)
		return options_wrong("--%s is a number from 1 to %d, not '%s'",
				     known[which].name, most, text);
	*value = (int)read;
	return true;
}

static bool real(int which, const char *text, double scale, double *value)
{
	char *end;
	const double read = strtod(text, &end);

	if (end == text || *end || !(read >= 0 && read <= 1e9))
		return options_wrong("--%s is a number from 0 on, not '%s'",
				     known[which].name, text);
	*value = read * scale;
	return true;
}

static bool read_class(struct options *options, const char *text)
{
	static const struct {
		const char *name;
		int size;
	} classes[] = {
		{ "S", 16 },  { "W", 128 },  { "A", 256 },
		{ "B", 512 }, { "C", 1024 },
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (strcmp(classes[i].name, text) == 0) {
			options->size = classes[i].size;
			return true;
		}
	return options_wrong("--class is S, W, A, B or C, not '%s'", text);
}

static bool read_periods(struct options *options, const char *text)
{
	const char *at = text;
	char *end;

	for (options->n_periods = 0; *at;) {
		const long period = strtol(at, &end, 10);
		const bool full = options->n_periods == OPTIONS_PERIODS_MOST;

		if (end == at || (*end && *end != ',') || period < 1 ||
		    period > PERIOD_MOST || full)
			break;
		options->periods[options->n_periods++] = (int)period;
		if (!*end)
			return true;
		at = end + 1;
	}
	return options_wrong("--periods is up to %d numbers from 1 to %d with "
			     "commas between, not '%s'",
			     OPTIONS_PERIODS_MOST, PERIOD_MOST, text);
}

static bool read_duty(struct options *options, const char *text)
{
	char after;

	if (sscanf(text, "%lf,%lf%c", &options->duty[0], &options->duty[1],
		   &after) == 2 &&
	    options->duty[0] >= 1 && options->duty[0] <= 100 &&
	    options->duty[1] >= 1 && options->duty[1] <= 100) {
		options->duty[0] /= 100;
		options->duty[1] /= 100;
		return true;
	}
	return options_wrong("--duty is two numbers from 1 to 100 with a comma "
			     "between, not '%s'",
			     text);
}

static bool read_flag(struct options *options, int which)
{
	switch (which) {
	case BLOCKS:
		options->blocks = true;
		return true;
	case OVERLAP:
		options->overlap = true;
		return true;
	case PIN:
		options->pin = true;
		return true;
	case PROGRESS:
		options->progress = true;
		return true;
	case COUNT:
		options->task = TASK_COUNT;
		return true;
	case HELP:
		options->task = TASK_HELP;
		return true;
	default:
		options->task = TASK_SOLVE;
		return true;
	}
}

static bool read_one(struct options *options, int which, const char *text)
{
	switch (which) {
	case CLASS:
		return read_class(options, text);
	case SIZE:
		return number(which, text, SIZE_MOST, &options->size);
	case SITES:
		options->sites = text;
		return true;
	case PERIODS:
		return read_periods(options, text);
	case REPETITIONS:
		return number(which, text, OPTIONS_REPS_MOST,
			      &options->repetitions);
	case DELAY:
		return real(which, text, 1e-6, &options->delay);
	case BANDWIDTH:
		return real(which, text, 1e6, &options->bandwidth);
	case BETWEEN:
		options->between = text;
		return true;
	case DUTY:
		return read_duty(options, text);
	case RESULTS:
		options->results = text;
		return true;
	case FRONTIER:
		return number(which, text, 2 * SIZE_MOST, &options->frontier);
	default:
		return read_flag(options, which);
	}
}

/* Bits of `known`. */
#define OF_BENCH                                                       \
	(1u << SITES | 1u << REPETITIONS | 1u << BETWEEN | 1u << PIN | \
	 1u << RESULTS | 1u << PROGRESS)
#define OF_LINK (1u << DELAY | 1u << BANDWIDTH | 1u << DUTY)

static const struct {
	const char *name;
	unsigned without; /* options that would have no effect */
} tasks[] = {
	[TASK_BENCH] = { "without --count or --solve", 1u << FRONTIER },
	[TASK_COUNT] = { "with --count", OF_BENCH | OF_LINK | 1u << SOLVE },
	[TASK_SOLVE] = { "with --solve", OF_BENCH | 1u << COUNT },
	[TASK_HELP] = { "with --help", 0 },
};

static bool suits(enum options_task task, unsigned given)
{
	const unsigned vain = given & tasks[task].without;

	if (!vain)
		return true;
	return options_wrong("--%s has no effect %s",
			     known[__builtin_ctz(vain)].name, tasks[task].name);
}

/* Options that exclude each other, or need another. */
static bool fit_together(unsigned given)
{
	if (given & 1u << CLASS && given & 1u << SIZE)
		return options_wrong("--class or --size, not both");
	if (given & 1u << BETWEEN && !(given & (1u << DELAY | 1u << BANDWIDTH)))
		return options_wrong("--between has no effect without --delay "
				     "or --bandwidth");
	return true;
}

bool options_read(struct options *options, int argc, char **argv)
{
	unsigned given = 0;
	int which;

	*options = (struct options){
		.size = 16,
		.frontier = -1,
		.sites = "times",
		.duty = { 1, 1 },
		.periods = { 1, 2, 5, 10, 20, 50 },
		.n_periods = 6,
		.repetitions = 5,
	};
	opterr = 0;
	while ((which = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (which == '?')
			return options_wrong("no such option, or no value of "
					     "it: '%s'; see --help",
					     argv[optind - 1]);
		if (!read_one(options, which, optarg))
			return false;
		given |= 1u << which;
	}
	if (optind < argc)
		return options_wrong("an argument too many: '%s'; see --help",
				     argv[optind]);
	return suits(options->task, given) && fit_together(given);
}

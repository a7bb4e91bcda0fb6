/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * `bcs compare`: runs commands by turns, in another order in each round, until
 * their times clearly differ or the rounds are used up.  Then it shows `bcs
 * diff` of the records.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/base/units.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/verb.h"
#include "analyzer/compare/compare_run.h"
#include "analyzer/diff/diff_choice.h"
#include "analyzer/diff/stats.h"
#include "analyzer/launch/preload.h"
#include "analyzer/report/report_choice.h"
#include "analyzer/show/output.h"
#include "mds/settings/settings.h"

/*
 * A look after each round finds a difference by chance sooner or later.  So an
 * early end asks for more than STATS_LEVEL does after the last round.
 */
#define EARLY_LEVEL 0.01

#define OPTIONS_MAX 24

static struct compare_command commands[COMPARE_COMMANDS_MAX];
static size_t n_commands;

static struct {
	size_t runs;
	size_t warmup;
	const char *out;
	char *modes; /* a list with commas; NULL: none */
} choice = { .runs = 8, .warmup = 1 };

static bool is_mode(const char *word, size_t len)
{
	static const char *const modes[] = { "observe", "demand", "fixed" };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strlen(modes[i]) == len &&
		    strncmp(modes[i], word, len) == 0)
			return true;
	return false;
}

static bool set_modes(const struct option_spec *option, const char *value)
{
	(void)option;
	free(choice.modes);
	choice.modes = mem_text(value);
	return strchr(value, ',') && options_each(value, is_mode);
}

/* Its own, and those of `bcs diff`. */
static const struct option_spec *options(void)
{
	static const struct option_spec own[] = {
		{ "runs", 'r', "N", NULL,
		  "run each command at most N times; default: 8",
		  OPTION_COUNT(&choice.runs, 1, COMPARE_RUNS_MAX) },
		{ "warmup", 0, "N", NULL,
		  "run each command N times before the runs that count; "
		  "default: 1",
		  OPTION_COUNT(&choice.warmup, 0, COMPARE_RUNS_MAX) },
		{ "modes", 'm', "LIST", "two or more of observe, demand, fixed",
		  "compare the one COMMAND in these modes of BCS_MODE",
		  .set = set_modes },
		{ "out", 'o', "FOLDER", "a folder that is not there yet",
		  "folder for the records and the output of the commands; "
		  "default: compare.PID",
		  OPTION_TEXT(&choice.out) },
	};
	static struct option_spec all[OPTIONS_MAX + 1];
	const struct option_spec *of_diff = diff_choice_options();
	size_t n = sizeof(own) / sizeof(own[0]);

	memcpy(all, own, sizeof(own));
	while (n < OPTIONS_MAX && of_diff->name)
		all[n++] = *of_diff++;
	return all;
}

static int add_command(char **words, const char *mode)
{
	if (!*words) {
		say_error("a command is missing before or after a ':'");
		return -EINVAL;
	}
	if (n_commands == COMPARE_COMMANDS_MAX) {
		say_error("more than %d commands", COMPARE_COMMANDS_MAX);
		return -EINVAL;
	}
	commands[n_commands] = (struct compare_command){
		.letter = (char)('A' + n_commands),
		.words = words,
		.mode = mode,
	};
	n_commands++;
	return 0;
}

/* Each ':' ends a command; argv ends with NULL. */
static int split_commands(int argc, char **argv)
{
	char **words = argv;

	if (argc == 0)
		return 0;
	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], ":") != 0)
			continue;
		argv[i] = NULL;
		if (add_command(words, NULL) != 0)
			return -EINVAL;
		words = argv + i + 1;
	}
	return add_command(words, NULL);
}

static int split_modes(char **argv)
{
	char *state = NULL;

	for (char *mode = strtok_r(choice.modes, ",", &state); mode;
	     mode = strtok_r(NULL, ",", &state))
		if (add_command(argv, mode) != 0)
			return -EINVAL;
	return 0;
}

static int take_commands(int argc, char **argv)
{
	int rc = split_commands(argc, argv);

	if (rc == 0 && choice.modes && n_commands > 1) {
		say_error("--modes takes one command");
		rc = -EINVAL;
	} else if (rc == 0 && choice.modes && n_commands == 1) {
		n_commands = 0;
		rc = split_modes(argv);
	}
	if (rc == 0 && n_commands < 2) {
		say_error("two commands with a ':' between them, or one with "
			  "--modes (see --help)");
		rc = -EINVAL;
	}
	if (rc == 0 && n_commands > 2 &&
	    report_choice.format != REPORT_AS_TEXT) {
		say_error("--json and --csv are of two commands");
		rc = -EINVAL;
	}
	return rc;
}

static int make_folder(char path[PATH_MAX])
{
	char *name = choice.out ? mem_text(choice.out)
				: mem_print("compare.%ld", (long)getpid());
	int rc = 0;

	if (mkdir(name, 0777) != 0 || !realpath(name, path)) {
		say_error("%s: cannot be made: %s (--out says where)", name,
			  strerror(errno));
		rc = -ENOENT;
	}
	free(name);
	return rc;
}

static void warn(const char *line)
{
	say_warning("%s", line);
}

/* Programs of two kinds of MPI have two recorders. */
static int preloads_find(void)
{
	const char *set = getenv("LD_PRELOAD");
	char *others = mem_text(set ? set : "");
	int rc = 0;

	for (size_t i = 0; i < n_commands && rc == 0; i++) {
		setenv("LD_PRELOAD", others, 1);
		rc = preload_set(commands[i].words);
		commands[i].preload = mem_text(getenv("LD_PRELOAD"));
	}
	free(others);
	return rc;
}

static int prepare(char folder[PATH_MAX])
{
	struct settings settings;

	settings_load(&settings, warn);
	if (!settings.mmds) {
		say_error("BCS_MMDS=off leaves nothing to compare");
		return -EINVAL;
	}
	if (preloads_find() != 0)
		return -ENOENT;
	return make_folder(folder);
}

static void shuffle(struct compare_command **order)
{
	for (size_t i = 0; i < n_commands; i++) {
		const size_t at = (size_t)random() % (i + 1);

		order[i] = order[at];
		order[at] = &commands[i];
	}
}

static void show_progress(unsigned round, size_t rounds, char letter,
			  bool is_warmup)
{
	char *line = mem_print("%s %u of %zu: %c",
			       is_warmup ? "warm-up" : "run", round, rounds,
			       letter);

	for (size_t i = 0; i < n_commands && !is_warmup; i++) {
		const struct compare_command *c = &commands[i];
		char *longer;

		if (c->n == 0)
			continue;
		longer = mem_print(
			"%s, %c took %s", line, c->letter,
			units_time_text((uint64_t)c->walls[c->n - 1]));
		free(line);
		line = longer;
	}
	say_progress(line);
	free(line);
}

static int run_round(const char *folder, unsigned round, size_t rounds,
		     bool is_warmup)
{
	struct compare_command *order[COMPARE_COMMANDS_MAX];
	int rc = COMPARE_OK;

	shuffle(order);
	for (size_t i = 0; i < n_commands && rc == COMPARE_OK; i++) {
		show_progress(round, rounds, order[i]->letter, is_warmup);
		rc = compare_run(order[i], folder, round, is_warmup);
		say_progress(NULL);
	}
	return rc;
}

static double p_of(const struct compare_command *b)
{
	const struct compare_command *a = commands;

	return stats_mann_whitney(a->walls, a->n, b->walls, b->n);
}

static bool all_stand_out(void)
{
	for (size_t i = 1; i < n_commands; i++)
		if (p_of(&commands[i]) >= EARLY_LEVEL)
			return false;
	return true;
}

/* Rounds that were cut short are left out: all have as many runs. */
static void cut_to_rounds(void)
{
	size_t least = commands[0].n;

	for (size_t i = 1; i < n_commands; i++)
		if (commands[i].n < least)
			least = commands[i].n;
	for (size_t i = 0; i < n_commands; i++)
		commands[i].n = least;
}

static int run_all(const char *folder)
{
	int rc = COMPARE_OK;

	srandom((unsigned)time(NULL));
	for (unsigned i = 1; i <= choice.warmup && rc == COMPARE_OK; i++)
		rc = run_round(folder, i, choice.warmup, true);
	for (unsigned i = 1; i <= choice.runs && rc == COMPARE_OK; i++) {
		rc = run_round(folder, i, choice.runs, false);
		if (rc == COMPARE_OK && all_stand_out())
			break;
	}
	cut_to_rounds();
	return rc;
}

static void show_command(const struct compare_command *c)
{
	char *text = compare_command_text(c);
	double least = c->walls[0];
	double most = c->walls[0];

	for (size_t i = 1; i < c->n; i++) {
		least = c->walls[i] < least ? c->walls[i] : least;
		most = c->walls[i] > most ? c->walls[i] : most;
	}
	printf("  %c  %s", c->letter,
	       units_time_text((uint64_t)stats_median(c->walls, c->n)));
	printf(" (%s", units_time_text((uint64_t)least));
	printf(" to %s)  %s\n", units_time_text((uint64_t)most), text);
	free(text);
}

static void show_sentence(const struct compare_command *c)
{
	const struct compare_command *a = commands;
	const double ratio = stats_median(c->walls, c->n) /
			     stats_median(a->walls, a->n);
	const double percent = 100 * (ratio - 1);
	const double p = p_of(c);

	if (stats_least_p(a->n, c->n) >= STATS_LEVEL)
		printf("  %c takes %.3f times as long as A; whether that is "
		       "noise, %zu run%s of each cannot tell (4 can).\n",
		       c->letter, ratio, c->n, c->n == 1 ? "" : "s");
	else if (p >= STATS_LEVEL)
		printf("  No difference between A and %c stands out from the "
		       "noise: %+.1f %% (%zu runs of each, p = %.2g).\n",
		       c->letter, percent, c->n, p);
	else
		printf("  %c is %s than A: %+.1f %% (%zu runs of each, "
		       "p = %.2g).\n",
		       c->letter, percent > 0 ? "slower" : "faster", percent,
		       c->n, p);
}

static void show_compared(void)
{
	printf("Compared: wall time, the median of %zu run%s of each\n",
	       commands[0].n, commands[0].n == 1 ? "" : "s");
	for (size_t i = 0; i < n_commands; i++)
		show_command(&commands[i]);
	for (size_t i = 1; i < n_commands; i++)
		show_sentence(&commands[i]);
	putchar('\n');
}

/* `bcs diff` of A's records and those of another. */
static int show_diff(const struct compare_command *b)
{
	const struct compare_command *a = commands;
	char **words = mem_alloc(a->n + b->n + 2, sizeof(*words));
	char *colon = mem_text(":");
	size_t n = 0;
	int status;

	for (size_t i = 0; i < a->n; i++)
		words[n++] = a->paths[i];
	words[n++] = colon;
	for (size_t i = 0; i < b->n; i++)
		words[n++] = b->paths[i];
	if (n_commands > 2)
		printf("%sA with %c, which is B below\n",
		       b == &commands[1] ? "" : "\n", b->letter);
	status = diff_groups((int)n, words);
	free(colon);
	free(words);
	return status;
}

static int show_all(void)
{
	int worst = 0;
	int status;

	if (report_choice.format == REPORT_AS_TEXT)
		show_compared();
	for (size_t i = 1; i < n_commands; i++) {
		status = show_diff(&commands[i]);
		worst = status > worst ? status : worst;
	}
	return worst;
}

/* Two groups say enough in their tables; more would fill the screen. */
static void choose_sections(void)
{
	if (n_commands == 2 || diff_choice.any_section)
		return;
	for (size_t i = 0; diff_sections[i].name; i++)
		diff_choice.sections[i] = strstr("wall notes summary",
						 diff_sections[i].name);
	diff_choice.any_section = true;
}

static int compare(int argc, char **argv)
{
	char folder[PATH_MAX];
	int status;
	int rc;

	if (take_commands(argc, argv) != 0 || prepare(folder) != 0)
		return 2;
	rc = run_all(folder);
	if (rc == COMPARE_FAILED)
		return 2;
	if (commands[0].n == 0) {
		say_error("interrupted before each had run once");
		return 1;
	}
	choose_sections();
	status = show_all();
	if (output_end() != 0)
		return 2;
	say_error("the records are in %s", choice.out ? choice.out : folder);
	if (rc == COMPARE_INTERRUPTED) {
		say_error("interrupted: this is what was known by then");
		return 1;
	}
	return status;
}

const struct verb verb_compare = {
	.name = "compare",
	.summary = "run commands alternately and tell which is faster",
	.operands = "[--] COMMAND : COMMAND [: COMMAND...]\n"
		    "       bcs compare --modes=LIST [options] [--] COMMAND",
	.about = "Runs MPI programs alternately, in a new order each round, "
		 "records each run and\nshows what `bcs diff` says of the "
		 "records.  It ends early where a difference is\nclear "
		 "(p below 0.01).  For example, blocking against non-blocking "
		 "calls:\n"
		 "\n"
		 "    bcs compare mpiexec -n 4 ./blocking : mpiexec -n 4 "
		 "./nonblocking\n"
		 "    bcs compare --modes observe,demand mpiexec -n 8 ./app\n"
		 "\n"
		 "What the commands print goes to files beside the records.  "
		 "`env NAME=VALUE` before\na command sets a variable for it.  "
		 "A command that has a ':' of its own has to be run\nby sh "
		 "-c.\n",
	.first_ends = true,
	.options = options,
	.run = compare,
};

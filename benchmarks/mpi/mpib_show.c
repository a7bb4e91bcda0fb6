/* SPDX-License-Identifier: BSD-3-Clause */

/* Prints what mpib_run measured, as a table, CSV or JSON. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "mpib_show.h"

#define NAMES_MOST 256

static const struct mpib_options *options;
static int rank;
static int size;

/* Messages a second, by the median. */
static double rate(const struct mpib_label *label, const struct mpib_result *r)
{
	return r->median > 0 ? (double)label->messages / r->median : 0;
}

static double bytes_rate(const struct mpib_label *label,
			 const struct mpib_result *r)
{
	return rate(label, r) * label->bytes;
}

static void show_table(const struct mpib_label *label,
		       const struct mpib_result *r)
{
	printf("%-20s %-9s %8d %11.3f %11.3f %11.3f %11.3f %11.3f %6d %6d",
	       label->what, label->algorithm, label->bytes, r->median * 1e6,
	       r->low * 1e6, r->high * 1e6, r->mean * 1e6, r->error * 1e6,
	       r->reps, r->missed);
	if (label->messages)
		printf(" %11.1f %11.0f", bytes_rate(label, r) * 1e-6,
		       rate(label, r));
	if (label->overlap)
		printf(" %11.3f %11.3f %7.1f", label->overlap->compute * 1e6,
		       label->overlap->both.median * 1e6,
		       label->overlap->share * 100);
	putchar('\n');
}

/* "mpich 4.0.2": of what MPI says of itself, in the letters of a CSV field. */
static const char *library(void)
{
	static char name[40];
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	char number[16];
	int length;

	if (*name)
		return name;
	MPI_Get_library_version(version, &length);
	if (sscanf(version, "MPICH Version: %15[0-9a-z.]", number) == 1)
		snprintf(name, sizeof(name), "mpich %s", number);
	else if (sscanf(version, "Open MPI v%15[0-9a-z.]", number) == 1)
		snprintf(name, sizeof(name), "openmpi %s", number);
	else
		snprintf(name, sizeof(name), "unknown");
	return name;
}

/* The algorithm that MPICH is told to take; NULL: it decides. */
static const char *forced(const char *collective)
{
	char name[64];
	const char *algorithm;

	snprintf(name, sizeof(name), "MPIR_CVAR_%s_INTRA_ALGORITHM",
		 collective);
	for (char *c = name; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	algorithm = getenv(name);
	return algorithm && strcmp(algorithm, "auto") != 0 ? algorithm : NULL;
}

static void show_csv(const struct mpib_label *label,
		     const struct mpib_result *r)
{
	const bool is_own = !label->messages &&
			    strcmp(label->algorithm, "mpi") != 0;
	const char *force = is_own ? NULL : forced(label->what);

	printf("%s,%d,%d,%s,0,%.9f,%s,%s\n", label->what, size, label->bytes,
	       force ? force : label->algorithm, r->median,
	       is_own ? "mpib " BCS_VERSION : library(),
	       is_own || force ? "forced" : "default");
}

static void show_samples(const struct mpib_result *r)
{
	printf(", \"samples\": [");
	for (int i = 0; i < r->reps; i++)
		printf("%s%.9f", i > 0 ? ", " : "", options->rules.samples[i]);
	printf("]");
}

static void show_json(const struct mpib_label *label,
		      const struct mpib_result *r)
{
	printf("{\"what\": \"%s\", \"algorithm\": \"%s\", \"bytes\": %d, "
	       "\"reps\": %d, \"missed\": %d, \"mean\": %.9f, ",
	       label->what, label->algorithm, label->bytes, r->reps, r->missed,
	       r->mean);
	if (isfinite(r->error))
		printf("\"error\": %.9f, ", r->error);
	printf("\"median\": %.9f, \"low\": %.9f, \"high\": %.9f, "
	       "\"least\": %.9f, \"most\": %.9f, \"bound\": %.9f, "
	       "\"cost\": %.6f",
	       r->median, r->low, r->high, r->least, r->most, r->bound,
	       r->cost);
	if (label->messages)
		printf(", \"messages\": %" PRId64 ", \"messages_per_s\": %.0f, "
		       "\"bytes_per_s\": %.0f",
		       label->messages, rate(label, r), bytes_rate(label, r));
	if (label->overlap)
		printf(", \"compute\": %.9f, \"both\": %.9f, "
		       "\"overlap\": %.4f",
		       label->overlap->compute, label->overlap->both.median,
		       label->overlap->share);
	if (label->pair)
		printf(", \"pair\": [%d, %d]", label->pair[0], label->pair[1]);
	else if (!options->tasks)
		show_samples(r);
	printf("}\n");
}

/* The names so far: a curve for each. */
static char names[NAMES_MOST][32];
static int n_names;

static void name_add(const char *name)
{
	for (int i = 0; i < n_names; i++)
		if (strcmp(names[i], name) == 0)
			return;
	if (n_names < NAMES_MOST)
		snprintf(names[n_names++], sizeof(names[0]), "%s", name);
}

static void show_gnuplot(const struct mpib_label *label,
			 const struct mpib_result *r)
{
	printf("%s %d %.3f %.3f %.3f\n", label->algorithm, label->bytes,
	       r->median * 1e6, r->low * 1e6, r->high * 1e6);
	name_add(label->algorithm);
}

static void gnuplot_end(void)
{
	printf("END\nset title \"%s, %d processes\"\n", options->what, size);
	puts("set xlabel \"bytes\"\nset ylabel \"us\"\n"
	     "set logscale y\nset key left top\nset grid");
	printf("plot for [name in \"");
	for (int i = 0; i < n_names; i++)
		printf("%s%s", i > 0 ? " " : "", names[i]);
	puts("\"] $data using 2:(strcol(1) eq name ? $3 : NaN):4:5 \\\n"
	     "    with yerrorlines title name");
}

/* For those who wait for a table that goes to a file. */
static void show_progress(const struct mpib_label *label,
			  const struct mpib_result *r)
{
	static int figures;

	fprintf(stderr, "mpib_run: %d: %s by %s, %d bytes: %.2f s\n", ++figures,
		label->what, label->algorithm, label->bytes, r->cost);
}

void mpib_show(const struct mpib_label *label, const struct mpib_result *result)
{
	static void (*const shows[])(const struct mpib_label *,
				     const struct mpib_result *) = {
		[FORM_TABLE] = show_table,
		[FORM_CSV] = show_csv,
		[FORM_JSON] = show_json,
		[FORM_GNUPLOT] = show_gnuplot,
	};

	if (rank != 0)
		return;
	shows[options->form](label, result);
	if (options->progress)
		show_progress(label, result);
}

static void show_text(const char *key, const char *text)
{
	printf("\"%s\": \"", key);
	for (; *text; text++)
		putchar(*text < ' ' || *text == '"' || *text == '\\' ? ' '
								     : *text);
	printf("\", ");
}

static void show_binding(void)
{
	cpu_set_t cores;
	bool first = true;

	if (sched_getaffinity(0, sizeof(cores), &cores) != 0)
		CPU_ZERO(&cores);
	printf("\"binding\": [");
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &cores)) {
			printf("%s%d", first ? "" : ", ", i);
			first = false;
		}
	printf("], ");
}

static void show_machine(bool crowded)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING];
	struct utsname machine;
	int length;

	MPI_Get_library_version(version, &length);
	version[strcspn(version, "\n")] = '\0';
	uname(&machine);
	printf("{");
	show_text("host", machine.nodename);
	show_text("kernel", machine.release);
	show_text("library", version);
	show_binding();
	show_text("compiler", __VERSION__);
	show_text("timing", mpib_options_timing(options));
	show_text("start", mpib_options_start(options));
	printf("\"processes\": %d, \"crowded\": %s, \"seed\": %lu}\n", size,
	       crowded ? "true" : "false", (unsigned long)options->rules.seed);
}

static void show_columns(void)
{
	printf("%-20s %-9s %8s %11s %11s %11s %11s %11s %6s %6s", "what",
	       "algorithm", "bytes", "median(us)", "low", "high", "mean", "+-",
	       "reps", "missed");
	if (options->group == GROUP_PATTERN)
		printf(" %11s %11s", "MB/s", "messages/s");
	if (options->group == GROUP_NONBLOCKING)
		printf(" %11s %11s %7s", "compute", "both", "hidden%");
	putchar('\n');
}

void mpib_show_head(const struct mpib_options *of, bool crowded)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	options = of;
	if (rank != 0)
		return;
	if (crowded)
		fprintf(stderr, "mpib_run: there are more processes than "
				"cores; times are those of waiting, too\n");
	if (options->form == FORM_JSON)
		show_machine(crowded);
	else if (options->form == FORM_GNUPLOT)
		puts("$data << END");
	else if (options->form == FORM_CSV)
		puts("collective,processes,bytes,algorithm,segment,seconds,"
		     "library,choice");
	else
		show_columns();
}

void mpib_show_end(void)
{
	if (rank == 0 && options && options->form == FORM_GNUPLOT)
		gnuplot_end();
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The table of all settings: names, parsers, defaults and help, and reading
 * them from the environment.
 */
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mds/emds.h"
#include "mds/hist.h"
#include "mds/settings.h"

#define DEPTH_MAX    32
#define SLICE_MAX_NS 1000000000
#define SAVE_MAX_S   86400
#define EMDS_METRICS                                                     \
	"ltts,ltdem,ltmsm,ltp2p,ltbbm,ltrm,copy,fold,poke,late,np2pdem," \
	"np2pmsm,ncolldem,ncollmsm,bytes,carried,bpts,helper,usrsts,"    \
	"usrdem,usrmsm,gtdem,gtmsm,gtts,polls,batches,left"

/* Index of `value` in a list of words that ends with NULL, or -1. */
static int word_in(const char *const words[], const char *value)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], value) == 0)
			return i;
	return -1;
}

static bool parse_number(const char *value, unsigned long max,
			 unsigned long *number)
{
	char *end;

	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	*number = strtoul(value, &end, 10);
	return errno == 0 && *end == '\0' && *number <= max;
}

static bool parse_switch(const char *value, bool *on)
{
	const int i = word_in((const char *const[]){ "off", "on", NULL },
			      value);

	if (i < 0)
		return false;
	*on = i == 1;
	return true;
}

static const char *const modes[] = { "observe", "demand", "fixed", NULL };

const char *settings_mode_name(enum settings_mode mode)
{
	return modes[mode];
}

static bool set_mode(struct settings *settings, const char *value)
{
	const int i = word_in(modes, value);

	if (i < 0)
		return false;
	settings->mode = (enum settings_mode)i;
	return true;
}

/* Parses a number and its unit. */
static bool set_slice(struct settings *settings, const char *value)
{
	static const char *const units[] = { "us", "ms", NULL };
	char digits[8];
	const size_t len = strspn(value, "0123456789");
	const int unit = word_in(units, value + len);
	unsigned long number;

	if (unit < 0 || len >= sizeof(digits))
		return false;
	memcpy(digits, value, len);
	digits[len] = '\0';
	if (!parse_number(digits, 1000000, &number) || number == 0)
		return false;
	settings->slice_ns = number * (unit == 0 ? 1000 : 1000000);
	return settings->slice_ns <= SLICE_MAX_NS;
}

static const char *const algorithms[] = {
	"auto",     "linear",  "binary", "binomial", "split-binary",
	"pipeline", "striped", "nodes",  NULL
};

/* Parses a name, perhaps followed by a colon and KiB: binomial, pipeline:8K. */
static bool parse_method(const char *value, struct settings_method *method)
{
	char name[16];
	const size_t n = strcspn(value, ":");
	const size_t len = strlen(value);
	char digits[8];
	unsigned long k;
	int i;

	if (n >= sizeof(name))
		return false;
	memcpy(name, value, n);
	name[n] = '\0';
	i = word_in(algorithms, name);
	*method = (struct settings_method){ (enum settings_algorithm)i, 0 };
	if (i < 0 || !value[n])
		return i >= 0;
	if (i == SETTINGS_ALGORITHM_AUTO || value[len - 1] != 'K' ||
	    len - n - 2 >= sizeof(digits))
		return false;
	memcpy(digits, value + n + 1, len - n - 2);
	digits[len - n - 2] = '\0';
	if (!parse_number(digits, 1 << 20, &k) || k == 0)
		return false;
	method->segment = k << 10;
	return true;
}

static bool set_bcast(struct settings *settings, const char *value)
{
	struct settings_method method;

	if (!parse_method(value, &method) ||
	    method.algorithm == SETTINGS_STRIPED)
		return false;
	settings->bcast = method;
	return true;
}

static bool set_reduce(struct settings *settings, const char *value)
{
	struct settings_method method;

	if (!parse_method(value, &method))
		return false;
	settings->reduce = method;
	return true;
}

static bool set_trees(struct settings *settings, const char *value)
{
	settings->trees = value;
	return true;
}

static bool set_polite(struct settings *settings, const char *value)
{
	static const char *const words[] = { "auto", "on", "off", NULL };
	const int i = word_in(words, value);

	if (i < 0)
		return false;
	settings->polite = (enum settings_polite)i;
	return true;
}

static bool set_deadlock(struct settings *settings, const char *value)
{
	static const char *const words[] = { "report", "abort", "stop", "off",
					     NULL };
	const int i = word_in(words, value);

	if (i < 0)
		return false;
	settings->deadlock = (enum settings_deadlock)i;
	return true;
}

static bool set_mmds(struct settings *settings, const char *value)
{
	return parse_switch(value, &settings->mmds);
}

static bool set_emds(struct settings *settings, const char *value)
{
	static const char *const words[] = { "off", "on", "every", NULL };
	const int i = word_in(words, value);

	if (i < 0)
		return false;
	settings->emds = (enum settings_emds)i;
	return true;
}

/* Parses N-M, or "all". */
static bool set_emds_slices(struct settings *settings, const char *value)
{
	char *end;

	settings->emds_from = 0;
	settings->emds_to = UINT64_MAX;
	if (strcmp(value, "all") == 0)
		return true;
	if (*value < '0' || *value > '9')
		return false;
	settings->emds_from = strtoull(value, &end, 10);
	if (*end != '-' || end[1] < '0' || end[1] > '9')
		return false;
	settings->emds_to = strtoull(end + 1, &end, 10);
	return *end == '\0' && settings->emds_from <= settings->emds_to;
}

static int metric_of(const char *name, size_t len)
{
	for (int i = 0; i < EMDS_COLUMNS; i++) {
		const char *known = emds_names[i];
		const size_t n = strcspn(known, "_");

		if (len == n && strncmp(known, name, n) == 0)
			return i;
	}
	return -1;
}

/* Parses names of columns, without their unit. */
static bool set_emds_metrics(struct settings *settings, const char *value)
{
	uint32_t columns = 1u << EMDS_SLICE | 1u << EMDS_BEGIN |
			   1u << EMDS_SLICES;
	size_t len;
	int i;

	if (strcmp(value, "all") == 0) {
		settings->emds_columns = (1u << EMDS_COLUMNS) - 1;
		return true;
	}
	for (; *value; value += len + (value[len] == ',')) {
		len = strcspn(value, ",");
		i = metric_of(value, len);
		if (i < 0)
			return false;
		columns |= 1u << i;
	}
	settings->emds_columns = columns;
	return true;
}

static bool set_emds_resolution(struct settings *settings, const char *value)
{
	unsigned long n;

	if (!parse_number(value, 1000000, &n) || n == 0)
		return false;
	settings->emds_resolution = n;
	return true;
}

static bool set_trace(struct settings *settings, const char *value)
{
	return parse_switch(value, &settings->trace);
}

static bool set_advise(struct settings *settings, const char *value)
{
	return parse_switch(value, &settings->advise);
}

/* A number and its unit, of which each is `step` times the one before. */
static bool parse_amount(const char *value, const char *const units[],
			 const uint64_t steps[], uint64_t *amount)
{
	char *end;
	uint64_t n;
	int i;

	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	n = strtoull(value, &end, 10);
	i = word_in(units, end);
	if (errno || i < 0 || n == 0 || n > UINT64_MAX / steps[i])
		return false;
	*amount = n * steps[i];
	return true;
}

/* "10000events", "100M" or "60s". */
static bool parse_limit(struct settings *settings, const char *word)
{
	static const uint64_t sizes[] = { 1 << 10, 1 << 20, 1 << 30 };
	static const uint64_t times[] = { 1000000, 1000000000 };
	static const uint64_t one[] = { 1 };

	return parse_amount(word, (const char *const[]){ "events", NULL }, one,
			    &settings->trace_events) ||
	       parse_amount(word, (const char *const[]){ "K", "M", "G", NULL },
			    sizes, &settings->trace_bytes) ||
	       parse_amount(word, (const char *const[]){ "ms", "s", NULL },
			    times, &settings->trace_ns);
}

static bool set_trace_limit(struct settings *settings, const char *value)
{
	char word[32];
	size_t len;

	settings->trace_events = UINT64_MAX;
	settings->trace_bytes = UINT64_MAX;
	settings->trace_ns = UINT64_MAX;
	if (strcmp(value, "none") == 0)
		return true;
	for (; *value; value += len + (value[len] == ',')) {
		len = strcspn(value, ",");
		if (len >= sizeof(word))
			return false;
		memcpy(word, value, len);
		word[len] = '\0';
		if (!parse_limit(settings, word))
			return false;
	}
	return true;
}

static bool set_node_size(struct settings *settings, const char *value)
{
	unsigned long n;

	if (!parse_number(value, 1000000, &n))
		return false;
	settings->node_size = (unsigned)n;
	return true;
}

static bool set_depth(struct settings *settings, const char *value)
{
	unsigned long depth;

	if (!parse_number(value, DEPTH_MAX, &depth))
		return false;
	settings->depth = (unsigned)depth;
	return true;
}

static bool set_resolution(struct settings *settings, const char *value)
{
	unsigned long bits;

	if (!parse_number(value, HIST_BITS_MAX, &bits))
		return false;
	settings->resolution = (unsigned)bits;
	return true;
}

/* "all", "none", or some words with commas between them, as bits. */
static bool parse_some(const char *const words[], const char *value,
		       unsigned *bits)
{
	char word[16];
	unsigned some = 0;
	size_t len;
	int i;

	for (i = 0; strcmp(value, "all") == 0 && words[i]; i++)
		some |= 1u << i;
	if (some != 0 || strcmp(value, "none") == 0)
		value = "";
	for (; *value; value += len + (value[len] == ',')) {
		len = strcspn(value, ",");
		if (len >= sizeof(word))
			return false;
		memcpy(word, value, len);
		word[len] = '\0';
		i = word_in(words, word);
		if (i < 0)
			return false;
		some |= 1u << i;
	}
	*bits = some;
	return true;
}

static bool set_metrics(struct settings *settings, const char *value)
{
	static const char *const words[] = { "time",  "size",  "account",
					     "comms", "peers", NULL };

	return parse_some(words, value, &settings->metrics);
}

/* The words are in the order of SETTINGS_STRICT_... */
static bool set_strict(struct settings *settings, const char *value)
{
	static const char *const words[] = { "sends", "buffers", "races",
					     "pages", NULL };

	return parse_some(words, value, &settings->strict);
}

static bool parse_signal(const char *value, int *signal)
{
	static const char *const words[] = { "none", "USR1", "USR2",
					     "URG",  "PROF", NULL };
	static const int signals[] = { 0, SIGUSR1, SIGUSR2, SIGURG, SIGPROF };
	const int i = word_in(words, value);

	if (i < 0)
		return false;
	*signal = signals[i];
	return true;
}

static bool set_dump_signal(struct settings *settings, const char *value)
{
	return parse_signal(value, &settings->dump_signal);
}

static bool set_quiesce_signal(struct settings *settings, const char *value)
{
	return parse_signal(value, &settings->quiesce_signal);
}

static bool set_quiesce_wait(struct settings *settings, const char *value)
{
	unsigned long seconds;

	if (!parse_number(value, SAVE_MAX_S, &seconds))
		return false;
	settings->quiesce_wait_s = (unsigned)seconds;
	return true;
}

static bool set_save(struct settings *settings, const char *value)
{
	unsigned long seconds;

	if (!parse_number(value, SAVE_MAX_S, &seconds))
		return false;
	settings->save_s = (int)seconds;
	return true;
}

static bool set_flight(struct settings *settings, const char *value)
{
	return parse_switch(value, &settings->flight);
}

static bool set_memory(struct settings *settings, const char *value)
{
	static const char *const units[] = { "", "K", "M", "G", NULL };
	char *end;
	uint64_t n;
	int i;

	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	n = strtoull(value, &end, 10);
	i = word_in(units, end);
	if (errno || i < 0 || n > UINT64_MAX >> 30 || n << (10 * i) < 128 << 10)
		return false;
	settings->memory = n << (10 * i);
	return true;
}

static bool set_trace_memory(struct settings *settings, const char *value)
{
	static const uint64_t sizes[] = { 1 << 10, 1 << 20, 1 << 30 };

	return parse_amount(value, (const char *const[]){ "K", "M", "G", NULL },
			    sizes, &settings->trace_memory) &&
	       settings->trace_memory >= 128 << 10 &&
	       settings->trace_memory <= (uint64_t)16 << 30;
}

static bool set_record(struct settings *settings, const char *value)
{
	static const char *const words[] = { "off", "schedule", NULL };
	const int i = word_in(words, value);

	settings->schedule = i == 1;
	return i >= 0;
}

static bool set_replay(struct settings *settings, const char *value)
{
	settings->replay = value;
	return true;
}

static bool set_diverged(struct settings *settings, const char *value)
{
	static const char *const words[] = { "end", "go-on", NULL };
	const int i = word_in(words, value);

	if (i < 0)
		return false;
	settings->diverged = (enum settings_diverged)i;
	return true;
}

static bool set_out(struct settings *settings, const char *value)
{
	settings->out = value;
	return *value != '\0';
}

/* Parses an octal number, as the command umask does. */
static bool set_umask(struct settings *settings, const char *value)
{
	const size_t len = strlen(value);

	if (len == 0 || len > 4 || strspn(value, "01234567") != len ||
	    strtoul(value, NULL, 8) > 0777)
		return false;
	settings->umask = (unsigned)strtoul(value, NULL, 8);
	return true;
}

static bool set_job(struct settings *settings, const char *value)
{
	settings->job = value;
	return strchr(value, '/') == NULL;
}

/* Parses N, or N-M with N <= M, at the start of `list`.  Returns the rest, or
 * NULL. */
static const char *range_parse(const char *list, long *from, long *to)
{
	char *end;

	if (*list < '0' || *list > '9')
		return NULL;
	*from = *to = strtol(list, &end, 10);
	if (*end == '-') {
		if (end[1] < '0' || end[1] > '9')
			return NULL;
		*to = strtol(end + 1, &end, 10);
	}
	if (*to < *from)
		return NULL;
	return *end == '\0' || (*end == ',' && end[1] != '\0') ? end : NULL;
}

static bool set_ranks(struct settings *settings, const char *value)
{
	const char *at = value;
	long from;
	long to;

	if (strcmp(value, "all") != 0)
		do {
			at = range_parse(at, &from, &to);
			if (!at)
				return false;
		} while (*at++ == ',');
	settings->ranks = value;
	return true;
}

static bool set_calls(struct settings *settings, const char *value)
{
	settings->calls = value;
	return *value != '\0';
}

const struct setting settings_table[] = {
	{ "BCS_MODE", "observe, demand, fixed", "demand",
	  "what moves messages: MPI (observe), the scheduler at once (demand), "
	  "or the scheduler in time slices (fixed)",
	  set_mode },
	{ "BCS_SLICE", "a time from 1us to 1000ms", "250us",
	  "length of a time slice in fixed mode", set_slice },
	{ "BCS_BCAST",
	  "auto, linear, binary, binomial, split-binary, pipeline, nodes; with "
	  "pieces of 8 KiB: pipeline:8K",
	  "auto",
	  "algorithm for scheduled broadcasts; nodes sends once to each node, "
	  "then within the node",
	  set_bcast },
	{ "BCS_REDUCE",
	  "auto, linear, binary, binomial, split-binary, pipeline, striped, "
	  "nodes; with pieces of 8 KiB: pipeline:8K",
	  "auto",
	  "algorithm for scheduled reductions, to one process or to all",
	  set_reduce },
	{ "BCS_TREE", "files of bcs tree --emit=tree, separated by commas", "",
	  "decision trees for algorithms that are set to auto", set_trees },
	{ "BCS_POLITE", "auto, on, off", "auto",
	  "yield the core while MPI waits; auto does so with more ranks than "
	  "cores, and during MPI_Init and MPI_Finalize",
	  set_polite },
	{ "BCS_DEADLOCK", "abort, report, stop, off", "abort",
	  "what to do about ranks that wait for each other only: end the "
	  "program with status 79, say so and keep waiting, stop the ranks for "
	  "a debugger, or nothing",
	  set_deadlock },
	{ "BCS_STRICT", "none, all or some of sends,buffers,races,pages",
	  "none",
	  "look for faults that mostly do no harm: make standard sends wait "
	  "for their receives; find buffers that are changed or shared while "
	  "in use; find receives from any source for which several messages "
	  "were there; close pages of open receives, so that accesses to them "
	  "are found",
	  set_strict },
	{ "BCS_NODE_SIZE", "0 to 1000000", "0",
	  "treat every N processes of a machine as a node, for testing; 0 "
	  "treats the machine as one node",
	  set_node_size },
	{ "BCS_OUT", "a folder", ".",
	  "folder to make the record PROGRAM.JOB.bcs in", set_out },
	{ "BCS_JOB", "a name without /", "",
	  "JOB in the record's name; by default the batch system's job "
	  "number, else a process id",
	  set_job },
	{ "BCS_UMASK", "an octal number from 0 to 777", "077",
	  "permissions to remove from the record's folder and files, in "
	  "addition to the umask of the process",
	  set_umask },
	{ "BCS_MMDS", "on, off", "on", "record the calls of every process",
	  set_mmds },
	{ "BCS_EMDS", "off, on, every", "off",
	  "record the work of every slice; every includes idle slices in fixed "
	  "mode",
	  set_emds },
	{ "BCS_EMDS_SLICES", "all or a range like 7500-12500", "all",
	  "slices to record", set_emds_slices },
	{ "BCS_EMDS_METRICS", "all or some of " EMDS_METRICS, "all",
	  "metrics to record for each slice; bcs slices explains them",
	  set_emds_metrics },
	{ "BCS_EMDS_RESOLUTION", "1 to 1000000", "1",
	  "number of slices to add up in one row of the record",
	  set_emds_resolution },
	{ "BCS_CALLSITE_DEPTH", "0 to 32", "8",
	  "frames of a call path to record; 0 records no call sites",
	  set_depth },
	{ "BCS_RESOLUTION", "0 to 5", "3",
	  "precision of distributions: 2^N buckets for each power of two; 3 "
	  "tells percentiles within 6.25 %",
	  set_resolution },
	{ "BCS_METRICS", "all, none or some of time,size,account,comms,peers",
	  "all", "distributions and matrices to record", set_metrics },
	{ "BCS_RANKS", "all or a list like 0,4-7", "all", "ranks that record",
	  set_ranks },
	{ "BCS_CALLS", "all or a list like MPI_Send,MPI_I*", "all",
	  "primitives to list in the record; the others count in totals only",
	  set_calls },
	{ "BCS_DUMP_SIGNAL", "USR1, USR2, URG, PROF, none", "USR2",
	  "signal that makes a process write its record and continue",
	  set_dump_signal },
	{ "BCS_QUIESCE_SIGNAL", "USR1, USR2, URG, PROF, none", "URG",
	  "signal to any process that makes all stop at a slice boundary, "
	  "call their hooks (bcs.h) and continue; in fixed mode",
	  set_quiesce_signal },
	{ "BCS_QUIESCE_WAIT", "0 to 86400", "60",
	  "seconds that such a stop waits for processes that compute, before "
	  "all continue without it",
	  set_quiesce_wait },
	{ "BCS_SAVE", "0 to 86400", "60",
	  "longest time in seconds between two saves of the record while the "
	  "program runs, in case SIGKILL ends it; the first saves are after 1, "
	  "2, 4 ... s; 0 saves never",
	  set_save },
	{ "BCS_FLIGHT", "on, off", "on",
	  "keep the last calls of each process in a file while the program "
	  "runs, for bcs hang, bcs top and the report of a killed run",
	  set_flight },
	{ "BCS_MEMORY", "a size like 512K or 1M, at least 128K", "16M",
	  "memory that each process may use for its record", set_memory },
	{ "BCS_TRACE", "off, on", "off",
	  "record every call with its time, peer, bytes and place", set_trace },
	{ "BCS_ADVISE", "off, on", "off",
	  "record what bcs advise reads: the trace, and where the program "
	  "first "
	  "uses the buffers of blocking calls again",
	  set_advise },
	{ "BCS_TRACE_LIMIT", "none or some of 1000000events,100M,60s", "none",
	  "end the trace of a process after so many events, bytes of its file "
	  "or seconds; later events are only counted",
	  set_trace_limit },
	{ "BCS_TRACE_MEMORY", "a size like 512K or 8M, from 128K to 16G", "8M",
	  "memory that each process may use for calls that are not in the "
	  "trace's file yet; without room they are lost and counted",
	  set_trace_memory },
	{ "BCS_RECORD", "off, schedule", "off",
	  "record what the program does not determine, so that BCS_REPLAY "
	  "repeats the run: sources of receives from any source, answers of "
	  "probes and tests",
	  set_record },
	{ "BCS_REPLAY", "a folder made with BCS_RECORD=schedule", "",
	  "repeat the schedule of that record, in any mode", set_replay },
	{ "BCS_DIVERGED", "end, go-on", "end",
	  "what to do when a process leaves the repeated schedule: end the "
	  "program with status 78, or go on without the rest of the schedule",
	  set_diverged },
	{ NULL, NULL, NULL, NULL, NULL },
};

const struct setting *settings_find(const char *name)
{
	for (const struct setting *s = settings_table; s->name; s++)
		if (strcmp(s->name, name) == 0)
			return s;
	return NULL;
}

static void load_one(struct settings *settings, const struct setting *setting,
		     void (*warn)(const char *line))
{
	const char *value = getenv(setting->name);
	char line[256];

	setting->set(settings, setting->fallback);
	if (!value || setting->set(settings, value))
		return;
	setting->set(settings, setting->fallback);
	snprintf(line, sizeof(line), "%s=%.60s is not taken (%s); using %s",
		 setting->name, value, setting->values,
		 *setting->fallback ? setting->fallback : "the default");
	warn(line);
}

void settings_load(struct settings *settings, void (*warn)(const char *line))
{
	for (const struct setting *s = settings_table; s->name; s++)
		load_one(settings, s, warn);
	settings->trace |= settings->advise;
}

bool settings_rank_in(const char *list, long rank)
{
	long from;
	long to;

	if (strcmp(list, "all") == 0)
		return true;
	do {
		list = range_parse(list, &from, &to);
		if (list && from <= rank && rank <= to)
			return true;
	} while (list && *list++ == ',');
	return false;
}

bool settings_call_in(const char *list, const char *call)
{
	char pattern[64];
	size_t len;

	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		snprintf(pattern, sizeof(pattern), "%.*s", (int)len, list);
		if (strcmp(pattern, "all") == 0 ||
		    fnmatch(pattern, call, 0) == 0)
			return true;
	}
	return false;
}

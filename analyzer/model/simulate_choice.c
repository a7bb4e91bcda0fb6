/* SPDX-License-Identifier: BSD-3-Clause */

/* The options of `bcs model simulate`. */
#include <math.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/say.h"
#include "analyzer/model/simulate_choice.h"
#include "analyzer/report/report_choice.h"
#include "tree/tree_text.h"

#define LIMIT     100000000
#define COUNT_MAX 1000000000

struct simulate_choice simulate_choice = {
	.system = { .name = "galera+" },
	.run = { .app = { .memory = SIM_LUA_MEMORY }, .events_max = LIMIT },
	.bounds = { .watts = INFINITY },
	.trace = { .replay = { .scale = { 1, 1, 1, 0 },
			       .overhead = NAN,
			       .eager = NAN,
			       .quantum = 0.003 } },
};

static bool number_of(const char *text, double min, double max, double *number)
{
	return tree_text_real(text, strlen(text), number) && *number >= min &&
	       *number <= max;
}

/* NAME=VALUE */
static bool add_setting(struct sim_app_setting *settings, unsigned *n,
			const char *text, double min, double max)
{
	const size_t len = strcspn(text, "=");
	double value;

	if (len == 0 || !text[len] || *n == SIMULATE_SETTINGS_MAX ||
	    !number_of(text + len + 1, min, max, &value))
		return false;
	settings[*n].name = mem_print("%.*s", (int)len, text);
	settings[(*n)++].value = value;
	return true;
}

static bool set_hardware(const struct option_spec *option, const char *value)
{
	(void)option;
	if (simulate_choice.system.n_hardware == SIMULATE_HARDWARE_MAX)
		return false;
	simulate_choice.system
		.hardware[simulate_choice.system.n_hardware++] = value;
	return *value != '\0';
}

static bool set_processes(const struct option_spec *option, const char *value)
{
	const struct sim_app_setting
		*added = &simulate_choice.counts[simulate_choice.n_counts];

	(void)option;
	return add_setting(simulate_choice.counts, &simulate_choice.n_counts,
			   value, 1, COUNT_MAX) &&
	       floor(added->value) == added->value;
}

static bool set_parameter(const struct option_spec *option, const char *value)
{
	(void)option;
	return add_setting(simulate_choice.parameters,
			   &simulate_choice.n_parameters, value, -HUGE_VAL,
			   HUGE_VAL);
}

static bool add_size(const char *word, size_t len)
{
	double n;

	if (simulate_choice.n_sizes == SIMULATE_SIZES_MAX ||
	    !tree_text_real(word, len, &n) || n < 1 || n > COUNT_MAX ||
	    floor(n) != n)
		return false;
	simulate_choice.sizes[simulate_choice.n_sizes++] = (uint32_t)n;
	return true;
}

static bool set_sizes(const struct option_spec *option, const char *value)
{
	const size_t len = strcspn(value, "=");

	(void)option;
	if (len == 0 || !value[len])
		return false;
	simulate_choice.label = mem_print("%.*s", (int)len, value);
	simulate_choice.n_sizes = 0;
	return options_each(value + len + 1, add_size);
}

/* native, demand, demand:SECONDS, fixed:SECONDS */
static bool set_strobe(const struct option_spec *option, const char *value)
{
	struct sim_policy *policy = &simulate_choice.run.policy;
	const size_t len = strcspn(value, ":");
	double seconds = 0;

	(void)option;
	if (value[len] && !number_of(value + len + 1, 0, 1e9, &seconds))
		return false;
	*policy = (struct sim_policy){ .strobe = SIM_NATIVE };
	if (strcmp(value, "native") == 0)
		return true;
	if (len == 6 && strncmp(value, "demand", len) == 0) {
		policy->strobe = SIM_DEMAND;
		policy->slice = seconds;
		return true;
	}
	policy->strobe = SIM_FIXED;
	policy->period = seconds;
	return len == 5 && strncmp(value, "fixed", len) == 0 && seconds > 0;
}

static bool set_memory(const struct option_spec *option, const char *value)
{
	unsigned long n;

	(void)option;
	if (!options_number(value, 1, 1u << 20, &n))
		return false;
	simulate_choice.run.app.memory = (uint64_t)n << 20;
	return true;
}

static const struct option_spec options[] = {
	{ "system", 's', "SYSTEM", "a name",
	  "galera+, galera, kask, or a file: a system in Lua, or what "
	  "bcs model fit writes; default: galera+",
	  OPTION_TEXT(&simulate_choice.system.name) },
	{ "nodes", 'n', "N", NULL,
	  "number of nodes, unless the system is written in Lua",
	  OPTION_NUMBER(&simulate_choice.system.nodes, 1, SIM_NODES_MAX) },
	{ "hardware", 0, "FILE", "up to 8 names of files",
	  "read more hardware for the system from FILE; can be "
	  "repeated",
	  .set = set_hardware },
	{ "processes", 'p', "LABEL=N", "a label, = and 1 to 1000000000",
	  "number of processes of a label; can be repeated",
	  .set = set_processes },
	{ "set", 0, "NAME=VALUE", "a name, = and a number",
	  "set a parameter of the application; can be repeated",
	  .set = set_parameter },
	{ "sizes", 0, "LABEL=N,N,...",
	  "a label, = and up to 256 numbers of processes",
	  "simulate each number of processes of a label, and show the "
	  "best",
	  .set = set_sizes },
	{ "exact", 0, NULL, NULL,
	  "simulate each process by itself, even where processes are "
	  "alike",
	  OPTION_FLAG(&simulate_choice.run.exact) },
	{ "strobe", 0, "POLICY",
	  "native, demand, demand:SECONDS or fixed:SECONDS",
	  "schedule of communication: at once (native), in slices on "
	  "demand that cost SECONDS each (demand), or in slices of "
	  "SECONDS (fixed); default: native",
	  .set = set_strobe },
	{ "trace", 't', "DIR", "a folder",
	  "replay the trace of a run in DIR instead of an application",
	  OPTION_TEXT(&simulate_choice.trace.path) },
	{ "loggp", 0, "L,O,G", "three numbers from 0 on, with commas between",
	  "system of --trace: latency and overhead in us, and us a byte",
	  .set = simulate_trace_set_loggp },
	{ "latency", 0, "FACTOR", "a number from 0 to 1e6",
	  "multiply the time of messages without bytes (--trace)",
	  OPTION_REAL(&simulate_choice.trace.replay.scale.latency, 0, 1e6) },
	{ "add-latency", 0, "SECONDS", "a number from 0 to 1e6",
	  "add SECONDS to the latency of each message (--trace)",
	  OPTION_REAL(&simulate_choice.trace.replay.scale.add, 0, 1e6) },
	{ "bandwidth", 0, "FACTOR", "a number from 1e-6 to 1e6",
	  "multiply the bandwidth of messages (--trace)",
	  OPTION_REAL(&simulate_choice.trace.replay.scale.bandwidth, 1e-6,
		      1e6) },
	{ "speed", 0, "FACTOR", "a number from 1e-6 to 1e6",
	  "multiply the speed of the cores (--trace)",
	  OPTION_REAL(&simulate_choice.trace.replay.scale.cpu, 1e-6, 1e6) },
	{ "eager", 0, "BYTES", "a number from 0 on",
	  "largest message that does not wait for its receiver (--trace); "
	  "default: the system's, 8192",
	  OPTION_REAL(&simulate_choice.trace.replay.eager, 0, 0x1p53) },
	{ "cores", 0, "N", NULL,
	  "let the ranks of a node share N cores (--trace); default: as in "
	  "the run",
	  OPTION_NUMBER(&simulate_choice.trace.replay.cores, 1, 1u << 20) },
	{ "quantum", 0, "SECONDS", "a number from 1e-6 to 1e3",
	  "time for which a rank keeps a core that it shares; default: 0.003",
	  OPTION_REAL(&simulate_choice.trace.replay.quantum, 1e-6, 1e3) },
	{ "free", 0, "SITE", "up to 64 places",
	  "let the calls at SITE (FILE:LINE) take no time (--trace); can be "
	  "repeated",
	  .set = simulate_trace_set_free },
	{ "nonblocking", 0, "SITE", "up to 64 places",
	  "let the calls at SITE (FILE:LINE) not block (--trace); can be "
	  "repeated",
	  .set = simulate_trace_set_async },
	{ "checkpoint", 0, "SECONDS", "a number from 0 to 1e9",
	  "time of a checkpoint; shows how often to make one, and "
	  "counts it in runs with failures",
	  OPTION_REAL(&simulate_choice.bounds.checkpoint, 0, 1e9) },
	{ "restart", 0, "SECONDS", "a number from 0 to 1e9",
	  "time of a restart after a failure; default: 0",
	  OPTION_REAL(&simulate_choice.bounds.restart, 0, 1e9) },
	{ "power-cap", 0, "WATTS", "a number from 0 on",
	  "leave out sizes whose power exceeds WATTS when the best is "
	  "chosen",
	  OPTION_REAL(&simulate_choice.bounds.watts, 0, HUGE_VAL) },
	{ "limit", 0, "N", "a number from 1 on",
	  "stop after N operations; default: 100000000",
	  OPTION_COUNT(&simulate_choice.run.events_max, 1, UINT64_MAX) },
	{ "memory", 0, "MIB", "1 to 1048576",
	  "memory for the application's Lua; default: 512", .set = set_memory },
	REPORT_OPTION_CSV("print the table as CSV"),
	REPORT_OPTION_JSON("print the tables as JSON"),
	{ "svg", 0, NULL, NULL, "draw the times as SVG",
	  OPTION_FLAG(&simulate_choice.svg) },
	{ "verbose", 'v', NULL, NULL,
	  "say how many operations were simulated, and how fast",
	  OPTION_FLAG(&simulate_choice.verbose) },
	{ 0 },
};

const struct option_spec *simulate_choice_options(void)
{
	return options;
}

/* A number of processes that --sizes gives as well. */
static bool is_counted(void)
{
	for (unsigned i = 0; i < simulate_choice.n_counts; i++)
		if (strcmp(simulate_choice.counts[i].name,
			   simulate_choice.label) == 0)
			return true;
	return false;
}

static bool suits_sizes(void)
{
	if (simulate_choice.svg &&
	    !options_none(OPTIONS("power-cap"), "with --svg"))
		return false;
	if (!is_counted())
		return true;
	say_error("--processes or --sizes of '%s', not both",
		  simulate_choice.label);
	return false;
}

static bool suits_one(void)
{
	static const char *const failures[] = { "checkpoint", "restart", NULL };

	if (!options_none(OPTIONS("power-cap"), "without --sizes"))
		return false;
	if (simulate_choice.svg)
		return options_none(failures, "with --svg without --sizes");
	return report_choice.format != REPORT_AS_CSV ||
	       options_none(failures, "with --csv without --sizes");
}

static bool suits_trace(void)
{
	static const char *const applications[] = {
		"processes",  "set",     "sizes", "exact",
		"checkpoint", "restart", "limit", "memory",
		"power-cap",  "svg",     NULL
	};

	if (!options_none(applications, "with --trace") ||
	    !options_one_at_most(OPTIONS("system", "loggp")))
		return false;
	if (options_given("system") || options_given("loggp"))
		return true;
	say_error("--trace needs a system: --system or --loggp");
	return false;
}

static bool suits_application(void)
{
	static const char *const traces[] = {
		"loggp", "latency",     "add-latency", "bandwidth",
		"speed", "eager",       "cores",       "quantum",
		"free",  "nonblocking", NULL
	};

	return options_none(traces, "without --trace") &&
	       (simulate_choice.label ? suits_sizes() : suits_one());
}

bool simulate_choice_suits(void)
{
	return options_one_at_most(OPTIONS("csv", "json", "svg")) &&
	       (simulate_choice.trace.path ? suits_trace()
					   : suits_application());
}

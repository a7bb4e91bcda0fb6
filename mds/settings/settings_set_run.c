/* SPDX-License-Identifier: BSD-3-Clause */

/* Sets the settings of how a program runs: what moves its messages, and how. */
#include <string.h>

#include "mds/settings/settings_parse.h"
#include "mds/settings/settings_set.h"

#define SLICE_MAX_NS 1000000000
#define BUDGET_MAX   ((uint64_t)16 << 30)

static const char *const modes[] = { "observe", "demand", "fixed", NULL };

const char *settings_mode_name(enum settings_mode mode)
{
	return modes[mode];
}

bool settings_set_mode(struct settings *settings, const char *value)
{
	const int i = settings_word_in(modes, value);

	if (i < 0)
		return false;
	settings->mode = (enum settings_mode)i;
	return true;
}

/* Parses a number and its unit. */
bool settings_set_slice(struct settings *settings, const char *value)
{
	static const char *const units[] = { "us", "ms", NULL };
	char digits[8];
	const size_t len = strspn(value, "0123456789");
	const int unit = settings_word_in(units, value + len);
	unsigned long number;

	if (unit < 0 || len >= sizeof(digits))
		return false;
	memcpy(digits, value, len);
	digits[len] = '\0';
	if (!settings_parse_number(digits, 1000000, &number) || number == 0)
		return false;
	settings->slice_ns = number * (unit == 0 ? 1000 : 1000000);
	return settings->slice_ns <= SLICE_MAX_NS;
}

bool settings_set_budget(struct settings *settings, const char *value)
{
	static const char *const units[] = { "", "K", "M", "G", NULL };
	static const uint64_t sizes[] = { 1, 1 << 10, 1 << 20, 1 << 30 };

	settings->budget = 0;
	return strcmp(value, "auto") == 0 ||
	       (settings_parse_amount(value, units, sizes, &settings->budget) &&
		settings->budget <= BUDGET_MAX);
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
	i = settings_word_in(algorithms, name);
	*method = (struct settings_method){ (enum settings_algorithm)i, 0 };
	if (i < 0 || !value[n])
		return i >= 0;
	if (i == SETTINGS_ALGORITHM_AUTO || value[len - 1] != 'K' ||
	    len - n - 2 >= sizeof(digits))
		return false;
	memcpy(digits, value + n + 1, len - n - 2);
	digits[len - n - 2] = '\0';
	if (!settings_parse_number(digits, 1 << 20, &k) || k == 0)
		return false;
	method->segment = k << 10;
	return true;
}

bool settings_set_bcast(struct settings *settings, const char *value)
{
	struct settings_method method;

	if (!parse_method(value, &method) ||
	    method.algorithm == SETTINGS_STRIPED)
		return false;
	settings->bcast = method;
	return true;
}

bool settings_set_reduce(struct settings *settings, const char *value)
{
	struct settings_method method;

	if (!parse_method(value, &method))
		return false;
	settings->reduce = method;
	return true;
}

bool settings_set_trees(struct settings *settings, const char *value)
{
	settings->trees = value;
	return true;
}

bool settings_set_polite(struct settings *settings, const char *value)
{
	static const char *const words[] = { "auto", "on", "off", NULL };
	const int i = settings_word_in(words, value);

	if (i < 0)
		return false;
	settings->polite = (enum settings_polite)i;
	return true;
}

bool settings_set_deadlock(struct settings *settings, const char *value)
{
	static const char *const words[] = { "report", "abort", "stop", "off",
					     NULL };
	const int i = settings_word_in(words, value);

	if (i < 0)
		return false;
	settings->deadlock = (enum settings_deadlock)i;
	return true;
}

/* The words are in the order of SETTINGS_STRICT_... */
bool settings_set_strict(struct settings *settings, const char *value)
{
	static const char *const words[] = { "sends", "buffers", "races",
					     "pages", NULL };

	return settings_parse_some(words, value, &settings->strict);
}

bool settings_set_node_size(struct settings *settings, const char *value)
{
	unsigned long n;

	if (!settings_parse_number(value, 1000000, &n))
		return false;
	settings->node_size = (unsigned)n;
	return true;
}

bool settings_set_quiesce_signal(struct settings *settings, const char *value)
{
	return settings_parse_signal(value, &settings->quiesce_signal);
}

bool settings_set_quiesce_wait(struct settings *settings, const char *value)
{
	unsigned long seconds;

	if (!settings_parse_number(value, SETTINGS_SECONDS_MAX, &seconds))
		return false;
	settings->quiesce_wait_s = (unsigned)seconds;
	return true;
}

bool settings_set_record(struct settings *settings, const char *value)
{
	static const char *const words[] = { "off", "schedule", NULL };
	const int i = settings_word_in(words, value);

	settings->schedule = i == 1;
	return i >= 0;
}

bool settings_set_replay(struct settings *settings, const char *value)
{
	settings->replay = value;
	return true;
}

bool settings_set_diverged(struct settings *settings, const char *value)
{
	static const char *const words[] = { "end", "go-on", NULL };
	const int i = settings_word_in(words, value);

	if (i < 0)
		return false;
	settings->diverged = (enum settings_diverged)i;
	return true;
}

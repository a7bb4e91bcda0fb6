/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Loads the system that is simulated: Lua, a preset or a fitted system, with
 * its hardware.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/input.h"
#include "analyzer/base/say.h"
#include "analyzer/cli/place.h"
#include "analyzer/model/model_system.h"
#include "analyzer/model/simulate_system.h"

#define OURS "hardware.lua"

/* Where our hardware is: in a build, and installed. */
static const char *const folders[] = { "../../sim", BCS_SIM_FROM_BIN, NULL };

/* How many nodes the clusters of the paper have. */
static const struct {
	const char *name;
	uint32_t nodes;
} clusters[] = { { "galera+", 192 }, { "galera", 672 }, { "kask", 10 } };
#define N_CLUSTERS (sizeof(clusters) / sizeof(clusters[0]))

static bool is_fitted(const char *text, size_t size)
{
	static const char mark[] = "bcs-system";

	return size >= sizeof(mark) - 1 &&
	       memcmp(text, mark, sizeof(mark) - 1) == 0;
}

/* Nodes that are alike, of the model that is loaded. */
static int load_alike(struct simulate_system *system,
		      const struct simulate_system_choice *choice)
{
	bool is_cluster = false;
	uint32_t nodes = 1;

	if (choice->n_hardware) {
		say_error("--hardware is of a system in Lua");
		formula_system_clear(&system->model);
		return 2;
	}
	for (size_t i = 0; i < N_CLUSTERS; i++)
		if (strcmp(clusters[i].name, choice->name) == 0) {
			nodes = clusters[i].nodes;
			is_cluster = true;
		}
	/* A machine that was measured has room for as many as are asked for. */
	if (sim_system_alike(&system->system, &system->model,
			     choice->nodes ? choice->nodes : nodes,
			     is_cluster ? 0 : SIM_NODES_MAX, !is_cluster) == 0)
		return 0;
	say_error("there is no memory left");
	return 2;
}

/* Texts in the order they are run, before the system's; the caller frees them.
 */
static unsigned read_texts(const struct simulate_system_choice *choice,
			   const char *ours, struct sim_text *texts,
			   unsigned most)
{
	unsigned n = 0;

	for (unsigned i = 0; i < most; i++) {
		texts[n].name = i == 0 ? ours : choice->hardware[i - 1];
		texts[n].text = input_read(texts[n].name, READING_ARGUMENT,
					   &texts[n].size);
		if (texts[n].text)
			n++;
	}
	return n;
}

static int load_lua(struct simulate_system *system,
		    const struct simulate_system_choice *choice,
		    const char *text, size_t size)
{
	struct tree_fault fault = { "there is no memory left" };
	struct sim_text texts[SIMULATE_HARDWARE_MAX + 2];
	const unsigned most = choice->n_hardware + 1;
	char ours[PATH_MAX];
	unsigned n;
	int rc;

	if (choice->nodes) {
		say_error("--nodes is of a system that is no description in "
			  "Lua");
		return 2;
	}
	rc = place_find(ours, folders, OURS);
	if (rc != 0) {
		say_error("%s: %s", OURS, strerror(-rc));
		return 2;
	}
	n = read_texts(choice, ours, texts, most);
	rc = -1;
	if (n == most) {
		texts[n] = (struct sim_text){ .name = choice->name,
					      .text = text,
					      .size = size };
		rc = sim_system_read(&system->system, texts, n + 1, &fault);
		if (rc != 0)
			say_error("%s", fault.text);
	}
	while (n > 0)
		free((char *)texts[--n].text);
	return rc ? 2 : 0;
}

/* The file is read once, for it may be a pipe. */
static int load_file(struct simulate_system *system,
		     const struct simulate_system_choice *choice)
{
	size_t size;
	char *text = input_read(choice->name, READING_ARGUMENT, &size);
	int status;

	if (!text)
		return 2;
	if (is_fitted(text, size)) {
		status = model_system_read(&system->model, choice->name, text,
					   size);
		if (status == 0)
			status = load_alike(system, choice);
	} else {
		status = load_lua(system, choice, text, size);
	}
	free(text);
	return status;
}

int simulate_system_load(struct simulate_system *system,
			 const struct simulate_system_choice *choice)
{
	const bool is_file = strcmp(choice->name, "-") == 0 ||
			     access(choice->name, F_OK) == 0;

	formula_system_init(&system->model, "");
	if (!preset_find(choice->name) && is_file)
		return load_file(system, choice);
	if (model_system_load(&system->model, choice->name) != 0)
		return 2;
	return load_alike(system, choice);
}

void simulate_system_clear(struct simulate_system *system)
{
	sim_system_clear(&system->system);
	formula_system_clear(&system->model);
}

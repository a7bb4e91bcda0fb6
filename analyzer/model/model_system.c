/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads a system by a preset's name or from a file, and tells of doubtful
 * parameters.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/input.h"
#include "analyzer/base/say.h"
#include "analyzer/model/model_system.h"
#include "model/system_file.h"

int model_system_read(struct formula_system *system, const char *path,
		      const char *text, size_t size)
{
	struct tree_fault fault = { "there is no memory left" };

	if (system_file_read(system, text, size, &fault) == 0)
		return 0;
	say_error("%s: %s", path, fault.text);
	return 2;
}

static int load_file(struct formula_system *system, const char *path)
{
	size_t size;
	char *text = input_read(path, READING_ARGUMENT, &size);
	int status;

	if (!text)
		return 2;
	status = model_system_read(system, path, text, size);
	free(text);
	return status;
}

int model_system_load(struct formula_system *system, const char *name)
{
	const struct preset *preset = preset_find(name);

	if (preset) {
		*system = preset->system;
		return 0;
	}
	if (strcmp(name, "-") != 0 && access(name, F_OK) != 0) {
		say_error("%s is neither a file nor one of galera+, galera and "
			  "kask",
			  name);
		return 2;
	}
	return load_file(system, name);
}

void model_system_doubt(const struct formula_system *system,
			enum formula_operation operation)
{
	const struct preset *preset = preset_find(system->name);

	if (preset && preset->suspect == operation &&
	    memcmp(preset->system.params, system->params,
		   sizeof(system->params)) == 0)
		say_warning("%s", preset->doubt);
}

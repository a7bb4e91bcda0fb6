/* SPDX-License-Identifier: BSD-3-Clause */

/* Names the places of calls from the logs of flight recorders. */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/places/symbols.h"
#include "analyzer/top/top_job.h"
#include "mds/callpath/callpath_shared.h"

struct top_places {
	struct code code;
	struct symbols *symbols;
};

struct top_places *top_places_new(void)
{
	struct top_places *places = mem_alloc(1, sizeof(*places));

	places->symbols = symbols_new(&places->code);
	return places;
}

void top_places_free(struct top_places *places)
{
	symbols_free(places->symbols);
	code_clear(&places->code);
	free(places);
}

static const struct flight_entry *find(const struct flight *flight,
				       enum flight_kind kind, uint32_t number)
{
	const struct flight_entry *entry = NULL;

	while ((entry = flight_next(flight, entry)))
		if (entry->kind == kind && entry->number == number)
			break;
	return entry;
}

static size_t module_of(struct code *code, const struct flight *flight,
			uint32_t number)
{
	const struct flight_entry *entry = find(flight, FLIGHT_MODULE, number);
	const struct flight_module *module = (const void *)entry;
	char id[2 * FLIGHT_ID_BYTES + 1] = "";

	if (!entry)
		return CODE_UNKNOWN;
	for (uint32_t i = 0; i < module->id_len && i < FLIGHT_ID_BYTES; i++)
		sprintf(id + 2 * i, "%02x", module->id[i]);
	return code_module(code, flight_text(entry, sizeof(*module)), id);
}

/* The frames of a path, the outermost first; the path within has the others. */
static size_t frames_of(struct code *code, const struct flight *flight,
			uint32_t number, size_t frames[CALLPATH_DEPTH])
{
	const struct flight_path *path;
	size_t n = 0;

	while (number && n < CALLPATH_DEPTH) {
		path = (const void *)find(flight, FLIGHT_PATH, number);
		if (!path || path->parent >= number)
			return 0;
		frames[n++] = code_frame(code,
					 module_of(code, flight, path->module),
					 path->offset);
		number = path->parent;
	}
	return n;
}

char *top_places_text(struct top_places *places, const struct flight *flight,
		      uint32_t path)
{
	size_t outer[CALLPATH_DEPTH];
	size_t inner[CALLPATH_DEPTH];
	const size_t n = frames_of(&places->code, flight, path, outer);

	if (n == 0)
		return mem_text("");
	for (size_t i = 0; i < n; i++)
		inner[i] = outer[n - 1 - i];
	return symbols_text(
		places->symbols,
		code_site(&places->code, code_path(&places->code, inner, n)));
}

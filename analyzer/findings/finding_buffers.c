/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Buffers that are longer than the variable they are in, and variables of
 * another type than their call is told of.  A variable of bytes may hold
 * anything, and so may what has no number in it.
 */
#include "analyzer/findings/finding_buffers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"

/* MPI's types that C and Fortran have, on machines with 64 bits. */
static const struct type {
	const char *name;
	char kind;
	unsigned width;
} types[] = {
	{ "MPI_SHORT", 'i', 2 },          { "MPI_INT16_T", 'i', 2 },
	{ "MPI_INTEGER2", 'i', 2 },       { "MPI_INT", 'i', 4 },
	{ "MPI_INT32_T", 'i', 4 },        { "MPI_INTEGER", 'i', 4 },
	{ "MPI_INTEGER4", 'i', 4 },       { "MPI_LONG", 'i', 8 },
	{ "MPI_LONG_LONG", 'i', 8 },      { "MPI_LONG_LONG_INT", 'i', 8 },
	{ "MPI_INT64_T", 'i', 8 },        { "MPI_INTEGER8", 'i', 8 },
	{ "MPI_UNSIGNED_SHORT", 'u', 2 }, { "MPI_UINT16_T", 'u', 2 },
	{ "MPI_UNSIGNED", 'u', 4 },       { "MPI_UINT32_T", 'u', 4 },
	{ "MPI_UNSIGNED_LONG", 'u', 8 },  { "MPI_UNSIGNED_LONG_LONG", 'u', 8 },
	{ "MPI_UINT64_T", 'u', 8 },       { "MPI_FLOAT", 'f', 4 },
	{ "MPI_REAL", 'f', 4 },           { "MPI_REAL4", 'f', 4 },
	{ "MPI_DOUBLE", 'f', 8 },         { "MPI_DOUBLE_PRECISION", 'f', 8 },
	{ "MPI_REAL8", 'f', 8 },          { "MPI_LONG_DOUBLE", 'f', 16 },
};

static const struct type *type_of(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	return NULL;
}

static const char *word(const struct run *run, size_t number)
{
	return intern_key(&run->words, number);
}

static void add(struct run *run, const struct run_buffer *b, const char *name,
		char *text)
{
	run->findings = mem_grow(run->findings, &run->findings_room,
				 run->n_findings, sizeof(*run->findings));
	run->findings[run->n_findings++] = (struct run_finding){
		.rank = b->rank,
		.count = 1,
		.place = b->place,
		.name = intern_text(&run->words, name),
		.call = b->call,
		.peer = intern_text(&run->words, ""),
		.tag = intern_text(&run->words, ""),
		.text = intern_text(&run->words, text),
		.detail = intern_text(&run->words, ""),
		.comm = INTERN_NONE,
		.other = UINT64_MAX,
		.other_place = UINT64_MAX,
	};
	free(text);
}

static bool is_short(struct run *run, const struct run_buffer *b,
		     const struct symbols_variable *v)
{
	if (b->bytes <= v->left || (!v->is_sure && b->bytes <= v->room))
		return false;
	add(run, b, "buffer-too-short",
	    v->is_sure
		    ? mem_print("%s is told of %" PRIu64 " bytes to be %s, and "
				"the variable %s has %" PRIu64,
				word(run, b->call), b->bytes, word(run, b->use),
				v->name, v->left)
		    : mem_print("%s is told of %" PRIu64 " bytes to be %s, and "
				"its variable has %" PRIu64 " at most",
				word(run, b->call), b->bytes, word(run, b->use),
				v->room));
	return true;
}

static void look_at_type(struct run *run, const struct run_buffer *b,
			 const struct symbols_variable *v)
{
	const struct type *type = type_of(word(run, b->type));

	if (!v->is_sure || !v->type || !type || v->width < 2 ||
	    (v->kind == type->kind && v->width == type->width))
		return;
	add(run, b, "buffer-type",
	    mem_print("%s is told that the variable %s has %s, and it has %s",
		      word(run, b->call), v->name, type->name, v->type));
}

static struct symbols_place place_of(const struct run *run,
				     const struct run_buffer *b)
{
	const struct code_frame *site;

	if (b->below)
		return (struct symbols_place){ b->offset, b->below, 0 };
	if (b->place == INTERN_NONE)
		return (struct symbols_place){ 0, 0, b->offset };
	site = code_frame_get(&run->code, b->place);
	return (struct symbols_place){ site->module == b->module ? site->offset
								 : 0,
				       0, b->offset };
}

/* Variables that were looked up.  Ranks mostly name the same ones. */
struct known {
	struct intern keys;
	struct symbols_variable *list;
	size_t room;
};

static const struct symbols_variable *find(struct known *known,
					   const struct run *run,
					   struct symbols *symbols,
					   const struct run_buffer *b)
{
	const struct symbols_place place = place_of(run, b);
	const uint64_t key[] = { b->module, place.code, place.below,
				 place.data };
	const size_t n = known->keys.n;
	const size_t number = intern_add(&known->keys, key, sizeof(key));

	if (number == n) {
		known->list = mem_grow(known->list, &known->room, n,
				       sizeof(*known->list));
		symbols_variable(symbols, b->module, &place, &known->list[n]);
	}
	return &known->list[number];
}

static void known_clear(struct known *known)
{
	for (size_t i = 0; i < known->keys.n; i++) {
		free(known->list[i].name);
		free(known->list[i].type);
	}
	free(known->list);
	intern_clear(&known->keys);
}

void finding_buffers_look(struct run *run, struct symbols *symbols)
{
	struct known known = { 0 };

	for (size_t i = 0; i < run->n_buffers; i++) {
		const struct run_buffer *b = &run->buffers[i];
		const struct symbols_variable *v;

		if (b->module == INTERN_NONE)
			continue;
		v = find(&known, run, symbols, b);
		if (v->name && !is_short(run, b, v))
			look_at_type(run, b, v);
	}
	run->n_buffers = 0;
	known_clear(&known);
}

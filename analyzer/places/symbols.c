/* SPDX-License-Identifier: BSD-3-Clause */

/* Names for places in code, looked up once and remembered. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/places/symbols.h"
#include "analyzer/places/symbols_elf.h"

struct known_frame {
	bool asked;
	struct symbol *list;
	size_t n;
};

struct symbols {
	const struct code *code;
	struct symbols_elf **modules; /* by number; NULL: not asked for yet */
	size_t n_modules;
	struct known_frame *frames;
	size_t n_frames;
};

/* An array with room for more, which is zeroed. */
static void *grown(void *array, size_t *n, size_t wanted, size_t size)
{
	char *to;

	if (wanted <= *n)
		return array;
	to = mem_alloc(wanted, size);
	if (*n)
		memcpy(to, array, *n * size);
	free(array);
	*n = wanted;
	return to;
}

/* The code may have grown since the last look. */
static void follow(struct symbols *symbols)
{
	const struct code *code = symbols->code;

	symbols->modules = grown(symbols->modules, &symbols->n_modules,
				 code->modules_by_key.n,
				 sizeof(*symbols->modules));
	symbols->frames = grown(symbols->frames, &symbols->n_frames,
				code->frames.n, sizeof(*symbols->frames));
}

struct symbols *symbols_new(const struct code *code)
{
	struct symbols *symbols = mem_alloc(1, sizeof(*symbols));

	symbols->code = code;
	follow(symbols);
	return symbols;
}

static void free_list(struct symbol *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].function);
		free(list[i].file);
	}
	free(list);
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->n_modules; i++)
		symbols_elf_close(symbols->modules[i]);
	for (size_t i = 0; i < symbols->n_frames; i++)
		free_list(symbols->frames[i].list, symbols->frames[i].n);
	free(symbols->modules);
	free(symbols->frames);
	free(symbols);
}

static struct symbols_elf *elf_of(struct symbols *symbols, uint64_t module)
{
	const struct code_module *m = &symbols->code->modules[module];

	if (!symbols->modules[module])
		symbols->modules[module] = symbols_elf_open(m->file,
							    m->build_id);
	return symbols->modules[module];
}

const struct symbol *symbols_get(struct symbols *symbols, size_t frame,
				 size_t *n)
{
	const struct code_frame *f = code_frame_get(symbols->code, frame);
	struct known_frame *known;

	follow(symbols);
	known = &symbols->frames[frame];
	/* The call is in front of the address that it returns to. */
	if (!known->asked && f->module != CODE_UNKNOWN && f->offset > 0)
		known->n = symbols_elf_find(elf_of(symbols, f->module),
					    f->offset - 1, &known->list);
	known->asked = true;
	*n = known->n;
	return known->list;
}

void symbols_variable(struct symbols *symbols, size_t module,
		      const struct symbols_place *place,
		      struct symbols_variable *variable)
{
	follow(symbols);
	symbols_variable_find(elf_of(symbols, module), place, variable);
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *symbols_line(struct symbols *symbols, size_t module, uint64_t place)
{
	struct symbol *list = NULL;
	struct symbols_elf *elf;
	uint64_t offset;
	size_t n = 0;
	char *text = NULL;

	follow(symbols);
	elf = elf_of(symbols, module);
	if (symbols_elf_offset(elf, place, &offset))
		n = symbols_elf_find(elf, offset, &list);
	if (n && list->file && list->line)
		text = mem_print("%s:%u", base_of(list->file), list->line);
	free_list(list, n);
	return text;
}

char *symbols_one_text(const struct symbol *symbol)
{
	const char *function = symbol->function ? symbol->function : "?";

	if (!symbol->file)
		return mem_text(function);
	return mem_print("%s %s:%u", function, base_of(symbol->file),
			 symbol->line);
}

char *symbols_address(const struct symbols *symbols, size_t frame)
{
	const struct code_frame *f = code_frame_get(symbols->code, frame);

	if (f->module == CODE_UNKNOWN)
		return mem_text("(code of no file)");
	return mem_print("%s+0x%llx",
			 base_of(symbols->code->modules[f->module].file),
			 (unsigned long long)f->offset);
}

char *symbols_text(struct symbols *symbols, size_t frame)
{
	size_t n;
	const struct symbol *list = symbols_get(symbols, frame, &n);
	char *address;
	char *text;

	if (n > 0 && list[0].function && list[0].file)
		return symbols_one_text(&list[0]);
	address = symbols_address(symbols, frame);
	if (n == 0 || !list[0].function)
		return address;
	text = mem_print("%s (%s)", list[0].function, address);
	free(address);
	return text;
}

enum symbols_state symbols_state(struct symbols *symbols, size_t module)
{
	follow(symbols);
	return symbols_elf_state(elf_of(symbols, module));
}

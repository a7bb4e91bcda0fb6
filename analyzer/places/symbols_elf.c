/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Functions, files and lines of an instruction, from ELF symbols and DWARF data
 * by libdw.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/mem.h"
#include "analyzer/places/symbols_dwarf.h"
#include "analyzer/places/symbols_elf.h"
#include "mds/base/reading.h"

#define INLINED_MAX 32

struct symbols_elf {
	Dwfl *dwfl;
	Dwfl_Module *module;
	GElf_Addr bias;
	enum symbols_state state;
};

/* libdw would wait for a pipe: false for what beside a program is no file. */
static bool may_open(const char *program, const char *folder, const char *name)
{
	const char *slash = strrchr(program, '/');
	const int len = slash ? (int)(slash - program) + 1 : 0;
	char *path = *name == '/' ? mem_text(name)
				  : mem_print("%.*s%s%s", len, program, folder,
					      name);
	const int fd = reading_open(path, READING_SETTING);

	free(path);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -ENOENT || fd == -ENOTDIR;
}

static int find_debuginfo(Dwfl_Module *module, void **user, const char *name,
			  Dwarf_Addr base, const char *file, const char *link,
			  GElf_Word crc, char **path)
{
	if (file && link &&
	    (!may_open(file, "", link) || !may_open(file, ".debug/", link)))
		return -1;
	return dwfl_standard_find_debuginfo(module, user, name, base, file,
					    link, crc, path);
}

/* Debug data in files of their own are found where the system keeps them. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* Whether the file has the build id; one without any is taken on trust. */
static bool is_the_one(Dwfl_Module *module, const char *build_id)
{
	const unsigned char *bits;
	GElf_Addr where;
	const int n = dwfl_module_build_id(module, &bits, &where);
	char byte[3];

	if (*build_id == '\0')
		return true;
	if (n <= 0 || strlen(build_id) != 2 * (size_t)n)
		return false;
	for (int i = 0; i < n; i++) {
		snprintf(byte, sizeof(byte), "%02x", bits[i]);
		if (strncmp(build_id + 2 * i, byte, 2) != 0)
			return false;
	}
	return true;
}

/* The record names the file: it may be anything. */
static Dwfl_Module *report(Dwfl *dwfl, const char *file)
{
	const int fd = reading_open(file, READING_SETTING);
	Dwfl_Module *module;

	if (fd < 0)
		return NULL;
	dwfl_report_begin(dwfl);
	module = dwfl_report_elf(dwfl, file, file, fd, 0, true);
	dwfl_report_end(dwfl, NULL, NULL);
	/* Else it is closed with the module. */
	if (!module)
		close(fd);
	return module;
}

struct symbols_elf *symbols_elf_open(const char *file, const char *build_id)
{
	struct symbols_elf *elf = mem_alloc(1, sizeof(*elf));
	Dwarf_Addr bias;

	elf->state = SYMBOLS_MISSING;
	elf->dwfl = dwfl_begin(&callbacks);
	if (elf->dwfl)
		elf->module = report(elf->dwfl, file);
	if (!elf->module || !dwfl_module_getelf(elf->module, &elf->bias))
		return elf;
	if (!is_the_one(elf->module, build_id))
		elf->state = SYMBOLS_CHANGED;
	else if (!dwfl_module_getdwarf(elf->module, &bias))
		elf->state = SYMBOLS_NO_LINES;
	else
		elf->state = SYMBOLS_FOUND;
	return elf;
}

void symbols_elf_close(struct symbols_elf *elf)
{
	if (!elf)
		return;
	if (elf->dwfl)
		dwfl_end(elf->dwfl);
	free(elf);
}

Dwfl_Module *symbols_elf_module(struct symbols_elf *elf, GElf_Addr *bias)
{
	*bias = elf->bias;
	return elf->state == SYMBOLS_FOUND ? elf->module : NULL;
}

enum symbols_state symbols_elf_state(const struct symbols_elf *elf)
{
	return elf->state;
}

static char *text_or_null(const char *text)
{
	return text ? mem_text(text) : NULL;
}

static bool is_function(Dwarf_Die *die)
{
	const int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static void take_line(struct symbols_line line, struct symbol *symbol)
{
	symbol->file = text_or_null(line.file);
	symbol->line = line.number;
}

static size_t find_functions(Dwarf_Die *unit, Dwarf_Addr address,
			     struct symbol *list)
{
	Dwarf_Die *scopes = NULL;
	Dwarf_Die *inner = NULL;
	const int n_scopes = symbols_dwarf_scopes(unit, address, &scopes);
	size_t n = 0;

	for (int i = 0; i < n_scopes && n < INLINED_MAX; i++) {
		if (!is_function(&scopes[i]))
			continue;
		list[n].function = text_or_null(dwarf_diename(&scopes[i]));
		list[n].inlined = dwarf_tag(&scopes[i]) ==
				  DW_TAG_inlined_subroutine;
		take_line(inner ? symbols_dwarf_call(unit, inner)
				: symbols_dwarf_line(unit, address),
			  &list[n]);
		inner = &scopes[i];
		n++;
	}
	free(scopes);
	return n;
}

/* All that is left of a program without debug data. */
static size_t find_symbol(struct symbols_elf *elf, Dwarf_Addr address,
			  struct symbol *list)
{
	list->function = text_or_null(
		dwfl_module_addrname(elf->module, address));
	return list->function ? 1 : 0;
}

size_t symbols_elf_find(struct symbols_elf *elf, uint64_t offset,
			struct symbol **list)
{
	struct symbol found[INLINED_MAX] = { 0 };
	const Dwarf_Addr address = offset + elf->bias;
	Dwarf_Die *unit;
	Dwarf_Addr bias;
	size_t n = 0;

	if (elf->state != SYMBOLS_FOUND && elf->state != SYMBOLS_NO_LINES)
		return 0;
	unit = symbols_dwarf_unit(elf->module, address, &bias);
	if (unit)
		n = find_functions(unit, address - bias, found);
	if (n == 0)
		n = find_symbol(elf, address, found);
	*list = mem_alloc(n, sizeof(**list));
	memcpy(*list, found, n * sizeof(**list));
	return n;
}

static bool is_in(const GElf_Phdr *part, uint64_t place)
{
	return part->p_type == PT_LOAD && place >= part->p_offset &&
	       place - part->p_offset < part->p_filesz;
}

bool symbols_elf_offset(const struct symbols_elf *elf, uint64_t place,
			uint64_t *offset)
{
	GElf_Addr bias;
	GElf_Phdr part;
	Elf *file = elf->module ? dwfl_module_getelf(elf->module, &bias) : NULL;
	size_t n = 0;

	if (!file || elf_getphdrnum(file, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(file, (int)i, &part) || !is_in(&part, place))
			continue;
		*offset = place - part.p_offset + part.p_vaddr;
		return true;
	}
	return false;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Follows which files the loader has mapped.  A signal handler may read the
 * list.
 */
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "mds/base/arena.h"
#include "mds/base/modules.h"

static struct module *modules;
/* Stored after the module is filled in; its reader may be a signal handler. */
static _Atomic unsigned n_modules;

/* The loader's list gives the main program no name. */
static const char *file_name(const char *name)
{
	char path[4096];
	ssize_t len = (ssize_t)strlen(name);
	char *copy;

	if (len == 0) {
		len = readlink("/proc/self/exe", path, sizeof(path));
		name = path;
	}
	copy = len > 0 ? arena_alloc((size_t)len + 1) : NULL;
	if (copy)
		memcpy(copy, name, (size_t)len);
	return copy ? copy : "";
}

static size_t padded(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* Looks for the build id among the notes of a segment. */
static void read_notes(struct module *module, const char *at, size_t left)
{
	while (left >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		const size_t name = sizeof(*note);
		const size_t desc = name + padded(note->n_namesz);
		const size_t size = desc + padded(note->n_descsz);

		if (size > left)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    memcmp(at + name, "GNU", 4) == 0 &&
		    note->n_descsz <= MODULES_ID_BYTES) {
			memcpy(module->id, at + desc, note->n_descsz);
			module->id_len = note->n_descsz;
		}
		at += size;
		left -= size;
	}
}

static bool segment_holds(const struct dl_phdr_info *info,
			  const ElfW(Phdr) * segment, uintptr_t address)
{
	const uintptr_t start = info->dlpi_addr + segment->p_vaddr;

	return segment->p_type == PT_LOAD && address >= start &&
	       address - start < segment->p_memsz;
}

struct search {
	uintptr_t address;
	uintptr_t code; /* of the file that has the address in its data */
	int found;
};

static void read_segments(struct module *module,
			  const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uintptr_t at = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_NOTE)
			read_notes(module, (const char *)at, segment->p_memsz);
		else if (segment->p_type == PT_GNU_EH_FRAME)
			module->unwinding = (const void *)at;
	}
}

/* Finds a module that was closed and opened again with the same code. */
static int module_again(const struct module *module, const char *name)
{
	const unsigned n = modules_count();

	for (unsigned i = 0; i < n; i++)
		if (*name && strcmp(modules[i].file, name) == 0 &&
		    modules[i].id_len && modules[i].id_len == module->id_len &&
		    memcmp(modules[i].id, module->id, module->id_len) == 0)
			return (int)i;
	return -1;
}

static int module_add(const struct module *module, const char *name)
{
	const unsigned n = modules_count();

	if (n == MODULES_MAX)
		return -1;
	modules[n] = *module;
	modules[n].file = file_name(name);
	/* Orders the module's fields before the count that shows it. */
	atomic_store_explicit(&n_modules, n + 1, memory_order_release);
	return (int)n;
}

static int look_into(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct search *search = arg;
	struct module module = { .base = info->dlpi_addr };
	int again;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum && !module.end; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (!segment_holds(info, segment, search->address))
			continue;
		module.start = info->dlpi_addr + segment->p_vaddr;
		module.end = module.start + segment->p_memsz;
	}
	if (!module.end)
		return 0;

	read_segments(&module, info);
	again = module_again(&module, info->dlpi_name);
	if (again >= 0) {
		module.file = modules[again].file;
		modules[again] = module;
	}
	search->found = again >= 0 ? again
				   : module_add(&module, info->dlpi_name);
	return 1;
}

/* The loader's counts of loaded and closed files. */
static unsigned long long n_loaded;
static unsigned long long n_closed;

static int look_at_counts(struct dl_phdr_info *info, size_t size, void *arg)
{
	bool *closed = arg;
	bool *changed = closed + 1;

	(void)size;
	*closed = info->dlpi_subs != n_closed;
	*changed = *closed || info->dlpi_adds != n_loaded;
	n_closed = info->dlpi_subs;
	n_loaded = info->dlpi_adds;
	return 1;
}

/*
 * Forgets modules that were closed. True if any module is new since the last
 * look.
 */
static bool modules_follow(void)
{
	bool closed_changed[2] = { false, false };

	dl_iterate_phdr(look_at_counts, closed_changed);
	for (unsigned i = 0; closed_changed[0] && i < modules_count(); i++)
		modules[i].start = modules[i].end = 0;
	return closed_changed[1];
}

int modules_find(uintptr_t address)
{
	struct search search = { .address = address, .found = -1 };
	static uintptr_t nowhere;
	const bool changed = modules_follow();
	const unsigned n = modules_count();

	for (unsigned i = 0; i < n; i++)
		if (address >= modules[i].start && address < modules[i].end)
			return (int)i;
	/* Code made at run time comes in adjacent pages: skip the search in the
	 * page of the last failure. */
	if (!changed && address >> 12 == nowhere >> 12)
		return -1;
	if (!modules)
		modules = arena_alloc(MODULES_MAX * sizeof(*modules));
	if (!modules)
		return -1;
	dl_iterate_phdr(look_into, &search);
	if (search.found < 0)
		nowhere = address;
	return search.found;
}

/* Finds the file whose data has the address, and where its code begins. */
static int look_for_data(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct search *search = arg;
	uintptr_t code = 0;
	bool holds = false;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		holds |= segment_holds(info, segment, search->address);
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
			code = info->dlpi_addr + segment->p_vaddr;
	}
	if (holds)
		search->code = code;
	return holds;
}

int modules_find_data(uintptr_t address)
{
	struct search search = { .address = address };

	dl_iterate_phdr(look_for_data, &search);
	return search.code ? modules_find(search.code) : -1;
}

unsigned modules_count(void)
{
	/* Orders the count before the modules that it shows. */
	return atomic_load_explicit(&n_modules, memory_order_acquire);
}

const struct module *modules_get(unsigned i)
{
	return &modules[i];
}

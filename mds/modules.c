/* SPDX-License-Identifier: BSD-3-Clause */
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "mds/arena.h"
#include "mds/modules.h"

static struct module *modules;
/* Released after the module is filled in: the writer may be a signal handler.
 */
static _Atomic unsigned n_modules;

/* The main program is nameless in the list of what is loaded. */
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
	int found;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct search *search = arg;
	const unsigned n = atomic_load_explicit(&n_modules,
						memory_order_relaxed);
	struct module *module = &modules[n];

	(void)size;
	for (int i = 0; i < info->dlpi_phnum && search->found < 0; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (!segment_holds(info, segment, search->address))
			continue;
		module->start = info->dlpi_addr + segment->p_vaddr;
		module->end = module->start + segment->p_memsz;
		search->found = (int)n;
	}
	if (search->found < 0)
		return 0;

	module->base = info->dlpi_addr;
	module->file = file_name(info->dlpi_name);
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			read_notes(module,
				   (const char *)info->dlpi_addr +
					   info->dlpi_phdr[i].p_vaddr,
				   info->dlpi_phdr[i].p_memsz);
	/* Orders the module's fields before the count that shows it. */
	atomic_store_explicit(&n_modules, n + 1, memory_order_release);
	return 1;
}

int modules_find(uintptr_t address)
{
	struct search search = { .address = address, .found = -1 };
	const unsigned n = modules_count();

	for (unsigned i = 0; i < n; i++)
		if (address >= modules[i].start && address < modules[i].end)
			return (int)i;
	if (!modules)
		modules = arena_alloc(MODULES_MAX * sizeof(*modules));
	if (!modules || n == MODULES_MAX)
		return -1;
	dl_iterate_phdr(look_into, &search);
	return search.found;
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

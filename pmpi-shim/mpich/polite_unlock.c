/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Gives up the core after MPICH has let go of its lock.
 *
 * MPICH holds its lock during a turn, and lets go of it for some 20 ns between
 * turns. With MPI_THREAD_MULTIPLE, a thread that yielded within a turn would
 * keep the other threads of its process out of MPI, at times for 300 ms. A
 * thread that waits for the lock wakes up when it is taken again. Without
 * threads there is no lock.
 *
 * So a thread yields a moment later, in pthread_mutex_unlock, as libmpich alone
 * calls it. The preload changes libmpich's slot for that function. A symbol of
 * that name would catch all mutexes of the program.
 *
 * Some turns are not followed by an unlock: MPI_Win_flush waits with the lock
 * held. A thread whose yield is still put off at its next turn yields there.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmpi-shim/mpich/polite.h"
#include "pmpi-shim/mpich/polite_state.h"

#define NAME "pthread_mutex_unlock"

#define SYMBOL_OF(info) _ElfW(ELF, __ELF_NATIVE_CLASS, R_SYM)(info)

static _Atomic bool watching;
static __thread unsigned owed __attribute__((tls_model("initial-exec")));

static int unlock(pthread_mutex_t *mutex)
{
	const int rc = pthread_mutex_unlock(mutex);
	const unsigned share = owed;

	if (__builtin_expect(share != 0, 0)) {
		owed = 0;
		if (polite_thread.turns > 0)
			polite_give_up(share);
	}
	return rc;
}

bool polite_unlock_defer(unsigned share)
{
	const bool again = owed != 0;

	owed = 0;
	if (again || !atomic_load_explicit(&watching, memory_order_relaxed))
		return false;
	owed = share;
	return true;
}

static uintptr_t value(const struct link_map *map, long tag)
{
	const ElfW(Dyn) *d = map->l_ld;

	while (d->d_tag != DT_NULL && d->d_tag != tag)
		d++;
	return d->d_tag == tag ? d->d_un.d_ptr : 0;
}

/* The loader turns them into addresses on most machines, not on all. */
static uintptr_t address(const struct link_map *map, long tag)
{
	const uintptr_t at = value(map, tag);

	return at < map->l_addr ? at + map->l_addr : at;
}

/* It may have been made read-only when the library was loaded. */
static bool make_writable(uintptr_t slot)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	return mprotect((void *)(slot & ~(page - 1)), page,
			PROT_READ | PROT_WRITE) == 0;
}

static bool redirect(uintptr_t slot)
{
	if (!make_writable(slot))
		return false;
	/* Threads that call through it meanwhile find the one or the other. */
	__atomic_store_n((__typeof__(&unlock) *)slot, unlock, __ATOMIC_RELAXED);
	return true;
}

/* All of a table's slots that hold the function. */
static bool redirect_all(const struct link_map *map, long table, long size)
{
	const ElfW(Sym) *symbols = (void *)address(map, DT_SYMTAB);
	const char *strings = (void *)address(map, DT_STRTAB);
	const ElfW(Rela) *rela = (void *)address(map, table);
	const ElfW(Rela) *end = rela + value(map, size) / sizeof(*rela);
	bool found = false;

	for (; rela && rela < end; rela++) {
		const ElfW(Sym) *symbol = &symbols[SYMBOL_OF(rela->r_info)];

		if (strcmp(strings + symbol->st_name, NAME) == 0)
			found |= redirect(map->l_addr + rela->r_offset);
	}
	return found;
}

void polite_unlock_watch(const void *caller)
{
	struct link_map *map;
	Dl_info info;
	bool found;

	if (!dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP))
		return;
	found = redirect_all(map, DT_RELA, DT_RELASZ);
	if (value(map, DT_PLTREL) == DT_RELA)
		found |= redirect_all(map, DT_JMPREL, DT_PLTRELSZ);
	atomic_store_explicit(&watching, found, memory_order_relaxed);
}

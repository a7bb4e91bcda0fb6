/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "mds/base/arena.h"

#define CACHE_LINE 64

static char *base;
static size_t capacity;
static _Atomic size_t used;

int arena_start(size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (mem == MAP_FAILED)
		return -errno;
	base = mem;
	capacity = size;
	return 0;
}

void *arena_alloc(size_t size)
{
	const size_t align = size >= CACHE_LINE ? CACHE_LINE : 16;
	size_t at = atomic_load_explicit(&used, memory_order_relaxed);
	size_t from;

	do {
		from = (at + align - 1) & ~(align - 1);
		if (size > capacity || from > capacity - size)
			return NULL;
	} while (!atomic_compare_exchange_weak_explicit(&used, &at, from + size,
							memory_order_relaxed,
							memory_order_relaxed));
	return base + from;
}

size_t arena_used(void)
{
	return atomic_load_explicit(&used, memory_order_relaxed);
}

size_t arena_left(void)
{
	return capacity - arena_used();
}

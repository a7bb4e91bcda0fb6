/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Prints rows for the table `paths` (path, level, module 0, offset) of two
 * calls whose lines are known.
 */
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static uintptr_t base;

static int find_base(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	base = info->dlpi_addr;
	return 1; /* the program comes first */
}

__attribute__((noinline)) static void call(int path)
{
	const uintptr_t ra = (uintptr_t)__builtin_return_address(0);

	printf("%d 0 0 %lx\n", path, (unsigned long)(ra - base));
}

__attribute__((always_inline)) static inline void exchange(int path)
{
	call(path); /* inner */
}

__attribute__((noinline)) void solve(int path);
void solve(int path)
{
	exchange(path); /* around */
	call(path + 1); /* outer */
}

int main(void)
{
	dl_iterate_phdr(find_base, NULL);
	solve(1);
	return 0;
}

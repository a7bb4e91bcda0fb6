/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Open MPI's launcher under this preload.  It hands its environment on to the
 * ranks, so the other preload's name is written over this one's there.  A
 * program that was started without its launcher is refused (pmpi.c), and told
 * which one it needs.
 */
#include <string.h>

#include "abi.h"
#include "pmpi-shim/library.h"

static const struct library_file launchers[] = {
	{ "libopen-rte.so.", ABI_OTHER }, /* up to version 4 */
	{ "libprrte.so.", ABI_OTHER },
	{ NULL, NULL },
};

_Static_assert(sizeof(ABI_PRELOAD) == sizeof(ABI_OTHER_PRELOAD),
	       "one takes the other's place in the text");

/* The first constructor of all: getenv() has nothing yet, but glibc passes the
 * environment. */
__attribute__((constructor)) static void hand_over(int argc, char **argv,
						   char **environment)
{
	static const char variable[] = "LD_PRELOAD=";
	char *name;

	(void)argc;
	(void)argv;
	while (*environment &&
	       strncmp(*environment, variable, strlen(variable)) != 0)
		environment++;
	name = *environment ? strstr(*environment, ABI_PRELOAD) : NULL;
	if (!name || !library_loaded(launchers) || !library_has_other())
		return;
	/* Each, as where `bcs run` has put it before one of the user's. */
	for (; name; name = strstr(name, ABI_PRELOAD))
		memcpy(name, ABI_OTHER_PRELOAD, strlen(ABI_OTHER_PRELOAD));
}

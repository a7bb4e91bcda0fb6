/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: host PLUGIN
 *        host libmpich.so.12
 *
 * Loads MPI at run time, in a scope of its own.  It loads a plugin that needs
 * MPI, as interpreters do, or the library itself, function by function.
 */
#include <dlfcn.h>
#include <stdio.h>

static int run_library(void *library)
{
	int (*init)(int *, char ***);
	int (*finalize)(void);

	*(void **)&init = dlsym(library, "MPI_Init");
	*(void **)&finalize = dlsym(library, "MPI_Finalize");
	if (!init || !finalize || init(NULL, NULL) != 0)
		return 3;
	return finalize();
}

int main(int argc, char **argv)
{
	int (*run)(void);
	void *library;

	if (argc != 2)
		return 2;
	library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 2;
	}
	*(void **)&run = dlsym(library, "plugin_run");
	return run ? run() : run_library(library);
}

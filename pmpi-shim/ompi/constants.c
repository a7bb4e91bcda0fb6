/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Finds the objects behind Open MPI's constants, and tells them and the
 * built-in datatypes from objects of the program.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "abi.h"
#include "pmpi-shim/pmpi.h"

struct ompi_constants ompi_constants;
struct abi_constant abi_constants[ABI_CONSTANTS];
static void **const objects = (void **)&ompi_constants;

static const struct {
	const char *kind;
	const char *name;
} constants[] = {
#define X(kind, name) { #kind, #name },
	OMPI_CONSTANTS(X)
#undef X
};
#define N_CONSTANTS (sizeof(constants) / sizeof(constants[0]))

/* The program's copy is found from there, since all libraries use that. */
static void *look_up(void *library, const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	return found ? found : dlsym(library, name);
}

static struct abi_constant *keep(const void *object)
{
	struct abi_constant *c = abi_constant_place(object);

	while (c->object && c->object != object)
		c = abi_constant_next(c);
	c->object = object;
	return c;
}

void ompi_constants_find(void *library)
{
	void *empty;

	for (size_t i = 0; i < N_CONSTANTS; i++) {
		objects[i] = look_up(library, constants[i].name);
		if (objects[i])
			keep(objects[i]);
	}
	/* All requests that are done when they are made. */
	empty = look_up(library, "ompi_request_empty");
	if (empty)
		keep(empty);
}

/* Pairs with a gap, such as MPI_SHORT_INT, are left to MPI. */
static void size_take(MPI_Datatype type)
{
	MPI_Aint lb;
	MPI_Aint extent;
	int size;

	if (!type || type == MPI_DATATYPE_NULL ||
	    PMPI_Type_size(type, &size) != MPI_SUCCESS ||
	    PMPI_Type_get_extent(type, &lb, &extent) != MPI_SUCCESS)
		return;
	if (size == extent)
		keep(type)->size = (unsigned)size;
}

void abi_start(void)
{
	for (size_t i = 0; i < N_CONSTANTS; i++)
		if (strcmp(constants[i].kind, "datatype") == 0)
			size_take(objects[i]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_OBJECTS_H
#define SHIM_OBJECTS_H

/*
 * MPI objects that the program made and has to free, to tell at its end which
 * it forgot.  Only calls that make or free an object come here.  Objects
 * that MPI itself made, or that were made while nothing was recorded, are not
 * known here.  No finding is ever about them.
 */
#include <mpi.h>
#include <stdint.h>

#include "mds/mmds/mmds.h"
#include "pmpi-shim/record/findings/findings.h"

/* The object that a handle, a file or a piece of memory stands for; 0: none. */
#define SHIM_OBJECT(place)   ((place) ? (uint64_t)(uintptr_t) * (place) : 0)
#define SHIM_MEMORY(address) ((uint64_t)(uintptr_t)(address))
#define SHIM_BUFFER(address) ((void)(address), (uint64_t)1)

/*
 * Inside of a recorded call, after MPI made the object.  MPI may hand out an
 * object again (MPI_Comm_group): each time it has to be freed once more.
 * `place` is where the program keeps the handle.
 */
void shim_object_made(const struct mmds_frame *f, enum finding what,
		      uint64_t object, const void *place);
/* The types that MPI_Type_get_contents gave. */
void shim_object_types(const struct mmds_frame *f, MPI_Datatype of,
		       const MPI_Datatype types[]);
/*
 * After MPI freed one; also in calls that are not recorded.  If an object was
 * handed out several times, the one with this `place` goes, else the oldest.
 */
void shim_object_gone(enum finding what, uint64_t object, const void *place);

/* Calls `use` for each that is alive; nothing of this may be called there. */
void shim_objects_each(enum finding what, void (*use)(uint64_t object));

#endif

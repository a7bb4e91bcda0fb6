/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ABI_H
#define SHIM_ABI_H

/*
 * Open MPI's handles and statuses, as mpich/abi.h has MPICH's.  A handle is the
 * address of an object.  A small table has the
 * datatypes that the constants stand for, with their sizes.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#define ABI_MPI           "Open MPI"
#define ABI_MPICC         "mpicc.openmpi"
#define ABI_MPIEXEC       "mpiexec.openmpi"
#define ABI_FORTRAN       "libmpi_" /* begins the names of its libraries */
#define ABI_PRELOAD       "libbcs-ompi.so"
#define ABI_OTHER         "MPICH"
#define ABI_OTHER_PRELOAD "libbcs-pmpi.so"
#define ABI_OTHER_MPIEXEC "mpiexec.mpich"
#define ABI_LAUNCHED      "OMPI_COMM_WORLD_RANK"
#define ABI_OTHER_SIZE    "PMI_SIZE"
#define ABI_OTHER_RANK    "PMI_RANK"

typedef const void *abi_handle;
/* A handle's number: here the address itself. */
typedef uintptr_t abi_number;

struct abi_constant {
	const void *object; /* NULL: the place is empty */
	unsigned size;      /* of a datatype without gaps; 0: of no such */
};

#define ABI_CONSTANTS 1024
extern struct abi_constant abi_constants[ABI_CONSTANTS];

/* Bits of a handle that differ, in 44 bits. */
static inline uint64_t abi_handle_word(abi_handle handle)
{
	return (uint64_t)(uintptr_t)handle >> 4;
}

static inline uint64_t abi_handle_hash(abi_handle handle)
{
	return abi_handle_word(handle) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline struct abi_constant *abi_constant_place(const void *object)
{
	return &abi_constants[abi_handle_hash(object) >> 54];
}

static inline struct abi_constant *abi_constant_next(struct abi_constant *c)
{
	return c == &abi_constants[ABI_CONSTANTS - 1] ? abi_constants : c + 1;
}

/* NULL: it is none. */
static inline const struct abi_constant *abi_constant_of(const void *object)
{
	struct abi_constant *c = abi_constant_place(object);

	while (c->object && c->object != object)
		c = abi_constant_next(c);
	return c->object && object ? c : NULL;
}

/* After MPI_Init, in one thread: learns the datatypes' sizes. */
void abi_start(void);
/* Before it: leaves out of the settings what is not to be had. */
void abi_prepare(void);

static inline uint64_t abi_type_size(MPI_Datatype type)
{
	const struct abi_constant *c = abi_constant_of(type);

	return c ? c->size : 0;
}

static inline bool abi_type_is_builtin(MPI_Datatype type)
{
	return abi_type_size(type) != 0;
}

/* Whether the program made it, and not MPI; keyvals are small numbers. */
static inline bool abi_object_is_made(uint64_t object)
{
	return !abi_constant_of((const void *)(uintptr_t)object);
}

static inline uint64_t abi_status_bytes(const MPI_Status *status)
{
	return status->_cancelled ? 0 : status->_ucount;
}

static inline uint64_t abi_status_file_bytes(const MPI_Status *status)
{
	return status->_ucount;
}

/* Codes of errors are classes; those that the program adds are others. */
static inline int abi_error_class(int code)
{
	return code;
}

/* One request stands for all that are done when they are made. */
static inline bool abi_request_is_object(abi_handle request)
{
	return request && !abi_constant_of(request);
}

static inline MPI_Request abi_request_of(abi_number number)
{
	return (MPI_Request)number;
}

/* This preload has no scheduler. */
static inline bool abi_request_is_ours(MPI_Request request)
{
	(void)request;
	return false;
}

/* MPI_ERRORS_ABORT is NULL before version 5. */
static inline bool abi_handler_is_fatal(MPI_Errhandler handler)
{
	return handler == MPI_ERRORS_ARE_FATAL ||
	       (handler && handler == MPI_ERRORS_ABORT);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHIM_ABI_H
#define SHIM_ABI_H

/*
 * The layout of MPICH's handles and statuses, which MPI does not define.
 * Another binary interface has another file of this name, and meson.build
 * chooses.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#define ABI_MPI           "MPICH"
#define ABI_MPICC         "mpicc.mpich"
#define ABI_MPIEXEC       "mpiexec.mpich"
#define ABI_FORTRAN       "libmpichf" /* begins the names of its libraries */
#define ABI_PRELOAD       "libbcs-pmpi.so"
#define ABI_OTHER         "Open MPI"
#define ABI_OTHER_PRELOAD "libbcs-ompi.so"
#define ABI_OTHER_MPIEXEC "mpiexec.openmpi"
#define ABI_LAUNCHED      "MPI_LOCALNRANKS" /* its launcher sets it */
/* Variables that the other's launcher sets for its processes. */
#define ABI_OTHER_SIZE "OMPI_COMM_WORLD_SIZE"
#define ABI_OTHER_RANK "OMPI_COMM_WORLD_RANK"

typedef int abi_handle;
typedef uint32_t abi_number;

/* Bits of a handle that differ, in 44 bits at the most. */
static inline uint64_t abi_handle_word(abi_handle handle)
{
	return (uint32_t)handle;
}

/* MPI_BUFFER_AUTOMATIC, which mpi.h has since MPI 4.1. */
#define ABI_BUFFER_AUTOMATIC ((void *)-2)

/* Before MPI_Init: cures what is wrong in some versions (cures.c). */
void abi_prepare(void);
/* After MPI_Init: nothing is to be learnt. */
static inline void abi_start(void)
{
}

/* Whether the program made it, and not MPI: those are none of the heap's. */
static inline bool abi_object_is_made(uint64_t object)
{
	return (uint32_t)object >> 30 >= 2;
}

/* A built-in datatype's handle holds its size. */
static inline int abi_type_is_builtin(MPI_Datatype type)
{
	return ((unsigned)type & 0xff000000u) == 0x4c000000u;
}

static inline int abi_op_is_builtin(MPI_Op op)
{
	return ((unsigned)op & 0xff000000u) == 0x58000000u;
}

/* Or the null one: MPICH looks at the kind of object that a handle has. */
static inline int abi_info_is_one(MPI_Info info)
{
	return ((unsigned)info & 0x3c000000u) ==
	       ((unsigned)MPI_INFO_NULL & 0x3c000000u);
}

/* The first word of MPICH's object is its handle. */
static inline int abi_object_handle(const void *object)
{
	return *(const int *)object;
}

static inline uint64_t abi_type_size(MPI_Datatype type)
{
	return (unsigned)type >> 8 & 0xff;
}

/* The bytes that came, whatever the datatype; 0 if it was cancelled. */
static inline uint64_t abi_status_bytes(const MPI_Status *status)
{
	const uint32_t high = (uint32_t)status->count_hi_and_cancelled;

	if (high & 1)
		return 0;
	return (uint64_t)(high >> 1) << 32 | (uint32_t)status->count_lo;
}

static inline void abi_status_set(MPI_Status *status, uint64_t bytes,
				  int cancelled)
{
	status->count_lo = (int)(uint32_t)bytes;
	status->count_hi_and_cancelled = (int)(uint32_t)((bytes >> 32) << 1 |
							 (cancelled != 0));
}

static inline bool abi_status_is_cancelled(const MPI_Status *status)
{
	return status->count_hi_and_cancelled & 1;
}

/*
 * The bytes of a file operation. File operations cannot be cancelled, and MPICH
 * leaves the cancelled bit as it finds it.
 */
static inline uint64_t abi_status_file_bytes(const MPI_Status *status)
{
	return (uint64_t)((uint32_t)status->count_hi_and_cancelled >> 1) << 32 |
	       (uint32_t)status->count_lo;
}

/*
 * An error's class, without asking MPI, which may hold a lock.  Classes that
 * the program adds have numbers of their own, and one more bit.
 */
static inline int abi_error_class(int code)
{
	return code & 0x4000007f;
}

/* Handles of objects differ in their two highest and 26 lowest bits. */
#define ABI_HANDLE_BITS 28

static inline uint32_t abi_handle_number(int handle)
{
	return (uint32_t)handle >> 30 << 26 | ((uint32_t)handle & 0x3ffffff);
}

/* The request of that number. */
static inline MPI_Request abi_request_of(uint32_t number)
{
	return (MPI_Request)(number >> 26 << 30 | (uint32_t)MPI_REQUEST_NULL |
			     (number & 0x3ffffff));
}

/* Requests of our own have numbers that MPICH leaves free, behind the null's.
 */
#define ABI_REQUESTS_FREE 0x3ffffffu

static inline int abi_request_is_ours(MPI_Request request)
{
	return (uint32_t)request - (uint32_t)MPI_REQUEST_NULL - 1 <
	       ABI_REQUESTS_FREE;
}

/*
 * Some requests are not objects: one handle stands for all that are done, of
 * MPICH's and, the last of the free, of ours.
 */
#define ABI_REQUEST_DONE \
	((MPI_Request)((uint32_t)MPI_REQUEST_NULL + ABI_REQUESTS_FREE))

static inline int abi_request_is_object(MPI_Request request)
{
	return (uint32_t)request >> 30 >= 2 ||
	       (uint32_t)request - (uint32_t)MPI_REQUEST_NULL - 1 <
		       ABI_REQUESTS_FREE - 1;
}

static inline bool abi_handler_is_fatal(MPI_Errhandler handler)
{
	return handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_ABORT;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The classes of built-in types.  Integers are told apart by size and sign,
 * real numbers by size.  Complex numbers and truth values are one class each,
 * and a pair of integers is two integers.  All else fits anything.
 */
#include "pmpi-shim/route/base/route_types.h"

enum { ANY, I1, I2, I4, I8, U1, U2, U4, U8, F4, F8, F16, COMPLEX, TRUTH };

#define AT(type) [(unsigned)(type)&0xff]

const uint8_t route_type_classes[256] = {
	AT(MPI_CHAR) = I1,
	AT(MPI_SIGNED_CHAR) = I1,
	AT(MPI_CHARACTER) = I1,
	AT(MPI_INT8_T) = I1,
	AT(MPI_INTEGER1) = I1,
	AT(MPI_SHORT) = I2,
	AT(MPI_INT16_T) = I2,
	AT(MPI_INTEGER2) = I2,
	AT(MPI_INT) = I4,
	AT(MPI_INT32_T) = I4,
	AT(MPI_INTEGER) = I4,
	AT(MPI_INTEGER4) = I4,
	AT(MPI_LONG) = sizeof(long) == 8 ? I8 : I4,
	AT(MPI_LONG_LONG) = I8,
	AT(MPI_INT64_T) = I8,
	AT(MPI_INTEGER8) = I8,
	AT(MPI_UNSIGNED_CHAR) = U1,
	AT(MPI_UINT8_T) = U1,
	AT(MPI_UNSIGNED_SHORT) = U2,
	AT(MPI_UINT16_T) = U2,
	AT(MPI_UNSIGNED) = U4,
	AT(MPI_UINT32_T) = U4,
	AT(MPI_UNSIGNED_LONG) = sizeof(long) == 8 ? U8 : U4,
	AT(MPI_UNSIGNED_LONG_LONG) = U8,
	AT(MPI_UINT64_T) = U8,
	AT(MPI_FLOAT) = F4,
	AT(MPI_REAL) = F4,
	AT(MPI_REAL4) = F4,
	AT(MPI_DOUBLE) = F8,
	AT(MPI_DOUBLE_PRECISION) = F8,
	AT(MPI_REAL8) = F8,
	AT(MPI_LONG_DOUBLE) = F16,
	AT(MPI_COMPLEX) = COMPLEX,
	AT(MPI_DOUBLE_COMPLEX) = COMPLEX,
	AT(MPI_C_FLOAT_COMPLEX) = COMPLEX,
	AT(MPI_C_DOUBLE_COMPLEX) = COMPLEX,
	AT(MPI_C_BOOL) = TRUTH,
	AT(MPI_LOGICAL) = TRUTH,
	AT(MPI_2INT) = I4,
	AT(MPI_2INTEGER) = I4,
};

const char *route_signature_name(uint32_t signature)
{
	static const char *const names[] = {
		[ANY] = "any type",
		[I1] = "MPI_SIGNED_CHAR (1 byte)",
		[I2] = "MPI_SHORT (2 bytes)",
		[I4] = "MPI_INT (4 bytes)",
		[I8] = "MPI_INT64_T (8 bytes)",
		[U1] = "MPI_UNSIGNED_CHAR (1 byte)",
		[U2] = "MPI_UNSIGNED_SHORT (2 bytes)",
		[U4] = "MPI_UNSIGNED (4 bytes)",
		[U8] = "MPI_UINT64_T (8 bytes)",
		[F4] = "MPI_FLOAT (4 bytes)",
		[F8] = "MPI_DOUBLE (8 bytes)",
		[F16] = "MPI_LONG_DOUBLE",
		[COMPLEX] = "a complex type",
		[TRUTH] = "a logical type",
	};
	const uint32_t class = signature >> 1;

	return class < sizeof(names) / sizeof(names[0]) ? names[class]
							: "a derived type";
}

bool route_class_is_real(uint8_t class)
{
	return class >= F4 && class <= COMPLEX;
}

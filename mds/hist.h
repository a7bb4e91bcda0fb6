/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HIST_H
#define BCS_HIST_H

#include <stdint.h>

/*
 * A log-linear scale: every power of two is cut into 2^bits equal buckets, so
 * that a bucket is never wider than its lower end divided by 2^bits.  Values
 * below 2^bits have a bucket each.  Buckets count from 0 and never overlap.
 */
#define HIST_BITS_MAX 5

/* The bucket that `value` falls in. */
static inline unsigned hist_bucket(uint64_t value, unsigned bits)
{
	unsigned octave;

	if (value < (1u << bits))
		return (unsigned)value;
	octave = 63 - (unsigned)__builtin_clzll(value) - bits;
	return ((octave + 1) << bits) +
	       (unsigned)((value >> octave) & ((1u << bits) - 1));
}

/*
 * The least value of a bucket; the next bucket's is one past its greatest, 0
 * for the one behind the last.
 */
static inline uint64_t hist_low(unsigned bucket, unsigned bits)
{
	unsigned octave = bucket >> bits;

	if (octave == 0)
		return bucket;
	if (octave > 64 - bits)
		return 0; /* past the last bucket */
	return (uint64_t)((1u << bits) + (bucket & ((1u << bits) - 1)))
	       << (octave - 1);
}

#endif

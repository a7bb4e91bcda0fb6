/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_HIST_H
#define BCS_HIST_H

#include <stdint.h>
#include <string.h>

/*
 * A log-linear scale: every power of two is cut into 2^bits equal buckets. A
 * bucket is never wider than its lower end divided by 2^bits. Values below
 * 2^bits have a bucket each. Buckets count from 0 and never overlap.
 */
#define HIST_BITS_MAX 5

/*
 * The bucket that a value of at least 0 and less than 2^64 falls in.  The upper
 * bits of a double are such a scale, but for its beginning.
 */
static inline unsigned hist_bucket_real(double value, unsigned bits)
{
	uint64_t image;

	if (value < (double)(1u << bits))
		return (unsigned)value;
	memcpy(&image, &value, sizeof(image));
	return (unsigned)(image >> (52 - bits)) - ((1022 + bits) << bits);
}

/* The bucket of an integer; drops the bits that a double would round. */
static inline unsigned hist_bucket(uint64_t value, unsigned bits)
{
	if (value >> 53)
		value &= ~UINT64_C(0x7ff);
	return hist_bucket_real((double)value, bits);
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

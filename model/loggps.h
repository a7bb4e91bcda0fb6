/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCS_LOGGPS_H
#define BCS_LOGGPS_H

#include <stddef.h>

/*
 * LogGPS (Ino, Fujimoto and Hagihara, 2001): LogGP, where messages of more than
 * S bytes wait for their receiver.  A message of m bytes takes
 *
 *	L + 2o + (m - 1) G         up to S bytes
 *	L + 2o + (m - 1) G + H     above
 *
 * In the paper the handshake H is a round trip of empty messages.  Here it is a
 * parameter of its own, as protocols of large messages differ.
 */
struct loggps {
	double base; /* L + 2o */
	double gap;  /* G */
	double handshake;
	double most; /* S: a byte less than the least size with handshake */
};

/*
 * Fits the times y of x bytes by least squares of relative errors; x ascends.
 * An S needs two sizes from 1 byte on at both sides.  Its gap must not be
 * negative, and its handshake must be more than 0.  Returns 0; -EDOM if there
 * is no such S; or -ENOMEM.
 */
int loggps_fit(const double *x, const double *y, size_t n,
	       struct loggps *loggps);

#endif

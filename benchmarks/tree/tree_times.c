/* SPDX-License-Identifier: BSD-3-Clause */

/* Made-up times of broadcasts, the same in each run. */
#include <math.h>

#include "tree_times.h"

static unsigned state;

/* From 0.95 to 1.05, the same in each run. */
static double noise(void)
{
	state = state * 1664525u + 1013904223u;
	return .95 + (state >> 8) * (.1 / (1 << 24));
}

static unsigned rounds(unsigned processes)
{
	unsigned n = 0;

	while (1u << n < processes)
		n++;
	return n;
}

static double pieces(double bytes, double segment)
{
	return bytes < segment ? 1 : bytes / segment;
}

static double at_most(double bytes, double segment)
{
	return bytes < segment ? bytes : segment;
}

static void put_point(const char *collective, unsigned p, double bytes,
		      FILE *to)
{
	const struct {
		const char *name;
		unsigned segment;
		double us;
	} methods[] = {
		{ "linear", 0, (p - 1) * (1 + bytes / 900) },
		{ "binomial", 0, rounds(p) * (2 + bytes / 1000) },
		{ "pipeline", 8192,
		  (p - 2 + pieces(bytes, 8192)) *
			  (2.5 + at_most(bytes, 8192) / 1000) },
		{ "split-binary", 1024,
		  1 + bytes / 2000 +
			  (rounds(p) + pieces(bytes / 2, 1024)) *
				  (1.5 + at_most(bytes / 2, 1024) / 1000) },
		{ "split-binary", 32768,
		  1 + bytes / 2000 +
			  (rounds(p) + pieces(bytes / 2, 32768)) *
				  (1.5 + at_most(bytes / 2, 32768) / 1100) },
	};

	for (unsigned i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		fprintf(to, "%s,%u,%.0f,%s,%u,%.6e\n", collective, p, bytes,
			methods[i].name, methods[i].segment,
			methods[i].us * noise() * 1e-6);
}

void tree_times_put(const char *collective, FILE *to)
{
	state = 1;
	fputs("collective,processes,bytes,algorithm,segment,seconds\n", to);
	for (unsigned p = 2; p <= 50; p++)
		for (int half = 0; half <= 38; half++)
			put_point(collective, p, floor(4 * pow(2, half / 2.)),
				  to);
}

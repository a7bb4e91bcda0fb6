/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RAPL_H
#define RAPL_H

#include <stdint.h>

/*
 * The energy of packages and their memory, by the RAPL counters of Linux under
 * /sys/class/powercap: intel-rapl:0 and so on, also on AMD's processors.  Zones
 * within a package are left out, except memory, which is not part of it.
 * Counters wrap: two readings must be less than a round apart, some minutes at
 * the least.
 */

#define RAPL_ROOT      "/sys/class/powercap"
#define RAPL_ZONES_MAX 64

struct rapl_zone {
	char *path;     /* of its folder */
	uint64_t range; /* of the counter, uJ */
	uint64_t last;
};

struct rapl {
	struct rapl_zone zones[RAPL_ZONES_MAX];
	int n;
	char fault[256]; /* what is wrong, in a line */
};

/*
 * Finds the zones under `root` and reads them once.  Returns 0, or -errno with
 * the reason in `fault`: -ENODEV if there are none, -EACCES if they may not be
 * read.  After an error there is nothing to close.
 */
int rapl_open(struct rapl *rapl, const char *root);
void rapl_close(struct rapl *rapl);

/* The energy since it was read before, uJ; or as above. */
int rapl_read(struct rapl *rapl, uint64_t *energy);

#endif

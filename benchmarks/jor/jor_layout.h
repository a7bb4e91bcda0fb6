/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOR_LAYOUT_H
#define JOR_LAYOUT_H

#include <stdbool.h>

/* The parts of jor's domain, one for each process.  It knows no MPI. */

struct part {
	int site;
	int top;
	int left;
	int rows;
	int columns;
};

/* Two sites have the domain above and below a frontier. */
struct layout {
	int columns;
	int rows[2];  /* of each site's; 0: it has no process either */
	int ranks[2]; /* of each site, in the order of parts */
	bool blocks;  /* a site's is cut both ways, not just into strips */
};

/* Fills in ranks[0] + ranks[1] parts. */
void layout_parts(const struct layout *layout, struct part parts[]);

/* Rows without which a site's ranks would not each have a point. */
int layout_rows_least(const struct layout *layout, int site);

/*
 * The points that `mine` shares with another part on that side: the first of
 * its own, and how many.  False if there are none.
 */
bool layout_touch(const struct part *mine, const struct part *other, int side,
		  int *first, int *count);

#endif

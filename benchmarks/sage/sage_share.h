/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SAGE_SHARE_H
#define SAGE_SHARE_H

#include "sage_tile.h"

/* Which rank has which tiles of sage's channel.  All ranks call these alike. */

enum sage_tag { SAGE_EDGE, SAGE_SURVEY };

struct channel {
	int rank;
	int size;   /* ranks */
	int places; /* of all tiles */
	struct tile *tiles;
	int n_tiles;
	int beside[2]; /* the ranks before and after that have any, or none */
	double threshold; /* rougher tiles are to be the finest */
};

/* Each rank's tiles as they are at first. */
void channel_make(struct channel *channel, int places);
void channel_free(struct channel *channel);

/* Moves tiles so that all ranks have as many cells. */
void channel_balance(struct channel *channel);

/* The threshold anew, by what of the channel is fine. */
void channel_survey(struct channel *channel);

#endif

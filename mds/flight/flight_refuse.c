/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>

#include "mds/flight/flight_reading.h"

int flight_refuse(const struct flight_source *from, int rc, const char *text)
{
	snprintf(from->why, from->why_size, "%s: %s", from->path, text);
	return rc;
}

int flight_refuse_damaged(const struct flight_source *from, const char *what)
{
	snprintf(from->why, from->why_size, "%s: damaged: its %s is wrong",
		 from->path, what);
	return -EPROTO;
}

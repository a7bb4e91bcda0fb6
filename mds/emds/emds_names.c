/* SPDX-License-Identifier: BSD-3-Clause */
#include "mds/emds/emds.h"

#define EMDS_NAME(name, text, where) text,
const char *const emds_names[EMDS_COLUMNS] = { EMDS_LIST(EMDS_NAME) };

#define EMDS_WHERE(name, text, where) where,
static const unsigned char wheres[EMDS_COLUMNS] = { EMDS_LIST(EMDS_WHERE) };

static bool exists(enum emds_where where, bool by_time, bool is_sender)
{
	switch (where) {
	case EMDS_BY_TIME:
		return by_time;
	case EMDS_OF_SENDER:
		return by_time && is_sender;
	case EMDS_ON_DEMAND:
		return !by_time;
	default:
		return true;
	}
}

uint64_t emds_columns_of(bool by_time, bool is_sender)
{
	uint64_t columns = 0;

	for (int i = 0; i < EMDS_COLUMNS; i++)
		if (exists((enum emds_where)wheres[i], by_time, is_sender))
			columns |= EMDS_BIT(i);
	return columns;
}

bool emds_is_time(int column)
{
	const char *unit = strrchr(emds_names[column], '_');

	return column != EMDS_BEGIN && unit && strcmp(unit, "_ticks") == 0;
}

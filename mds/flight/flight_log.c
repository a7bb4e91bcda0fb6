/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks the log of a flight recorder, and finds the names of calls in it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mds/flight/flight_reading.h"

static size_t size_of(enum flight_kind kind)
{
	switch (kind) {
	case FLIGHT_MODULE:
		return sizeof(struct flight_module) + 1;
	case FLIGHT_PATH:
		return sizeof(struct flight_path);
	case FLIGHT_COMM:
		return sizeof(struct flight_comm) + 1;
	case FLIGHT_DEADLOCK:
		return sizeof(struct flight_entry) + 1;
	default:
		return sizeof(struct flight_entry);
	}
}

/* Texts end within their entry. */
static int check_entry(const struct flight_source *from, struct flight *flight,
		       uint32_t place, uint32_t *next)
{
	struct flight_entry *entry;
	const uint32_t left = flight->head.log_used - place;

	entry = (struct flight_entry *)(flight->bytes + flight->head.log_at +
					place);
	if (left < sizeof(*entry) || entry->bytes > left ||
	    entry->bytes % 8 != 0 || entry->bytes < size_of(entry->kind))
		return flight_refuse_damaged(from, "log");
	if (entry->kind != FLIGHT_PATH && entry->bytes > sizeof(*entry))
		((char *)entry)[entry->bytes - 1] = '\0';
	*next = place + entry->bytes;
	return 0;
}

int flight_log_check(const struct flight_source *from, struct flight *flight)
{
	uint32_t place = 0;
	int rc = 0;

	while (rc == 0 && place < flight->head.log_used)
		rc = check_entry(from, flight, place, &place);
	return rc;
}

static bool take_names(struct flight *flight, const struct flight_entry *entry)
{
	const char *at = flight_text(entry, sizeof(*entry));
	const char *const end = (const char *)entry + entry->bytes;

	flight->names = calloc(entry->bytes, sizeof(*flight->names));
	if (!flight->names)
		return false;
	for (; at < end; at += strlen(at) + 1)
		flight->names[flight->n_names++] = at;
	return true;
}

int flight_log_names(const struct flight_source *from, struct flight *flight)
{
	const struct flight_entry *entry = NULL;

	while ((entry = flight_next(flight, entry)))
		if (entry->kind == FLIGHT_NAMES)
			break;
	if (!entry || take_names(flight, entry))
		return 0;
	return flight_refuse(from, -ENOMEM, "no memory to read it");
}

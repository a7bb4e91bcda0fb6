/* SPDX-License-Identifier: BSD-3-Clause */

/* Names and sentences for wait states. */
#include <stdlib.h>

#include "analyzer/base/mem.h"
#include "analyzer/waits/waits.h"

const struct waits_place *waits_place(const struct waits *waits, uint32_t place)
{
	return intern_key(&waits->places, place);
}

const char *waits_call_text(const struct waits *waits, uint32_t place)
{
	if (place == WAITS_NOWHERE)
		return "";
	return intern_key(&waits->texts, waits_place(waits, place)->call);
}

const char *waits_site_text(const struct waits *waits, uint32_t place)
{
	if (place == WAITS_NOWHERE)
		return "";
	return intern_key(&waits->texts, waits_place(waits, place)->site);
}

char *waits_place_text(const struct waits *waits, uint32_t place)
{
	const char *call = waits_call_text(waits, place);
	const char *site = waits_site_text(waits, place);

	return mem_print("%s%s%s", *call ? call : "recording off",
			 *site ? " at " : "", site);
}

static char *computed_text(const struct waits *waits,
			   const struct waits_cause_key *cause)
{
	char *from = waits_place_text(waits, cause->from);
	char *to = waits_place_text(waits, cause->to);
	char *text = cause->from == cause->to
			     ? mem_print("computed between calls of %s", from)
			     : mem_print("computed from %s to %s", from, to);

	free(from);
	free(to);
	return text;
}

char *waits_cause_text(const struct waits *waits,
		       const struct waits_cause_key *cause)
{
	char *at;
	char *text;

	if (cause->doing == WAITS_FORGOTTEN)
		return mem_text("unknown");
	if (cause->doing == WAITS_COMPUTED)
		return computed_text(waits, cause);
	at = waits_place_text(waits, cause->from);
	text = mem_print(cause->doing == WAITS_WAITED ? "waited in %s"
						      : "was in %s",
			 at);
	free(at);
	return text;
}

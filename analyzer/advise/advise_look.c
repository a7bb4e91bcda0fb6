/* SPDX-License-Identifier: BSD-3-Clause */

/* Looks at what is beside the calls of a place, and at what they wait for. */
#include "analyzer/advise/advise.h"

#define STEPS 32 /* of a way */

static const struct waits_gap_key *gap_key(const struct waits *waits, size_t i)
{
	return intern_key(&waits->gap_keys, i);
}

enum ways { AHEAD, BACK, TO_ITSELF, TO_ANY };

static bool is_of(const struct waits_gap_key *key, uint32_t place,
		  enum ways ways)
{
	if (ways == TO_ANY)
		return key->from == place;
	if (ways == TO_ITSELF)
		return key->from == place && key->to == place;
	return key->from != key->to &&
	       (ways == BACK ? key->to : key->from) == place;
}

/* The usual one of these ways. */
static struct advise_gap step(const struct waits *waits, uint32_t place,
			      enum ways ways)
{
	struct advise_gap gap = { .from = WAITS_NOWHERE };

	for (size_t i = 0; i < waits->gap_keys.n; i++) {
		const struct waits_gap_key *key = gap_key(waits, i);

		if (!is_of(key, place, ways) ||
		    waits->gaps[i].count <= gap.count)
			continue;
		gap = (struct advise_gap){ key->from, key->to,
					   waits->gaps[i].count,
					   waits->gaps[i].time };
	}
	return gap;
}

uint64_t advise_gap_mean(const struct advise_gap *gap)
{
	return gap->count ? gap->time / gap->count : 0;
}

static void keep_most(struct advise_gap *most, const struct advise_gap *gap)
{
	if (gap->time > most->time)
		*most = *gap;
}

static struct advise_gap walk(const struct waits *waits, uint32_t place,
			      enum ways ways)
{
	struct advise_gap most = step(waits, place, TO_ITSELF);
	uint32_t at = place;

	for (int i = 0; i < STEPS; i++) {
		const struct advise_gap gap = step(waits, at, ways);

		if (gap.from == WAITS_NOWHERE)
			break;
		keep_most(&most, &gap);
		at = ways == BACK ? gap.from : gap.to;
		if (at == place)
			break;
	}
	return most;
}

struct advise_gap advise_gap_after(const struct waits *waits, uint32_t place)
{
	return walk(waits, place, AHEAD);
}

struct advise_gap advise_gap_before(const struct waits *waits, uint32_t place)
{
	return walk(waits, place, BACK);
}

struct advise_gap advise_gap_next(const struct waits *waits, uint32_t place)
{
	return step(waits, place, TO_ANY);
}

double advise_in_a_row(const struct waits *waits, uint32_t place)
{
	const struct waits_gap_key same = { place, place };
	const size_t at = intern_find(&waits->gap_keys, &same, sizeof(same));
	const uint64_t count = waits->calls[place].count;
	const uint64_t next = at == INTERN_NONE ? 0 : waits->gaps[at].n_short;

	return next < count ? (double)count / (double)(count - next) : 1;
}

static void causes_take(const struct waits *waits, uint32_t row,
			struct advise_cause *cause)
{
	for (size_t i = 0; i < waits->cause_keys.n; i++) {
		const struct waits_cause_key *key = intern_key(
			&waits->cause_keys, i);

		if (key->row != row || waits->causes[i] <= cause->longest_time)
			continue;
		cause->longest = *key;
		cause->longest_time = waits->causes[i];
	}
}

struct advise_cause advise_cause(const struct waits *waits, uint32_t place)
{
	struct advise_cause cause = { .longest.doing = WAITS_FORGOTTEN };

	for (uint32_t i = 0; i < waits->row_keys.n; i++) {
		const struct waits_row_key *key = intern_key(&waits->row_keys,
							     i);

		if (key->place != place)
			continue;
		cause.direct += waits->rows[i].direct;
		cause.propagated += waits->rows[i].propagated;
		cause.unknown += waits->rows[i].unknown;
		causes_take(waits, i, &cause);
	}
	return cause;
}

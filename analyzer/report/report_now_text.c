/* SPDX-License-Identifier: BSD-3-Clause */

/* Words for the section `now`: what a call under way waits for. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"
#include "analyzer/report/report.h"

const char *report_word(const struct run *run, size_t number)
{
	return number == INTERN_NONE ? "" : intern_key(&run->words, number);
}

const char *report_now_comm(const struct run *run, const struct run_now *now)
{
	return now->comm == INTERN_NONE ? "" : run->comms[now->comm].name;
}

static bool is_collective(const char *call)
{
	static const char *const words[] = { "bcast", "gather", "scatter",
					     "reduce" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(call, words[i]))
			return true;
	return false;
}

static bool is_message(const char *call)
{
	return strcasestr(call, "recv") || strcasestr(call, "send") ||
	       strstr(call, "robe");
}

/* "from rank 2", "for a send to any rank", "with root 3" */
static char *peer_text(const struct run *run, const struct run_now *now)
{
	const char *peer = report_word(run, now->peer);
	const char *call = report_word(run, now->call);
	const char *waits = report_word(run, now->waits_for);
	const char *way = "with";
	const char *kind = "";

	if (*peer == '\0')
		return mem_text("");
	if (is_collective(call))
		return mem_print(" with root %s", peer);
	if (strcasestr(call, "recv") || strstr(call, "robe"))
		way = "from";
	else if (strcasestr(call, "send"))
		way = "to";
	if (strcmp(waits, "send") == 0) {
		kind = "for a send ";
		way = "to";
	} else if (strcmp(waits, "receive") == 0) {
		kind = "for a receive ";
		way = "from";
	}
	if (strcmp(peer, "any") == 0)
		return mem_print(" %s%s any rank", kind, way);
	return mem_print(" %s%s rank %s", kind, way, peer);
}

bool report_now_is_coll(const struct run *run, const struct run_now *now)
{
	return strncmp(report_word(run, now->waits_for), "MPI_", 4) == 0;
}

/* " for MPI_Ibarrier begun at main app.c:12" */
static char *begun_text(const struct report *report, const struct run_now *now)
{
	char *place;
	char *text;

	if (!report_now_is_coll(report->run, now))
		return mem_text("");
	place = report_place(report, now->begun);
	text = mem_print(" for %s%s%s",
			 report_word(report->run, now->waits_for),
			 now->begun == UINT64_MAX ? "" : " begun at ",
			 now->begun == UINT64_MAX ? "" : place);
	free(place);
	return text;
}

static char *tag_text(const struct run *run, const struct run_now *now)
{
	const char *tag = report_word(run, now->tag);

	if (*tag == '\0' || (*report_word(run, now->waits_for) == '\0' &&
			     !is_message(report_word(run, now->call))))
		return mem_text("");
	if (strcmp(tag, "any") == 0)
		return mem_text(", any tag");
	return mem_print(", tag %s", tag);
}

static char *comm_text(const struct run *run, const struct run_now *now)
{
	const char *comm = report_now_comm(run, now);

	if (now->comm == INTERN_NONE || strcmp(comm, "MPI_COMM_WORLD") == 0)
		return mem_text("");
	return mem_print(", on %s", *comm ? comm : "a communicator");
}

static char *since_text(const struct run_now *group, size_t n)
{
	uint64_t min = UINT64_MAX;
	uint64_t max = 0;

	for (size_t i = 0; i < n; i++) {
		if (group[i].since < min)
			min = group[i].since;
		if (group[i].since > max)
			max = group[i].since;
	}
	if (max == 0)
		return mem_text("");
	if (strcmp(units_time_text(min), units_time_text(max)) == 0)
		return mem_print(", for %s", units_time_text(max));
	return mem_print(", for %s to %s", units_time_text(min),
			 units_time_text(max));
}

static char *group_ranks(const struct run_now *group, size_t n)
{
	uint64_t *ranks = mem_alloc(n, sizeof(*ranks));
	char *text;

	for (size_t i = 0; i < n; i++)
		ranks[i] = group[i].rank;
	text = report_ranks(ranks, n);
	free(ranks);
	return text;
}

/* "rank 3 is in MPI_Recv from rank 2, tag 7, for 43.1 s, at solve app.c:120" */
char *report_now_text(const struct report *report, const struct run_now *group,
		      size_t n)
{
	const struct run *run = report->run;
	char *ranks = group_ranks(group, n);
	char *thread = group->thread ? mem_print(", thread %" PRIu64 ",",
						 group->thread)
				     : mem_text("");
	char *peer = peer_text(run, group);
	char *tag = tag_text(run, group);
	char *begun = begun_text(report, group);
	char *comm = comm_text(run, group);
	char *since = since_text(group, n);
	/* MPI_Finalize has none. */
	const bool has_place = group->place != UINT64_MAX;
	char *site = report_place(report, group->place);
	char *text = mem_print("%s%s %s in %s%s%s%s%s%s%s%s", ranks, thread,
			       n > 1 ? "are" : "is",
			       report_word(run, group->call), peer, tag, begun,
			       comm, since, has_place ? ", at " : "",
			       has_place ? site : "");

	free(ranks);
	free(thread);
	free(peer);
	free(tag);
	free(begun);
	free(comm);
	free(since);
	free(site);
	return text;
}

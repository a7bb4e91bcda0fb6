/* SPDX-License-Identifier: BSD-3-Clause */

/* Sentences of advice. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/advise/advise.h"
#include "analyzer/base/mem.h"
#include "analyzer/base/units.h"

#define LITTLE 4  /* times the computation is less than a wait */
#define POOR   20 /* percent of a place's waiting that is not understood */

/* Puts the name of a place, which is that of the call itself or another. */
static void put_place(FILE *to, const struct waits *waits, uint32_t place,
		      uint32_t here)
{
	char *text;

	if (place == here) {
		fputs("here", to);
		return;
	}
	text = waits_place_text(waits, place);
	fprintf(to, "%s", text);
	free(text);
}

static void put_gap(FILE *to, const struct waits *waits,
		    const struct advise_gap *gap, uint32_t here)
{
	fprintf(to, "computes %s from ", units_time_text(advise_gap_mean(gap)));
	if (gap->from == gap->to) {
		fputs("a call here to the next", to);
		return;
	}
	put_place(to, waits, gap->from, here);
	fputs(" to ", to);
	put_place(to, waits, gap->to, here);
}

/* Says so if most of a call's waiting is longer than the computation. */
static void put_little(FILE *to, const struct waits *waits, uint32_t place,
		       const struct advise_gap *gap)
{
	const uint64_t count = waits->calls[place].count;
	const uint64_t waiting = advise_waiting(waits, place) / count;

	if (LITTLE * advise_gap_mean(gap) < waiting)
		fprintf(to,
			" That is too little to overlap a wait of %s with: "
			"move more between.",
			units_time_text(waiting));
}

static void put_row(FILE *to, const struct waits *waits, uint32_t place)
{
	const double n = advise_in_a_row(waits, place);

	if (n >= 1.5)
		fprintf(to,
			" Calls come here about %.2g in a row: one MPI_Waitall "
			"for "
			"them.",
			n);
}

/* "at b.c:7, where … :" and how far that is. */
static void put_reuse(FILE *to, const struct advise *advise,
		      const struct advise_call *call, const char *what)
{
	char *text = advise_reuse_text(advise->reuses, &call->reuse);

	if (*text)
		fprintf(to, " at %s,", text);
	fprintf(to, " where %s:", what);
	if (call->reuse.computation < WAITS_SHORT)
		fputs(" that is at once, so move computation that does not "
		      "need it between.",
		      to);
	else
		fprintf(to, " until then the rank computes %s.",
			units_time_text(call->reuse.computation));
	free(text);
}

static void put_send(FILE *to, const struct advise *advise,
		     const struct advise_call *call)
{
	const struct waits *waits = &advise->waits;
	const uint32_t place = call->change.place;
	const struct advise_gap gap = advise_gap_after(waits, place);

	fprintf(to, "Begin the send with %s. Wait for it", call->into);
	if (call->reuse.count) {
		put_reuse(to, advise, call, "the buffer is written again");
		fputs(" With a further buffer it can wait until the next call "
		      "here.",
		      to);
		put_row(to, waits, place);
		return;
	}
	fputs(" where the buffer is written again, at the latest before the "
	      "next call here.",
	      to);
	if (gap.from != WAITS_NOWHERE) {
		fputs(" Meanwhile the rank ", to);
		put_gap(to, waits, &gap, place);
		fputc('.', to);
		put_little(to, waits, place, &gap);
	}
	put_row(to, waits, place);
}

static bool is_both(const struct waits *waits, uint32_t place)
{
	return strcmp(waits_call_text(waits, place), "MPI_Sendrecv") == 0;
}

/* MPI_Sendrecv has a receive, which can be posted before there is data. */
static void put_post(FILE *to, const struct waits *waits,
		     const struct advise_call *call)
{
	if (is_both(waits, call->change.place))
		fputs("Post MPI_Irecv earlier, begin MPI_Isend as soon as its "
		      "data is there, and wait for both",
		      to);
	else
		fprintf(to, "Post %s earlier, and wait for it", call->into);
}

static void put_receive(FILE *to, const struct advise *advise,
			const struct advise_call *call)
{
	const struct waits *waits = &advise->waits;
	const uint32_t place = call->change.place;
	const struct advise_gap gap = advise_gap_before(waits, place);

	put_post(to, waits, call);
	if (call->reuse.count)
		put_reuse(to, advise, call, "the buffer is used");
	else
		fputs(" here.", to);
	if (gap.from != WAITS_NOWHERE) {
		fprintf(to, " Post %s after ",
			is_both(waits, place) ? "the receive" : "it");
		if (gap.from == place)
			fputs("the call here that comes before", to);
		else
			put_place(to, waits, gap.from, WAITS_NOWHERE);
		fputs(": then the rank ", to);
		put_gap(to, waits, &gap, place);
		fputc('.', to);
		put_little(to, waits, place, &gap);
	}
	fputs(" Where the buffer is in use until here, take a second one.", to);
	put_row(to, waits, place);
}

static void put_all(FILE *to, const struct advise *advise,
		    const struct advise_call *call)
{
	const struct waits *waits = &advise->waits;
	const struct advise_gap gap = advise_gap_next(waits,
						      call->change.place);

	fprintf(to, "Begin it with %s, and wait for it", call->into);
	if (call->reuse.count) {
		put_reuse(to, advise, call, "a buffer of it is used");
		return;
	}
	fputs(" where its result is needed.", to);
	if (gap.from != WAITS_NOWHERE) {
		fputs(" Up to the next call the rank ", to);
		put_gap(to, waits, &gap, call->change.place);
		fputs(": what does not need the result may go between.", to);
		put_little(to, waits, call->change.place, &gap);
	}
}

char *advise_text_what(const struct advise *advise,
		       const struct advise_call *call)
{
	char *text;
	size_t size;
	FILE *to = mem_stream(&text, &size);

	if (call->change.kind == WAITS_CHANGE_SEND)
		put_send(to, advise, call);
	else if (call->change.kind == WAITS_CHANGE_RECEIVE)
		put_receive(to, advise, call);
	else
		put_all(to, advise, call);
	fclose(to);
	return text;
}

/* Two digits; what is too small to matter needs none. */
static void put_share(char text[32], double percent)
{
	if (percent > 0 && percent < 0.01)
		snprintf(text, 32, "<0.01 %%");
	else
		snprintf(text, 32, "%.2g %%", percent);
}

char *advise_text_gain(const struct advise *advise, uint64_t gain,
		       uint64_t most)
{
	char share[2][32];

	put_share(share[0], advise_percent(advise, gain));
	put_share(share[1], advise_percent(advise, most));
	return mem_print("%s of the run (%s), at most %s (%s)", share[0],
			 units_time_text(gain), share[1],
			 units_time_text(most));
}

static bool is_crowded(const struct run *run)
{
	for (size_t i = 0; i < run->n_ranks; i++)
		if (run->ranks[i].cores &&
		    run->ranks[i].local_ranks * 1000 >= run->ranks[i].cores)
			return true;
	return false;
}

/* Who moves the message while the program computes. */
static void put_progress(FILE *to, const struct advise *advise, uint64_t bytes)
{
	uint64_t others;
	const char *mode = run_fact(advise->run, RUN_MODE, &others);

	if (strcmp(mode, "observe") == 0)
		fprintf(to,
			" MPI moves messages of %s while the program "
			"computes; "
			"MPICH does so up to its eager limit only.",
			units_bytes_text(bytes));
	if (is_crowded(advise->run))
		fputs(" No core is free for the copy: the ranks have all of "
		      "them. Copies take the time of the computation.",
		      to);
}

char *advise_text_assumes(const struct advise *advise,
			  const struct advise_call *call)
{
	static const char *const what[] = {
		[WAITS_CHANGE_SEND] = "The buffer is not written before the "
				      "wait.",
		[WAITS_CHANGE_RECEIVE] = "The buffer is not used before the "
					 "wait.",
		[WAITS_CHANGE_ALL] = "The computation does not need the "
				     "result.",
	};
	char *text;
	size_t size;
	FILE *to = mem_stream(&text, &size);

	if (call->reuse.count)
		fprintf(to,
			"The buffers of %" PRIu64 " calls were looked at. "
			"Those of the others are used as they are.",
			call->reuse.count);
	else
		fprintf(to, "%s The trace does not tell.",
			what[call->change.kind]);
	put_progress(to, advise, advise->waits.calls[call->change.place].bytes);
	fclose(to);
	return text;
}

const char *advise_text_sure(const struct advise *advise,
			     const struct advise_call *call)
{
	const struct advise_cause cause = advise_cause(&advise->waits,
						       call->change.place);

	if (advise->waits.lost || advise->waits.apart ||
	    100 * cause.unknown > POOR * call->waiting)
		return "poor";
	if (call->change.kind == WAITS_CHANGE_ALL && !call->reuse.count)
		return "fair";
	return 2 * call->gain >= call->most ? "good" : "fair";
}

static void put_cause(FILE *to, const struct waits *waits,
		      const struct advise_cause *cause, uint64_t waiting)
{
	char *text;

	if (cause->longest.doing == WAITS_FORGOTTEN)
		return;
	text = waits_cause_text(waits, &cause->longest);
	fprintf(to, " For %.0f %% of it the late rank %s.",
		100.0 * (double)cause->longest_time / (double)waiting, text);
	free(text);
}

char *advise_text_loss(const struct advise *advise, uint32_t place)
{
	const struct waits *waits = &advise->waits;
	const struct advise_cause cause = advise_cause(waits, place);
	const uint64_t waiting = advise_waiting(waits, place);
	char *text;
	size_t size;
	FILE *to = mem_stream(&text, &size);

	fprintf(to, "%s of waiting.", units_time_text(waiting));
	if (2 * cause.propagated > waiting)
		fputs(" The late ranks wait themselves: the cause is there.",
		      to);
	else
		fputs(" The others come late, and no other call changes "
		      "that: it is imbalance.",
		      to);
	put_cause(to, waits, &cause, waiting);
	fclose(to);
	return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Writes distributions.  The call that a thread has not counted yet is added to
 * them on the way.
 */
#include <limits.h>

#include "mds/mmds/mmds_writing.h"
#include "mds/record/record.h"
#include "mds/record/record_encode.h"
#include "mds/settings/settings.h"

#define NO_BUCKET   UINT_MAX
#define ROW_BUCKETS 64                      /* in a row of the table */
#define BUCKET_TEXT (2 * RECORD_DIGITS + 2) /* bytes of one, at most */

static unsigned in_range(unsigned bucket)
{
	const unsigned last = (MMDS_OCTAVES << mmds_self.bits) - 1;

	return bucket < last ? bucket : last;
}

static unsigned bucket_of(uint64_t ticks)
{
	return in_range(
		hist_bucket_real(clock_to_real_ns(ticks), mmds_self.bits));
}

/* The bucket of the past call's time in the cell's distribution, if any. */
static unsigned past_time(const struct mmds_thread *thread,
			  const struct mmds_cell *cell)
{
	const struct mmds_frame past = mmds_past(thread);

	if (past.cell != cell || !(mmds_self.metrics & SETTINGS_TIME))
		return NO_BUCKET;
	return bucket_of(past.end - past.start);
}

/* The bucket of the past call's size in the cell's distribution, if any. */
static unsigned past_size(const struct mmds_thread *thread,
			  const struct mmds_cell *cell)
{
	const struct mmds_frame past = mmds_past(thread);

	if (past.cell != cell || !mmds_past_bytes(&past) ||
	    !(mmds_self.metrics & SETTINGS_SIZE))
		return NO_BUCKET;
	return in_range(hist_bucket(mmds_past_bytes(&past), mmds_self.bits));
}

/* Whether the past call ends stretches of the thread's distributions. */
static bool past_ends_stretch(const struct mmds_frame *past)
{
	return past->blocking && mmds_self.metrics & SETTINGS_ACCOUNT;
}

static unsigned past_computation(const struct mmds_thread *thread)
{
	const struct mmds_frame past = mmds_past(thread);

	return past_ends_stretch(&past)
		       ? bucket_of(thread->computation +
				   mmds_before(thread->last, &past) -
				   thread->computed)
		       : NO_BUCKET;
}

static unsigned past_communication(const struct mmds_thread *thread)
{
	const struct mmds_frame past = mmds_past(thread);

	return past_ends_stretch(&past)
		       ? bucket_of(thread->communication + past.end -
				   past.start - thread->communicated)
		       : NO_BUCKET;
}

/* A row under way. */
struct row {
	struct record_writer *writer;
	const char *of;
	unsigned index;
	unsigned n;    /* buckets in it */
	unsigned last; /* the last of them */
	size_t len;
	char text[ROW_BUCKETS * BUCKET_TEXT + 1];
};

static void row_end(struct row *row)
{
	if (row->n == 0)
		return;
	row->text[row->len] = '\0';
	record_put_str(row->writer, row->of);
	record_put_u64(row->writer, row->index);
	record_put_str(row->writer, row->text);
	record_row_end(row->writer);
	row->n = row->last = 0;
	row->len = 0;
}

static void row_add(struct row *row, unsigned bucket, uint64_t count)
{
	if (row->n == ROW_BUCKETS)
		row_end(row);
	if (row->n++ > 0)
		row->text[row->len++] = ',';
	row->len += record_encode_decimal(row->text + row->len,
					  bucket - row->last);
	row->last = bucket;
	if (count == 1)
		return;
	row->text[row->len++] = ':';
	row->len += record_encode_decimal(row->text + row->len, count);
}

/* Adds a block of a histogram, with `n_more` added to the bucket `more`. */
static void row_add_block(struct row *row, const uint64_t *counts,
			  unsigned block, unsigned more, uint64_t n_more)
{
	unsigned bucket = block * MMDS_BLOCK;

	if (!counts && more / MMDS_BLOCK != block)
		return;
	for (unsigned i = 0; i < MMDS_BLOCK; i++, bucket++) {
		const uint64_t n = (counts ? counts[i] : 0) +
				   (bucket == more ? n_more : 0);

		if (n > 0)
			row_add(row, bucket, n);
	}
}

static void write_hist(struct record_writer *writer, const char *of,
		       unsigned index, struct mmds_hist *const *hist_p,
		       unsigned more, uint64_t n_more)
{
	/* Orders the list before what it holds. */
	const struct mmds_hist *hist = __atomic_load_n(hist_p,
						       __ATOMIC_ACQUIRE);
	struct row row = { .writer = writer, .of = of, .index = index };
	const bool some_more = more != NO_BUCKET;
	unsigned block = some_more ? more / MMDS_BLOCK : UINT_MAX;
	unsigned end = some_more ? block + 1 : 0;

	if (hist && hist->first < block)
		block = hist->first;
	if (hist && hist->first + hist->n_blocks > end)
		end = hist->first + hist->n_blocks;
	for (; block < end; block++)
		row_add_block(&row, mmds_hist_block(hist, block), block, more,
			      n_more);
	row_end(&row);
}

void mmds_write_hists(struct record_writer *writer)
{
	struct mmds_thread *thread = &(struct mmds_thread){ 0 };
	struct mmds_cell *cell = NULL;

	record_table_begin(writer, "distributions", 1, "of index buckets");
	thread->next = mmds_threads();
	while ((cell = mmds_cell_next(&thread, cell))) {
		write_hist(writer, "time", cell->id, &cell->time,
			   past_time(thread, cell), mmds_past(thread).n);
		write_hist(writer, "size", cell->id, &cell->size,
			   past_size(thread, cell), mmds_past(thread).n);
	}
	for (thread = mmds_threads(); thread; thread = thread->next) {
		write_hist(writer, "computation", thread->id,
			   &thread->computations, past_computation(thread), 1);
		write_hist(writer, "communication", thread->id,
			   &thread->communications, past_communication(thread),
			   1);
	}
	record_table_end(writer);
}

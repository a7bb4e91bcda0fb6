/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The file is copied, since another process may write it or cut it off while it
 * is looked at.  A ring is read twice: what was written over meanwhile is left
 * out.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mds/flight/flight_reading.h"

#define BYTES_MIN (sizeof(struct flight_head) + sizeof(struct flight_thread))
#define BYTES_MAX (4u << 20)
#define LOOKS     10 /* at a row that is being written */
#define ROW_ALIGN _Alignof(struct flight_thread)

static bool read_at(int fd, void *to, size_t size, uint64_t place)
{
	size_t used = 0;
	ssize_t n = 1;

	while (used < size && n > 0) {
		n = pread(fd, (char *)to + used, size - used,
			  (off_t)(place + used));
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			used += (size_t)n;
	}
	return used == size;
}

/* Whether `n` things of a size lie within the file, at a place for a row. */
static bool lies_within(const struct flight_head *head, uint32_t place,
			uint64_t n, size_t size)
{
	return place % ROW_ALIGN == 0 && place >= sizeof(*head) &&
	       n * size <= head->bytes && place <= head->bytes - n * size;
}

static int check_head(const struct flight_source *from,
		      struct flight_head *head)
{
	if (head->magic != FLIGHT_MAGIC)
		return flight_refuse(from, -EPROTO,
				     "is no flight recorder's file");
	if (head->version > FLIGHT_VERSION)
		return flight_refuse(
			from, -EPROTONOSUPPORT,
			"was written by a newer version: update bcs");
	if (head->version == 0 || head->bytes < BYTES_MIN ||
	    head->bytes > BYTES_MAX)
		return flight_refuse_damaged(from, "head");
	if (head->n_threads > FLIGHT_THREADS ||
	    !lies_within(head, head->threads_at, head->n_threads,
			 sizeof(struct flight_thread)))
		return flight_refuse_damaged(from, "list of threads");
	if (head->log_used > head->log_room ||
	    !lies_within(head, head->log_at, head->log_room, 1))
		return flight_refuse_damaged(from, "log");
	head->host[sizeof(head->host) - 1] = '\0';
	head->program[sizeof(head->program) - 1] = '\0';
	head->mode[sizeof(head->mode) - 1] = '\0';
	return 0;
}

static size_t padded(size_t size)
{
	return (size + ROW_ALIGN - 1) & ~(ROW_ALIGN - 1);
}

static int read_bytes(const struct flight_source *from, struct flight *flight)
{
	struct flight_head *head = &flight->head;
	int rc;

	if (!read_at(from->fd, head, sizeof(*head), 0))
		return flight_refuse(
			from, -EPROTO,
			"is no flight recorder's file: it is too short");
	rc = check_head(from, head);
	if (rc != 0)
		return rc;
	flight->bytes = aligned_alloc(ROW_ALIGN, padded(head->bytes));
	if (!flight->bytes)
		return flight_refuse(from, -ENOMEM, "no memory to read it");
	if (!read_at(from->fd, flight->bytes, head->bytes, 0))
		return flight_refuse(from, -EPROTO, "is cut off");
	return 0;
}

/* Reads a row again until its look is whole; else that has nothing. */
static void settle_row(const struct flight_source *from, struct flight *flight,
		       unsigned i)
{
	struct flight_thread *row = flight_row(flight, i);
	const uint64_t place = (uint64_t)((unsigned char *)row - flight->bytes);
	struct flight_look again;

	for (int n = 0; n < LOOKS; n++) {
		if (!read_at(from->fd, &again, sizeof(again),
			     place + offsetof(struct flight_thread, look)))
			break;
		if (again.changes % 2 == 0 &&
		    again.changes == row->look.changes)
			return;
		row->look = again;
	}
	row->look.n_waits = 0;
	row->look.at = 0;
}

/* Likewise; else there are none. */
static void settle_slices(const struct flight_source *from,
			  struct flight *flight)
{
	struct flight_slices *slices = &flight->slices;
	struct flight_slices again;

	if (flight->head.threads_at < FLIGHT_SLICES_AT + sizeof(again))
		return;
	memcpy(slices, flight->bytes + FLIGHT_SLICES_AT, sizeof(*slices));
	for (int n = 0; n < LOOKS; n++) {
		if (!read_at(from->fd, &again, sizeof(again), FLIGHT_SLICES_AT))
			break;
		if (again.changes % 2 == 0 && again.changes == slices->changes)
			return;
		*slices = again;
	}
	*slices = (struct flight_slices){ 0 };
}

/*
 * The entries that were there during the whole copy.  One more is left out, as
 * it may have been written while its number was not shown yet.
 */
static int settle_ring(const struct flight_source *from, struct flight *flight,
		       unsigned i)
{
	const struct flight_thread *row = flight_row(flight, i);
	const uint32_t size = row->n_calls;
	uint64_t later = row->entered;
	uint64_t over;

	if (size == 0)
		return 0;
	if ((size & (size - 1)) != 0 ||
	    !lies_within(&flight->head, row->calls_at, size,
			 sizeof(struct flight_call)))
		return flight_refuse_damaged(from, "ring of calls");
	read_at(from->fd, &later, sizeof(later),
		(uint64_t)((const unsigned char *)row - flight->bytes));
	over = later - row->entered;
	if (row->entered < size && later < size)
		flight->n_calls[i] = (uint32_t)row->entered;
	else if (later >= row->entered && over < size - 1)
		flight->n_calls[i] = size - 1 - (uint32_t)over;
	if (flight->n_calls[i] > row->entered)
		flight->n_calls[i] = (uint32_t)row->entered;
	return 0;
}

static int settle(const struct flight_source *from, struct flight *flight)
{
	struct flight_look *look;
	int rc = 0;

	for (unsigned i = 0; i < flight->head.n_threads && rc == 0; i++) {
		settle_row(from, flight, i);
		rc = settle_ring(from, flight, i);
		look = &flight_row(flight, i)->look;
		if (look->n_waits > FLIGHT_WAITS)
			rc = flight_refuse_damaged(from, "list of requests");
	}
	return rc;
}

static int take(const struct flight_source *from, struct flight *flight)
{
	int rc = read_bytes(from, flight);

	if (rc == 0)
		rc = settle(from, flight);
	if (rc == 0)
		settle_slices(from, flight);
	if (rc == 0)
		rc = flight_log_check(from, flight);
	if (rc == 0)
		rc = flight_log_names(from, flight);
	return rc;
}

void flight_close(struct flight *flight)
{
	if (!flight)
		return;
	free(flight->names);
	free(flight->bytes);
	free(flight);
}

/* Threads may have called MPI after they were looked at last. */
static void find_until(struct flight *flight)
{
	const struct flight_call *call;
	uint64_t end;

	flight->until = flight->head.ticks;
	for (unsigned i = 0; i < flight->head.n_threads; i++) {
		if (flight->n_calls[i] == 0)
			continue;
		call = flight_call(flight, i, 0);
		end = flight_call_end(call, call->start);
		if (end > flight->until)
			flight->until = end;
	}
}

int flight_open(struct flight **flight_p, const char *path,
		enum reading_from from, char *why, size_t why_size)
{
	const struct flight_source source = { .fd = reading_open(path, from),
					      .path = path,
					      .why = why,
					      .why_size = why_size };
	struct flight *flight;
	int rc;

	if (source.fd < 0)
		return flight_refuse(&source, source.fd,
				     reading_text(source.fd, from));
	flight = calloc(1, sizeof(*flight));
	rc = flight ? take(&source, flight)
		    : flight_refuse(&source, -ENOMEM, "no memory to read it");
	close(source.fd);
	if (rc == 0) {
		find_until(flight);
		*flight_p = flight;
	} else {
		flight_close(flight);
	}
	return rc;
}

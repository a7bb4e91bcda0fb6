/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes which call each thread is in, and what it waits for. */
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "mds/mmds/mmds.h"
#include "mds/record/record.h"
#include "pmpi-shim/dump/dump_now.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/calls/comms.h"
#include "pmpi-shim/record/calls/requests.h"
#include "pmpi-shim/record/peer_columns.h"
#include "pmpi-shim/shim.h"

bool (*dump_now_is_ready)(MPI_Request handle);

#define HANDLES_READ 256

static void put_begin(struct record_writer *writer,
		      const struct mmds_thread *thread,
		      const struct mmds_frame *now)
{
	const uint64_t until = mmds_until();

	record_put_u64(writer, thread->id);
	record_put_str(writer, mmds_self.names[now->call]);
	record_put_u64(writer, now->slot ? now->slot->path : 0);
	record_put_u64(writer, mmds_is_timed(now) && until > now->start
				       ? clock_to_ns(until - now->start)
				       : 0);
}

static void write_call(struct record_writer *writer,
		       const struct mmds_thread *thread,
		       const struct mmds_frame *now)
{
	const bool has_peer = now->peer >= 0 || now->peer == MPI_ANY_SOURCE;

	put_begin(writer, thread, now);
	record_put_str(writer, "");
	peer_columns_rank_or_tag(writer, has_peer, now->peer);
	peer_columns_rank_or_tag(writer, has_peer, now->tag);
	peer_columns_comm(writer, now->comm);
	record_put_u64(writer, 0);
	record_row_end(writer);
}

static const char *wait_name(const struct dump_wait *wait)
{
	if (wait->is_coll)
		return mmds_self.names[mmds_key_call(wait->key)];
	return wait->is_send ? "send" : "receive";
}

static void write_request(struct record_writer *writer,
			  const struct mmds_thread *thread,
			  const struct mmds_frame *now,
			  const struct dump_wait *wait)
{
	put_begin(writer, thread, now);
	record_put_str(writer, wait_name(wait));
	peer_columns_rank_or_tag(writer, !wait->is_coll, wait->peer);
	peer_columns_rank_or_tag(writer, !wait->is_coll, wait->tag);
	peer_columns_comm(writer, wait->comm);
	record_put_u64(writer, mmds_key_path(wait->key));
	record_row_end(writer);
}

static bool is_transfer(const struct shim_request *request)
{
	return request->kind == SHIM_REQUEST_SEND ||
	       request->kind == SHIM_REQUEST_RECV;
}

/* A request that is done is not what the call waits for. */
static bool has_come(MPI_Request handle)
{
	return dump_now_is_ready && dump_now_is_ready(handle);
}

/*
 * Copies the program's array of requests. Another thread's call may be over by
 * now, so the kernel does the reading: it returns an error where a load would
 * fault.
 */
static size_t read_handles(const struct mmds_frame *now, MPI_Request *handles)
{
	const size_t n = now->n_requests < HANDLES_READ ? now->n_requests
							: HANDLES_READ;
	const struct iovec to = { handles, n * sizeof(*handles) };
	const struct iovec from = { (void *)now->requests, to.iov_len };
	const ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);

	return got < 0 ? 0 : (size_t)got / sizeof(*handles);
}

static struct dump_wait wait_of(const struct shim_request *r)
{
	const bool is_coll = r->kind == SHIM_REQUEST_COLLECTIVE;

	return (struct dump_wait){
		.is_send = r->kind == SHIM_REQUEST_SEND,
		.is_coll = is_coll,
		.key = r->key,
		.peer = r->peer,
		.tag = r->tag,
		.comm = is_coll ? r->row : shim_comm_row(r->comm),
	};
}

/*
 * Requests that completed are set to null by MPI only when the call returns.
 * Whether a collective is done, its own thread alone may ask.
 */
static bool is_waited_for(const struct shim_request *r, MPI_Request handle,
			  bool colls)
{
	if (!r || !r->active)
		return false;
	return colls ? r->kind == SHIM_REQUEST_COLLECTIVE
		     : is_transfer(r) && !has_come(handle);
}

static size_t find_waits(const MPI_Request *handles, size_t n, bool colls,
			 struct dump_wait *waits)
{
	size_t found = 0;

	for (size_t i = 0; i < n && found < DUMP_NOW_WAITS; i++) {
		const struct shim_request *r = shim_request_find(handles[i]);

		if (is_waited_for(r, handles[i], colls))
			waits[found++] = wait_of(r);
	}
	return found;
}

size_t dump_now_waits(const struct mmds_frame *now,
		      struct dump_wait waits[DUMP_NOW_WAITS])
{
	MPI_Request handles[HANDLES_READ];
	const size_t n = read_handles(now, handles);
	const size_t found = find_waits(handles, n, false, waits);

	return found ? found : find_waits(handles, n, true, waits);
}

static void write_thread(struct record_writer *writer,
			 const struct mmds_thread *thread)
{
	const struct mmds_frame now = *thread->now;
	struct dump_wait waits[DUMP_NOW_WAITS];
	const size_t n = dump_now_waits(&now, waits);

	for (size_t i = 0; i < n; i++)
		write_request(writer, thread, &now, &waits[i]);
	if (n == 0)
		write_call(writer, thread, &now);
}

/*
 * MPI_Finalize is not recorded while it runs: its time is outside of the
 * account.
 */
static void write_finalize(struct record_writer *writer)
{
	record_put_u64(writer, 0);
	record_put_str(writer, mmds_self.names[SHIM_MPI_Finalize]);
	record_put_u64(writer, 0);
	record_put_u64(writer, clock_to_ns(clock_ticks() - process.finalizing));
	record_put_str(writer, "");
	peer_columns_rank_or_tag(writer, false, 0);
	peer_columns_rank_or_tag(writer, false, 0);
	peer_columns_comm(writer, MMDS_NONE);
	record_put_u64(writer, 0);
	record_row_end(writer);
}

void dump_now_write(struct record_writer *writer)
{
	record_table_begin(writer, "now", 1,
			   "thread call path since_ns waits_for peer tag "
			   "communicator begun");
	for (struct mmds_thread *t = mmds_threads(); t; t = t->next)
		if (t->inside && !t->ended)
			write_thread(writer, t);
	if (process.finalizing)
		write_finalize(writer);
	record_table_end(writer);
}

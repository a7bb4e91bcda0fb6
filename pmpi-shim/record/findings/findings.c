/* SPDX-License-Identifier: BSD-3-Clause */

/* Counts faults of the program, and writes their table. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "abi.h"
#include "mds/base/arena.h"
#include "mds/base/pool.h"
#include "mds/mmds/mmds.h"
#include "mds/record/record.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/record/findings/findings.h"
#include "pmpi-shim/record/peer_columns.h"

#define HEADS    256
#define ROWS_MAX 8192

static const char *const names[FINDING_KINDS] = {
	[FINDING_COMM] = "communicator-not-freed",
	[FINDING_TYPE] = "datatype-not-freed",
	[FINDING_OP] = "operation-not-freed",
	[FINDING_GROUP] = "group-not-freed",
	[FINDING_WIN] = "window-not-freed",
	[FINDING_INFO] = "info-not-freed",
	[FINDING_ERRHANDLER] = "errhandler-not-freed",
	[FINDING_KEYVAL] = "keyval-not-freed",
	[FINDING_FILE] = "file-not-closed",
	[FINDING_MEMORY] = "memory-not-freed",
	[FINDING_BUFFER] = "buffer-not-detached",
	[FINDING_REQUEST] = "request-not-completed",
	[FINDING_PERSISTENT] = "request-not-freed",
	[FINDING_RECEIVE] = "receive-not-matched",
	[FINDING_PROBED] = "message-not-received",
	[FINDING_MESSAGE] = "message-not-received",
	[FINDING_UNLIKE] = "type-mismatch",
	[FINDING_OVERLAP] = "receives-overlap",
	[FINDING_CHANGED] = "buffer-changed",
	[FINDING_TOUCHED] = "receive-touched",
	[FINDING_RACE] = "message-race",
	[FINDING_FREED] = "receive-freed",
	[FINDING_THREAD] = "thread-level",
	[FINDING_UNLOCKED] = "access-not-locked",
	[FINDING_CONFLICT] = "accesses-conflict",
	[FINDING_OP_TYPE] = "operation-type",
	[FINDING_IDLE] = "request-not-started",
	[FINDING_COPIED] = "buffers-overlap",
	[FINDING_READ] = "receive-sent",
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct finding_row *heads[HEADS];
static struct finding_row *_Atomic rows; /* newest first, for the writer */
static unsigned n_rows;
static _Atomic int error; /* that the program ends for */
static uint64_t error_key;
static uint32_t mismatch_comm = MMDS_NONE; /* its row */
static struct finding_about truncated;     /* the last message that was */
static const char *outside; /* when the program's last call was made, or NULL */
static uint64_t outside_key;
static uint64_t two_inside = FINDING_NO_CALL;

static bool is_alike(const struct finding_about *a,
		     const struct finding_about *b)
{
	return a->what == b->what && a->key == b->key && a->comm == b->comm &&
	       a->peer == b->peer && a->tag == b->tag && a->other == b->other &&
	       a->other_site == b->other_site &&
	       strcmp(a->detail, b->detail) == 0;
}

static struct finding_row **head_of(const struct finding_about *about)
{
	const uint64_t peer = (uint64_t)(uint32_t)about->peer << 32 |
			      (uint32_t)about->tag;

	return &heads[pool_hash(about->key, peer ^ about->what) % HEADS];
}

static struct finding_row *add(const struct finding_about *about,
			       struct finding_row **head)
{
	struct finding_row *row = NULL;

	if (n_rows < ROWS_MAX)
		row = arena_alloc(sizeof(*row));
	if (!row)
		return NULL;
	n_rows++;
	row->about = *about;
	row->alike = *head;
	*head = row;
	row->next = atomic_load_explicit(&rows, memory_order_relaxed);
	/* Orders the row before the pointer that shows it to the writer. */
	atomic_store_explicit(&rows, row, memory_order_release);
	return row;
}

struct finding_row *findings_row(const struct finding_about *about)
{
	struct finding_row **head = head_of(about);
	struct finding_row *row;

	pthread_mutex_lock(&lock);
	row = *head;
	while (row && !is_alike(&row->about, about))
		row = row->alike;
	if (!row)
		row = add(about, head);
	pthread_mutex_unlock(&lock);
	return row;
}

void findings_count(const struct finding_about *about)
{
	struct finding_row *row = NULL;

	if (process.recording)
		row = findings_row(about);
	if (row)
		row->n++;
}

static void put_call(struct record_writer *writer, uint64_t key)
{
	const bool is_one = key != FINDING_NO_CALL;

	record_put_str(writer,
		       is_one ? mmds_self.names[mmds_key_call(key)] : "");
	record_put_u64(writer, is_one ? mmds_key_path(key) : 0);
}

/* The other end of a message. */
static void put_other(struct record_writer *writer,
		      const struct finding_about *about)
{
	if (about->other)
		record_put_u64(writer, about->other - 1);
	else
		record_put_str(writer, "");
	record_put_u64(writer, about->other_site);
	record_put_str(writer, about->detail);
}

static void write_row(struct record_writer *writer,
		      const struct finding_row *row, int64_t n)
{
	const struct finding_about *a = &row->about;
	const bool has_peer = a->comm != MMDS_NONE;

	record_put_str(writer, names[a->what]);
	put_call(writer, a->key);
	record_put_u64(writer, (uint64_t)n);
	peer_columns_comm(writer, a->comm);
	peer_columns_rank_or_tag(writer, has_peer, a->peer);
	peer_columns_rank_or_tag(writer, has_peer, a->tag);
	record_put_str(writer, "");
	put_other(writer, a);
	record_row_end(writer);
}

static const struct finding_about nothing = { .comm = MMDS_NONE };

/* A fault that has a sentence of its own, and maybe another end. */
static void write_ends(struct record_writer *writer, const char *what,
		       uint64_t key, const char *text,
		       const struct finding_about *about)
{
	record_put_str(writer, what);
	put_call(writer, key);
	record_put_u64(writer, 1);
	peer_columns_comm(writer, about->comm);
	peer_columns_rank_or_tag(writer, about->other, about->peer);
	peer_columns_rank_or_tag(writer, about->other, about->tag);
	record_put_str(writer, text);
	put_other(writer, about);
	record_row_end(writer);
}

static void write_told(struct record_writer *writer, const char *what,
		       uint64_t key, const char *text)
{
	write_ends(writer, what, key, text, &nothing);
}

/* The call of a thread that is in one; another thread may write the record. */
static uint64_t key_blocked(void)
{
	for (const struct mmds_thread *t = mmds_threads(); t; t = t->next)
		if (t->inside && !t->ended && t->now->slot)
			return mmds_frame_key(t->now);
	return FINDING_NO_CALL;
}

static const char *class_name(int class)
{
	static const struct {
		int class;
		const char *name;
	} classes[] = {
#define CLASS(name) { name, #name }
		CLASS(MPI_ERR_BUFFER),   CLASS(MPI_ERR_COUNT),
		CLASS(MPI_ERR_TYPE),     CLASS(MPI_ERR_TAG),
		CLASS(MPI_ERR_COMM),     CLASS(MPI_ERR_RANK),
		CLASS(MPI_ERR_ROOT),     CLASS(MPI_ERR_GROUP),
		CLASS(MPI_ERR_OP),       CLASS(MPI_ERR_TOPOLOGY),
		CLASS(MPI_ERR_DIMS),     CLASS(MPI_ERR_ARG),
		CLASS(MPI_ERR_TRUNCATE), CLASS(MPI_ERR_INTERN),
		CLASS(MPI_ERR_REQUEST),  CLASS(MPI_ERR_KEYVAL),
		CLASS(MPI_ERR_WIN),      CLASS(MPI_ERR_INFO),
		CLASS(MPI_ERR_FILE),     CLASS(MPI_ERR_RMA_SYNC),
		CLASS(MPI_ERR_PENDING),  CLASS(MPI_ERR_IN_STATUS),
		CLASS(MPI_ERR_NO_MEM),   CLASS(MPI_ERR_BASE),
#undef CLASS
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (classes[i].class == class)
			return classes[i].name;
	return "MPI_ERR_OTHER";
}

static void write_truncation(struct record_writer *writer, const char *text)
{
	const bool is_known = truncated.detail[0] && truncated.key == error_key;

	write_ends(writer, "truncation", error_key, text,
		   is_known ? &truncated : &nothing);
}

/* Without stdio: a signal handler may be about it. */
static void write_error(struct record_writer *writer)
{
	const int class = abi_error_class(error);
	char text[128];

	stpcpy(stpcpy(stpcpy(text, error_key == FINDING_NO_CALL
					   ? "a call"
					   : mmds_self.names[mmds_key_call(
						     error_key)]),
		      " failed with "),
	       class_name(class));
	if (class == MPI_ERR_TRUNCATE)
		write_truncation(writer, text);
	else
		write_told(writer, "mpi-error", error_key, text);
}

void findings_error(int code)
{
	error_key = findings_key_now();
	error = code;
}

void findings_mismatch(uint32_t comm)
{
	mismatch_comm = comm;
}

void findings_truncated(const struct finding_about *about)
{
	truncated = *about;
}

void findings_two_inside(uint64_t key)
{
	two_inside = key;
}

void findings_outside(uint64_t key, bool early)
{
	outside_key = key;
	outside = early ? " was called before MPI_Init"
			: " was called after MPI_Finalize";
}

uint64_t findings_key_now(void)
{
	const struct mmds_thread *thread = mmds_thread;

	return thread && thread->inside && thread->now->slot
		       ? mmds_frame_key(thread->now)
		       : FINDING_NO_CALL;
}

static void write_outside(struct record_writer *writer)
{
	char text[128];

	stpcpy(stpcpy(text, mmds_self.names[mmds_key_call(outside_key)]),
	       outside);
	write_told(writer, "call-outside", outside_key, text);
}

static void write_crash(struct record_writer *writer, const char *reason)
{
	const uint64_t key = key_blocked();
	char text[96];
	char *at = stpcpy(stpcpy(text, "ended by "), reason);

	if (key == FINDING_NO_CALL)
		stpcpy(at, " outside of MPI's calls");
	else
		stpcpy(stpcpy(at, " in "), mmds_self.names[mmds_key_call(key)]);
	write_told(writer, "crash", key, text);
}

static void write_end(struct record_writer *writer, const char *reason)
{
	if (strcmp(reason, "signal 11") == 0 || strcmp(reason, "signal 7") == 0)
		write_crash(writer, reason);
	if (strcmp(reason, "exit") == 0 && process.status == 0 &&
	    process.rank >= 0 && error == MPI_SUCCESS)
		write_told(writer, "not-finalized", FINDING_NO_CALL,
			   "the program ended without MPI_Finalize");
}

void findings_write(struct record_writer *writer, const char *reason)
{
	const bool at_end = strcmp(reason, "finalize") == 0;
	/* Orders the pointer before what it points at. */
	const struct finding_row *row = atomic_load_explicit(
		&rows, memory_order_acquire);
	int64_t n;

	record_table_begin(writer, "findings", 1,
			   "finding call path count communicator peer tag "
			   "text other other_path detail");
	if (process.mismatch[0])
		write_ends(writer, "collective-mismatch", process.mismatch_key,
			   process.mismatch,
			   &(struct finding_about){ .comm = mismatch_comm });
	if (process.deadlock[0])
		write_told(writer, "deadlock", key_blocked(), process.deadlock);
	/* A mismatch ends in an error of ours. */
	if (error != MPI_SUCCESS && !process.mismatch[0])
		write_error(writer);
	write_end(writer, reason);
	if (outside)
		write_outside(writer);
	if (two_inside != FINDING_NO_CALL)
		write_told(writer, names[FINDING_THREAD], two_inside, "");
	for (; row; row = row->next) {
		n = atomic_load_explicit(&row->n, memory_order_relaxed);
		if (n > 0 && (at_end || row->about.what >= FINDING_OBJECTS))
			write_row(writer, row, n);
	}
	record_table_end(writer);
}

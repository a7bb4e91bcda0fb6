/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes the flight recorder's file: its head, its log, and who has a ring. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mds/base/clock.h"
#include "mds/base/modules.h"
#include "mds/flight/flight.h"
#include "mds/flight/flight_file.h"

_Static_assert(sizeof(struct flight_call) == 32, "two in a line");

static struct flight_file file;
static struct flight_head *head; /* NULL: there is no file */
static unsigned n_taken;         /* rings */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t log_used;
static uint32_t n_modules; /* that the log has */

static void *at(size_t place)
{
	return (char *)head + place;
}

static void rows_fill(struct flight_head *facts, unsigned n_threads)
{
	struct flight_thread *rows = at(facts->threads_at);
	uint32_t place = facts->log_at + facts->log_room;

	for (unsigned i = 0; i < n_threads; i++) {
		const uint32_t n = i ? FLIGHT_MORE : FLIGHT_CALLS;

		rows[i].calls_at = place;
		place += n * (uint32_t)sizeof(struct flight_call);
	}
}

/* Where the parts of the file are; returns its size. */
static uint32_t lay_out(struct flight_head *facts, bool threads)
{
	const unsigned n = threads ? FLIGHT_THREADS : 1;
	const unsigned n_calls = FLIGHT_CALLS + (n - 1) * FLIGHT_MORE;

	facts->magic = FLIGHT_MAGIC;
	facts->version = FLIGHT_VERSION;
	facts->n_threads = n;
	facts->threads_at = 1024;
	facts->log_at = 8192;
	facts->log_room = FLIGHT_LOG;
	facts->bytes = facts->log_at + facts->log_room +
		       n_calls * (uint32_t)sizeof(struct flight_call);
	return facts->bytes;
}

_Static_assert(sizeof(struct flight_head) <= FLIGHT_SLICES_AT, "the head fits");
_Static_assert(FLIGHT_SLICES_AT + sizeof(struct flight_slices) <= 1024,
	       "the slices fit");
_Static_assert(1024 + FLIGHT_THREADS * sizeof(struct flight_thread) <= 8192,
	       "the rows of threads fit");

static uint32_t padded(size_t size)
{
	return (uint32_t)((size + 7) & ~(size_t)7);
}

/* The place of a new entry, which nobody sees yet; NULL if there is no room. */
static void *log_begin(enum flight_kind kind, uint32_t number, size_t size)
{
	struct flight_entry *entry = at(head->log_at + log_used);

	if (padded(size) > FLIGHT_LOG - log_used) {
		head->log_lost++;
		return NULL;
	}
	entry->kind = (uint16_t)kind;
	entry->bytes = (uint16_t)padded(size);
	entry->number = number;
	return entry;
}

static void log_end(const struct flight_entry *entry)
{
	log_used += entry->bytes;
	/* Orders the entry before the size that shows it. */
	__atomic_store_n(&head->log_used, log_used, __ATOMIC_RELEASE);
}

static void log_names(const struct flight_options *options)
{
	struct flight_entry *entry;
	size_t size = sizeof(*entry);
	char *to;

	for (unsigned i = 0; i < options->n_names; i++)
		size += strlen(options->names[i]) + 1;
	entry = log_begin(FLIGHT_NAMES, 0, size);
	if (!entry)
		return;
	to = (char *)(entry + 1);
	for (unsigned i = 0; i < options->n_names; i++)
		to = stpcpy(to, options->names[i]) + 1;
	log_end(entry);
}

int flight_start(const struct flight_options *options)
{
	struct flight_head facts = options->facts;
	const uint32_t bytes = lay_out(&facts, options->threads);
	int rc = flight_file_make(&file, options->dir, options->name, bytes);

	if (rc != 0)
		return rc;
	head = file.memory;
	facts.begun = clock_ticks();
	rows_fill(&facts, facts.n_threads);
	*head = facts;
	flight_moment(true);
	log_names(options);
	rc = flight_file_show(&file);
	if (rc != 0)
		head = NULL;
	return rc;
}

void flight_remove(void)
{
	if (head)
		flight_file_remove(&file);
}

bool flight_ring_take(struct flight_ring *ring, unsigned id)
{
	const uint32_t n = n_taken ? FLIGHT_MORE : FLIGHT_CALLS;
	struct flight_thread *row;

	if (!head || n_taken == head->n_threads)
		return false;
	row = (struct flight_thread *)at(head->threads_at) + n_taken;
	ring->row = row;
	ring->entered = &row->entered;
	ring->calls = at(row->calls_at);
	ring->end = ring->calls + n;
	row->id = id;
	/* Orders the row before the size that shows it. */
	__atomic_store_n(&row->n_calls, n, __ATOMIC_RELEASE);
	n_taken++;
	return true;
}

static void log_module(uint32_t number)
{
	const struct module *from = modules_get(number);
	const size_t len = strnlen(from->file, PATH_MAX);
	struct flight_module *to;

	to = log_begin(FLIGHT_MODULE, number, sizeof(*to) + len + 1);
	if (!to)
		return;
	to->id_len = from->id_len;
	memcpy(to->id, from->id, sizeof(to->id));
	memcpy(to + 1, from->file, len);
	((char *)(to + 1))[len] = '\0';
	log_end(&to->entry);
}

_Static_assert(FLIGHT_ID_BYTES == MODULES_ID_BYTES, "ids are copied");

static void log_path(uint32_t number, uint32_t parent, uint32_t module,
		     uint64_t offset)
{
	struct flight_path *to;

	for (; n_modules < modules_count(); n_modules++)
		log_module(n_modules);
	to = log_begin(FLIGHT_PATH, number, sizeof(*to));
	if (!to)
		return;
	to->offset = offset;
	to->module = module;
	to->parent = parent;
	log_end(&to->entry);
}

void flight_path(uint32_t number, uint32_t parent, uint32_t module,
		 uint64_t offset)
{
	if (!head)
		return;
	pthread_mutex_lock(&lock);
	log_path(number, parent, module, offset);
	pthread_mutex_unlock(&lock);
}

static void log_comm(uint32_t number, uint64_t id, uint32_t size, uint32_t rank,
		     const char *name)
{
	const size_t len = strnlen(name, FLIGHT_TEXT - 1);
	struct flight_comm *to;

	to = log_begin(FLIGHT_COMM, number, sizeof(*to) + len + 1);
	if (!to)
		return;
	to->id = id;
	to->size = size;
	to->rank = rank;
	memcpy(to + 1, name, len);
	((char *)(to + 1))[len] = '\0';
	log_end(&to->entry);
}

void flight_comm(uint32_t number, uint64_t id, uint32_t size, uint32_t rank,
		 const char *name)
{
	if (!head)
		return;
	pthread_mutex_lock(&lock);
	log_comm(number, id, size, rank, name);
	pthread_mutex_unlock(&lock);
}

void flight_deadlock(const char *text)
{
	const size_t size = strlen(text) + 1;
	struct flight_entry *to;

	if (!head)
		return;
	pthread_mutex_lock(&lock);
	to = log_begin(FLIGHT_DEADLOCK, 0, sizeof(*to) + size);
	if (to) {
		memcpy(to + 1, text, size);
		log_end(to);
	}
	pthread_mutex_unlock(&lock);
}

void flight_moment(bool recording)
{
	uint64_t ticks;
	uint64_t ns;

	if (!head)
		return;
	clock_pair(&ticks, &ns);
	head->ticks = ticks;
	head->ns = ns;
	head->ns_per_tick_32 = atomic_load(&clock_self.ns_per_tick_32);
	head->recording = recording;
}

void flight_show_slices(const struct flight_slices *slices)
{
	const size_t behind = sizeof(slices->changes);
	struct flight_slices *shown;
	uint32_t changes;

	if (!head)
		return;
	shown = at(FLIGHT_SLICES_AT);
	changes = shown->changes;
	/* Orders the odd count before what follows, and that before the even
	 * one. */
	__atomic_exchange_n(&shown->changes, changes + 1, __ATOMIC_ACQ_REL);
	memcpy((char *)shown + behind, (const char *)slices + behind,
	       sizeof(*shown) - behind);
	__atomic_store_n(&shown->changes, changes + 2, __ATOMIC_RELEASE);
}

bool flight_mend(const void *address)
{
	const char *const begin = file.memory;
	const char *const where = address;

	if (!head || where < begin || where >= begin + file.bytes)
		return false;
	return mmap(file.memory, file.bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) != MAP_FAILED;
}

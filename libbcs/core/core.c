/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * All or none: everything that may fail is checked before the first write, with
 * the order held, so that nothing changes in between.
 *
 * Signals are added while the order is held, so they come in the order of the
 * operations.  Sleepers are woken after it is released, because a wake-up is a
 * system call that others should not wait for.
 */
#include <assert.h>
#include <errno.h>
#include <stdatomic.h>

#include "libbcs/core/core.h"
#include "libbcs/core/fabric.h"

static bool is_place(const struct fabric *fabric, uint64_t offset,
		     uint64_t bytes)
{
	return bytes <= fabric->bytes && offset <= fabric->bytes - bytes;
}

static bool is_aligned(const struct fabric *fabric, uint64_t offset,
		       uint64_t bytes)
{
	return offset % bytes == 0 && is_place(fabric, offset, bytes);
}

static bool is_variable(const struct fabric *fabric, uint64_t offset)
{
	return is_aligned(fabric, offset, sizeof(int64_t));
}

static bool is_event(const struct fabric *fabric, uint64_t offset)
{
	return is_aligned(fabric, offset, sizeof(uint32_t));
}

static bool is_event_or_none(const struct fabric *fabric, uint64_t offset)
{
	return offset == CORE_NO_EVENT || is_event(fabric, offset);
}

static bool is_set(const struct fabric *fabric, const struct core_set *set)
{
	return core_set_next(set, fabric->n_members) >= set->n;
}

static bool is_xfer(const struct fabric *fabric, const struct core_xfer *xfer)
{
	return is_place(fabric, xfer->offset, xfer->bytes) &&
	       is_event_or_none(fabric, xfer->local_event) &&
	       is_event_or_none(fabric, xfer->remote_event);
}

/* Enters the order if all members of the set are attached. */
static int begin(struct fabric *fabric, const struct core_set *set)
{
	int rc = fabric->ops->enter(fabric);

	if (rc)
		return rc;
	rc = fabric->ops->reach(fabric, set);
	if (rc)
		fabric->ops->leave(fabric);
	return rc;
}

static void signal_all(struct fabric *fabric, const struct core_set *set,
		       uint64_t event)
{
	if (event != CORE_NO_EVENT)
		fabric->ops->signal(fabric, set, event);
}

static void wake_all(struct fabric *fabric, const struct core_set *set,
		     uint64_t event)
{
	if (event != CORE_NO_EVENT)
		fabric->ops->wake(fabric, set, event);
}

int core_xfer_and_signal(struct fabric *fabric, const struct core_set *to,
			 const struct core_xfer *xfer)
{
	int rc;

	if (!is_set(fabric, to) || !is_xfer(fabric, xfer))
		return -EINVAL;
	rc = begin(fabric, to);
	if (rc)
		return rc;
	if (xfer->bytes > 0)
		fabric->ops->put(fabric, to, xfer->offset, xfer->block,
				 xfer->bytes);
	signal_all(fabric, to, xfer->remote_event);
	signal_all(fabric, &fabric->self, xfer->local_event);
	fabric->ops->leave(fabric);

	wake_all(fabric, to, xfer->remote_event);
	wake_all(fabric, &fabric->self, xfer->local_event);
	return 0;
}

int core_test_event(struct fabric *fabric, uint64_t event, uint64_t deadline_ns)
{
	if (!is_event(fabric, event))
		return -EINVAL;
	return fabric->ops->wait(fabric, event, deadline_ns);
}

int core_compare_and_write(struct fabric *fabric, const struct core_set *on,
			   const struct core_condition *condition,
			   const struct core_assignment *assignment,
			   bool *holds)
{
	struct core_query query = { .on = on, .condition = *condition };
	int rc;

	if (!is_set(fabric, on) || !is_variable(fabric, condition->offset) ||
	    (assignment && !is_variable(fabric, assignment->offset)))
		return -EINVAL;
	rc = begin(fabric, on);
	if (rc)
		return rc;
	fabric->ops->compare(fabric, &query, 1);
	if (query.holds && assignment) {
		query.assignment = *assignment;
		fabric->ops->assign(fabric, &query, 1);
	}
	fabric->ops->leave(fabric);
	*holds = query.holds;
	return 0;
}

static bool is_query(const struct fabric *fabric,
		     const struct core_query *query)
{
	return is_set(fabric, query->on) &&
	       is_variable(fabric, query->condition.offset) &&
	       is_variable(fabric, query->assignment.offset);
}

static int reach_all(struct fabric *fabric, const struct core_query *queries,
		     uint32_t n)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < n; i++)
		rc = fabric->ops->reach(fabric, queries[i].on);
	return rc;
}

int core_compare_and_write_all(struct fabric *fabric,
			       struct core_query *queries, uint32_t n)
{
	int rc;

	for (uint32_t i = 0; i < n; i++)
		if (!is_query(fabric, &queries[i]))
			return -EINVAL;
	rc = fabric->ops->enter(fabric);
	if (rc)
		return rc;
	rc = reach_all(fabric, queries, n);
	if (rc == 0) {
		fabric->ops->compare(fabric, queries, n);
		fabric->ops->assign(fabric, queries, n);
	}
	fabric->ops->leave(fabric);
	return rc;
}

/*
 * Sequentially consistent, like the events.  One member stores a variable, then
 * reads an event; another signals that event, then compares the variable.  If
 * the first finds no signal, the second sees its store.
 */
static _Atomic int64_t *variable(struct fabric *fabric, uint64_t offset)
{
	assert(is_variable(fabric, offset));
	return (_Atomic int64_t *)(void *)(fabric->memory + offset);
}

int64_t core_load(struct fabric *fabric, uint64_t offset)
{
	return atomic_load(variable(fabric, offset));
}

void core_store(struct fabric *fabric, uint64_t offset, int64_t value)
{
	atomic_store(variable(fabric, offset), value);
}

void *core_block(struct fabric *fabric, uint64_t offset, uint64_t bytes)
{
	return is_place(fabric, offset, bytes) ? fabric->memory + offset : NULL;
}

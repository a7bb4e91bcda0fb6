/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Reads the memory of another process of the node.  The kernel may forbid it,
 * from the start or once that process gives up its rights.  Then that process
 * copies the bytes through shared memory, piece by piece: it lends them.  While
 * a thread waits for such a piece it lends, too, so that two processes that
 * read from each other both get on.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/uio.h>

#include "libbcs/base/copy.h"
#include "libbcs/strobe/process/strobe_process.h"
#include "mds/base/futex.h"

enum loan_state { LOAN_NONE, LOAN_ASKED, LOAN_TAKEN, LOAN_DONE };

static void serve(const struct strobe *strobe, struct strobe_loan *loan)
{
	uint32_t asked = LOAN_ASKED;

	/* Orders the request before the look, */
	if (atomic_load(&loan->state) != LOAN_ASKED ||
	    loan->from != strobe->me ||
	    !atomic_compare_exchange_strong(&loan->state, &asked, LOAN_TAKEN))
		return;
	memcpy(loan->bytes, (void *)(uintptr_t)loan->address, loan->n);
	/* and the bytes before the word that shows them. */
	atomic_store(&loan->state, LOAN_DONE);
}

bool strobe_lend(const struct strobe *strobe)
{
	if (!atomic_exchange(&strobe->slot->asked, 0))
		return false;
	for (uint32_t i = 0; i < strobe->n; i++)
		serve(strobe, &strobe_slot(strobe, i)->loan);
	return true;
}

static void borrow_piece(const struct strobe *strobe, uint32_t from,
			 uint64_t address, void *to, uint32_t bytes)
{
	struct strobe_loan *loan = &strobe->slot->loan;
	struct strobe_slot *owner = strobe_slot(strobe, from);

	loan->from = from;
	loan->address = address;
	loan->n = bytes;
	atomic_store(&loan->state, LOAN_ASKED);
	atomic_store(&owner->asked, 1);
	strobe_call(strobe, owner);
	while (atomic_load(&loan->state) != LOAN_DONE)
		if (!strobe_lend(strobe))
			sched_yield();
	memcpy(to, loan->bytes, bytes);
	atomic_store(&loan->state, LOAN_NONE);
}

/* One thread of the process at a time. */
static void borrow(struct strobe *strobe, uint32_t from, uint64_t address,
		   unsigned char *to, uint64_t bytes)
{
	uint32_t n;

	while (atomic_exchange(&strobe->borrowing, 1))
		if (!strobe_lend(strobe))
			sched_yield();
	for (uint64_t at = 0; at < bytes; at += n) {
		n = (uint32_t)copy_at_most(bytes - at, STROBE_LOAN);
		borrow_piece(strobe, from, address + at, to + at, n);
	}
	atomic_store(&strobe->borrowing, 0);
}

static bool may_read(struct strobe *strobe, uint32_t from)
{
	const struct strobe_slot *slot = strobe_slot(strobe, from);
	signed char reads = atomic_load(&strobe->reads[from]);

	if (!reads) {
		reads = copy_probe(slot->pid, (void *)(uintptr_t)slot->probe,
				   slot->probe_word) == 0
				? 1
				: -1;
		atomic_store(&strobe->reads[from], reads);
	}
	return reads > 0;
}

int strobe_read(struct strobe *strobe, uint32_t from, uint64_t address,
		void *to, uint64_t bytes)
{
	const pid_t pid = strobe_slot(strobe, from)->pid;
	const struct iovec local = { to, bytes };
	const struct iovec remote = { (void *)(uintptr_t)address, bytes };
	int rc;

	if (may_read(strobe, from)) {
		rc = copy_read(pid, &local, 1, &remote, 1);
		if (!copy_is_refused(pid, rc))
			return rc;
		atomic_store(&strobe->reads[from], -1);
	}
	borrow(strobe, from, address, to, bytes);
	return 0;
}

int strobe_write(struct strobe *strobe, uint32_t to, uint64_t address,
		 void *from, uint64_t bytes)
{
	const struct iovec local = { from, bytes };
	const struct iovec remote = { (void *)(uintptr_t)address, bytes };

	if (!may_read(strobe, to))
		return -EPERM;
	return copy_write(strobe_slot(strobe, to)->pid, &local, 1, &remote, 1);
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Records which requests were done, and from whom their receives came. MPI
 * overwrites handles of requests that are over, so they are copied before.
 */
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/again/again_open.h"
#include "pmpi-shim/again/again_parts.h"
#include "pmpi-shim/record/outcomes.h"
#include "pmpi-shim/route/base/route_forms.h"

#define REAL(name) (*again_recorded.MPI_##name)

#define FEW 32 /* requests that need no memory of their own */

struct batch {
	bool counts;          /* the call has an outcome */
	MPI_Request *was;     /* NULL: no receive among them is open */
	MPI_Status *statuses; /* the program's, or ours */
	void *memory;
	MPI_Request few[FEW];
	MPI_Status few_statuses[FEW];
};

static bool has_open(int n, const MPI_Request requests[])
{
	if (again_n_open)
		for (int i = 0; i < n; i++)
			if (again_open_number(requests[i]))
				return true;
	return false;
}

static void batch_begin(struct batch *b, int n, const MPI_Request requests[],
			MPI_Status statuses[])
{
	b->counts = again_counts();
	b->was = NULL;
	b->statuses = statuses;
	b->memory = NULL;
	if (!b->counts || !requests || !has_open(n, requests))
		return;
	if (n <= FEW) {
		b->was = b->few;
		b->statuses = b->few_statuses;
	} else {
		b->memory = malloc((size_t)n *
				   (sizeof(*b->statuses) + sizeof(*b->was)));
		b->statuses = b->memory;
		b->was = b->memory ? (void *)(b->statuses + n) : NULL;
	}
	if (!b->was || statuses != MPI_STATUSES_IGNORE)
		b->statuses = statuses;
	if (b->was)
		memcpy(b->was, requests, (size_t)n * sizeof(*b->was));
}

static void one_over(const struct batch *b, int request, int rc, int status)
{
	const MPI_Status *s = &b->statuses[status];

	if (rc == MPI_ERR_IN_STATUS)
		rc = s->MPI_ERROR;
	if (rc != MPI_ERR_PENDING)
		again_open_over(b->was[request], again_record_source(rc, s));
}

/* `n` of them are over, all or those of these indices. */
static int batch_end(struct batch *b, int rc, int n, const int indices[])
{
	if (b->was)
		for (int i = 0; i < n; i++)
			one_over(b, indices ? indices[i] : i, rc, i);
	free(b->memory);
	return rc;
}

static int Wait(MPI_Request *request, MPI_Status *status)
{
	struct batch b;
	int rc;

	batch_begin(&b, 1, request, status);
	rc = REAL(Wait)(request, b.statuses);
	return batch_end(&b, rc, 1, NULL);
}

static int Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
	struct batch b;
	int rc;

	batch_begin(&b, n, requests, statuses);
	rc = REAL(Waitall)(n, requests, b.statuses);
	return batch_end(&b, rc, n, NULL);
}

/* A test with an error is over: to wait has the same error. */
static bool tested(const struct batch *b, enum shim_call call, int rc,
		   const int *flag)
{
	const bool done = rc != MPI_SUCCESS || *flag;

	if (b->counts)
		outcomes_tell(call, done);
	return done;
}

static int Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	struct batch b;
	int rc;

	batch_begin(&b, 1, request, status);
	rc = REAL(Test)(request, flag, b.statuses);
	return batch_end(&b, rc, tested(&b, SHIM_MPI_Test, rc, flag), NULL);
}

static int Testall(int n, MPI_Request requests[], int *flag,
		   MPI_Status statuses[])
{
	struct batch b;
	int rc;

	batch_begin(&b, n, requests, statuses);
	rc = REAL(Testall)(n, requests, flag, b.statuses);
	return batch_end(&b, rc, tested(&b, SHIM_MPI_Testall, rc, flag) ? n : 0,
			 NULL);
}

static int Request_get_status(MPI_Request request, int *flag,
			      MPI_Status *status)
{
	const bool counts = again_counts();
	const int rc = REAL(Request_get_status)(request, flag, status);

	if (counts)
		outcomes_tell(SHIM_MPI_Request_get_status,
			      rc != MPI_SUCCESS || *flag);
	return rc;
}

/* 0: none was active. */
static uint64_t index_value(const int *index)
{
	return index && *index >= 0 ? (uint64_t)*index + 1 : 0;
}

static int Waitany(int n, MPI_Request requests[], int *index,
		   MPI_Status *status)
{
	struct batch b;
	int rc;

	batch_begin(&b, n, requests, status);
	rc = REAL(Waitany)(n, requests, index, b.statuses);
	if (b.counts)
		outcomes_tell(SHIM_MPI_Waitany, index_value(index));
	return batch_end(&b, rc, index_value(index) > 0, index);
}

/* 0: none was done; 1: none was active. */
static int Testany(int n, MPI_Request requests[], int *index, int *flag,
		   MPI_Status *status)
{
	struct batch b;
	bool done;
	int rc;

	batch_begin(&b, n, requests, status);
	rc = REAL(Testany)(n, requests, index, flag, b.statuses);
	done = rc != MPI_SUCCESS || *flag;
	if (b.counts)
		outcomes_tell(SHIM_MPI_Testany,
			      done ? index_value(index) + 1 : 0);
	return batch_end(&b, rc, done && index_value(index) > 0, index);
}

/* A number, of 0 if none was active, or a list of those that were done. */
static int some_end(struct batch *b, enum shim_call call, int rc,
		    const int *count, const int indices[])
{
	const bool good = rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS;
	const int n = good && *count >= 0 ? *count : 0;

	if (b->counts && n > 0)
		outcomes_tell_list(call, indices, n);
	else if (b->counts)
		outcomes_tell(call, good && *count == 0);
	return batch_end(b, rc, n, indices);
}

static int Waitsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	struct batch b;
	int rc;

	batch_begin(&b, n, requests, statuses);
	rc = REAL(Waitsome)(n, requests, count, indices, b.statuses);
	return some_end(&b, SHIM_MPI_Waitsome, rc, count, indices);
}

static int Testsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	struct batch b;
	int rc;

	batch_begin(&b, n, requests, statuses);
	rc = REAL(Testsome)(n, requests, count, indices, b.statuses);
	return some_end(&b, SHIM_MPI_Testsome, rc, count, indices);
}

/* A look completes no receive: the program waits for it later. */
static int looked_all(bool counts, int rc, const int *flag)
{
	if (counts)
		outcomes_tell(SHIM_MPI_Request_get_status_all,
			      rc != MPI_SUCCESS || *flag);
	return rc;
}

static int looked_any(bool counts, int rc, const int *flag, const int *index)
{
	const bool done = rc != MPI_SUCCESS || *flag;

	if (counts)
		outcomes_tell(SHIM_MPI_Request_get_status_any,
			      done ? index_value(index) + 1 : 0);
	return rc;
}

static int looked_some(bool counts, int rc, const int *count,
		       const int indices[])
{
	struct batch b = { .counts = counts };

	return some_end(&b, SHIM_MPI_Request_get_status_some, rc, count,
			indices);
}

#define COUNTS const bool counts = again_counts()

ROUTE_AROUND(Request_get_status_all, COUNTS, looked_all(counts, rc, flag))
ROUTE_AROUND(Request_get_status_any, COUNTS, looked_any(counts, rc, flag, indx))
ROUTE_AROUND(Request_get_status_some, COUNTS,
	     looked_some(counts, rc, outcount, array_of_indices))

void again_record_done_install(struct shim_pmpi *table)
{
	table->MPI_Wait = Wait;
	table->MPI_Waitall = Waitall;
	table->MPI_Waitany = Waitany;
	table->MPI_Waitsome = Waitsome;
	table->MPI_Test = Test;
	table->MPI_Testall = Testall;
	table->MPI_Testany = Testany;
	table->MPI_Testsome = Testsome;
	table->MPI_Request_get_status = Request_get_status;
	ROUTE_INSTALL(Request_get_status_all, table);
	ROUTE_INSTALL(Request_get_status_any, table);
	ROUTE_INSTALL(Request_get_status_some, table);
}

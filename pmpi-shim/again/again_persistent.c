/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Repeats persistent receives from any source. MPI binds a source to a request
 * when it is made, but each start has a source of its own. So a start posts
 * another receive, and calls that complete requests are given that one instead.
 * These entries lie below those of again_replay_done.c.
 */
#include <stdlib.h>

#include "pmpi-shim/again/again_replay.h"
#include "pmpi-shim/route/base/route_forms.h"

#define REAL(name) (*below.MPI_##name)

struct kept {
	struct kept *next;
	MPI_Request handle; /* the program's */
	MPI_Request real;   /* of this start; MPI_REQUEST_NULL: none */
	MPI_Request *place; /* where it stands for the handle */
	void *buf;
	MPI_Count count;
	MPI_Datatype type;
	int tag;
	MPI_Comm comm;
};

static struct shim_pmpi below;
static struct kept *all;
static unsigned n_real;

static struct kept *find(MPI_Request handle)
{
	struct kept *k = all;

	while (k && k->handle != handle)
		k = k->next;
	return k;
}

static int keep(int rc, const MPI_Request *request, const struct kept *about)
{
	struct kept *k = NULL;

	if (rc == MPI_SUCCESS && again_counts())
		k = malloc(sizeof(*k));
	if (!k)
		return rc;
	*k = *about;
	k->next = all;
	k->handle = *request;
	k->real = MPI_REQUEST_NULL;
	k->place = NULL;
	REAL(Type_dup)(about->type, &k->type);
	all = k;
	return rc;
}

#define ABOUT                                                             \
	{                                                                 \
		.buf = buf, .count = count, .type = datatype, .tag = tag, \
		.comm = comm                                              \
	}
/* The comma of a list would part the arguments of a macro. */
#define KEEP(rc, ...) keep(rc, request, &(const struct kept)__VA_ARGS__)

ROUTE_AROUND(Recv_init, (void)0,
	     source == MPI_ANY_SOURCE ? KEEP(rc, ABOUT) : rc)

static int start_as(struct kept *k, uint64_t recorded)
{
	int source = MPI_ANY_SOURCE;
	MPI_Comm comm = k->comm;
	int rc;

	again_replay_source(recorded, &source, &comm);
	rc = REAL(Irecv_c)(k->buf, k->count, k->type, source, k->tag, comm,
			   &k->real);
	n_real += rc == MPI_SUCCESS;
	return rc;
}

static int start(MPI_Request *request, enum shim_call call)
{
	struct kept *k = all ? find(*request) : NULL;

	return k ? start_as(k, again_replay_posted(call))
		 : REAL(Start)(request);
}

static int Start(MPI_Request *request)
{
	return start(request, SHIM_MPI_Start);
}

static int Startall(int n, MPI_Request requests[])
{
	int rc = MPI_SUCCESS;

	if (!all)
		return REAL(Startall)(n, requests);
	for (int i = 0; rc == MPI_SUCCESS && i < n; i++)
		rc = start(&requests[i], SHIM_MPI_Startall);
	return rc;
}

static void real_is_over(struct kept *k)
{
	k->real = MPI_REQUEST_NULL;
	n_real--;
}

static void swap_in(int n, MPI_Request requests[])
{
	struct kept *k;

	for (int i = 0; n_real > 0 && i < n; i++) {
		k = find(requests[i]);
		if (!k || k->real == MPI_REQUEST_NULL)
			continue;
		requests[i] = k->real;
		k->place = &requests[i];
	}
}

static int swap_out(int rc)
{
	for (struct kept *k = n_real ? all : NULL; k; k = k->next) {
		if (!k->place)
			continue;
		if (*k->place == MPI_REQUEST_NULL)
			real_is_over(k);
		*k->place = k->handle;
		k->place = NULL;
	}
	return rc;
}

static int Wait(MPI_Request *request, MPI_Status *status)
{
	swap_in(1, request);
	return swap_out(REAL(Wait)(request, status));
}

static int Waitall(int n, MPI_Request requests[], MPI_Status statuses[])
{
	swap_in(n, requests);
	return swap_out(REAL(Waitall)(n, requests, statuses));
}

static int Waitany(int n, MPI_Request requests[], int *index,
		   MPI_Status *status)
{
	swap_in(n, requests);
	return swap_out(REAL(Waitany)(n, requests, index, status));
}

static int Waitsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	swap_in(n, requests);
	return swap_out(REAL(Waitsome)(n, requests, count, indices, statuses));
}

static int Test(MPI_Request *request, int *flag, MPI_Status *status)
{
	swap_in(1, request);
	return swap_out(REAL(Test)(request, flag, status));
}

static int Testall(int n, MPI_Request requests[], int *flag,
		   MPI_Status statuses[])
{
	swap_in(n, requests);
	return swap_out(REAL(Testall)(n, requests, flag, statuses));
}

static int Testany(int n, MPI_Request requests[], int *index, int *flag,
		   MPI_Status *status)
{
	swap_in(n, requests);
	return swap_out(REAL(Testany)(n, requests, index, flag, status));
}

static int Testsome(int n, MPI_Request requests[], int *count, int indices[],
		    MPI_Status statuses[])
{
	swap_in(n, requests);
	return swap_out(REAL(Testsome)(n, requests, count, indices, statuses));
}

static MPI_Request real_of(MPI_Request request)
{
	const struct kept *k = n_real ? find(request) : NULL;

	return k && k->real != MPI_REQUEST_NULL ? k->real : request;
}

static int Request_get_status(MPI_Request request, int *flag,
			      MPI_Status *status)
{
	return REAL(Request_get_status)(real_of(request), flag, status);
}

/*
 * A copy of the array, with the requests of this start.  NULL: the array serves
 * as it is.
 */
static MPI_Request *reals(int n, const MPI_Request requests[])
{
	MPI_Request *copy = NULL;

	if (n_real && requests && n > 0)
		copy = malloc((size_t)n * sizeof(*copy));
	for (int i = 0; copy && i < n; i++)
		copy[i] = real_of(requests[i]);
	return copy;
}

static int over(MPI_Request *copy, int rc)
{
	free(copy);
	return rc;
}

#define REALS(n)                                                 \
	MPI_Request *const copy = reals((n), array_of_requests); \
	array_of_requests = copy ? copy : array_of_requests

ROUTE_AROUND(Request_get_status_all, REALS(count), over(copy, rc))
ROUTE_AROUND(Request_get_status_any, REALS(count), over(copy, rc))
ROUTE_AROUND(Request_get_status_some, REALS(incount), over(copy, rc))

static int Cancel(MPI_Request *request)
{
	MPI_Request real = request ? real_of(*request) : MPI_REQUEST_NULL;

	return REAL(Cancel)(request ? &real : request);
}

static void forget(struct kept *k)
{
	struct kept **link = &all;

	while (*link != k)
		link = &(*link)->next;
	*link = k->next;
	if (k->real != MPI_REQUEST_NULL) {
		REAL(Request_free)(&k->real);
		n_real--;
	}
	REAL(Type_free)(&k->type);
	free(k);
}

static int Request_free(MPI_Request *request)
{
	struct kept *k = request && all ? find(*request) : NULL;

	if (k)
		forget(k);
	return REAL(Request_free)(request);
}

void again_persistent_start(void)
{
	below = shim_pmpi;
	ROUTE_INSTALL(Recv_init, &shim_pmpi);
	shim_pmpi.MPI_Start = Start;
	shim_pmpi.MPI_Startall = Startall;
	shim_pmpi.MPI_Wait = Wait;
	shim_pmpi.MPI_Waitall = Waitall;
	shim_pmpi.MPI_Waitany = Waitany;
	shim_pmpi.MPI_Waitsome = Waitsome;
	shim_pmpi.MPI_Test = Test;
	shim_pmpi.MPI_Testall = Testall;
	shim_pmpi.MPI_Testany = Testany;
	shim_pmpi.MPI_Testsome = Testsome;
	shim_pmpi.MPI_Request_get_status = Request_get_status;
	ROUTE_INSTALL(Request_get_status_all, &shim_pmpi);
	ROUTE_INSTALL(Request_get_status_any, &shim_pmpi);
	ROUTE_INSTALL(Request_get_status_some, &shim_pmpi);
	shim_pmpi.MPI_Cancel = Cancel;
	shim_pmpi.MPI_Request_free = Request_free;
}

void again_persistent_stop(void)
{
	shim_pmpi = below;
}

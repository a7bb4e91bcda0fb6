/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI_Request_get_status_any, _all and _some, of MPI 4.1: messages, persistent
 * requests, collectives, generalised requests, null ones.  Each is looked at
 * twice and then completed, for a look changes nothing.  For two processes.
 * Exit status 77: this MPI has no such functions.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)

#define MOST 100 /* more than are kept without memory of their own */

static int rank;
static int peer;
static int in[MOST];
static MPI_Request r[MOST];
static MPI_Status statuses[MOST];
static int indices[MOST];

static void status_print(const MPI_Status *status)
{
	int cancelled;
	int n;

	MPI_Test_cancelled(status, &cancelled);
	if (cancelled) {
		printf(" (cancelled)");
		return;
	}
	MPI_Get_count(status, MPI_INT, &n);
	printf(" (%d %d, %d elements)", status->MPI_SOURCE, status->MPI_TAG, n);
}

static void any_print(const char *what, int n)
{
	MPI_Status status;
	int flag = -1;
	int at = -5;

	MPI_Request_get_status_any(n, r, &at, &flag, &status);
	printf("%d: %s: any: %d", rank, what, flag);
	if (flag && at == MPI_UNDEFINED)
		printf(", none");
	else if (flag)
		printf(", number %d", at);
	if (flag)
		status_print(&status);
	printf("\n");
}

static void all_print(const char *what, int n)
{
	int flag = -1;

	MPI_Request_get_status_all(n, r, &flag, statuses);
	printf("%d: %s: all: %d", rank, what, flag);
	for (int i = 0; flag && i < n && i < 4; i++)
		status_print(&statuses[i]);
	printf("\n");
}

static void some_print(const char *what, int n)
{
	int count = -5;

	MPI_Request_get_status_some(n, r, &count, indices, statuses);
	if (count == MPI_UNDEFINED) {
		printf("%d: %s: some: none\n", rank, what);
		return;
	}
	printf("%d: %s: some: %d", rank, what, count);
	for (int i = 0; i < count && i < 4; i++) {
		printf(", number %d", indices[i]);
		status_print(&statuses[i]);
	}
	printf("\n");
}

static void look(const char *what, int n)
{
	for (int i = 0; i < 2; i++) {
		any_print(what, n);
		all_print(what, n);
		some_print(what, n);
	}
}

/* Until it is done: MPICH does not look for more once one is. */
static void wait_for(int i)
{
	int flag = 0;

	while (!flag)
		MPI_Request_get_status(r[i], &flag, MPI_STATUS_IGNORE);
}

static void send(int tag, int value)
{
	MPI_Send(&value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD);
}

/* Sends once the other side has looked at what it waits for. */
static void meet(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

static void receives(void)
{
	int flag;
	int at;

	for (int i = 0; i < 3; i++)
		MPI_Irecv(&in[i], 2, MPI_INT, peer, i, MPI_COMM_WORLD, &r[i]);
	r[3] = MPI_REQUEST_NULL;
	look("nothing came", 4);
	meet();
	send(1, 11);
	wait_for(1);
	look("the second came", 4);
	meet();
	send(0, 10);
	send(2, 12);
	wait_for(0);
	wait_for(2);
	look("all came", 4);
	flag = 0;
	MPI_Request_get_status_all(4, r, &flag, MPI_STATUSES_IGNORE);
	MPI_Request_get_status_any(4, r, &at, &flag, MPI_STATUS_IGNORE);
	printf("%d: without statuses: %d, %d\n", rank, flag, at);
	MPI_Waitany(4, r, &at, &statuses[0]);
	printf("%d: waited for %d", rank, at);
	status_print(&statuses[0]);
	printf("\n");
	look("one is over", 4);
	MPI_Waitall(4, r, statuses);
	for (int i = 0; i < 4; i++)
		status_print(&statuses[i]);
	printf(" of %d: %d %d %d\n", rank, in[0], in[1], in[2]);
	look("all are over", 4);
	look("of none", 0);
}

/*
 * MPICH takes a persistent request for inactive once it told its outcome, so
 * each is asked for once.
 */
static void persistent(void)
{
	const int out = 20 + rank;
	MPI_Status status;
	int flag;
	int at;

	MPI_Recv_init(&in[0], 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &r[0]);
	MPI_Send_init(&out, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < 2; i++) {
		look("not started", 2);
		in[0] = -1;
		meet();
		MPI_Start(&r[0]);
		look("started", 1);
		meet();
		MPI_Start(&r[1]);
		for (flag = 0; !flag;)
			MPI_Request_get_status_any(1, r, &at, &flag, &status);
		printf("%d: started, and came: number %d", rank, at);
		status_print(&status);
		printf("\n");
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		printf("%d: %d came\n", rank, in[0]);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static int query(void *state, MPI_Status *status)
{
	(void)state;
	status->MPI_SOURCE = 7;
	status->MPI_TAG = 8;
	MPI_Status_set_elements(status, MPI_INT, 9);
	return MPI_Status_set_cancelled(status, 0);
}

static int release(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
	(void)state;
	(void)complete;
	return MPI_SUCCESS;
}

/* MPI carries some of the requests, the others are scheduled. */
static void mixed(void)
{
	MPI_Irecv(&in[0], 1, MPI_INT, peer, 6, MPI_COMM_WORLD, &r[0]);
	MPI_Irecv(&in[1], 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &r[1]);
	MPI_Grequest_start(query, release, cancel, NULL, &r[2]);
	look("mixed, nothing came", 3);
	MPI_Grequest_complete(r[2]);
	look("mixed, MPI's is done", 3);
	meet();
	send(7, 1);
	wait_for(1);
	look("mixed, one came", 3);
	meet();
	send(6, 1);
	wait_for(0);
	look("mixed, all are done", 3);
	MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
}

static void cancelled(void)
{
	MPI_Irecv(&in[0], 1, MPI_INT, peer, 8, MPI_COMM_WORLD, &r[0]);
	MPI_Irecv(&in[1], 1, MPI_INT, peer, 9, MPI_COMM_WORLD, &r[1]);
	MPI_Cancel(&r[1]);
	wait_for(1);
	look("the second is cancelled", 2);
	meet();
	send(8, 1);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void many(void)
{
	int flag = 0;

	for (int i = 0; i < MOST; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &r[i]);
	look("nothing of many came", MOST);
	meet();
	for (int i = MOST - 1; i >= 0; i--)
		send(i, i * i);
	while (!flag)
		MPI_Request_get_status_all(MOST, r, &flag, statuses);
	look("all of many came", MOST);
	MPI_Waitall(MOST, r, MPI_STATUSES_IGNORE);
	printf("%d: the last is %d\n", rank, in[MOST - 1]);
}

/* The status of a collective is nobody's. */
static void collective(void)
{
	int flag;
	int at;

	MPI_Irecv(&in[0], 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &r[1]);
	MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
	wait_for(0);
	MPI_Request_get_status_any(2, r, &at, &flag, MPI_STATUS_IGNORE);
	printf("%d: a barrier is done: %d, number %d\n", rank, flag, at);
	send(1, 1);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static int class_of(int error)
{
	int class;

	MPI_Error_class(error, &class);
	return class;
}

#define SAYS(CALL) printf("%d: %s: class %d\n", rank, #CALL, class_of(CALL))

/* The first is too long for its receive. */
static void truncated(void)
{
	int out[2] = { 1, 2 };
	int flag = 0;
	int at = -1;
	int rc = MPI_SUCCESS;

	MPI_Irecv(&in[0], 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &r[0]);
	MPI_Irecv(&in[1], 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &r[1]);
	meet();
	MPI_Send(out, 2, MPI_INT, peer, 1, MPI_COMM_WORLD);
	while (!flag && rc == MPI_SUCCESS)
		rc = MPI_Request_get_status_any(2, r, &at, &flag, &statuses[0]);
	printf("%d: truncated: any: %d, %d, class %d\n", rank, flag, at,
	       class_of(rc));
	rc = MPI_Request_get_status_some(2, r, &at, indices, statuses);
	printf("%d: truncated: some: %d, class %d, %d\n", rank, at,
	       class_of(rc), class_of(statuses[0].MPI_ERROR));
	meet();
	send(2, 1);
	wait_for(1);
	rc = MPI_Request_get_status_some(2, r, &at, indices, statuses);
	printf("%d: truncated: some: %d, class %d, %d %d\n", rank, at,
	       class_of(rc), class_of(statuses[0].MPI_ERROR),
	       class_of(statuses[1].MPI_ERROR));
	rc = MPI_Request_get_status_all(2, r, &flag, statuses);
	printf("%d: truncated: all: %d, class %d, %d %d\n", rank, flag,
	       class_of(rc), class_of(statuses[0].MPI_ERROR),
	       class_of(statuses[1].MPI_ERROR));
	SAYS(MPI_Wait(&r[0], &statuses[0]));
	SAYS(MPI_Wait(&r[1], &statuses[1]));
}

static void refused(void)
{
	MPI_Status one;
	int flag;
	int at;

	MPI_Irecv(&in[0], 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &r[0]);
	r[1] = MPI_REQUEST_NULL;
	SAYS(MPI_Request_get_status_any(-1, r, &at, &flag, &one));
	SAYS(MPI_Request_get_status_any(2, r, NULL, &flag, &one));
	SAYS(MPI_Request_get_status_any(2, r, &at, NULL, &one));
	SAYS(MPI_Request_get_status_any(2, r, &at, &flag, NULL));
	SAYS(MPI_Request_get_status_any(2, NULL, &at, &flag, &one));
	SAYS(MPI_Request_get_status_all(-1, r, &flag, statuses));
	SAYS(MPI_Request_get_status_all(2, r, NULL, statuses));
	SAYS(MPI_Request_get_status_all(2, r, &flag, NULL));
	SAYS(MPI_Request_get_status_some(-1, r, &at, indices, statuses));
	SAYS(MPI_Request_get_status_some(2, r, NULL, indices, statuses));
	SAYS(MPI_Request_get_status_some(2, r, &at, NULL, statuses));
	SAYS(MPI_Request_get_status_some(2, r, &at, indices, NULL));
	meet();
	send(1, 1);
	wait_for(0);
	r[1] = (MPI_Request)MPI_INT;
	SAYS(MPI_Request_get_status_any(1, &r[1], &at, &flag, &one));
	SAYS(MPI_Request_get_status_all(2, r, &flag, statuses));
	SAYS(MPI_Request_get_status_some(2, r, &at, indices, statuses));
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	peer = 1 - rank;
	receives();
	persistent();
	mixed();
	cancelled();
	many();
	collective();
	truncated();
	refused();
	MPI_Finalize();
	return 0;
}

#else

int main(void)
{
	printf("no MPI_Request_get_status_any here\n");
	return 77;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A call that MPI refuses changes nothing.  Calls that end something are made
 * with arguments that MPI does not take, or, with the argument "plain", not at
 * all.  Then the things that they were to end are used, and end as they should.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int size;
static int refuses;

static void says(const char *call, int rc)
{
	int error = MPI_SUCCESS;

	MPI_Error_class(rc, &error);
	printf("%d %s: %d\n", rank, call, error);
}
#define SAYS(call) says(#call, call)
/* Left out where nothing is to be refused. */
#define REFUSED(call)               \
	do {                        \
		if (refuses)        \
			SAYS(call); \
	} while (0)

/* MPI refuses to free what has an attribute that is not to be deleted. */
static int stays(MPI_Comm comm, int key, void *value, void *state)
{
	(void)comm;
	(void)key;
	(void)state;
	return *(int *)value ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/*
 * Arguments that are significant at the root alone may be anything elsewhere.
 */
static void gathers(MPI_Comm comm)
{
	const int counts[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	const int at[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	int all[8] = { 0 };
	const int root = 0;
	int own = rank + 1;

	if (rank == root)
		SAYS(MPI_Gatherv(&own, 1, MPI_INT, all, counts, at, MPI_INT,
				 root, comm));
	else
		SAYS(MPI_Gatherv(&own, 1, MPI_INT, NULL, NULL, NULL, MPI_INT,
				 root, comm));
	if (rank == root)
		SAYS(MPI_Scatterv(all, counts, at, MPI_INT, &own, 1, MPI_INT,
				  root, comm));
	else
		SAYS(MPI_Scatterv(NULL, NULL, NULL, MPI_INT, &own, 1, MPI_INT,
				  root, comm));
	printf("%d has %d %d %d\n", rank, all[0], all[1], own);
}

static void communicators(void)
{
	MPI_Comm world = MPI_COMM_WORLD;
	MPI_Comm self = MPI_COMM_SELF;
	int value = refuses;
	MPI_Comm comm;
	int key;

	REFUSED(MPI_Abort(MPI_COMM_NULL, 3));
	REFUSED(MPI_Comm_free(&world));
	REFUSED(MPI_Comm_free(&self));
	gathers(MPI_COMM_WORLD);

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, stays, &key, NULL);
	MPI_Comm_set_attr(comm, key, &value);
	REFUSED(MPI_Comm_free(&comm));
	gathers(comm);
	value = 0;
	SAYS(MPI_Comm_free(&comm));
	MPI_Comm_free_keyval(&key);
}

static void buffers(void)
{
	const int other = (rank + 1) % size;
	static char space[1000];
	int bytes = 0;
	void *old;
	int x = rank;

	MPI_Buffer_attach(space, sizeof(space));
	REFUSED(MPI_Buffer_detach(NULL, &bytes));
	REFUSED(MPI_Buffer_detach(&old, NULL));
	REFUSED(MPI_Buffer_attach(space, 500));
	SAYS(MPI_Bsend(&x, 1, MPI_INT, other, 1, MPI_COMM_WORLD));
	SAYS(MPI_Bsend(&x, 1, MPI_INT, other, 1, MPI_COMM_WORLD));
	for (int i = 0; i < 2; i++)
		SAYS(MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
			      MPI_STATUS_IGNORE));
	SAYS(MPI_Buffer_detach(&old, &bytes));
	printf("%d had %d bytes\n", rank, bytes);
}

/* Requests and messages, and handles of some that are no more. */
static void requests(void)
{
	const int other = (rank + 1) % size;
	MPI_Request request;
	MPI_Request gone;
	MPI_Message message;
	MPI_Message taken;
	MPI_Status status;
	int in = 0;
	int x = rank;

	MPI_Send_init(&x, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &request);
	REFUSED(MPI_Request_free(NULL));
	MPI_Start(&request);
	REFUSED(MPI_Start(&request));
	MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	gone = request;
	SAYS(MPI_Request_free(&request));
#if MPICH_NUMVERSION < 40200000
	/*
	 * MPICH has another class for it than for all others, and takes it
	 * from version 4.2 on.
	 */
	if (refuses && MPI_Request_free(&gone) != MPI_SUCCESS)
		printf("%d it is gone\n", rank);
#endif
	REFUSED(MPI_Start(&gone));

	MPI_Send(&x, 1, MPI_INT, other, 3, MPI_COMM_WORLD);
	MPI_Mprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &message, &status);
	taken = message;
	REFUSED(MPI_Mrecv(&in, -1, MPI_INT, &message, &status));
	REFUSED(MPI_Mrecv(&in, 1, MPI_DATATYPE_NULL, &message, &status));
	SAYS(MPI_Mrecv(&in, 1, MPI_INT, &message, &status));
	REFUSED(MPI_Mrecv(&in, 1, MPI_INT, &taken, &status));
	printf("%d has %d from %d\n", rank, in, status.MPI_SOURCE);
}

static void windows(void)
{
	const int other = (rank + 1) % size;
	int *base;
	MPI_Win win;
	int x = 7;

	MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL,
			 MPI_COMM_WORLD, &base, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
	REFUSED(MPI_Win_free(&win));
	SAYS(MPI_Put(&x, 1, MPI_INT, other, 0, 1, MPI_INT, win));
	SAYS(MPI_Win_unlock(other, win));
	MPI_Barrier(MPI_COMM_WORLD);
	SAYS(MPI_Win_free(&win));
}

static void others(void)
{
	MPI_Datatype type = MPI_INT;
	MPI_Comm null = MPI_COMM_NULL;
	MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
	MPI_Group group = MPI_GROUP_NULL;
	MPI_File file = MPI_FILE_NULL;
	MPI_Op op = MPI_SUM;
	int key = MPI_KEYVAL_INVALID;
	int in = rank;
	int out = 0;

	REFUSED(MPI_Type_free(&type));
	REFUSED(MPI_Op_free(&op));
	REFUSED(MPI_Errhandler_free(&handler));
	REFUSED(MPI_Comm_set_errhandler(null, MPI_ERRORS_RETURN));
	REFUSED(MPI_Comm_call_errhandler(null, MPI_ERR_OTHER));
	REFUSED(MPI_Group_free(&group));
	REFUSED(MPI_File_close(&file));
	REFUSED(MPI_Comm_free_keyval(&key));
	REFUSED(MPI_Comm_set_attr(MPI_COMM_SELF, MPI_KEYVAL_INVALID, &in));
	REFUSED(MPI_Comm_delete_attr(MPI_COMM_SELF, MPI_KEYVAL_INVALID));
	SAYS(MPI_Allreduce(&in, &out, 1, type, op, MPI_COMM_WORLD));
	printf("%d has %d\n", rank, out);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	refuses = argc < 2 || strcmp(argv[1], "plain") != 0;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);

	if (argc > 1 && strcmp(argv[1], "leaves") == 0) {
		SAYS(MPI_Abort(MPI_COMM_NULL, 3));
		MPI_Barrier(MPI_COMM_WORLD);
		exit(0); /* without MPI_Finalize */
	}
	communicators();
	buffers();
	requests();
	windows();
	others();

	MPI_Finalize();
	return 0;
}

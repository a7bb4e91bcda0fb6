/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Rare forms of messages: a buffered send whose persistent request is freed,
 * data at absolute addresses that is replaced, a datatype with attributes.  The
 * last is an error of a request that is only looked at.  For two processes.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM 10000
#define LONG 200000

static int rank;
static int peer;
static int copies;
static int deletes;

static void freed_while_buffered(void)
{
	char *room = malloc(ROOM);
	MPI_Request request;
	int in = -1;
	int out = rank;
	int size;

	MPI_Buffer_attach(room, ROOM);
	MPI_Bsend_init(&out, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request);
	MPI_Start(&request);
	MPI_Request_free(&request);
	MPI_Recv(&in, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Buffer_detach(&room, &size);
	printf("%d: %d is buffered, detached %d\n", rank, in, size);
	free(room);
}

static MPI_Datatype absolute(int *at, int n)
{
	MPI_Datatype type;
	MPI_Aint where;

	MPI_Get_address(at, &where);
	MPI_Type_create_hindexed(1, &n, &where, MPI_INT, &type);
	MPI_Type_commit(&type);
	return type;
}

static void replaced(int n)
{
	int *all = calloc((size_t)n, sizeof(*all));
	MPI_Datatype type = absolute(all, n);

	for (int i = 0; i < n; i++)
		all[i] = i + rank;
	MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, peer, 1, peer, 1,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	printf("%d: %d to %d\n", rank, all[0], all[n - 1]);
	MPI_Type_free(&type);
	free(all);
}

static int copied(MPI_Datatype type, int key, void *state, void *in, void *out,
		  int *flag)
{
	(void)type, (void)key, (void)state;
	*(void **)out = in;
	*flag = 1;
	copies++;
	return MPI_SUCCESS;
}

static int deleted(MPI_Datatype type, int key, void *value, void *state)
{
	(void)type, (void)key, (void)value, (void)state;
	deletes++;
	return MPI_SUCCESS;
}

static void with_attribute(void)
{
	int all[4] = { rank, -1, rank, -1 };
	MPI_Request requests[3];
	MPI_Datatype type;
	int key;

	MPI_Type_create_keyval(copied, deleted, &key, NULL);
	MPI_Type_vector(2, 1, 2, MPI_INT, &type);
	MPI_Type_commit(&type);
	MPI_Type_set_attr(type, key, NULL);
	MPI_Irecv(all + 1, 1, type, peer, 2, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(all, 1, type, peer, 2, MPI_COMM_WORLD, &requests[1]);
	MPI_Start(&requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Request_free(&requests[1]);
	MPI_Ibcast(all, 1, type, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
	MPI_Type_free(&type);
	MPI_Type_free_keyval(&key);
	printf("%d: %d %d %d %d, copied %d times, deleted %d\n", rank, all[0],
	       all[1], all[2], all[3], copies, deletes);
}

static int class_of(int error)
{
	int class;

	MPI_Error_class(error, &class);
	return class;
}

static void looked_at(void)
{
	int in[3] = { -1, -1, -1 };
	int out[2] = { 1, 2 };
	MPI_Request request;
	int flag = 0;
	int early = 0;
	int late;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Irecv(in, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &request);
	MPI_Send(out, 2, MPI_INT, peer, 3, MPI_COMM_WORLD);
	while (!flag)
		early = MPI_Request_get_status(request, &flag,
					       MPI_STATUS_IGNORE);
	late = MPI_Wait(&request, MPI_STATUS_IGNORE);
	printf("%d: truncated: %d, then %d; %d behind\n", rank,
	       class_of(early) == MPI_ERR_TRUNCATE,
	       class_of(late) == MPI_ERR_TRUNCATE, in[1]);
}

static MPI_Request pending;
static int told;

/* In MPI_Finalize: a message comes to who is not there yet, and what was begun
 * ends. */
static int at_the_end(MPI_Comm comm, int key, void *value, void *state)
{
	int late = 77;

	(void)comm, (void)key, (void)state;
	if (rank == 0)
		MPI_Send(&late, 1, MPI_INT, peer, 4, MPI_COMM_WORLD);
	MPI_Wait(&pending, MPI_STATUS_IGNORE);
	printf("%d: attribute %s, %d came\n", rank, (const char *)value, told);
	return MPI_SUCCESS;
}

static int said(MPI_Comm comm, int key, void *value, void *state)
{
	(void)comm, (void)key, (void)state;
	printf("%d: attribute %s\n", rank, (const char *)value);
	return MPI_SUCCESS;
}

static void until_the_end(void)
{
	int keys[2];
	int late = -1;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, said, &keys[0], NULL);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &keys[1],
			       NULL);
	MPI_Comm_set_attr(MPI_COMM_SELF, keys[0], "first");
	MPI_Comm_set_attr(MPI_COMM_SELF, keys[1], "second");
	MPI_Comm_set_attr(MPI_COMM_SELF, keys[0], "first again");
	MPI_Comm_free_keyval(&keys[0]);
	MPI_Comm_free_keyval(&keys[1]);
	MPI_Irecv(&told, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &pending);
	MPI_Send(&peer, 1, MPI_INT, peer, 5, MPI_COMM_WORLD);
	if (rank == 0)
		return;
	MPI_Recv(&late, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	printf("%d: %d at the end\n", rank, late);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	peer = 1 - rank;
	freed_while_buffered();
	replaced(3);
	replaced(LONG);
	with_attribute();
	looked_at();
	until_the_end();
	MPI_Finalize();
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Forgets things, by their names on the command line, and prints for each the
 * line of the call that began it: "FINDING CALL LINE COUNT".  `none` forgets
 * nothing, in ways that look as if.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int size;
static char **names;

/* Whether this one is to be forgotten; tells of it if so. */
static int forgets(const char *name, const char *call, int line, int count)
{
	char **at = names;

	while (*at && strcmp(*at, name) != 0)
		at++;
	if (!*at)
		return 0;
	if (rank == 0)
		printf("%s %s %d %d\n", name, call, line, count);
	return 1;
}

#define FORGETS(name, call, line, count) \
	forgets(name, #call, line, (count)*size)

static void communicators(void)
{
	MPI_Comm comms[3];
	int line = __LINE__ + 3;

	for (int i = 0; i < 3; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	if (!FORGETS("communicator-not-freed", MPI_Comm_dup, line, 2))
		for (int i = 1; i < 3; i++)
			MPI_Comm_free(&comms[i]);
	MPI_Comm_free(&comms[0]);
}

static void types(void)
{
	MPI_Datatype type;
	int line = __LINE__ + 2;

	MPI_Type_vector(2, 1, 2, MPI_INT, &type);
	MPI_Type_commit(&type);
	if (!FORGETS("datatype-not-freed", MPI_Type_vector, line, 1))
		MPI_Type_free(&type);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *n; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

static void operations(void)
{
	MPI_Op op;
	int line = __LINE__ + 2;

	MPI_Op_create(add, 1, &op);
	if (!FORGETS("operation-not-freed", MPI_Op_create, line, 1))
		MPI_Op_free(&op);
}

static void groups(void)
{
	/* MPICH 5 has the world's group for good: it is no object to free. */
	MPI_Group world;
	MPI_Group first;
	MPI_Group second;
	int line = __LINE__ + 3;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, (int[]){ 0 }, &first);
	MPI_Group_incl(world, 1, (int[]){ 0 }, &second);
	if (!FORGETS("group-not-freed", MPI_Group_incl, line, 1))
		MPI_Group_free(&first);
	MPI_Group_free(&second);
	MPI_Group_free(&world);
}

static void windows(void)
{
	static int memory;
	MPI_Win win;
	int line = __LINE__ + 2;

	MPI_Win_create(&memory, sizeof(memory), 1, MPI_INFO_NULL,
		       MPI_COMM_WORLD, &win);
	if (!FORGETS("window-not-freed", MPI_Win_create, line, 1))
		MPI_Win_free(&win);
}

static void infos(void)
{
	MPI_Info info;
	MPI_Info copy;
	int line = __LINE__ + 3;

	MPI_Info_create(&info);
	MPI_Info_dup(info, &copy);
	if (!FORGETS("info-not-freed", MPI_Info_dup, line, 1))
		MPI_Info_free(&copy);
	MPI_Info_free(&info);
}

static void handle(MPI_Comm *comm, int *error, ...)
{
	(void)comm;
	(void)error;
}

static void errhandlers(void)
{
	MPI_Errhandler handler;
	MPI_Errhandler again;
	int line = __LINE__ + 4;

	MPI_Comm_create_errhandler(handle, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
	MPI_Comm_get_errhandler(MPI_COMM_SELF, &again);
	if (!FORGETS("errhandler-not-freed", MPI_Comm_get_errhandler, line, 1))
		MPI_Errhandler_free(&again);
	MPI_Errhandler_free(&handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

static void keyvals(void)
{
	int key;
	int line = __LINE__ + 2;

	MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN,
			       &key, NULL);
	if (!FORGETS("keyval-not-freed", MPI_Type_create_keyval, line, 1))
		MPI_Type_free_keyval(&key);
}

static void files(void)
{
	MPI_File file;
	int line = __LINE__ + 2;

	MPI_File_open(MPI_COMM_WORLD, "leaks.file",
		      MPI_MODE_CREATE | MPI_MODE_WRONLY |
			      MPI_MODE_DELETE_ON_CLOSE,
		      MPI_INFO_NULL, &file);
	if (!FORGETS("file-not-closed", MPI_File_open, line, 1))
		MPI_File_close(&file);
}

static void memory(void)
{
	void *room;
	int line = __LINE__ + 2;

	MPI_Alloc_mem(64, MPI_INFO_NULL, &room);
	if (!FORGETS("memory-not-freed", MPI_Alloc_mem, line, 1))
		MPI_Free_mem(room);
}

static void buffers(void)
{
	static char room[4096];
	void *address;
	int bytes;
	int line = __LINE__ + 2;

	MPI_Buffer_attach(room, sizeof(room));
	if (!FORGETS("buffer-not-detached", MPI_Buffer_attach, line, 1))
		MPI_Buffer_detach(&address, &bytes);
}

/*
 * The finding names the place where the request was made, not where it was
 * started last.
 */
static void persistent(void)
{
	static int in;
	int out = 0;
	MPI_Request request;
	int line = __LINE__ + 2;

	MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
		      &request);
	MPI_Start(&request);
	MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (!FORGETS("request-not-freed", MPI_Recv_init, line, 1))
		MPI_Request_free(&request);
}

/* Each sends to the next one, and does not look whether its receive is over. */
static void requests(void)
{
	static int in[2];
	static int out[1024];
	MPI_Request receive;
	int line = __LINE__ + 2;

	MPI_Irecv(in, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD,
		  &receive);
	MPI_Send(out, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	if (!FORGETS("request-not-completed", MPI_Irecv, line, 1))
		MPI_Wait(&receive, MPI_STATUS_IGNORE);
}

static void receives(void)
{
	static int in;
	MPI_Request receive;
	int line = __LINE__ + 2;

	MPI_Irecv(&in, 1, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD,
		  &receive);
	if (FORGETS("receive-not-matched", MPI_Irecv, line, 1))
		return;
	MPI_Cancel(&receive);
	MPI_Wait(&receive, MPI_STATUS_IGNORE);
}

static void receive(int tag)
{
	int in[4];

	MPI_Recv(in, 4, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
}

/* Three to the next one. */
static void messages(void)
{
	int out[4] = { 0 };
	MPI_Message message;
	int line = __LINE__ + 8;

	for (int tag = 20; tag < 23; tag++)
		MPI_Send(out, 4, MPI_INT, (rank + 1) % size, tag,
			 MPI_COMM_WORLD);
	receive(21);
	if (FORGETS("message-not-received", -, line - 5, 2))
		return;
	MPI_Mprobe(MPI_ANY_SOURCE, 22, MPI_COMM_WORLD, &message,
		   MPI_STATUS_IGNORE);
	if (!FORGETS("message-probed", MPI_Mprobe, line, 1))
		MPI_Mrecv(out, 4, MPI_INT, &message, MPI_STATUS_IGNORE);
	receive(20);
}

/*
 * Handles that MPI hands out itself, twice, or under the handle of another
 * object.
 */
static void odd_handles(void)
{
	const int sizes[1] = { 1 };
	const MPI_Aint places[1] = { 0 };
	MPI_Datatype inner;
	MPI_Datatype outer;
	MPI_Datatype found[1];
	MPI_Group group;
	MPI_Group none;
	MPI_Comm parent;
	MPI_Comm mine;
	MPI_Errhandler handler;
	MPI_Aint places_found[1];
	int numbers[2];

	MPI_Type_contiguous(2, MPI_INT, &inner);
	MPI_Type_create_struct(1, sizes, places, &inner, &outer);
	MPI_Type_get_contents(outer, 2, 1, 1, numbers, places_found, found);
	MPI_Type_free(&inner);
	MPI_Type_free(&outer);
	MPI_Type_free(&found[0]);
	MPI_Type_create_struct(1, sizes, places,
			       (MPI_Datatype[]){ MPI_DOUBLE_INT }, &outer);
	MPI_Type_get_contents(outer, 2, 1, 1, numbers, places_found, found);
	MPI_Type_free(&outer);
	MPI_Type_create_f90_real(6, MPI_UNDEFINED, &found[0]);
	MPI_Comm_group(MPI_COMM_SELF, &group);
	MPI_Group_excl(group, 1, (int[]){ 0 }, &none);
	MPI_Group_free(&group);
	MPI_Comm_get_parent(&parent);
	MPI_Comm_split(MPI_COMM_WORLD, rank ? MPI_UNDEFINED : 0, 0, &mine);
	if (mine != MPI_COMM_NULL)
		MPI_Comm_disconnect(&mine);
	MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
}

/*
 * Made while it is recorded, freed while not; and the other way round.  The
 * last part: a later request would get the same handle.
 */
static void unrecorded(void)
{
	MPI_Datatype type;
	MPI_Request request;
	int value;

	MPI_Type_contiguous(3, MPI_INT, &type);
	MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
		  &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Irecv(&value, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, &request);
	MPI_Pcontrol(0);
	MPI_Type_free(&type);
	MPI_Send(&rank, 1, MPI_INT, rank, 9, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Type_contiguous(3, MPI_INT, &type);
	MPI_Pcontrol(1);
	MPI_Type_free(&type);
}

/* A function that MPI calls in MPI_Finalize frees what it was given. */
static int free_late(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm;
	(void)key;
	(void)extra;
	return MPI_Comm_free(value);
}

static void late(void)
{
	static MPI_Comm comm;
	int key;

	MPI_Comm_dup(MPI_COMM_SELF, &comm);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_late, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_SELF, key, &comm);
	MPI_Comm_free_keyval(&key);
}

/* A request that failed is over. */
static void failed(void)
{
	MPI_Request request;
	int in;
	int out[2] = { 0 };

	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
	MPI_Send(out, 2, MPI_INT, 0, 0, MPI_COMM_SELF);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
	static void (*const parts[])(void) = {
		communicators, types,    operations, groups,   windows,
		infos,         keyvals,  files,      memory,   buffers,
		persistent,    requests, receives,   messages, odd_handles,
		late,          failed,   unrecorded,
	};

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	names = argv + 1;
	errhandlers();
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		parts[i]();
	MPI_Finalize();
	return 0;
}

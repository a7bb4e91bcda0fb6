/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Ranks that wait for half a second in one-sided calls, in calls for files, or
 * in what MPI calls back.  Rank 0 waits for a message of rank 1 meanwhile.
 */
#include <stdio.h>

#include "faulty.h"

static MPI_Win win;
static int *shown; /* this rank's memory of the window */
static MPI_File file;
static char path[] = "/tmp/right-000000000000";
static MPI_Request one;

static void late(void)
{
	usleep(500000);
}

static void tell(void)
{
	if (rank == 0)
		RECV(1, 0);
	else if (rank == 1)
		SSEND(0, 0);
}

static void make_window(void)
{
	MPI_Win_allocate(16, sizeof(int), MPI_INFO_NULL, comm, &shown, &win);
	shown[0] = 0;
	BARRIER();
}

/* MPICH waits for a lock in the first access, or when it is given back. */
static void lock_of_another(void)
{
	make_window();
	if (rank == 2) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
		BARRIER();
		late();
		MPI_Win_unlock(2, win);
	} else {
		BARRIER();
	}
	if (rank == 1) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
		MPI_Put(x, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
		MPI_Win_unlock(2, win);
	}
	tell();
	MPI_Win_free(&win);
}

static void fence(void)
{
	make_window();
	MPI_Win_fence(0, win);
	if (rank == 2)
		late();
	MPI_Put(x, 1, MPI_INT, after, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	tell();
	MPI_Win_free(&win);
}

static MPI_Group group_of(int member)
{
	MPI_Group all;
	MPI_Group few;

	MPI_Comm_group(comm, &all);
	MPI_Group_incl(all, 1, &member, &few);
	MPI_Group_free(&all);
	return few;
}

static void exposed(void)
{
	MPI_Group others = group_of(rank == 1 ? 2 : 1);

	make_window();
	if (rank == 1) {
		MPI_Win_post(others, 0, win);
		MPI_Win_wait(win);
	} else if (rank == 2) {
		late();
		MPI_Win_start(others, 0, win);
		MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
		MPI_Win_complete(win);
	}
	tell();
	MPI_Group_free(&others);
	MPI_Win_free(&win);
}

/* Its access begins when the other has exposed its memory. */
static void not_yet_exposed(void)
{
	MPI_Group others = group_of(rank == 1 ? 2 : 1);

	make_window();
	if (rank == 1) {
		MPI_Win_start(others, 0, win);
		MPI_Put(x, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
		MPI_Win_complete(win);
	} else if (rank == 2) {
		late();
		MPI_Win_post(others, 0, win);
		MPI_Win_wait(win);
	}
	tell();
	MPI_Group_free(&others);
	MPI_Win_free(&win);
}

/* A spin lock of one-sided calls, held by a rank that waits for a message. */
static void swapped_until_free(void)
{
	const int taken = 1;
	const int free_again = 0;
	int was = 1;

	make_window();
	MPI_Win_lock_all(0, win);
	if (rank == 2)
		MPI_Fetch_and_op(&taken, &was, MPI_INT, 0, 0, MPI_REPLACE, win);
	MPI_Win_flush_all(win);
	BARRIER();
	for (was = 1; rank == 1 && was;) {
		MPI_Compare_and_swap(&taken, &free_again, &was, MPI_INT, 0, 0,
				     win);
		MPI_Win_flush(0, win);
	}
	if (rank == 2) {
		late();
		MPI_Accumulate(&free_again, 1, MPI_INT, 0, 0, 1, MPI_INT,
			       MPI_REPLACE, win);
	}
	MPI_Win_unlock_all(win);
	tell();
	MPI_Win_free(&win);
}

/* Seen in memory: no call tells of it. */
static void shared_flag(void)
{
	volatile int *flag;
	MPI_Aint bytes;
	int unit;

	MPI_Win_allocate_shared(16, 4, MPI_INFO_NULL, comm, &shown, &win);
	shown[0] = 0;
	MPI_Win_shared_query(win, 1, &bytes, &unit, &shown);
	flag = shown;
	BARRIER();
	MPI_Win_lock_all(0, win);
	/* MPICH grants locks within calls, and MPI_Win_sync is none of them. */
	BARRIER();
	if (rank == 2) {
		late();
		*flag = 1;
	}
	while (rank == 1 && !*flag)
		MPI_Win_sync(win);
	MPI_Win_unlock_all(win);
	tell();
	MPI_Win_free(&win);
}

static void open_file(void)
{
	if (rank == 0)
		snprintf(path, sizeof(path), "/tmp/right-%012d", (int)getpid());
	MPI_Bcast(path, sizeof(path), MPI_CHAR, 0, comm);
	if (rank == 2)
		late();
	MPI_File_open(comm, path,
		      MPI_MODE_CREATE | MPI_MODE_RDWR |
			      MPI_MODE_DELETE_ON_CLOSE,
		      MPI_INFO_NULL, &file);
}

/* The calls for shared pointers wait for each other's places in the file. */
static void file_in_turns(void)
{
	open_file();
	if (rank == 2)
		late();
	MPI_File_write_ordered(file, x, 8, MPI_INT, NOTHING);
	MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
	MPI_File_read_shared(file, y, 2, MPI_INT, NOTHING);
	tell();
	MPI_File_close(&file);
}

static void file_of_all(void)
{
	open_file();
	if (rank == 2)
		late();
	MPI_File_write_at_all(file, 32 * rank, x, 8, MPI_INT, NOTHING);
	MPI_File_iread_at(file, 32 * rank, y, 8, MPI_INT, &one);
	WAIT(&one);
	if (rank == 2)
		late();
	MPI_File_set_size(file, 64);
	tell();
	MPI_File_close(&file);
}

static void slow_sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)type;
	late();
	for (int i = 0; i < *n; i++)
		((int *)inout)[i] += ((int *)in)[i];
}

static void slow_operation(void)
{
	MPI_Op op;

	MPI_Op_create(slow_sum, 1, &op);
	ALLREDUCE(op);
	MPI_Op_free(&op);
}

static int send_then(MPI_Comm of, int key, void *value, void *extra)
{
	(void)of;
	(void)key;
	(void)value;
	(void)extra;
	late();
	return SSEND(0, 5);
}

/* Attributes of MPI_COMM_SELF go first: MPI is still there for them. */
static void sent_by_finalize(void)
{
	int key;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, send_then, &key, NULL);
	if (rank == 1)
		MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
	MPI_Comm_free_keyval(&key);
	if (rank == 0)
		RECV(1, 5);
}

/* Rank 0 comes to be waited for while rank 1 is in a call of its own. */
static void sent_by_a_free(void)
{
	MPI_Comm own;
	int key;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, send_then, &key, NULL);
	MPI_Comm_dup(MPI_COMM_SELF, &own);
	if (rank == 1)
		MPI_Comm_set_attr(own, key, NULL);
	if (rank == 0)
		RECV(1, 5);
	MPI_Comm_free(&own);
	MPI_Comm_free_keyval(&key);
}

/* A duplicate that is made in the background. */
static void made_meanwhile(void)
{
	MPI_Comm dup;

	if (rank == 1)
		late();
	MPI_Comm_idup(comm, &dup, &one);
	WAIT(&one);
	MPI_Comm_free(&dup);
}

const struct faulty right_windows[] = {
	CASE(lock_of_another, 3),
	CASE(fence, 3),
	CASE(exposed, 3),
	CASE(not_yet_exposed, 3),
	CASE(shared_flag, 3),
	CASE(swapped_until_free, 3),
	CASE(file_in_turns, 3),
	CASE(file_of_all, 3),
	CASE(slow_operation, 3),
	ALONE(sent_by_finalize, 3),
	CASE(sent_by_a_free, 3),
	CASE(made_meanwhile, 3),
	{ 0 },
};

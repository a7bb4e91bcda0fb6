/* SPDX-License-Identifier: BSD-3-Clause */

/* Objects and windows that look as if they were forgotten, and are not. */
#include "faulty.h"

static MPI_Request one;

static void freed_while_used(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(comm, &dup);
	MPI_Irecv(y, 1, MPI_INT, before, 0, dup, &one);
	MPI_Send(x, 1, MPI_INT, after, 0, dup);
	MPI_Comm_free(&dup);
	WAIT(&one);
}

static void group_twice(void)
{
	MPI_Group a;
	MPI_Group b;

	MPI_Comm_group(comm, &a);
	MPI_Comm_group(comm, &b);
	MPI_Group_free(&a);
	MPI_Group_free(&b);
}

static void group_of_none(void)
{
	MPI_Group all;
	MPI_Group none;

	MPI_Comm_group(comm, &all);
	MPI_Group_excl(all, size, (int[]){ 0, 1, 2, 3 }, &none);
	MPI_Group_free(&all);
}

static void named_types(void)
{
	MPI_Datatype type;

	MPI_Type_create_f90_integer(5, &type);
	MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
}

static void disconnected(void)
{
	MPI_Comm dup;

	MPI_Comm_dup(comm, &dup);
	MPI_Comm_disconnect(&dup);
}

static void predefined_handler(void)
{
	MPI_Errhandler handler;

	MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
}

static void window_fences(void)
{
	MPI_Win win;

	MPI_Win_create(z, sizeof(int) * 4, sizeof(int), MPI_INFO_NULL, comm,
		       &win);
	MPI_Win_fence(0, win);
	MPI_Put(x, 1, MPI_INT, after, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
}

static void window_locks(void)
{
	MPI_Win win;
	int *memory;

	MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm,
			 (void *)&memory, &win);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
	MPI_Accumulate(x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
	MPI_Win_unlock(0, win);
	MPI_Win_free(&win);
}

static void memory_freed(void)
{
	void *memory;

	MPI_Alloc_mem(64, MPI_INFO_NULL, &memory);
	MPI_Free_mem(memory);
}

static void file_closed(void)
{
	MPI_File file;

	MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY,
		      MPI_INFO_NULL, &file);
	MPI_File_close(&file);
}

static void info_used(void)
{
	MPI_Info info;
	MPI_Comm dup;

	MPI_Info_create(&info);
	MPI_Info_set(info, "key", "value");
	MPI_Comm_dup_with_info(comm, info, &dup);
	MPI_Info_free(&info);
	MPI_Comm_free(&dup);
}

static void keyval_freed_in_use(void)
{
	int key;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN,
			       &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_SELF, key, x);
	MPI_Comm_free_keyval(&key);
}

static void many_of_each(void)
{
	MPI_Comm dups[8];

	for (int i = 0; i < 8; i++)
		MPI_Comm_dup(comm, &dups[i]);
	for (int i = 7; i >= 0; i--)
		MPI_Comm_free(&dups[i]);
}

const struct faulty right_objects[] = {
	CASE(freed_while_used, 2), CASE(group_twice, 2),
	CASE(group_of_none, 2),    CASE(named_types, 2),
	CASE(disconnected, 2),     CASE(predefined_handler, 2),
	CASE(window_fences, 2),    CASE(window_locks, 2),
	CASE(memory_freed, 2),     CASE(file_closed, 2),
	CASE(info_used, 2),        CASE(keyval_freed_in_use, 2),
	CASE(many_of_each, 2),     { 0 },
};

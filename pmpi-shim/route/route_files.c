/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The members of a file meet in its collective calls (route_meet.h).  ROMIO
 * lets no member leave these before all are in them.  There the members agree
 * on the file, pass a barrier, or exchange the bounds of their accesses.  ROMIO
 * omits this exchange for files with the hint romio_cb_write or romio_cb_read
 * "disable".
 *
 * The wrappers count a call on a file as one that MPI carries (route_native),
 * for ROMIO calls MPI's functions.  The members meet before it does.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/route/base/route_forms.h"
#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/coll/route_meet.h"

/* An open file whose members meet. */
struct file {
	struct file *next;
	MPI_File handle;
	struct route_comm *members;
	bool writes; /* collective writes wait for all members, */
	bool reads;  /* and reads do */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file *files;

static struct file *file_find(MPI_File handle)
{
	struct file *file;

	pthread_mutex_lock(&lock);
	file = files;
	while (file && file->handle != handle)
		file = file->next;
	pthread_mutex_unlock(&lock);
	return file;
}

static bool hint_is_on(MPI_Info info, const char *name)
{
	char value[32];
	int is_set;

	REAL(Info_get)(info, name, sizeof(value) - 1, value, &is_set);
	return is_set && strcmp(value, "disable") != 0;
}

/* Hints may be changed while the file is open. */
static int hints_read(int rc, struct file *file)
{
	MPI_Info info;

	if (rc != MPI_SUCCESS || !file ||
	    REAL(File_get_info)(file->handle, &info) != MPI_SUCCESS)
		return rc;
	file->writes = hint_is_on(info, "romio_cb_write");
	file->reads = hint_is_on(info, "romio_cb_read");
	REAL(Info_free)(&info);
	return rc;
}

static void file_add(struct file *file, MPI_File handle)
{
	file->handle = handle;
	pthread_mutex_lock(&lock);
	file->next = files;
	files = file;
	pthread_mutex_unlock(&lock);
}

static void file_take_out(struct file *file)
{
	struct file **link = &files;

	pthread_mutex_lock(&lock);
	while (*link != file)
		link = &(*link)->next;
	*link = file->next;
	pthread_mutex_unlock(&lock);
}

static void file_free(struct file *file)
{
	route_comm_drop(file->members);
	free(file);
}

static struct file *file_make(struct route_comm *members)
{
	struct file *file = calloc(1, sizeof(*file));

	if (file)
		file->members = members;
	else
		route_comm_drop(members);
	return file;
}

static int opened(int rc, const MPI_File *handle, struct route_comm *twin)
{
	struct file *file = twin ? file_make(twin) : NULL;

	if (!file)
		return rc;
	if (rc != MPI_SUCCESS) {
		file_free(file);
		return rc;
	}
	file_add(file, *handle);
	return hints_read(rc, file);
}

/* MPI refuses others before it waits. */
static bool is_mode(int amode)
{
	const int access = amode &
			   (MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR);

	return access == MPI_MODE_WRONLY ||
	       (access == MPI_MODE_RDONLY &&
		!(amode & (MPI_MODE_CREATE | MPI_MODE_EXCL))) ||
	       (access == MPI_MODE_RDWR && !(amode & MPI_MODE_SEQUENTIAL));
}

static int File_open(MPI_Comm comm, const char *name, int amode, MPI_Info info,
		     MPI_File *handle)
{
	struct route_comm *twin;
	int rc;

	route_native--;
	rc = route_meet_begin(SHIM_MPI_File_open, comm,
			      name && handle && is_mode(amode), &twin);
	route_native++;
	if (rc != MPI_SUCCESS)
		return rc;
	return opened(REAL(File_open)(comm, name, amode, info, handle), handle,
		      twin);
}

static int file_meet(enum shim_call name, const struct file *file,
		     bool is_right)
{
	int rc;

	if (!file)
		return MPI_SUCCESS;
	route_native--;
	rc = route_meet_members(name, file->members, is_right);
	route_native++;
	return rc;
}

/* Its number may be another's as soon as MPI has closed it. */
static int File_close(MPI_File *handle)
{
	struct file *file = handle ? file_find(*handle) : NULL;
	int rc = file_meet(SHIM_MPI_File_close, file, true);

	if (rc != MPI_SUCCESS)
		return rc;
	if (file)
		file_take_out(file);
	rc = REAL(File_close)(handle);
	if (file && rc == MPI_SUCCESS)
		file_free(file);
	else if (file)
		file_add(file, *handle);
	return rc;
}

static int File_set_view(MPI_File handle, MPI_Offset at, MPI_Datatype element,
			 MPI_Datatype type, const char *form, MPI_Info info)
{
	struct file *file = file_find(handle);
	const int rc = file_meet(SHIM_MPI_File_set_view, file,
				 element != MPI_DATATYPE_NULL &&
					 type != MPI_DATATYPE_NULL);

	if (rc != MPI_SUCCESS)
		return rc;
	return hints_read(
		REAL(File_set_view)(handle, at, element, type, form, info),
		file);
}

static int File_set_info(MPI_File handle, MPI_Info info)
{
	return hints_read(REAL(File_set_info)(handle, info), file_find(handle));
}

#define MEET(NAME, moves)                                      \
	const struct file *file = file_find(fh);               \
	rc = file_meet(SHIM_MPI_##NAME, file,                  \
		       file && file->moves && count >= 0 &&    \
			       datatype != MPI_DATATYPE_NULL); \
	if (rc != MPI_SUCCESS)                                 \
	return rc

ROUTE_AROUND(File_read_all, MEET(File_read_all, reads), rc)
ROUTE_AROUND(File_read_at_all, MEET(File_read_at_all, reads), rc)
ROUTE_AROUND(File_read_all_begin, MEET(File_read_all_begin, reads), rc)
ROUTE_AROUND(File_read_at_all_begin, MEET(File_read_at_all_begin, reads), rc)
ROUTE_AROUND(File_read_ordered, MEET(File_read_ordered, reads), rc)
ROUTE_AROUND(File_read_ordered_begin, MEET(File_read_ordered_begin, reads), rc)
ROUTE_AROUND(File_write_all, MEET(File_write_all, writes), rc)
ROUTE_AROUND(File_write_at_all, MEET(File_write_at_all, writes), rc)
ROUTE_AROUND(File_write_all_begin, MEET(File_write_all_begin, writes), rc)
ROUTE_AROUND(File_write_at_all_begin, MEET(File_write_at_all_begin, writes), rc)
ROUTE_AROUND(File_write_ordered, MEET(File_write_ordered, writes), rc)
ROUTE_AROUND(File_write_ordered_begin, MEET(File_write_ordered_begin, writes),
	     rc)

void route_files_install(struct shim_pmpi *table)
{
	table->MPI_File_open = File_open;
	table->MPI_File_close = File_close;
	table->MPI_File_set_view = File_set_view;
	table->MPI_File_set_info = File_set_info;
	ROUTE_INSTALL(File_read_all, table);
	ROUTE_INSTALL(File_read_at_all, table);
	ROUTE_INSTALL(File_read_all_begin, table);
	ROUTE_INSTALL(File_read_at_all_begin, table);
	ROUTE_INSTALL(File_read_ordered, table);
	ROUTE_INSTALL(File_read_ordered_begin, table);
	ROUTE_INSTALL(File_write_all, table);
	ROUTE_INSTALL(File_write_at_all, table);
	ROUTE_INSTALL(File_write_all_begin, table);
	ROUTE_INSTALL(File_write_at_all_begin, table);
	ROUTE_INSTALL(File_write_ordered, table);
	ROUTE_INSTALL(File_write_ordered_begin, table);
}

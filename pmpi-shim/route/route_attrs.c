/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * MPI_Finalize first deletes the attributes of MPI_COMM_SELF, the last one
 * first, by functions of the program that may still send, receive and wait.  So
 * that these go the way of all messages, it is done here before the scheduler
 * ends.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pmpi-shim/route/base/route_install.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/route.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *keys; /* in the order in which they were set first */
static size_t n_keys;

static size_t find(int key)
{
	size_t at = 0;

	while (at < n_keys && keys[at] != key)
		at++;
	return at;
}

/* An attribute that finds no room here is deleted later, by MPI. */
static void add(int key)
{
	int *more;

	if (find(key) < n_keys)
		return;
	more = realloc(keys, (n_keys + 1) * sizeof(*keys));
	if (!more)
		return;
	keys = more;
	keys[n_keys++] = key;
}

static void take_out(int key)
{
	const size_t at = find(key);

	if (at == n_keys)
		return;
	n_keys--;
	memmove(keys + at, keys + at + 1, (n_keys - at) * sizeof(*keys));
}

static int was_changed(int rc, MPI_Comm comm, int key, void (*change)(int key))
{
	if (rc != MPI_SUCCESS || comm != MPI_COMM_SELF)
		return rc;
	pthread_mutex_lock(&lock);
	change(key);
	pthread_mutex_unlock(&lock);
	return rc;
}

static int Comm_set_attr(MPI_Comm comm, int key, void *value)
{
	return was_changed(REAL(Comm_set_attr)(comm, key, value), comm, key,
			   add);
}

static int Attr_put(MPI_Comm comm, int key, void *value)
{
	return was_changed(REAL(Attr_put)(comm, key, value), comm, key, add);
}

static int Comm_delete_attr(MPI_Comm comm, int key)
{
	return was_changed(REAL(Comm_delete_attr)(comm, key), comm, key,
			   take_out);
}

static int Attr_delete(MPI_Comm comm, int key)
{
	return was_changed(REAL(Attr_delete)(comm, key), comm, key, take_out);
}

/* A function may set others. */
static bool last_take(int *key)
{
	bool any;

	pthread_mutex_lock(&lock);
	any = n_keys > 0;
	if (any)
		*key = keys[--n_keys];
	pthread_mutex_unlock(&lock);
	return any;
}

void route_attrs_delete(void)
{
	int key;

	while (last_take(&key))
		REAL(Comm_delete_attr)(MPI_COMM_SELF, key);
	free(keys);
	keys = NULL;
}

void route_attrs_install(struct shim_pmpi *table)
{
	table->MPI_Comm_set_attr = Comm_set_attr;
	table->MPI_Attr_put = Attr_put;
	table->MPI_Comm_delete_attr = Comm_delete_attr;
	table->MPI_Attr_delete = Attr_delete;
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * BCS_TREE: files of decision trees.  One process of the node reads them, so
 * that all have the same.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libbcs/demand/coll/coll_tune.h"
#include "mds/base/reading.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/route/base/route_state.h"
#include "pmpi-shim/route/route_parts.h"

#define FILE_MOST (1 << 20)

/* Says it once in a job. */
static void warn(const char *file, const char *why)
{
	char line[512];

	if (!process_is_first())
		return;
	snprintf(line, sizeof(line),
		 "BCS_TREE: %.200s: %s; going on without it", file, why);
	process_warn(line);
}

/* Its size, or -errno. */
static int file_read(const char *file, char *text)
{
	const int fd = reading_open(file, READING_SETTING);
	ssize_t size = 0;
	ssize_t n;

	if (fd < 0)
		return fd;
	while ((n = read(fd, text + size, FILE_MOST - (size_t)size)) > 0)
		size += n;
	if (n < 0)
		size = -errno;
	close(fd);
	return size == FILE_MOST ? -EFBIG : (int)size;
}

static void tree_take(MPI_Comm node, const char *file, char *text)
{
	struct tree_fault fault;
	int size = 0;
	int rank;
	int rc;

	REAL(Comm_rank)(node, &rank);
	if (rank == 0)
		size = file_read(file, text);
	REAL(Bcast)(&size, 1, MPI_INT, 0, node);
	if (size < 0) {
		warn(file, reading_text(size, READING_SETTING));
		return;
	}
	REAL(Bcast)(text, size, MPI_CHAR, 0, node);
	rc = coll_tune(text, (size_t)size, &fault);
	if (rc != 0)
		warn(file, rc == -EINVAL ? fault.text : strerror(-rc));
}

void route_trees_start(MPI_Comm node)
{
	char *files = strdup(process.settings.trees);
	char *text = malloc(FILE_MOST);
	char *state = NULL;

	for (char *file = files && text ? strtok_r(files, ",", &state) : NULL;
	     file; file = strtok_r(NULL, ",", &state))
		tree_take(node, file, text);
	free(files);
	free(text);
}

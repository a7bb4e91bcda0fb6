/* SPDX-License-Identifier: BSD-3-Clause */

/* The state of this process in the job, and its preparation. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi.h"
#include "mds/base/clock.h"
#include "mds/record/record_failed.h"
#include "mds/record/record_file.h"
#include "pmpi-shim/job/job.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/pmpi.h"

struct process process = { .rank = -1, .status = -1, .deadlock = "" };

/* Known before MPI is: the launcher says it in the environment. */
static int launcher_rank(void)
{
	static const char *const names[] = { "PMI_RANK", "PMIX_RANK",
					     "SLURM_PROCID" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (getenv(names[i]))
			return atoi(getenv(names[i]));
	return 0;
}

bool process_is_first(void)
{
	return (process.rank >= 0 ? process.rank : launcher_rank()) == 0;
}

/* Advice for an error, after a blank; or an empty text. */
/* The first to fail says so for all: a file marks that it has been said. */
void process_warn_failed(int rc)
{
	static _Atomic bool told;
	const char *advice = record_failed_by(-rc)->advice;
	char path[PATH_MAX + 16];
	char line[PATH_MAX + 128];
	int fd;

	if (atomic_exchange(&told, true))
		return;
	snprintf(path, sizeof(path), "%s/.failed", process.dir);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
		  0666 & ~record_file_mask);
	if (fd >= 0)
		close(fd);
	if (fd < 0 && (errno == EEXIST || !process_is_first()))
		return;
	snprintf(line, sizeof(line),
		 "cannot write the record in %s: %s%s%s%s; the program is not "
		 "affected",
		 process.dir, strerror(-rc), advice ? " (" : "",
		 advice ? advice : "", advice ? ")" : "");
	process_warn(line);
}

static void warn_once(const char *line)
{
	const size_t at = strlen(process.refused);

	snprintf(process.refused + at, sizeof(process.refused) - at, "%s\n",
		 line);
	if (process_is_first())
		process_warn(line);
}

/* One blank for each row of blanks and tabs, which differ between versions. */
static void blanks_join(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ' ' && *from != '\t')
			*to++ = *from;
		else if (to != text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

static void version_take(void)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int len;

	PMPI_Get_library_version(version, &len);
	version[strcspn(version, "\n")] = '\0';
	snprintf(process.mpi, sizeof(process.mpi), "%.*s",
		 (int)sizeof(process.mpi) - 1, version);
	blanks_join(process.mpi);
}

void process_prepare(void)
{
	struct timespec now;

	settings_load(&process.settings, warn_once);
	settings_unknown(warn_once);
	record_file_mask = process.settings.umask;
	clock_start();
	clock_gettime(CLOCK_REALTIME, &now);
	process.start_ns = (uint64_t)now.tv_sec * 1000000000 +
			   (uint64_t)now.tv_nsec;
	process.pid = getpid();
	gethostname(process.host, sizeof(process.host) - 1);
	version_take();
	abi_prepare();
}

/*
 * The launcher of another MPI starts as many programs of one rank as there were
 * to be ranks, each with a record of its own.
 */
static void alone_tell(void)
{
	const char *size = getenv(ABI_OTHER_SIZE);
	const char *rank = getenv(ABI_OTHER_RANK);
	char line[160];

	if (process.size > 1 || !size || atoi(size) < 2 ||
	    (rank && atoi(rank) > 0))
		return;
	snprintf(line, sizeof(line),
		 ABI_OTHER "'s mpiexec started %d programs of one rank each, "
			   "for this one is linked with " ABI_MPI
			   ": use " ABI_MPIEXEC,
		 atoi(size));
	process_warn(line);
}

void process_join(void)
{
	PMPI_Comm_rank(MPI_COMM_WORLD, &process.rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &process.size);
	PMPI_Query_thread(&process.thread_level);
	alone_tell();
	job_agree_on_settings();
	job_meet_node();
	job_agree_on_dir();
}

void process_alone(void)
{
	process.local_ranks = 1;
	process.thread_level = MPI_THREAD_MULTIPLE;
	job_make_dir();
}

/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Agreements between the processes of a job: settings, their nodes, and the
 * folder of the record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libbcs/base/machine.h"
#include "mds/record/record_dir.h"
#include "pmpi-shim/job/cores.h"
#include "pmpi-shim/job/job.h"
#include "pmpi-shim/job/proc_stat.h"
#include "pmpi-shim/job/process.h"
#include "pmpi-shim/pmpi.h"

bool job_all_can(MPI_Comm comm, bool can)
{
	int mine = can;
	int all = 0;

	PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
	return all;
}

/*
 * Settings that have to be alike in all processes, and the variables that set
 * them.
 */
struct common {
	uint64_t words[10];
	char trees[PATH_MAX];
	char replay[PATH_MAX];
	/* That one may differ; rank 0 has told of its own. */
	char refused[sizeof(process.refused)];
};

/* The variables of the words. */
static const char *const common_names[] = {
	"BCS_MODE",   "BCS_SLICE",  "BCS_NODE_SIZE", "BCS_BCAST",  "BCS_BCAST",
	"BCS_REDUCE", "BCS_REDUCE", "BCS_DEADLOCK",  "BCS_BUDGET", "BCS_STRICT"
};

static void common_get(struct common *common)
{
	const struct settings *s = &process.settings;

	*common = (struct common){
		.words = { s->mode, s->slice_ns, s->node_size,
			   s->bcast.algorithm, s->bcast.segment,
			   s->reduce.algorithm, s->reduce.segment, s->deadlock,
			   s->budget, s->strict }
	};
	snprintf(common->trees, sizeof(common->trees), "%s", s->trees);
	snprintf(common->replay, sizeof(common->replay), "%s", s->replay);
	strcpy(common->refused, process.refused);
}

static void common_take(const struct common *common)
{
	static char trees[PATH_MAX];
	static char replay[PATH_MAX];
	struct settings *s = &process.settings;

	s->mode = (enum settings_mode)common->words[0];
	s->slice_ns = common->words[1];
	s->node_size = (unsigned)common->words[2];
	s->bcast = (struct settings_method){
		(enum settings_algorithm)common->words[3], common->words[4]
	};
	s->reduce = (struct settings_method){
		(enum settings_algorithm)common->words[5], common->words[6]
	};
	s->deadlock = (enum settings_deadlock)common->words[7];
	s->budget = common->words[8];
	s->strict = (unsigned)common->words[9];
	s->trees = strcpy(trees, common->trees);
	s->replay = strcpy(replay, common->replay);
}

/* The variable of the first that is not alike, or NULL. */
static const char *common_unlike(const struct common *a, const struct common *b)
{
	for (size_t i = 0; i < sizeof(a->words) / sizeof(a->words[0]); i++)
		if (a->words[i] != b->words[i])
			return common_names[i];
	if (strcmp(a->trees, b->trees) != 0)
		return "BCS_TREE";
	return strcmp(a->replay, b->replay) != 0 ? "BCS_REPLAY" : NULL;
}

static void common_warn(const char *name)
{
	char line[128];

	snprintf(line, sizeof(line),
		 "rank %d has another %s than rank 0, whose counts for all",
		 process.rank, name);
	process_warn(line);
}

/* Values that were not taken here, but for those that rank 0 told of. */
static void refused_warn(const struct common *first)
{
	char line[sizeof(process.refused) + 32];
	char *next = process.refused;
	const char *one;

	while ((one = strsep(&next, "\n"))) {
		if (!*one || strstr(first->refused, one))
			continue;
		snprintf(line, sizeof(line), "rank %d: %s", process.rank, one);
		process_warn(line);
	}
}

void job_agree_on_settings(void)
{
	struct common mine;
	struct common first;
	const char *unlike;
	int ranks[2]; /* the first that is unlike, and that refused values */

	common_get(&mine);
	first = mine;
	PMPI_Bcast(&first, sizeof(first), MPI_BYTE, 0, MPI_COMM_WORLD);
	unlike = common_unlike(&mine, &first);
	ranks[0] = unlike ? process.rank : process.size;
	ranks[1] = strcmp(mine.refused, first.refused) != 0 && mine.refused[0]
			   ? process.rank
			   : process.size;
	PMPI_Allreduce(MPI_IN_PLACE, ranks, 2, MPI_INT, MPI_MIN,
		       MPI_COMM_WORLD);
	if (ranks[1] == process.rank)
		refused_warn(&first);
	if (ranks[0] == process.rank)
		common_warn(unlike);
	if (unlike)
		common_take(&first);
}

static void meet_siblings(MPI_Comm node, int size)
{
	struct process_sibling me = {
		.rank = process.rank,
		.pid = getpid(),
		.started = proc_stat_started(getpid()),
		.answers = process.answers,
	};

	process.siblings = calloc((size_t)size, sizeof(me));
	if (!job_all_can(node, process.siblings != NULL)) {
		free(process.siblings);
		process.siblings = NULL;
		return;
	}
	PMPI_Allgather(&me, sizeof(me), MPI_BYTE, process.siblings, sizeof(me),
		       MPI_BYTE, node);
	process.n_siblings = size;
}

static void meet_cores(MPI_Comm node)
{
	struct cores mine;
	unsigned quota;

	cores_mine(&mine);
	PMPI_Allreduce(MPI_IN_PLACE, mine.mask, sizeof(mine.mask), MPI_BYTE,
		       MPI_BOR, node);
	quota = mine.quota;
	PMPI_Allreduce(MPI_IN_PLACE, &quota, 1, MPI_UNSIGNED, MPI_MIN, node);
	mine.quota = quota;
	process.millicores = cores_millicores(&mine);
}

/*
 * Hydra starts each rank in a session of its own. A rank that yields a shared
 * core there often keeps it.
 */
static void meet_sessions(void)
{
	const int n = process.n_siblings;

	process.parted = n > 0 &&
			 process.local_ranks * 1000 > process.millicores &&
			 getsid(process.siblings[0].pid) !=
				 getsid(process.siblings[n - 1].pid) &&
			 cores_go_by_session("");
}

/* The first process on the node of the calling one; itself without memory. */
static int node_first(void)
{
	const uint64_t mine = machine_name();
	uint64_t *names = malloc((size_t)process.size * sizeof(*names));
	int first = 0;

	if (!job_all_can(MPI_COMM_WORLD, names != NULL)) {
		free(names);
		return process.rank;
	}
	PMPI_Allgather(&mine, sizeof(mine), MPI_BYTE, names, sizeof(mine),
		       MPI_BYTE, MPI_COMM_WORLD);
	while (names[first] != mine)
		first++;
	free(names);
	return first;
}

/*
 * MPICH 5.0 says that each process is on a node of its own where UCX does all,
 * as Debian builds it: then we look ourselves.
 */
static MPI_Comm node_split(void)
{
	MPI_Comm node;
	int size;

	PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, process.rank,
			     MPI_INFO_NULL, &node);
	PMPI_Comm_size(node, &size);
	PMPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_INT, MPI_MAX,
		       MPI_COMM_WORLD);
	process.apart = size == 1;
	if (size > 1 || process.size == 1)
		return node;
	PMPI_Comm_free(&node);
	PMPI_Comm_split(MPI_COMM_WORLD, node_first(), process.rank, &node);
	return node;
}

static MPI_Comm met;

void job_meet_node(void)
{
	int size;

	met = node_split();
	PMPI_Comm_size(met, &size);
	process.local_ranks = (unsigned)size;
	meet_siblings(met, size);
	meet_cores(met);
	meet_sessions();
	/* In other modes the scheduler takes it. */
	if (process.settings.mode == SETTINGS_OBSERVE)
		PMPI_Comm_free(&met);
}

MPI_Comm job_node_take(void)
{
	const MPI_Comm node = met;

	met = MPI_COMM_NULL;
	return node;
}

static void dir_warn(int rc)
{
	char line[PATH_MAX + 128];

	snprintf(line, sizeof(line),
		 "cannot make the record's folder in %s: %s; the program goes "
		 "on without a record (BCS_OUT says where)",
		 process.settings.out, strerror(-rc));
	process_warn(line);
	process.dir[0] = '\0';
}

/* With `shared` another process of our run may have made the folder. */
static void dir_make_new(long number, bool shared)
{
	const struct record_dir_options options = {
		.out = process.settings.out,
		.job = process.settings.job,
		.number = number,
		.shared = shared,
	};
	const int rc = record_dir_make(process.dir, sizeof(process.dir),
				       &options);

	if (rc != 0)
		dir_warn(rc);
}

/* Slices are on record where there are any. */
static bool dir_is_wanted(void)
{
	return process.settings.mmds || process.settings.schedule ||
	       (process.settings.emds != SETTINGS_EMDS_OFF &&
		process.settings.mode != SETTINGS_OBSERVE);
}

void job_agree_on_dir(void)
{
	int wanted = dir_is_wanted();

	PMPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_MAX,
		       MPI_COMM_WORLD);
	if (!wanted)
		return;
	if (process.rank == 0)
		dir_make_new((long)getpid(), false);
	PMPI_Bcast(process.dir, sizeof(process.dir), MPI_CHAR, 0,
		   MPI_COMM_WORLD);
	/* A node that does not share it has one of the same name. */
	if (process.rank != 0 && process.siblings &&
	    process.siblings[0].rank == process.rank)
		record_dir_make_parent(process.dir);
}

void job_make_dir(void)
{
	if (process.settings.mmds)
		dir_make_new((long)getppid(), true);
}

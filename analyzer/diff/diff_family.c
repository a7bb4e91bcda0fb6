/* SPDX-License-Identifier: BSD-3-Clause */

/* Maps a primitive to its family: primitives that may replace each other. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "analyzer/diff/diff_family.h"

#define MESSAGES 8 /* the first stems, which are one family */

/* Names after "MPI_I".  After "MPI_" alone they begin with a capital. */
static const char *const stems[] = {
	"send",
	"bsend",
	"ssend",
	"rsend",
	"recv",
	"mrecv",
	"sendrecv",
	"sendrecv_replace",
	"barrier",
	"bcast",
	"gather",
	"gatherv",
	"scatter",
	"scatterv",
	"allgather",
	"allgatherv",
	"alltoall",
	"alltoallv",
	"alltoallw",
	"reduce",
	"allreduce",
	"reduce_scatter",
	"reduce_scatter_block",
	"scan",
	"exscan",
	"neighbor_allgather",
	"neighbor_allgatherv",
	"neighbor_alltoall",
	"neighbor_alltoallv",
	"neighbor_alltoallw",
};
#define N_STEMS (sizeof(stems) / sizeof(stems[0]))
_Static_assert(N_STEMS - MESSAGES + 1 == DIFF_FAMILIES, "families");

/* Calls with large counts end in _c. */
static bool is_stem(const char *stem, const char *rest)
{
	const size_t len = strlen(stem);

	return strncmp(stem, rest, len) == 0 &&
	       (rest[len] == '\0' || strcmp(rest + len, "_c") == 0);
}

static bool find(const char *first, const char *rest, size_t *family)
{
	for (size_t i = 0; i < N_STEMS; i++) {
		if (stems[i][0] != *first || !is_stem(stems[i] + 1, rest))
			continue;
		*family = i < MESSAGES ? 0 : i - MESSAGES + 1;
		return true;
	}
	return false;
}

enum diff_kind diff_kind_of(const char *call, size_t *family)
{
	const char *name = call + strlen("MPI_");
	char first;

	if (strncmp(call, "MPI_", strlen("MPI_")) != 0)
		return DIFF_NO_KIND;
	if (strncmp(name, "Wait", 4) == 0 || strcmp(name, "Test") == 0 ||
	    strcmp(name, "Testall") == 0 || strcmp(name, "Testany") == 0 ||
	    strcmp(name, "Testsome") == 0)
		return DIFF_COMPLETES;
	if (*name == 'I' && name[1] && find(name + 1, name + 2, family))
		return DIFF_STARTS;
	first = (char)tolower((unsigned char)*name);
	if (isupper((unsigned char)*name) && find(&first, name + 1, family))
		return DIFF_BLOCKS;
	return DIFF_NO_KIND;
}

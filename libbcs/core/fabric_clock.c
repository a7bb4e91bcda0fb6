/* SPDX-License-Identifier: BSD-3-Clause */
#include "libbcs/core/fabric_clock.h"
#include "mds/base/clock.h"

#define ROUNDS 20 /* to compare two clocks */
#define TAG    1

/* By how much the clock of `peer` is ahead: the shortest answer tells best. */
static int64_t ask(MPI_Comm comm, int peer)
{
	uint64_t least = UINT64_MAX;
	int64_t ahead = 0;
	uint64_t before;
	uint64_t after;
	uint64_t theirs;

	for (int i = 0; i < ROUNDS; i++) {
		before = clock_monotonic_ns();
		MPI_Send(NULL, 0, MPI_BYTE, peer, TAG, comm);
		MPI_Recv(&theirs, 1, MPI_UINT64_T, peer, TAG, comm,
			 MPI_STATUS_IGNORE);
		after = clock_monotonic_ns();
		if (after - before >= least)
			continue;
		least = after - before;
		ahead = (int64_t)(theirs - before - least / 2);
	}
	return ahead;
}

static void answer(MPI_Comm comm, int peer)
{
	uint64_t now;

	for (int i = 0; i < ROUNDS; i++) {
		MPI_Recv(NULL, 0, MPI_BYTE, peer, TAG, comm, MPI_STATUS_IGNORE);
		now = clock_monotonic_ns();
		MPI_Send(&now, 1, MPI_UINT64_T, peer, TAG, comm);
	}
}

uint64_t fabric_clock_agree(MPI_Comm comm, uint64_t ns)
{
	int n;
	int me;
	int bit = 1;

	MPI_Comm_size(comm, &n);
	MPI_Comm_rank(comm, &me);
	while (bit < n && !(me & bit))
		bit *= 2;
	if (me) {
		const int64_t ahead = ask(comm, me - bit);

		MPI_Recv(&ns, 1, MPI_UINT64_T, me - bit, TAG, comm,
			 MPI_STATUS_IGNORE);
		ns -= (uint64_t)ahead;
	}
	for (bit /= 2; bit; bit /= 2) {
		if (me + bit >= n)
			continue;
		answer(comm, me + bit);
		MPI_Send(&ns, 1, MPI_UINT64_T, me + bit, TAG, comm);
	}
	return ns;
}

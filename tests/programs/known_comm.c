/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes communicators of every kind; the calls are in a table beside them. */
#include "known.h"

#define WORLD MPI_COMM_WORLD

static int in[100];
static int out[100];

static void derived(void)
{
	static const struct known table[] = {
		{ "MPI_Comm_dup", ALL(1), NONE, NONE },
		{ "MPI_Comm_set_name", ALL(1), NONE, NONE },
		{ "MPI_Comm_split", ALL(1), NONE, NONE },
		{ "MPI_Comm_size", ALL(1), NONE, NONE },
		{ "MPI_Comm_free", ALL(2), NONE, NONE },
		{ "MPI_Barrier", ALL(1), NONE, NONE },
		{ "MPI_Allgather", ALL(1), ALL(8), { 8, 16, 16 } },
	};
	MPI_Comm copy;
	MPI_Comm part;
	int size;

	MPI_Comm_dup(WORLD, &copy);
	MPI_Comm_set_name(copy, "copy");
	MPI_Barrier(copy);
	MPI_Comm_split(copy, rank > 0, -rank, &part);
	MPI_Comm_size(part, &size);
	known_check(size == 1 + (rank > 0), "Comm_split");
	MPI_Allgather(out, 2, MPI_INT, in, 2, MPI_INT, part);
	MPI_Comm_free(&part);
	MPI_Comm_free(&copy);
	known_print(table);
}

/* Rank 0 on one side, 1 and 2 on the other. */
static void between(void)
{
	static const struct known table[] = {
		{ "MPI_Comm_split", ALL(1), NONE, NONE },
		{ "MPI_Intercomm_create", ALL(1), NONE, NONE },
		{ "MPI_Comm_free", ALL(2), NONE, NONE },
		{ "MPI_Send", { 2, 0, 0 }, { 40, 0, 0 }, NONE },
		{ "MPI_Recv", { 0, 1, 1 }, NONE, { 0, 20, 20 } },
		{ "MPI_Bcast", ALL(1), { 40, 0, 0 }, { 0, 40, 40 } },
		{ "MPI_Allgather", ALL(1), ALL(8), { 16, 8, 8 } },
		{ "MPI_Allreduce", ALL(1), ALL(12), ALL(12) },
	};
	const int side = rank > 0;
	MPI_Comm mine;
	MPI_Comm inter;

	MPI_Comm_split(WORLD, side, rank, &mine);
	MPI_Intercomm_create(mine, 0, WORLD, !side, 1, &inter);
	if (rank == 0) {
		MPI_Send(out, 5, MPI_INT, 0, 2, inter);
		MPI_Send(out, 5, MPI_INT, 1, 2, inter);
	} else {
		MPI_Recv(in, 9, MPI_INT, MPI_ANY_SOURCE, 2, inter,
			 MPI_STATUS_IGNORE);
	}
	MPI_Bcast(out, 10, MPI_INT, side ? 0 : MPI_ROOT, inter);
	MPI_Allgather(out, 2, MPI_INT, in, 2, MPI_INT, inter);
	MPI_Allreduce(out, in, 3, MPI_INT, MPI_SUM, inter);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&mine);
	known_print(table);
}

/* Not all of these talk to anyone; they are counted all the same. */
static void local(void)
{
	static const struct known table[] = {
		{ "MPI_Comm_group", ALL(1), NONE, NONE },
		{ "MPI_Group_incl", ALL(1), NONE, NONE },
		{ "MPI_Group_free", ALL(2), NONE, NONE },
		{ "MPI_Comm_create", ALL(1), NONE, NONE },
		{ "MPI_Comm_free", { 1, 0, 1 }, NONE, NONE },
		{ "MPI_Pack", ALL(1), NONE, NONE },
		{ "MPI_Unpack", ALL(1), NONE, NONE },
		{ "MPI_Get_address", ALL(1), NONE, NONE },
		{ "MPI_Get_processor_name", ALL(1), NONE, NONE },
		{ "MPI_Info_create", ALL(1), NONE, NONE },
		{ "MPI_Info_free", ALL(1), NONE, NONE },
		{ "MPI_Initialized", ALL(1), NONE, NONE },
	};
	const int ends[] = { 0, 2 };
	char name[MPI_MAX_PROCESSOR_NAME];
	MPI_Group world;
	MPI_Group group;
	MPI_Comm comm;
	MPI_Info info;
	MPI_Aint address;
	int at = 0;

	MPI_Comm_group(WORLD, &world);
	MPI_Group_incl(world, 2, ends, &group);
	MPI_Comm_create(WORLD, group, &comm);
	if (comm != MPI_COMM_NULL)
		MPI_Comm_free(&comm);
	MPI_Group_free(&group);
	MPI_Group_free(&world);
	MPI_Pack(out, 2, MPI_INT, name, sizeof(name), &at, WORLD);
	at = 0;
	MPI_Unpack(name, sizeof(name), &at, in, 2, MPI_INT, WORLD);
	MPI_Get_address(in, &address);
	MPI_Get_processor_name(name, &at);
	MPI_Info_create(&info);
	MPI_Info_free(&info);
	MPI_Initialized(&at);
	known_print(table);
}

int main(int argc, char **argv)
{
	known_begin(&argc, &argv);
	derived();
	between();
	local();
	MPI_Finalize();
	return 0;
}

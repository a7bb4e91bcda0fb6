/* SPDX-License-Identifier: BSD-3-Clause */

/* Buffers that look too short, or of another type, and are right. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include "faulty.h"

static MPI_Request one;

static struct {
	int head;
	double body[3];
	int tail;
} record;

static void whole_of_array(void)
{
	double square[4][4];

	memset(square, 0, sizeof(square));
	MPI_Bcast(square[1], 12, MPI_DOUBLE, 0, comm);
	MPI_Bcast(&square[0][0], 16, MPI_DOUBLE, 0, comm);
}

static void past_a_member(void)
{
	memset(&record, 0, sizeof(record));
	MPI_Bcast(&record.head, (int)sizeof(record), MPI_BYTE, 0, comm);
	MPI_Bcast(&record.body[1], 2, MPI_DOUBLE, 0, comm);
}

static void bytes_for_anything(void)
{
	char bytes[64] = "";
	double reals[2] = { 0 };

	MPI_Bcast(bytes, 16, MPI_INT, 0, comm);
	MPI_Bcast(reals, 16, MPI_BYTE, 0, comm);
	MPI_Bcast(reals, 16, MPI_CHAR, 0, comm);
}

static void other_names(void)
{
	size_t size_of = 1;
	int64_t wide = 2;
	enum { RED, GREEN } color = GREEN;
	MPI_Aint address = 0;

	MPI_Bcast(&size_of, 1, MPI_UNSIGNED_LONG, 0, comm);
	MPI_Bcast(&wide, 1, MPI_LONG_LONG, 0, comm);
	MPI_Bcast(&color, 1, MPI_INT, 0, comm);
	MPI_Bcast(&address, 1, MPI_AINT, 0, comm);
}

static void memory_of_malloc(void)
{
	int *values = malloc(4096);
	int **holder = &values;

	MPI_Irecv(*holder, 1024, MPI_INT, before, 0, comm, &one);
	SEND(after, 0);
	WAIT(&one);
	free(values);
}

static void length_at_run_time(void)
{
	const int n = size * 8;
	int values[n];

	memset(values, 0, sizeof(values));
	MPI_Gather(x, 8, MPI_INT, values, 8, MPI_INT, 0, comm);
}

static void scopes_in_turn(void)
{
	for (int i = 0; i < 2; i++) {
		int few[2] = { i, i };

		MPI_Bcast(few, 2, MPI_INT, 0, comm);
	}
	for (int i = 0; i < 2; i++) {
		int many[20] = { i };

		MPI_Bcast(many, 20, MPI_INT, 0, comm);
	}
}

static void only_at_root(void)
{
	int none[1];

	MPI_Gather(x, 4, MPI_INT, rank ? none : y, 4, MPI_INT, 0, comm);
	MPI_Reduce(x, rank ? none : y, 4, MPI_INT, MPI_SUM, 0, comm);
}

static void elements_apart(void)
{
	MPI_Datatype column;
	int square[16] = { 0 };

	MPI_Type_vector(4, 1, 4, MPI_INT, &column);
	MPI_Type_commit(&column);
	MPI_Bcast(square + 3, 1, column, 0, comm);
	MPI_Type_free(&column);
}

/* The address may be another variable's, where no element is. */
static void counted_from_one(void)
{
	const int lengths[] = { 1, 2 };
	const int places[] = { 1, 3 };
	MPI_Datatype apart;
	int low[4] = { 0 };
	int own[4] = { 0 };
	int high[4] = { 0 };
	int *volatile all[] = { low, own, high };

	MPI_Type_indexed(2, lengths, places, MPI_INT, &apart);
	MPI_Type_commit(&apart);
	for (int i = 0; i < 3; i++)
		MPI_Bcast(all[i] - 1, 1, apart, 0, comm);
	MPI_Type_free(&apart);
}

static void blocks_from_one(void)
{
	const int lengths[] = { 2, 2 };
	const int places[] = { 1, 3 };
	int low[4] = { 0 };
	int own[4] = { 0 };
	int high[4] = { 0 };
	int *volatile all[] = { low, own, high };

	if (size != 2)
		return;
	for (int i = 0; i < 3; i++) {
		MPI_Allgatherv(x, 2, MPI_INT, all[i] - 1, lengths, places,
			       MPI_INT, comm);
		MPI_Scatterv(all[i] - 1, lengths, places, MPI_INT, y, 2,
			     MPI_INT, 0, comm);
	}
}

static void from_the_bottom(void)
{
	MPI_Datatype there;
	MPI_Aint at;
	int length = 1;

	MPI_Get_address(&record.tail, &at);
	MPI_Type_create_hindexed(1, &length, &at, MPI_INT, &there);
	MPI_Type_commit(&there);
	MPI_Bcast(MPI_BOTTOM, 1, there, 0, comm);
	MPI_Type_free(&there);
}

/* A derived type may go from one variable to others. */
static void several_variables(void)
{
	static struct {
		int first;
		int gap;
	} whole;
	int n = 1;
	double a = 2;
	const int lengths[] = { 1, 1 };
	MPI_Datatype both;
	MPI_Datatype twice;
	MPI_Aint at[4];
	int *one_of[] = { &n, &whole.first };

	for (int i = 0; i < 2; i++) {
		MPI_Get_address(one_of[i], &at[0]);
		MPI_Get_address(&a, &at[1]);
		at[2] = 0;
		at[3] = at[1] - at[0];
		MPI_Type_create_struct(2, lengths, at + 2,
				       (MPI_Datatype[]){ MPI_INT, MPI_DOUBLE },
				       &both);
		MPI_Type_contiguous(1, both, &twice);
		MPI_Type_commit(&twice);
		MPI_Bcast(one_of[i], 1, twice, 0, comm);
		MPI_Type_free(&both);
		MPI_Type_free(&twice);
		MPI_Get_address(&y[0], &at[1]);
		at[3] = at[1] - at[0];
		MPI_Type_create_hindexed(2, lengths, at + 2, MPI_INT, &both);
		MPI_Type_commit(&both);
		MPI_Bcast(one_of[i], 1, both, 0, comm);
		MPI_Type_free(&both);
	}
}

/* Blocks of several lengths, in any order, some of them empty. */
static void blocks_of_their_own(void)
{
	const int sent[] = { 0, 2 };
	const int received[] = { 2, 0 };
	const int zeros[] = { 0, 0 };
	const int apart[] = { 90, 1 };
	const int mine = rank ? 2 : 0;
	int few[3] = { 0 };
	int own[2];

	MPI_Scatterv(few, sent, apart, MPI_INT, own, mine, MPI_INT, 0, comm);
	MPI_Gatherv(own, mine, MPI_INT, rank ? NULL : few, rank ? NULL : sent,
		    rank ? NULL : apart, MPI_INT, 0, comm);
	MPI_Allgatherv(own, mine, MPI_INT, few, sent, apart, MPI_INT, comm);
	MPI_Alltoallv(few, rank ? received : zeros, zeros, MPI_INT, own,
		      rank ? zeros : sent, zeros, MPI_INT, comm);
	MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, few, zeros,
		      apart, MPI_INT, comm);
	MPI_Reduce_scatter(few, own, sent, MPI_INT, MPI_SUM, comm);
	MPI_Reduce_scatter_block(few, own, 1, MPI_INT, MPI_SUM, comm);
}

static void before_the_start(void)
{
	const int counts[] = { 1, 1 };
	const int places[] = { 0, -2 };
	int all[3] = { 0 };

	MPI_Scatterv(all + 2, counts, places, MPI_INT, y, 1, MPI_INT, 0, comm);
}

/* MPI uses no buffer of a call to MPI_PROC_NULL, nor of the first rank of an
 * exclusive scan. */
static void no_buffer(void)
{
	MPI_Message message;
	int few = 0;

	MPI_Send(&few, 4, MPI_INT, MPI_PROC_NULL, 0, comm);
	MPI_Recv(&few, 4, MPI_INT, MPI_PROC_NULL, 0, comm, NOTHING);
	MPI_Sendrecv(&few, 4, MPI_INT, MPI_PROC_NULL, 0, &few, 4, MPI_INT,
		     MPI_PROC_NULL, 0, comm, NOTHING);
	MPI_Sendrecv_replace(&few, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL,
			     0, comm, NOTHING);
	MPI_Mprobe(MPI_PROC_NULL, 0, comm, &message, NOTHING);
	MPI_Mrecv(&few, 4, MPI_INT, &message, NOTHING);
	MPI_Exscan(x, rank ? y : &few, 4, MPI_INT, MPI_SUM, comm);
	MPI_Iexscan(x, rank ? y : &few, 4, MPI_INT, MPI_SUM, comm, &one);
	WAIT(&one);
}

static void no_root(void)
{
	MPI_Comm half;
	MPI_Comm both;
	int few = 0;

	MPI_Comm_split(comm, rank > 0, 0, &half);
	MPI_Intercomm_create(half, 0, comm, rank == 0, 0, &both);
	if (rank == 0)
		MPI_Bcast(x, 4, MPI_INT, 0, both);
	else
		MPI_Bcast(rank == 1 ? x : &few, 4, MPI_INT,
			  rank == 1 ? MPI_ROOT : MPI_PROC_NULL, both);
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
}

/* The first and the last page of the buffer have other data, too. */
static void beside_a_receive(void)
{
	MPI_Irecv(y + 1, 8 * SOME, MPI_INT, before, 0, comm, &one);
	MPI_Send(x, 8 * SOME, MPI_INT, after, 0, comm);
	y[0] = 1;
	y[8 * SOME + 1] = y[0];
	WAIT(&one);
	y[4 * SOME]++;
}

static void once_it_is_told(void)
{
	MPI_Status status;
	int is_there = 0;

	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &one);
	MPI_Send(x, MANY, MPI_INT, after, 0, comm);
	while (!is_there)
		MPI_Request_get_status(one, &is_there, &status);
	y[4 * SOME]++;
	WAIT(&one);
}

static void once_it_is_cancelled(void)
{
	MPI_Irecv(y, MANY, MPI_INT, before, 1, comm, &one);
	MPI_Cancel(&one);
	WAIT(&one);
	y[4 * SOME]++;
}

static void less_than_there_is_room(void)
{
	y[9 * SOME] = rank;
	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &one);
	MPI_Send(x, 8 * SOME, MPI_INT, after, 0, comm);
	WAIT(&one);
	if (y[9 * SOME] != rank)
		MPI_Abort(comm, 3);
}

static int status_of(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return status;
}

/* A fork has what memory was, and no message comes into it. */
static void read_by_a_fork(void)
{
	pid_t child;
	int ends[2];

	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &one);
	child = fork();
	if (child == 0)
		_exit(pipe(ends) != 0 ||
		      write(ends[1], y + MANY / 2, 64) != 64);
	if (status_of(child) != 0)
		MPI_Abort(comm, 3);
	MPI_Send(x, MANY, MPI_INT, after, 0, comm);
	WAIT(&one);
}

/* MPI forbids it, and it does no harm: both messages are the same. */
static void into_what_is_sent(void)
{
	MPI_Request sent;

	MPI_Isend(x, MANY, MPI_INT, after, 0, comm, &sent);
	MPI_Irecv(x, MANY, MPI_INT, before, 1, comm, &one);
	MPI_Recv(y, MANY, MPI_INT, before, 0, comm, NOTHING);
	WAIT(&sent);
	MPI_Send(y, MANY, MPI_INT, after, 1, comm);
	WAIT(&one);
}

static sigjmp_buf there;

static void go_there(int signal)
{
	(void)signal;
	siglongjmp(there, 1);
}

static void faults_of_its_own(void)
{
	int *volatile nothing = NULL;

	signal(SIGSEGV, go_there);
	MPI_Irecv(y, MANY, MPI_INT, before, 0, comm, &one);
	if (sigsetjmp(there, 1) == 0)
		*nothing = 1;
	MPI_Send(x, MANY, MPI_INT, after, 0, comm);
	WAIT(&one);
	signal(SIGSEGV, SIG_DFL);
}

const struct faulty right_buffers[] = {
	CASE(whole_of_array, 2),
	CASE(past_a_member, 2),
	CASE(bytes_for_anything, 2),
	CASE(other_names, 2),
	CASE(memory_of_malloc, 2),
	CASE(length_at_run_time, 2),
	CASE(scopes_in_turn, 2),
	CASE(only_at_root, 2),
	CASE(elements_apart, 2),
	CASE(counted_from_one, 2),
	CASE(blocks_from_one, 2),
	CASE(from_the_bottom, 2),
	CASE(several_variables, 2),
	CASE(blocks_of_their_own, 2),
	CASE(before_the_start, 2),
	CASE(no_buffer, 2),
	CASE(no_root, 3),
	CASE(beside_a_receive, 2),
	CASE(once_it_is_told, 3),
	CASE(once_it_is_cancelled, 2),
	CASE(less_than_there_is_room, 4),
	CASE(read_by_a_fork, 2),
	CASE(into_what_is_sent, 3),
	CASE(faults_of_its_own, 2),
	{ 0 },
};

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef KNOWN_H
#define KNOWN_H

#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

/*
 * Programs whose calls are known.  Beside each piece of work stands a table of
 * its calls, written by hand, with a column for each of three ranks.  A program
 * prints its tables as lines `expect RANK CALL COUNT SENT RECEIVED`.
 */
#define KNOWN_RANKS 3

/* clang-format off */
#define ALL(n) { (n), (n), (n) } /* the same at each rank */
#define NONE   { 0, 0, 0 }
/* clang-format on */

struct known {
	const char *call;
	long count[KNOWN_RANKS];
	long sent[KNOWN_RANKS];
	long received[KNOWN_RANKS];
};

static int rank;

static inline void known_line(const char *call, long count, long sent,
			      long received)
{
	if (count)
		printf("expect %d %s %ld %ld %ld\n", rank, call, count, sent,
		       received);
}

#define known_print(table) known_rows(table, sizeof(table) / sizeof((table)[0]))

static inline void known_rows(const struct known *row, size_t n)
{
	for (; n; n--, row++)
		known_line(row->call, row->count[rank], row->sent[rank],
			   row->received[rank]);
}

/* All that a rank prints goes out in one piece. */
static inline void known_begin(int *argc, char ***argv)
{
	static char text[1 << 16];
	int size;

	setvbuf(stdout, text, _IOFBF, sizeof(text));
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size != KNOWN_RANKS) {
		fprintf(stderr, "run this with %d ranks\n", KNOWN_RANKS);
		exit(2);
	}
	known_line("MPI_Init", 1, 0, 0);
	known_line("MPI_Finalize", 1, 0, 0);
	known_line("MPI_Comm_rank", 1, 0, 0);
	known_line("MPI_Comm_size", 1, 0, 0);
}

/* Checks what was delivered: the tables alone would not show a wrong answer. */
static inline void known_check(int right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "rank %d: wrong data in %s\n", rank, what);
	exit(3);
}

#endif

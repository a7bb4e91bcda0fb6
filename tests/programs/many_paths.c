/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: many_paths N
 * Calls MPI_Comm_rank from N places.  The places are made at run time, as a
 * program that makes code has them.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PLACE 8 /* bytes of each */

static int ask(void)
{
	int rank;

	return MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

/* Each place pushes a word, calls what it is given and returns. */
static int ask_from(unsigned char *place)
{
	static const unsigned char call_rdi[] = { 0x55, 0xff, 0xd7, 0x5d,
						  0xc3 };
	int (*function)(int (*)(void));

	memcpy(place, call_rdi, sizeof(call_rdi));
	memcpy(&function, &place, sizeof(function));
	return function(ask);
}

int main(int argc, char *argv[])
{
	const size_t n = argc > 1 ? (size_t)atol(argv[1]) : 1;
	unsigned char *code = mmap(NULL, n * PLACE,
				   PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		return 1;
	MPI_Init(&argc, &argv);
	for (size_t i = 0; i < n; i++)
		if (ask_from(code + i * PLACE) != MPI_SUCCESS)
			return 1;
	MPI_Finalize();
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "known.h"

/*
 * usage: known_io FILE.  MPI-IO calls MPI again from within, for its own
 * purposes: those calls are none of the program's.
 */
static int buf[100];

static void write_all(MPI_File file)
{
	static const struct known table[] = {
		{ "MPI_File_write_at", ALL(1), ALL(40), NONE },
		{ "MPI_File_write_at_all", ALL(1), ALL(40), NONE },
		{ "MPI_File_set_view", ALL(2), NONE, NONE },
		{ "MPI_File_write_all", ALL(1), ALL(8), NONE },
		{ "MPI_File_iwrite_at", ALL(1), ALL(12), NONE },
		{ "MPI_Wait", ALL(1), NONE, NONE },
		{ "MPI_File_sync", ALL(1), NONE, NONE },
		{ "MPI_Barrier", ALL(1), NONE, NONE },
	};
	const MPI_Offset mine = rank * 40;
	MPI_Request request;

	MPI_File_write_at(file, mine, buf, 10, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_write_at_all(file, 120 + mine, buf, 10, MPI_INT,
			      MPI_STATUS_IGNORE);
	MPI_File_set_view(file, 240 + rank * 8, MPI_INT, MPI_INT, "native",
			  MPI_INFO_NULL);
	MPI_File_write_all(file, buf, 2, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	MPI_File_iwrite_at(file, 264 + rank * 12, buf, 3, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_sync(file);
	MPI_Barrier(MPI_COMM_WORLD);
	known_print(table);
}

/* The file has 300 bytes: a read across its end delivers what there is. */
static void read_back(MPI_File file)
{
	static const struct known table[] = {
		{ "MPI_File_read_at", ALL(2), NONE, ALL(40 + 20) },
		{ "MPI_File_read_at_all", ALL(1), NONE, ALL(40) },
		{ "MPI_File_iread_at", ALL(1), NONE, ALL(16) },
		{ "MPI_Wait", ALL(1), NONE, NONE },
		{ "MPI_File_seek", ALL(1), NONE, NONE },
		{ "MPI_File_read", ALL(1), NONE, ALL(4) },
	};
	const MPI_Offset mine = rank * 40;
	MPI_Request request;

	MPI_File_read_at(file, mine, buf, 10, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at(file, 280, buf, 100, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_read_at_all(file, 120 + mine, buf, 10, MPI_INT,
			     MPI_STATUS_IGNORE);
	MPI_File_iread_at(file, 0, buf, 4, MPI_INT, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_File_seek(file, 40, MPI_SEEK_SET);
	MPI_File_read(file, buf, 1, MPI_INT, MPI_STATUS_IGNORE);
	known_print(table);
}

int main(int argc, char **argv)
{
	static const struct known table[] = {
		{ "MPI_File_open", ALL(1), NONE, NONE },
		{ "MPI_File_set_size", ALL(1), NONE, NONE },
		{ "MPI_File_close", ALL(1), NONE, NONE },
	};
	MPI_File file;

	known_begin(&argc, &argv);
	if (argc != 2)
		return 2;
	MPI_File_open(MPI_COMM_WORLD, argv[1],
		      MPI_MODE_CREATE | MPI_MODE_RDWR |
			      MPI_MODE_DELETE_ON_CLOSE,
		      MPI_INFO_NULL, &file);
	MPI_File_set_size(file, 0);
	write_all(file);
	read_back(file);
	MPI_File_close(&file);
	known_print(table);
	MPI_Finalize();
	return 0;
}

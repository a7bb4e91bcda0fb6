/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * usage: hdf5 FILE
 * Writes a table by rows, all ranks together, then each reads its neighbour's.
 */
#include <stdio.h>

#include <hdf5.h>

#define COLUMNS 1000

static int rank;
static int size;

static hid_t select_row(hid_t set, int row, hid_t *memory)
{
	const hsize_t from[] = { (hsize_t)row, 0 };
	const hsize_t count[] = { 1, COLUMNS };
	const hid_t space = H5Dget_space(set);

	H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
	*memory = H5Screate_simple(2, count, NULL);
	return space;
}

static long transfer(hid_t set, int row, int *data, int write)
{
	const hid_t how = H5Pcreate(H5P_DATASET_XFER);
	long sum = 0;
	hid_t memory;
	hid_t space;

	H5Pset_dxpl_mpio(how, H5FD_MPIO_COLLECTIVE);
	space = select_row(set, row, &memory);
	if (write)
		H5Dwrite(set, H5T_NATIVE_INT, memory, space, how, data);
	else
		H5Dread(set, H5T_NATIVE_INT, memory, space, how, data);
	for (int i = 0; i < COLUMNS; i++)
		sum += data[i];
	H5Sclose(memory);
	H5Sclose(space);
	H5Pclose(how);
	return sum;
}

static long run(hid_t file)
{
	const hsize_t dims[] = { (hsize_t)size, COLUMNS };
	const hid_t space = H5Screate_simple(2, dims, NULL);
	const hid_t set = H5Dcreate2(file, "table", H5T_STD_I32LE, space,
				     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	int data[COLUMNS];
	long sum;

	for (int i = 0; i < COLUMNS; i++)
		data[i] = rank * COLUMNS + i;
	transfer(set, rank, data, 1);
	sum = transfer(set, (rank + 1) % size, data, 0);
	H5Dclose(set);
	H5Sclose(space);
	return sum;
}

int main(int argc, char **argv)
{
	long sums[64];
	long sum;
	hid_t access;
	hid_t file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	access = H5Pcreate(H5P_FILE_ACCESS);
	H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
	file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
	if (file < 0)
		MPI_Abort(MPI_COMM_WORLD, 1);
	sum = run(file);
	H5Fclose(file);
	H5Pclose(access);
	MPI_Gather(&sum, 1, MPI_LONG, sums, 1, MPI_LONG, 0, MPI_COMM_WORLD);
	for (int i = 0; rank == 0 && i < size; i++)
		printf("rank %d read %ld\n", i, sums[i]);
	MPI_Finalize();
	return 0;
}

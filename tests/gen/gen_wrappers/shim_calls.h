/* Written by gen_wrappers.py; do not edit. */
#define SHIM_CALLS(X) \
	X(MPI_Alloc_mem) \
	X(MPI_Alltoallv) \
	X(MPI_Comm_call_errhandler) \
	X(MPI_Comm_dup) \
	X(MPI_Comm_free) \
	X(MPI_Comm_get_errhandler) \
	X(MPI_Comm_set_errhandler) \
	X(MPI_Comm_size) \
	X(MPI_File_read) \
	X(MPI_Get) \
	X(MPI_Irecv_c) \
	X(MPI_Recv) \
	X(MPI_Reduce_init) \
	X(MPI_Send) \
	X(MPI_Send_c) \
	X(MPI_Wait)

/* Written by gen_wrappers.py; do not edit. */
struct shim_pmpi {
	__typeof__(MPI_Alloc_mem) *MPI_Alloc_mem;
	__typeof__(MPI_Alltoallv) *MPI_Alltoallv;
	__typeof__(MPI_Comm_call_errhandler) *MPI_Comm_call_errhandler;
	__typeof__(MPI_Comm_dup) *MPI_Comm_dup;
	__typeof__(MPI_Comm_free) *MPI_Comm_free;
	__typeof__(MPI_Comm_get_errhandler) *MPI_Comm_get_errhandler;
	__typeof__(MPI_Comm_set_errhandler) *MPI_Comm_set_errhandler;
	__typeof__(MPI_Comm_size) *MPI_Comm_size;
	__typeof__(MPI_File_read) *MPI_File_read;
	__typeof__(MPI_Get) *MPI_Get;
	__typeof__(MPI_Irecv_c) *MPI_Irecv_c;
	__typeof__(MPI_Recv) *MPI_Recv;
	__typeof__(MPI_Reduce_init) *MPI_Reduce_init;
	__typeof__(MPI_Send) *MPI_Send;
	__typeof__(MPI_Send_c) *MPI_Send_c;
	__typeof__(MPI_Wait) *MPI_Wait;
};

extern struct shim_pmpi shim_pmpi;

#define PMPI_Alloc_mem (*shim_pmpi.MPI_Alloc_mem)
#define PMPI_Alltoallv (*shim_pmpi.MPI_Alltoallv)
#define PMPI_Comm_call_errhandler (*shim_pmpi.MPI_Comm_call_errhandler)
#define PMPI_Comm_dup (*shim_pmpi.MPI_Comm_dup)
#define PMPI_Comm_free (*shim_pmpi.MPI_Comm_free)
#define PMPI_Comm_get_errhandler (*shim_pmpi.MPI_Comm_get_errhandler)
#define PMPI_Comm_set_errhandler (*shim_pmpi.MPI_Comm_set_errhandler)
#define PMPI_Comm_size (*shim_pmpi.MPI_Comm_size)
#define PMPI_File_read (*shim_pmpi.MPI_File_read)
#define PMPI_Get (*shim_pmpi.MPI_Get)
#define PMPI_Irecv_c (*shim_pmpi.MPI_Irecv_c)
#define PMPI_Recv (*shim_pmpi.MPI_Recv)
#define PMPI_Reduce_init (*shim_pmpi.MPI_Reduce_init)
#define PMPI_Send (*shim_pmpi.MPI_Send)
#define PMPI_Send_c (*shim_pmpi.MPI_Send_c)
#define PMPI_Wait (*shim_pmpi.MPI_Wait)

/* Written by gen_f08.py; do not edit. */
#include "pmpi-shim/mpich/f08.h"

SHIM_EXPORT void mpi_alloc_mem_f08_(const MPI_Aint *size, const int *info, void *baseptr, int *ierror);
SHIM_EXPORT void mpi_cart_get_f08_(const MPI_Comm *comm, const int *maxdims, int dims[], int periods[], int coords[], int *ierror);
SHIM_EXPORT void mpi_comm_get_name_f08_(void *comm, char *comm_name, int *resultlen, int *ierror, size_t comm_name_len);
SHIM_EXPORT void mpi_comm_test_inter_f08_(const MPI_Comm *comm, int *flag, int *ierror);
SHIM_EXPORT void mpi_dist_graph_neighbors_f08_(const MPI_Comm *comm, const int *maxindegree, int sources[], int sourceweights[], const int *maxoutdegree, int destinations[], int destweights[], int *ierror);
SHIM_EXPORT void mpi_file_close_f08_(int *fh, int *ierror);
SHIM_EXPORT void mpi_file_open_f08_(const MPI_Comm *comm, const char *filename, const int *amode, const int *info, int *fh, int *ierror, size_t filename_len);
SHIM_EXPORT void mpi_get_count_f08_large_(const MPI_Status *status, const int *datatype, MPI_Count *count, int *ierror);
SHIM_EXPORT void mpi_init_f08_(int *ierror);
SHIM_EXPORT void mpi_op_create_f08_(f08_fn *user_fn, void *commute, int *op, int *ierror);
SHIM_EXPORT void mpi_wait_f08_(MPI_Request *request, MPI_Status *status, int *ierror);
SHIM_EXPORT void mpi_waitall_f08_(const int *count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[], int *ierror);
SHIM_EXPORT void mpi_waitany_f08_(const int *count, MPI_Request array_of_requests[], int *indx, MPI_Status *status, int *ierror);

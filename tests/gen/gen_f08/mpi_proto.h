int MPI_Init(int *argc, char ***argv) MPICH_API_PUBLIC;
int MPI_Wait(MPI_Request *request, MPI_Status *status) MPICH_API_PUBLIC;
int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[])
    MPICH_API_PUBLIC;
int MPI_Waitany(int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status)
    MPICH_API_PUBLIC;
int MPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
    MPICH_API_PUBLIC;
int MPI_Comm_test_inter(MPI_Comm comm, int *flag) MPICH_API_PUBLIC;
int MPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[],
                             int maxoutdegree, int destinations[], int destweights[])
                             MPICH_API_PUBLIC;
int MPI_File_close(MPI_File *fh) ROMIO_API_PUBLIC;
int MPI_File_open(MPI_Comm comm, const char *filename, int amode, int info, MPI_File *fh)
    ROMIO_API_PUBLIC;
int MPI_Alloc_mem(MPI_Aint size, int info, void *baseptr) MPICH_API_PUBLIC;
int MPI_Get_count_c(const MPI_Status *status, int datatype, MPI_Count *count) MPICH_API_PUBLIC;
int MPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen) MPICH_API_PUBLIC;
int MPI_Op_create(MPI_User_function *user_fn, int commute, int *op) MPICH_API_PUBLIC;
double MPI_Wtime(void) MPICH_API_PUBLIC;

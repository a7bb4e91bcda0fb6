int MPI_Teleport(void *buf, int count, MPI_Datatype datatype, MPI_Comm comm)
    MPICH_ATTR_POINTER_WITH_TYPE_TAG(1,3) MPICH_API_PUBLIC;

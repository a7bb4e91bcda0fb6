/* Written by gen_wrappers.py; do not edit. */
#define ROUTE_TRY_Alloc_mem(TRY) \
	static int Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Alloc_mem, &rc, size, info, baseptr)) \
			return rc; \
		return REAL(Alloc_mem)(size, info, baseptr); \
	}

#define ROUTE_TRY_Comm_call_errhandler(TRY) \
	static int Comm_call_errhandler(MPI_Comm comm, int errorcode) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Comm_call_errhandler, &rc, comm, errorcode)) \
			return rc; \
		return REAL(Comm_call_errhandler)(comm, errorcode); \
	}

#define ROUTE_TRY_Comm_dup(TRY) \
	static int Comm_dup(MPI_Comm comm, MPI_Comm *newcomm) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Comm_dup, &rc, comm, newcomm)) \
			return rc; \
		return REAL(Comm_dup)(comm, newcomm); \
	}

#define ROUTE_TRY_Comm_free(TRY) \
	static int Comm_free(MPI_Comm *comm) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Comm_free, &rc, comm)) \
			return rc; \
		return REAL(Comm_free)(comm); \
	}

#define ROUTE_TRY_Comm_get_errhandler(TRY) \
	static int Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Comm_get_errhandler, &rc, comm, errhandler)) \
			return rc; \
		return REAL(Comm_get_errhandler)(comm, errhandler); \
	}

#define ROUTE_TRY_Comm_set_errhandler(TRY) \
	static int Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Comm_set_errhandler, &rc, comm, errhandler)) \
			return rc; \
		return REAL(Comm_set_errhandler)(comm, errhandler); \
	}

#define ROUTE_TRY_Comm_size(TRY) \
	static int Comm_size(MPI_Comm comm, int *size) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Comm_size, &rc, comm, size)) \
			return rc; \
		return REAL(Comm_size)(comm, size); \
	}

#define ROUTE_TRY_File_read(TRY) \
	static int File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_File_read, &rc, fh, buf, count, datatype, status)) \
			return rc; \
		return REAL(File_read)(fh, buf, count, datatype, status); \
	}

#define ROUTE_TRY_Get(TRY) \
	static int Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Get, &rc, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win)) \
			return rc; \
		return REAL(Get)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win); \
	}

#define ROUTE_TRY_Irecv(TRY) \
	static int Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Irecv_c, &rc, buf, count, datatype, source, tag, comm, request)) \
			return rc; \
		return REAL(Irecv_c)(buf, count, datatype, source, tag, comm, request); \
	}

#define ROUTE_TRY_Recv(TRY) \
	static int Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Recv, &rc, buf, count, datatype, source, tag, comm, status)) \
			return rc; \
		return REAL(Recv)(buf, count, datatype, source, tag, comm, status); \
	}

#define ROUTE_TRY_Send(TRY) \
	static int Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Send, &rc, buf, count, datatype, dest, tag, comm)) \
			return rc; \
		return REAL(Send)(buf, count, datatype, dest, tag, comm); \
	} \
	static int Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) \
	{ \
		int rc; \
		if (TRY(SHIM_MPI_Send_c, &rc, buf, count, datatype, dest, tag, comm)) \
			return rc; \
		return REAL(Send_c)(buf, count, datatype, dest, tag, comm); \
	}

#define ROUTE_AROUND_Alloc_mem(BEGIN, END) \
	static int Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Alloc_mem)(size, info, baseptr); \
		return END; \
	}

#define ROUTE_AROUND_Comm_call_errhandler(BEGIN, END) \
	static int Comm_call_errhandler(MPI_Comm comm, int errorcode) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Comm_call_errhandler)(comm, errorcode); \
		return END; \
	}

#define ROUTE_AROUND_Comm_dup(BEGIN, END) \
	static int Comm_dup(MPI_Comm comm, MPI_Comm *newcomm) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Comm_dup)(comm, newcomm); \
		return END; \
	}

#define ROUTE_AROUND_Comm_free(BEGIN, END) \
	static int Comm_free(MPI_Comm *comm) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Comm_free)(comm); \
		return END; \
	}

#define ROUTE_AROUND_Comm_get_errhandler(BEGIN, END) \
	static int Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Comm_get_errhandler)(comm, errhandler); \
		return END; \
	}

#define ROUTE_AROUND_Comm_set_errhandler(BEGIN, END) \
	static int Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Comm_set_errhandler)(comm, errhandler); \
		return END; \
	}

#define ROUTE_AROUND_Comm_size(BEGIN, END) \
	static int Comm_size(MPI_Comm comm, int *size) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Comm_size)(comm, size); \
		return END; \
	}

#define ROUTE_AROUND_File_read(BEGIN, END) \
	static int File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(File_read)(fh, buf, count, datatype, status); \
		return END; \
	}

#define ROUTE_AROUND_Get(BEGIN, END) \
	static int Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Get)(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win); \
		return END; \
	}

#define ROUTE_AROUND_Irecv(BEGIN, END) \
	static int Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Irecv_c)(buf, count, datatype, source, tag, comm, request); \
		return END; \
	}

#define ROUTE_AROUND_Recv(BEGIN, END) \
	static int Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Recv)(buf, count, datatype, source, tag, comm, status); \
		return END; \
	}

#define ROUTE_AROUND_Send(BEGIN, END) \
	static int Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Send)(buf, count, datatype, dest, tag, comm); \
		return END; \
	} \
	static int Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) \
	{ \
		int rc; \
		BEGIN; \
		rc = REAL(Send_c)(buf, count, datatype, dest, tag, comm); \
		return END; \
	}

#define ROUTE_COLL_Alltoallv(MAKE) \
	static int Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) \
	{ \
		int rc; \
		struct route_call call = { .name = SHIM_MPI_Alltoallv }; \
		MAKE(&call, sendbuf, shim_counts(sendcounts), ROUTE_DISPLS(sdispls), sendtype, recvbuf, shim_counts(recvcounts), ROUTE_DISPLS(rdispls), recvtype, comm); \
		if (form_run(&call, &rc)) \
			return rc; \
		return REAL(Alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm); \
	}

#define ROUTE_COLL_Reduce(MAKE) \
	static int Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) \
	{ \
		int rc; \
		struct route_call call = { .name = SHIM_MPI_Reduce_init }; \
		MAKE(&call, sendbuf, recvbuf, count, datatype, op, root, comm); \
		if (form_init(&call, &rc, info, request)) \
			return rc; \
		return REAL(Reduce_init)(sendbuf, recvbuf, count, datatype, op, root, comm, info, request); \
	}

#define ROUTE_INSTALL_Alloc_mem(table) \
	(table)->MPI_Alloc_mem = Alloc_mem;

#define ROUTE_INSTALL_Comm_call_errhandler(table) \
	(table)->MPI_Comm_call_errhandler = Comm_call_errhandler;

#define ROUTE_INSTALL_Comm_dup(table) \
	(table)->MPI_Comm_dup = Comm_dup;

#define ROUTE_INSTALL_Comm_free(table) \
	(table)->MPI_Comm_free = Comm_free;

#define ROUTE_INSTALL_Comm_get_errhandler(table) \
	(table)->MPI_Comm_get_errhandler = Comm_get_errhandler;

#define ROUTE_INSTALL_Comm_set_errhandler(table) \
	(table)->MPI_Comm_set_errhandler = Comm_set_errhandler;

#define ROUTE_INSTALL_Comm_size(table) \
	(table)->MPI_Comm_size = Comm_size;

#define ROUTE_INSTALL_File_read(table) \
	(table)->MPI_File_read = File_read;

#define ROUTE_INSTALL_Get(table) \
	(table)->MPI_Get = Get;

#define ROUTE_INSTALL_Irecv(table) \
	(table)->MPI_Irecv_c = Irecv_c;

#define ROUTE_INSTALL_Recv(table) \
	(table)->MPI_Recv = Recv;

#define ROUTE_INSTALL_Send(table) \
	(table)->MPI_Send = Send; \
	(table)->MPI_Send_c = Send_c;

#define ROUTE_INSTALL_Alltoallv(table) \
	(table)->MPI_Alltoallv = Alltoallv;

#define ROUTE_INSTALL_Reduce(table) \
	(table)->MPI_Reduce_init = Reduce_init;


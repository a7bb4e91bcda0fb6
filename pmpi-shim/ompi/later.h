/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OMPI_LATER_H
#define OMPI_LATER_H

/*
 * What Open MPI 5 has of MPI 4.0, for a build with an older mpi.h.  A preload
 * of either version then records programs of both.  gen_ompi.py reads these
 * declarations after those of mpi.h.
 */
#include <mpi.h>

#if OMPI_MAJOR_VERSION < 5

typedef struct ompi_instance_t *MPI_Session;
typedef void MPI_Session_errhandler_function(MPI_Session *, int *, ...);

extern struct ompi_predefined_datatype_t ompi_mpi_complex4;
extern struct ompi_predefined_errhandler_t ompi_mpi_errors_abort;
extern struct ompi_predefined_instance_t ompi_mpi_instance_null;

extern int MPI_Allgather_init(const void *sendbuf, int sendcount,
			      MPI_Datatype sendtype, void *recvbuf,
			      int recvcount, MPI_Datatype recvtype,
			      MPI_Comm comm, MPI_Info info,
			      MPI_Request *request);
extern int MPI_Allgatherv_init(const void *sendbuf, int sendcount,
			       MPI_Datatype sendtype, void *recvbuf,
			       const int recvcounts[], const int displs[],
			       MPI_Datatype recvtype, MPI_Comm comm,
			       MPI_Info info, MPI_Request *request);
extern int MPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count,
			      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
			      MPI_Info info, MPI_Request *request);
extern int MPI_Alltoall_init(const void *sendbuf, int sendcount,
			     MPI_Datatype sendtype, void *recvbuf,
			     int recvcount, MPI_Datatype recvtype,
			     MPI_Comm comm, MPI_Info info,
			     MPI_Request *request);
extern int MPI_Alltoallv_init(const void *sendbuf, const int sendcounts[],
			      const int sdispls[], MPI_Datatype sendtype,
			      void *recvbuf, const int recvcounts[],
			      const int rdispls[], MPI_Datatype recvtype,
			      MPI_Comm comm, MPI_Info info,
			      MPI_Request *request);
extern int MPI_Alltoallw_init(const void *sendbuf, const int sendcounts[],
			      const int sdispls[],
			      const MPI_Datatype sendtypes[], void *recvbuf,
			      const int recvcounts[], const int rdispls[],
			      const MPI_Datatype recvtypes[], MPI_Comm comm,
			      MPI_Info info, MPI_Request *request);
extern int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request);
extern int MPI_Bcast_init(void *buffer, int count, MPI_Datatype datatype,
			  int root, MPI_Comm comm, MPI_Info info,
			  MPI_Request *request);
extern int MPI_Comm_create_from_group(MPI_Group group, const char *tag,
				      MPI_Info info, MPI_Errhandler errhandler,
				      MPI_Comm *newcomm);
extern int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info,
				   MPI_Comm *newcomm, MPI_Request *request);
extern int MPI_Exscan_init(const void *sendbuf, void *recvbuf, int count,
			   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
			   MPI_Info info, MPI_Request *request);
extern int MPI_Gather_init(const void *sendbuf, int sendcount,
			   MPI_Datatype sendtype, void *recvbuf, int recvcount,
			   MPI_Datatype recvtype, int root, MPI_Comm comm,
			   MPI_Info info, MPI_Request *request);
extern int MPI_Gatherv_init(const void *sendbuf, int sendcount,
			    MPI_Datatype sendtype, void *recvbuf,
			    const int recvcounts[], const int displs[],
			    MPI_Datatype recvtype, int root, MPI_Comm comm,
			    MPI_Info info, MPI_Request *request);
extern int MPI_Group_from_session_pset(MPI_Session session,
				       const char *pset_name,
				       MPI_Group *newgroup);
extern int MPI_Info_create_env(int argc, char *argv[], MPI_Info *info);
extern int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen,
			       char *value, int *flag);
extern int MPI_Intercomm_create_from_groups(
	MPI_Group local_group, int local_leader, MPI_Group remote_group,
	int remote_leader, const char *tag, MPI_Info info,
	MPI_Errhandler errhandler, MPI_Comm *newintercomm);
extern int MPI_Isendrecv(const void *sendbuf, int sendcount,
			 MPI_Datatype sendtype, int dest, int sendtag,
			 void *recvbuf, int recvcount, MPI_Datatype recvtype,
			 int source, int recvtag, MPI_Comm comm,
			 MPI_Request *request);
extern int MPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype,
				 int dest, int sendtag, int source, int recvtag,
				 MPI_Comm comm, MPI_Request *request);
extern int MPI_Neighbor_allgather_init(const void *sendbuf, int sendcount,
				       MPI_Datatype sendtype, void *recvbuf,
				       int recvcount, MPI_Datatype recvtype,
				       MPI_Comm comm, MPI_Info info,
				       MPI_Request *request);
extern int MPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount,
					MPI_Datatype sendtype, void *recvbuf,
					const int recvcounts[],
					const int displs[],
					MPI_Datatype recvtype, MPI_Comm comm,
					MPI_Info info, MPI_Request *request);
extern int MPI_Neighbor_alltoall_init(const void *sendbuf, int sendcount,
				      MPI_Datatype sendtype, void *recvbuf,
				      int recvcount, MPI_Datatype recvtype,
				      MPI_Comm comm, MPI_Info info,
				      MPI_Request *request);
extern int
MPI_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[],
			    const int sdispls[], MPI_Datatype sendtype,
			    void *recvbuf, const int recvcounts[],
			    const int rdispls[], MPI_Datatype recvtype,
			    MPI_Comm comm, MPI_Info info, MPI_Request *request);
extern int MPI_Neighbor_alltoallw_init(
	const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
	const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
	const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
	MPI_Info info, MPI_Request *request);
extern int MPI_Parrived(MPI_Request request, int partition, int *flag);
extern int MPI_Pready(int partitions, MPI_Request request);
extern int MPI_Pready_list(int length, int partition_list[],
			   MPI_Request request);
extern int MPI_Pready_range(int partition_low, int partition_high,
			    MPI_Request request);
extern int MPI_Precv_init(void *buf, int partitions, MPI_Count count,
			  MPI_Datatype datatype, int source, int tag,
			  MPI_Comm comm, MPI_Info info, MPI_Request *request);
extern int MPI_Psend_init(const void *buf, int partitions, MPI_Count count,
			  MPI_Datatype datatype, int dest, int tag,
			  MPI_Comm comm, MPI_Info info, MPI_Request *request);
extern int MPI_Reduce_init(const void *sendbuf, void *recvbuf, int count,
			   MPI_Datatype datatype, MPI_Op op, int root,
			   MPI_Comm comm, MPI_Info info, MPI_Request *request);
extern int MPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf,
					 int recvcount, MPI_Datatype datatype,
					 MPI_Op op, MPI_Comm comm,
					 MPI_Info info, MPI_Request *request);
extern int MPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf,
				   const int recvcounts[],
				   MPI_Datatype datatype, MPI_Op op,
				   MPI_Comm comm, MPI_Info info,
				   MPI_Request *request);
extern int MPI_Scan_init(const void *sendbuf, void *recvbuf, int count,
			 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
			 MPI_Info info, MPI_Request *request);
extern int MPI_Scatter_init(const void *sendbuf, int sendcount,
			    MPI_Datatype sendtype, void *recvbuf, int recvcount,
			    MPI_Datatype recvtype, int root, MPI_Comm comm,
			    MPI_Info info, MPI_Request *request);
extern int MPI_Scatterv_init(const void *sendbuf, const int sendcounts[],
			     const int displs[], MPI_Datatype sendtype,
			     void *recvbuf, int recvcount,
			     MPI_Datatype recvtype, int root, MPI_Comm comm,
			     MPI_Info info, MPI_Request *request);
extern int MPI_Session_call_errhandler(MPI_Session session, int errorcode);
extern int MPI_Session_create_errhandler(
	MPI_Session_errhandler_function *session_errhandler_fn,
	MPI_Errhandler *errhandler);
extern int MPI_Session_finalize(MPI_Session *session);
extern int MPI_Session_get_errhandler(MPI_Session session,
				      MPI_Errhandler *errhandler);
extern int MPI_Session_get_info(MPI_Session session, MPI_Info *info_used);
extern int MPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n,
				    int *len, char *pset_name);
extern int MPI_Session_get_num_psets(MPI_Session session, MPI_Info info,
				     int *npset_names);
extern int MPI_Session_get_pset_info(MPI_Session session, const char *pset_name,
				     MPI_Info *info_used);
extern int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler,
			    MPI_Session *session);
extern int MPI_Session_set_errhandler(MPI_Session session,
				      MPI_Errhandler errhandler);

#define MPI_ERRORS_ABORT \
	OMPI_PREDEFINED_GLOBAL(MPI_Errhandler, ompi_mpi_errors_abort)

#endif

#endif

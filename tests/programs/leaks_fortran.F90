! SPDX-License-Identifier: BSD-3-Clause
!
! Forgets objects in the two languages of Fortran's modules.  A comment marks
! each line that makes one.
subroutine forget_f08()
	use mpi_f08
	type(MPI_Comm) :: comm
	type(MPI_Group) :: group
	type(MPI_Datatype) :: type
	type(MPI_Request) :: request
	integer, save :: room

	call MPI_Comm_dup(MPI_COMM_WORLD, comm) ! communicator-not-freed
	call MPI_Comm_group(MPI_COMM_WORLD, group) ! group-not-freed
	call MPI_Type_contiguous(2, MPI_INTEGER, type)
	call MPI_Type_free(type)
	call MPI_Recv_init(room, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, request) ! request-not-freed
end subroutine

subroutine forget()
	use mpi
	integer, save :: room
	integer :: comm, group, type, key, info, request, error

	call MPI_Comm_split(MPI_COMM_WORLD, 0, 0, comm, error) ! communicator-not-freed
	call MPI_Comm_group(MPI_COMM_WORLD, group, error)
	call MPI_Group_free(group, error)
	call MPI_Type_contiguous(2, MPI_INTEGER, type, error) ! datatype-not-freed
	call MPI_Info_create(info, error)
	call MPI_Info_free(info, error)
	call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, key, 0, error) ! keyval-not-freed
	call MPI_Irecv(room, 1, MPI_INTEGER, 0, 4, MPI_COMM_SELF, request, error) ! receive-not-matched
end subroutine

program leaks_fortran
	use mpi
	integer :: error

	call MPI_Init(error)
	call forget_f08()
	call forget()
	call MPI_Finalize(error)
end program

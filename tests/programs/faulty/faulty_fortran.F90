! SPDX-License-Identifier: BSD-3-Clause
!
! usage: faulty_fortran NAME, with 2 ranks: wrong in the way of that name.  A
! comment before a line tells of its finding, as in the programs in C.
program faulty
	use mpi
	implicit none
	integer :: rank, other, error, request, x(8), y(8)
	real :: z(8)
	character(len=32) :: name, bytes

	x = 0
	call get_command_argument(1, name)
	call MPI_Init(error)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
	other = 1 - rank
	select case (name)
	case ('recv_recv')
		! ! deadlock
		call MPI_Recv(y, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
	case ('irecv_wait')
		call MPI_Irecv(y, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, request, error)
		! ! deadlock
		call MPI_Wait(request, MPI_STATUS_IGNORE, error)
	case ('roots')
		! ! collective-mismatch
		call MPI_Bcast(x, 1, MPI_INTEGER, other, MPI_COMM_WORLD, error)
	case ('operations')
		! ! collective-mismatch
		call MPI_Allreduce(x, y, 1, MPI_INTEGER, merge(MPI_SUM, MPI_MAX, rank == 0), MPI_COMM_WORLD, error)
	case ('short')
		! ! truncation
		call MPI_Sendrecv(x, 4, MPI_INTEGER, other, 0, y, 3, MPI_INTEGER, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
	case ('type')
		! ! sent
		call MPI_Send(x, 4, MPI_INTEGER, other, 0, MPI_COMM_WORLD, error)
		! ! type-mismatch
		call MPI_Recv(z, 4, MPI_REAL, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
	case ('count')
		! ! mpi-error
		call MPI_Send(x, -1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, error)
	case ('left')
		! ! receive-not-matched
		call MPI_Irecv(y, 1, MPI_INTEGER, other, 3, MPI_COMM_WORLD, request, error)
	case ('background')
		! ! request-not-completed
		call MPI_Ibarrier(MPI_COMM_WORLD, request, error)
	case ('logical_of_reals')
		! ! operation-type
		call MPI_Allreduce(MPI_IN_PLACE, z, 2, MPI_REAL, MPI_LXOR, MPI_COMM_WORLD, error)
	case ('short_buffer')
		! ! buffer-too-short
		call MPI_Bcast(y, 9, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
	case ('type_of_buffer')
		! ! buffer-type
		call MPI_Bcast(z, 8, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
	case ('put_twice')
		call MPI_Win_create(y, 32_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, request, error)
		call MPI_Win_fence(0, request, error)
		call MPI_Put(x, 1, MPI_INTEGER, other, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, request, error)
		! ! accesses-conflict
		call MPI_Put(x, 1, MPI_INTEGER, other, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, request, error)
		call MPI_Win_fence(0, request, error)
		call MPI_Win_free(request, error)
	case ('types_of_bcast')
		! ! type-mismatch
		call MPI_Bcast(bytes, 1, merge(MPI_REAL, MPI_INTEGER, rank == 0), 0, MPI_COMM_WORLD, error)
	case ('late')
		call MPI_Finalize(error)
		! ! call-outside
		call MPI_Send(x, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, error)
	end select
	call MPI_Finalize(error)
end program

! SPDX-License-Identifier: BSD-3-Clause
!
! usage: right_fortran NAME, with 2 ranks: looks wrong in the way of that name, and is
! right.  Made with `use mpi` and with mpif.h.
program right_fortran
#ifdef USE_MPI
	use mpi
#endif
	implicit none
#ifndef USE_MPI
	include 'mpif.h'
#endif
	integer, parameter :: many = 200000
	integer :: rank, other, error, request, requests(2), n, i, type, op, comm, status(MPI_STATUS_SIZE)
	integer :: statuses(MPI_STATUS_SIZE, 2), lengths(2), types(2), x(8), y(8), square(4, 4), pairs(2, 2)
	integer :: head, body(3), tail, whole(8), part(4)
	integer :: large_x(many), large_y(many)
	integer(kind=MPI_ADDRESS_KIND) :: places(2)
	integer(kind=8) :: wide
	real :: z(8)
	double precision :: doubles(2, 2)
	complex :: roots(4)
	logical :: flag, truths(3)
	character(len=32) :: name, text
	character(len=4) :: words(8)
	character :: packed(64)
	integer, allocatable :: room(:)
	common /block/ head, body, tail
	equivalence (whole(5), part(1))

	x = 1
	y = 0
	z = 0
	square = 0
	text = ' '
	call get_command_argument(1, name)
	call MPI_Init(error)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
	other = 1 - rank
	select case (name)
	case ('sections')
		! The compiler copies what lies apart, there and back.
		call MPI_Sendrecv(x(1:7:2), 4, MPI_INTEGER, other, 0, y(8:2:-2), 4, MPI_INTEGER, other, 0, &
			MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
		call MPI_Bcast(square(2, :), 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
	case ('columns')
		call MPI_Irecv(square(1, 2), 4, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1), error)
		call MPI_Irecv(square(:, 3), 4, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(2), error)
		call MPI_Send(x, 4, MPI_INTEGER, other, 1, MPI_COMM_WORLD, error)
		call MPI_Send(x, 4, MPI_INTEGER, other, 0, MPI_COMM_WORLD, error)
		call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
	case ('in_place')
		call MPI_Allreduce(MPI_IN_PLACE, x, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
		call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, 4, MPI_INTEGER, MPI_COMM_WORLD, error)
		call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, 4, MPI_INTEGER, MPI_COMM_WORLD, error)
		if (rank == 0) then
			call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
			call MPI_Reduce(MPI_IN_PLACE, y, 8, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, error)
			call MPI_Scatter(y, 4, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, error)
		else
			call MPI_Gather(x, 4, MPI_INTEGER, n, 0, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
			call MPI_Reduce(x, n, 8, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, error)
			call MPI_Scatter(n, 0, MPI_INTEGER, x, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
		end if
		call MPI_Scan(MPI_IN_PLACE, x, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
	case ('bottom')
		! From two variables, by their addresses.
		call MPI_Get_address(n, places(1), error)
		call MPI_Get_address(z, places(2), error)
		n = rank
		lengths = (/ 1, 8 /)
		types = (/ MPI_INTEGER, MPI_REAL /)
		call MPI_Type_create_struct(2, lengths, places, types, type, error)
		call MPI_Type_commit(type, error)
		call MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, error)
		if (rank == 0) call MPI_Send(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, error)
		if (rank == 1) call MPI_Recv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
		call MPI_Type_free(type, error)
	case ('ignored')
		call MPI_Irecv(y, 8, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1), error)
		call MPI_Isend(x, 8, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(2), error)
		flag = .false.
		do while (.not. flag)
			call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE, error)
		end do
		call MPI_Waitall(2, requests, statuses, error)
		call MPI_Waitany(2, requests, n, MPI_STATUS_IGNORE, error)
		call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
	case ('derived')
		call MPI_Type_vector(4, 1, 4, MPI_INTEGER, type, error)
		call MPI_Type_commit(type, error)
		call MPI_Irecv(square(3, 1), 1, type, other, 0, MPI_COMM_WORLD, requests(1), error)
		call MPI_Irecv(square(4, 1), 1, type, other, 1, MPI_COMM_WORLD, requests(2), error)
		call MPI_Send(x, 4, MPI_INTEGER, other, 0, MPI_COMM_WORLD, error)
		call MPI_Send(square, 1, type, other, 1, MPI_COMM_WORLD, error)
		call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
		call MPI_Type_free(type, error)
		call MPI_Type_create_subarray(2, (/ 4, 4 /), (/ 2, 2 /), (/ 2, 2 /), MPI_ORDER_FORTRAN, MPI_INTEGER, &
			type, error)
		call MPI_Type_commit(type, error)
		call MPI_Bcast(square, 1, type, 0, MPI_COMM_WORLD, error)
		call MPI_Type_free(type, error)
	case ('own_sum')
		call MPI_Op_create(add, .true., op, error)
		call MPI_Allreduce(x, y, 8, MPI_INTEGER, op, MPI_COMM_WORLD, error)
		call MPI_Op_free(op, error)
	case ('persistent')
		call MPI_Recv_init(y, 8, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1), error)
		call MPI_Send_init(x, 8, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(2), error)
		do i = 1, 3
			call MPI_Startall(2, requests, error)
			call MPI_Waitany(2, requests, n, status, error)
			call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
			x(1) = x(1) + y(1)
		end do
		call MPI_Request_free(requests(1), error)
		call MPI_Request_free(requests(2), error)
	case ('background')
		call MPI_Ibcast(large_x, many, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(1), error)
		call MPI_Iallreduce(MPI_IN_PLACE, x, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(2), error)
		call MPI_Barrier(MPI_COMM_WORLD, error)
		call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
		x = 0
	case ('nobody')
		call MPI_Sendrecv(x, 8, MPI_INTEGER, MPI_PROC_NULL, 0, n, 8, MPI_INTEGER, MPI_PROC_NULL, 0, &
			MPI_COMM_WORLD, status, error)
		request = MPI_REQUEST_NULL
		call MPI_Wait(request, status, error)
		call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 0, rank == 0), 0, comm, error)
		if (comm /= MPI_COMM_NULL) call MPI_Comm_free(comm, error)
	case ('characters')
		words = 'left'
		call MPI_Bcast(text, len(text), MPI_CHARACTER, 0, MPI_COMM_WORLD, error)
		call MPI_Bcast(words, 8 * len(words), MPI_CHARACTER, 0, MPI_COMM_WORLD, error)
		call MPI_Sendrecv(text(5:12), 8, MPI_CHARACTER, other, 0, words(3)(2:), 8, MPI_CHARACTER, other, 0, &
			MPI_COMM_WORLD, status, error)
		call MPI_Bcast(words(2), 16, MPI_BYTE, 0, MPI_COMM_WORLD, error)
	case ('any')
		call MPI_Isend(x, 5, MPI_INTEGER, other, 3, MPI_COMM_WORLD, request, error)
		call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
		call MPI_Get_count(status, MPI_INTEGER, n, error)
		allocate (room(n))
		call MPI_Recv(room, n, MPI_INTEGER, status(MPI_SOURCE), status(MPI_TAG), MPI_COMM_WORLD, status, error)
		deallocate (room)
		call MPI_Wait(request, MPI_STATUS_IGNORE, error)
	case ('packed')
		n = 0
		call MPI_Pack(x, 2, MPI_INTEGER, packed, 64, n, MPI_COMM_WORLD, error)
		call MPI_Pack(z, 2, MPI_REAL, packed, 64, n, MPI_COMM_WORLD, error)
		call MPI_Sendrecv_replace(packed, 64, MPI_PACKED, other, 0, other, 0, MPI_COMM_WORLD, status, error)
		n = 0
		call MPI_Unpack(packed, 64, n, y, 2, MPI_INTEGER, MPI_COMM_WORLD, error)
	case ('reductions')
		call MPI_Allreduce(MPI_IN_PLACE, truths, 3, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
		call MPI_Allreduce(MPI_IN_PLACE, pairs, 2, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, error)
		doubles = 0
		call MPI_Allreduce(MPI_IN_PLACE, doubles, 2, MPI_2DOUBLE_PRECISION, MPI_MINLOC, MPI_COMM_WORLD, error)
		call MPI_Allreduce(MPI_IN_PLACE, x, 8, MPI_INTEGER4, MPI_BXOR, MPI_COMM_WORLD, error)
		wide = 1
		call MPI_Allreduce(MPI_IN_PLACE, wide, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, error)
		roots = 0
		call MPI_Allreduce(MPI_IN_PLACE, roots, 4, MPI_COMPLEX, MPI_PROD, MPI_COMM_WORLD, error)
		call MPI_Allreduce(MPI_IN_PLACE, roots, 8, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, error)
		call MPI_Allreduce(MPI_IN_PLACE, z, 8, MPI_REAL4, MPI_MAX, MPI_COMM_WORLD, error)
		call MPI_Allreduce(MPI_IN_PLACE, doubles, 4, MPI_REAL8, MPI_MAX, MPI_COMM_WORLD, error)
	case ('common_block')
		! Its variables lie in a row.
		call MPI_Bcast(head, 5, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
		call MPI_Bcast(body(2), 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
	case ('equivalent')
		call MPI_Bcast(whole, 8, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
		call MPI_Bcast(part, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
	case ('arguments')
		call by_size(x(3))
		call by_number(5, x)
		call by_shape(square(2, :))
	case ('expressions')
		! The compiler has a place for each, where variables lie that are not used yet.
		call sends_values(rank)
	case ('late')
		call execute_command_line('sleep 0.5', wait=.true.)
		call MPI_Barrier(MPI_COMM_WORLD, error)
		if (rank == 0) call execute_command_line('sleep 0.5')
		call MPI_Allreduce(MPI_IN_PLACE, x, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
	case ('large')
		call MPI_Irecv(large_y, many, MPI_INTEGER, other, 0, MPI_COMM_WORLD, request, error)
		x = x + 1
		call MPI_Send(large_x, many, MPI_INTEGER, other, 0, MPI_COMM_WORLD, error)
		call MPI_Wait(request, status, error)
		large_y(many / 2) = 0
	case ('kinds')
		call MPI_Type_create_f90_real(6, 30, type, error)
		call MPI_Bcast(z, 8, type, 0, MPI_COMM_WORLD, error)
		call MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, type, error)
		call MPI_Bcast(wide, 1, type, 0, MPI_COMM_WORLD, error)
		call MPI_Sendrecv(wide, 1, type, other, 0, places, 1, MPI_INTEGER8, other, 0, MPI_COMM_WORLD, status, error)
	end select
	call MPI_Finalize(error)
contains
	subroutine add(in, inout, n, type)
		integer :: n, type, in(n), inout(n)

		inout = inout + in
	end subroutine

	subroutine sends_values(n)
		integer :: n, first, second, found(2)

		if (other >= 0) call MPI_Bcast(dble(n), 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
		if (other >= 0) call MPI_Bcast(n * (/ 1d0, 2d0, 3d0 /), 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
		call MPI_Isend((n), 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, first, error)
		call MPI_Irecv(found, 2, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, second, error)
		call MPI_Wait(first, MPI_STATUS_IGNORE, error)
		call MPI_Wait(second, MPI_STATUS_IGNORE, error)
	end subroutine

	subroutine by_size(a)
		integer :: a(*)

		call MPI_Bcast(a, 6, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
	end subroutine

	subroutine by_number(n, a)
		integer :: n, a(n), own(2 * n)

		own = rank
		call MPI_Bcast(a, n, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
		call MPI_Allgather(a, n, MPI_INTEGER, own, n, MPI_INTEGER, MPI_COMM_WORLD, error)
	end subroutine

	subroutine by_shape(a)
		integer :: a(:)

		call MPI_Bcast(a, size(a), MPI_INTEGER, 0, MPI_COMM_WORLD, error)
	end subroutine
end program

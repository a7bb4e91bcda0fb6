! SPDX-License-Identifier: BSD-3-Clause
!
! usage: right_f08 NAME, with 2 ranks: looks wrong in the way of that name, and is
! right.  With mpi_f08 a section of an array is a buffer also for nonblocking calls.
program right_f08
	use mpi_f08
	use iso_c_binding
	implicit none
	type pair
		integer :: count
		double precision :: value
	end type
	integer, parameter :: many = 200000
	integer :: rank, other, n, i, x(8), y(8), square(4, 4)
	integer, target :: wide(2, many), source(2, many)
	integer, pointer, volatile :: seen(:)
	integer, allocatable :: room(:, :)
	integer(kind=MPI_ADDRESS_KIND) :: places(2), base
	type(pair) :: few(3)
	type(MPI_Comm) :: comm
	type(MPI_Request) :: request, requests(2)
	type(MPI_Status) :: status, statuses(2)
	type(MPI_Datatype) :: type
	type(MPI_Op) :: op
	type(MPI_Win) :: win
	type(c_ptr) :: memory
	logical :: flag
	character(len=32) :: name
	character(len=:), allocatable :: text

	x = 1
	y = 0
	square = 0
	source = 1
	wide = 0
	call get_command_argument(1, name)
	call MPI_Init()
	comm = MPI_COMM_WORLD
	call MPI_Comm_rank(comm, rank)
	other = 1 - rank
	select case (name)
	case ('sections')
		call MPI_Irecv(square(1, :), 4, MPI_INTEGER, other, 0, comm, requests(1))
		call MPI_Irecv(square(2, :), 4, MPI_INTEGER, other, 1, comm, requests(2))
		call MPI_Send(x(1:7:2), 4, MPI_INTEGER, other, 1, comm)
		call MPI_Send(x(2:8:2), 4, MPI_INTEGER, other, 0, comm)
		call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
	case ('backwards')
		call MPI_Irecv(y(8:1:-1), 8, MPI_INTEGER, other, 0, comm, request)
		call MPI_Send(x, 8, MPI_INTEGER, other, 0, comm)
		call MPI_Wait(request, status)
		call MPI_Bcast(x(8:1:-1), 8, MPI_INTEGER, 0, comm)
	case ('apart')
		call MPI_Bcast(square(1:4:3, 1:4:3), 4, MPI_INTEGER, 0, comm)
		call MPI_Bcast(square(4, :), 4, MPI_INTEGER, 0, comm)
	case ('rows_at_once')
		! What lies between the elements is the program's.
		call MPI_Irecv(wide(1, :), many, MPI_INTEGER, other, 0, comm, requests(1))
		call MPI_Isend(source(1, :), many, MPI_INTEGER, other, 0, comm, requests(2))
		source(2, :) = 7
		wide(2, :) = source(2, :)
		call MPI_Waitall(2, requests, statuses)
		if (any(wide(1, :) /= 1)) call MPI_Abort(comm, 3)
	case ('halves_of_rows')
		call MPI_Irecv(wide(1, :), many, MPI_INTEGER, other, 0, comm, requests(1))
		call MPI_Irecv(wide(2, :), many, MPI_INTEGER, other, 1, comm, requests(2))
		call MPI_Sendrecv(source(1, :), many, MPI_INTEGER, other, 0, n, 0, MPI_INTEGER, MPI_PROC_NULL, 0, comm, &
			MPI_STATUS_IGNORE)
		call MPI_Send(source(2, :), many, MPI_INTEGER, other, 1, comm)
		call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
	case ('columns')
		call MPI_Irecv(square(:, 3:4), 8, MPI_INTEGER, other, 0, comm, request)
		square(:, 2) = 1
		call MPI_Send(x, 8, MPI_INTEGER, other, 0, comm)
		call MPI_Wait(request, MPI_STATUS_IGNORE)
	case ('in_place')
		call MPI_Allreduce(MPI_IN_PLACE, x, 8, MPI_INTEGER, MPI_SUM, comm)
		call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, 4, MPI_INTEGER, comm)
		call MPI_Iallreduce(MPI_IN_PLACE, x(1:4), 4, MPI_INTEGER, MPI_SUM, comm, request)
		x(5) = 5
		call MPI_Wait(request, MPI_STATUS_IGNORE)
	case ('bottom')
		do i = 1, 2
			call MPI_Get_address(few(i)%value, places(i))
		end do
		call MPI_Type_create_hindexed_block(2, 1, places, MPI_DOUBLE_PRECISION, type)
		call MPI_Type_commit(type)
		call MPI_Bcast(MPI_BOTTOM, 1, type, 0, comm)
		call MPI_Type_free(type)
	case ('structures')
		call MPI_Get_address(few(1)%count, base)
		call MPI_Get_address(few(1)%value, places(2))
		places = (/ 0_MPI_ADDRESS_KIND, places(2) - base /)
		call MPI_Type_create_struct(2, (/ 1, 1 /), places, (/ MPI_INTEGER, MPI_DOUBLE_PRECISION /), type)
		call MPI_Type_commit(type)
		call MPI_Bcast(few, 3, type, 0, comm)
		call MPI_Bcast(few(2)%count, 1, MPI_INTEGER, 0, comm)
		call MPI_Bcast(few%value, 3, MPI_DOUBLE_PRECISION, 0, comm)
		call MPI_Type_free(type)
	case ('own_sum')
		call MPI_Op_create(add, .true., op)
		call MPI_Allreduce(x, y, 8, MPI_INTEGER, op, comm)
		call MPI_Reduce(x(5:8), y, 4, MPI_INTEGER, op, 0, comm)
		call MPI_Op_free(op)
	case ('persistent')
		call MPI_Recv_init(y(1:7:2), 4, MPI_INTEGER, other, 0, comm, requests(1))
		call MPI_Send_init(x(1:7:2), 4, MPI_INTEGER, other, 0, comm, requests(2))
		do i = 1, 3
			call MPI_Startall(2, requests)
			x(2:8:2) = i
			call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
		end do
		call MPI_Request_free(requests(1))
		call MPI_Request_free(requests(2))
	case ('background')
		call MPI_Ibcast(x(2:8:2), 4, MPI_INTEGER, 0, comm, request)
		x(1) = 2
		flag = .false.
		do while (.not. flag)
			call MPI_Test(request, flag, MPI_STATUS_IGNORE)
		end do
		call MPI_Iallgather(x(1:3:2), 2, MPI_INTEGER, y(1:7:2), 2, MPI_INTEGER, comm, request)
		call MPI_Wait(request, MPI_STATUS_IGNORE)
	case ('nobody')
		request = MPI_REQUEST_NULL
		call MPI_Wait(request, MPI_STATUS_IGNORE)
		call MPI_Recv(n, 8, MPI_INTEGER, MPI_PROC_NULL, 0, comm, status)
		call MPI_Comm_split(comm, merge(MPI_UNDEFINED, 0, rank == 0), 0, comm)
		if (comm /= MPI_COMM_NULL) call MPI_Comm_free(comm)
	case ('characters')
		text = repeat(name(1:1), 40)
		call MPI_Bcast(text, len(text), MPI_CHARACTER, 0, comm)
		call MPI_Bcast(text(3:9), 7, MPI_CHARACTER, 0, comm)
		call MPI_Bcast(name, len(name), MPI_CHARACTER, 0, comm)
	case ('arguments')
		call by_shape(square(2, :), square(1, :))
		call by_shape(square(:, 2), square(:, 1))
		call by_shape(x(8:5:-1), y(1:7:2))
	case ('any')
		call MPI_Isend(x(1:5), 5, MPI_INTEGER, other, 3, comm, request)
		call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status)
		call MPI_Get_count(status, MPI_INTEGER, n)
		allocate (room(n, 2))
		call MPI_Recv(room(:, 2), n, MPI_INTEGER, status%MPI_SOURCE, status%MPI_TAG, comm, status)
		call MPI_Wait(request, MPI_STATUS_IGNORE)
	case ('shared_flag')
		! Seen in memory half a second later.
		call MPI_Win_allocate_shared(4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, comm, memory, win)
		call MPI_Win_shared_query(win, 0, base, n, memory)
		call c_f_pointer(memory, seen, (/ 1 /))
		if (rank == 0) seen(1) = 0
		call MPI_Barrier(comm)
		call MPI_Win_lock_all(0, win)
		! MPICH grants locks within calls, and MPI_Win_sync is none of them.
		call MPI_Barrier(comm)
		if (rank == 1) then
			call execute_command_line('sleep 0.5')
			seen(1) = 1
		end if
		flag = rank == 1
		do while (.not. flag)
			call MPI_Win_sync(win)
			flag = seen(1) == 1
		end do
		call MPI_Win_unlock_all(win)
		call MPI_Win_free(win)
	case ('puts_of_rows')
		call MPI_Win_create(square, 64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, comm, win)
		call MPI_Win_fence(0, win)
		call MPI_Put(x(1:3:2), 2, MPI_INTEGER, other, 0_MPI_ADDRESS_KIND, 2, MPI_INTEGER, win)
		call MPI_Put(x(2:4:2), 2, MPI_INTEGER, other, 2_MPI_ADDRESS_KIND, 2, MPI_INTEGER, win)
		call MPI_Win_fence(0, win)
		call MPI_Win_free(win)
	end select
	call MPI_Finalize()
contains
	subroutine add(in, inout, n, type)
		type(c_ptr), value :: in, inout
		integer :: n
		type(MPI_Datatype) :: type
		integer, pointer :: a(:), b(:)

		call c_f_pointer(in, a, (/ n /))
		call c_f_pointer(inout, b, (/ n /))
		b = b + a
	end subroutine

	subroutine by_shape(a, b)
		integer :: a(:), b(:)
		type(MPI_Request) :: both(2)

		call MPI_Irecv(b, size(b), MPI_INTEGER, other, 0, comm, both(1))
		call MPI_Isend(a, size(a), MPI_INTEGER, other, 0, comm, both(2))
		call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
	end subroutine
end program

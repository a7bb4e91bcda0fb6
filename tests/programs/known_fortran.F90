! SPDX-License-Identifier: BSD-3-Clause
!
! Known calls (see known.h) from Fortran, in one of three bindings: USE_MPIF_H,
! USE_MPI or USE_MPI_F08.  The last reaches the MPI library by another way than
! the other two.

#ifdef USE_MPI_F08
#define HANDLE(name) type(name)
#define STATUS(name) type(MPI_Status) :: name
#else
#define HANDLE(name) integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#endif

program known_fortran
#if defined(USE_MPI_F08)
  use mpi_f08
#elif defined(USE_MPI)
  use mpi
#endif
  implicit none
#ifdef USE_MPIF_H
  include 'mpif.h'
#endif
  integer, parameter :: zero(3) = 0
  integer :: rank, size, next, prev, ierror
  integer :: in(100), out(100)

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  if (size /= 3) stop 2
  next = mod(rank + 1, 3)
  prev = mod(rank + 2, 3)
  call same('MPI_Init', 1, 0, 0)
  call same('MPI_Finalize', 1, 0, 0)
  call same('MPI_Comm_rank', 1, 0, 0)
  call same('MPI_Comm_size', 1, 0, 0)
  call blocking()
  call nonblocking()
  call persistent()
  call collectives()
  call objects()
  call io()
  call MPI_Finalize(ierror)

contains

  subroutine row(call, count, sent, received)
    character(*), intent(in) :: call
    integer, intent(in) :: count(3), sent(3), received(3)

    if (count(rank + 1) == 0) return
    print '(a, i0, 1x, a, 3(1x, i0))', 'expect ', rank, call, &
      count(rank + 1), sent(rank + 1), received(rank + 1)
  end subroutine row

  subroutine same(call, count, sent, received)
    character(*), intent(in) :: call
    integer, intent(in) :: count, sent, received

    call row(call, count + zero, sent + zero, received + zero)
  end subroutine same

  subroutine blocking()
    STATUS(status)
    integer :: n

    call MPI_Sendrecv(out, 5, MPI_INTEGER, next, 1, in, 100, MPI_INTEGER, &
      prev, 1, MPI_COMM_WORLD, status, ierror)
    call MPI_Get_count(status, MPI_INTEGER, n, ierror)
    if (n /= 5) stop 3
    if (rank == 0) then
      call MPI_Send(out, 10, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierror)
      call MPI_Ssend(out, 1, MPI_INTEGER, 2, 2, MPI_COMM_WORLD, ierror)
      call MPI_Send(out, 9, MPI_INTEGER, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &
        ierror)
    else
      call MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, status, ierror)
      call MPI_Recv(in, 100, MPI_INTEGER, 0, MPI_ANY_TAG, &
        MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end if
    call same('MPI_Sendrecv', 1, 20, 20)
    call same('MPI_Get_count', 1, 0, 0)
    call row('MPI_Send', [2, 0, 0], [40, 0, 0], zero)
    call row('MPI_Ssend', [1, 0, 0], [4, 0, 0], zero)
    call row('MPI_Probe', [0, 1, 1], zero, zero)
    call row('MPI_Recv', [0, 1, 1], zero, [0, 40, 4])
  end subroutine blocking

  subroutine nonblocking()
    HANDLE(MPI_Request) :: requests(2)
    integer :: i, n, n_test
    logical :: done

    do i = 1, 2
      call MPI_Irecv(in, 100, MPI_INTEGER, MPI_ANY_SOURCE, i, &
        MPI_COMM_WORLD, requests(1), ierror)
      call MPI_Isend(out, 3, MPI_INTEGER, next, i, MPI_COMM_WORLD, &
        requests(2), ierror)
      if (i == 1) call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
    end do
    call MPI_Waitany(1, requests, n, MPI_STATUS_IGNORE, ierror)
    done = .false.
    n_test = 0
    do while (.not. done)
      call MPI_Test(requests(2), done, MPI_STATUS_IGNORE, ierror)
      n_test = n_test + 1
    end do
    call same('MPI_Irecv', 2, 0, 24)
    call same('MPI_Isend', 2, 24, 0)
    call same('MPI_Waitall', 1, 0, 0)
    call same('MPI_Waitany', 1, 0, 0)
    call same('MPI_Test', n_test, 0, 0)
  end subroutine nonblocking

  subroutine persistent()
    HANDLE(MPI_Request) :: requests(2)
    integer :: i

    call MPI_Send_init(out, 2, MPI_INTEGER, next, 3, MPI_COMM_WORLD, &
      requests(1), ierror)
    call MPI_Recv_init(in, 100, MPI_INTEGER, prev, 3, MPI_COMM_WORLD, &
      requests(2), ierror)
    do i = 1, 3
      call MPI_Startall(2, requests, ierror)
      call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierror)
      call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierror)
    end do
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
    call same('MPI_Send_init', 1, 0, 0)
    call same('MPI_Recv_init', 1, 0, 0)
    call same('MPI_Startall', 3, 24, 24)
    call same('MPI_Wait', 6, 0, 0)
    call same('MPI_Request_free', 2, 0, 0)
  end subroutine persistent

  subroutine collectives()
    integer, parameter :: counts(3) = [1, 2, 3], places(3) = [0, 10, 20]

    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Bcast(out, 10, MPI_INTEGER, 1, MPI_COMM_WORLD, ierror)
    call MPI_Allreduce(out, in, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
      ierror)
    call MPI_Allreduce(MPI_IN_PLACE, in, 4, MPI_INTEGER, MPI_SUM, &
      MPI_COMM_WORLD, ierror)
    call MPI_Gatherv(out, rank + 1, MPI_INTEGER, in, counts, places, &
      MPI_INTEGER, 2, MPI_COMM_WORLD, ierror)
    if (rank == 0) then
      call MPI_Reduce(MPI_IN_PLACE, in, 5, MPI_INTEGER, MPI_SUM, 0, &
        MPI_COMM_WORLD, ierror)
    else
      call MPI_Reduce(out, in, 5, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, &
        ierror)
    end if
    call same('MPI_Barrier', 1, 0, 0)
    call row('MPI_Bcast', [1, 1, 1], [0, 40, 0], [40, 0, 40])
    call same('MPI_Allreduce', 2, 32, 32)
    call row('MPI_Gatherv', [1, 1, 1], [4, 8, 12], [0, 0, 24])
    call row('MPI_Reduce', [1, 1, 1], [20, 20, 20], [20, 0, 0])
  end subroutine collectives

  subroutine objects()
    HANDLE(MPI_Comm) :: copy, part
    HANDLE(MPI_Datatype) :: pair

    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    call MPI_Comm_split(copy, 0, -rank, part, ierror)
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
    call MPI_Type_commit(pair, ierror)
    call MPI_Allgather(out, 1, pair, in, 1, pair, part, ierror)
    call MPI_Type_free(pair, ierror)
    call MPI_Comm_free(part, ierror)
    call MPI_Comm_free(copy, ierror)
    call same('MPI_Comm_dup', 1, 0, 0)
    call same('MPI_Comm_split', 1, 0, 0)
    call same('MPI_Type_contiguous', 1, 0, 0)
    call same('MPI_Type_commit', 1, 0, 0)
    call same('MPI_Allgather', 1, 8, 24)
    call same('MPI_Type_free', 1, 0, 0)
    call same('MPI_Comm_free', 2, 0, 0)
  end subroutine objects

  subroutine io()
    HANDLE(MPI_File) :: file
    integer(MPI_OFFSET_KIND) :: offset
    character(4096) :: name

    call get_command_argument(1, name)
    call MPI_File_open(MPI_COMM_WORLD, trim(name), MPI_MODE_CREATE + &
      MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierror)
    offset = rank * 40
    call MPI_File_write_at_all(file, offset, out, 10, MPI_INTEGER, &
      MPI_STATUS_IGNORE, ierror)
    call MPI_File_sync(file, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_File_read_at(file, offset, in, 5, MPI_INTEGER, &
      MPI_STATUS_IGNORE, ierror)
    call MPI_File_close(file, ierror)
    call same('MPI_File_open', 1, 0, 0)
    call same('MPI_File_write_at_all', 1, 40, 0)
    call same('MPI_File_sync', 1, 0, 0)
    call same('MPI_Barrier', 1, 0, 0)
    call same('MPI_File_read_at', 1, 0, 20)
    call same('MPI_File_close', 1, 0, 0)
  end subroutine io

end program known_fortran

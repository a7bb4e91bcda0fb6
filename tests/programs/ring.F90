! SPDX-License-Identifier: BSD-3-Clause

! The calls of ring.c in Fortran, with mpif.h, `use mpi` or `use mpi_f08`: -DUSE_MPIF_H,
! -DUSE_MPI, -DUSE_MPI_F08.
#ifdef USE_MPI_F08
#define HANDLE(kind) type(kind)
#else
#define HANDLE(kind) integer
#endif
program ring
#if defined(USE_MPI_F08)
  use mpi_f08
#elif defined(USE_MPI)
  use mpi
#endif
  implicit none
#ifdef USE_MPIF_H
  include 'mpif.h'
#endif
  integer, parameter :: n = 100
  integer :: ierror, rank, size, next, last, i
  integer, asynchronous :: out(n), in(n)
  double precision :: mine, total
  HANDLE(MPI_Request) :: requests(2)
  HANDLE(MPI_Comm) :: copy

  out = 0
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  next = mod(rank + 1, size)
  last = mod(rank + size - 1, size)
  do i = 1, 10
    call MPI_Sendrecv(out, n, MPI_INTEGER, next, i, in, n, MPI_INTEGER, last, i, &
      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Irecv(in, n, MPI_INTEGER, last, 1, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Isend(out, n, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(2), ierror)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
  if (rank == 0) then
    call sleep(1)
  else
    call MPI_Recv(in, n, MPI_INTEGER, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end if
  if (next /= 0) then
    call MPI_Send(out, n, MPI_INTEGER, next, 2, MPI_COMM_WORLD, ierror)
  end if
  mine = rank
  call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (total /= size * (size - 1) / 2) then
    stop 1
  end if
  call MPI_Bcast(out, n, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
  call MPI_Barrier(copy, ierror)
  call MPI_Comm_free(copy, ierror)
  call MPI_Finalize(ierror)
end program ring

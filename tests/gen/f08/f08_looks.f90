! SPDX-License-Identifier: BSD-3-Clause
!
! Two ranks, through mpi_f08: looks at arrays of requests, since MPI 4.1.

program f08_looks
  use mpi_f08
  implicit none
  integer, parameter :: n = 2
  integer :: rank, unit, other, ierror, wrong = 0

  call MPI_Init()
  call known_begin(2)
  other = 1 - rank
  call look()
  call expect('MPI_Init', 1)
  call expect('MPI_Finalize', 1)
  call MPI_Finalize(ierror)
  call known_end()

contains

  include 'f08_known.f90'

  subroutine look()
    integer, asynchronous :: values(n)
    type(MPI_Request) :: requests(n)
    type(MPI_Status) :: status, statuses(n)
    integer :: indices(n), i, k, count
    logical :: flag

    do i = 1, n
      call MPI_Irecv(values(i), 1, MPI_INTEGER, other, i, MPI_COMM_WORLD, &
        requests(i))
    end do
    call MPI_Request_get_status_any(n, requests, k, flag, status)
    call check('any before', [truth(flag)], [0])
    call MPI_Request_get_status_all(n, requests, flag, statuses)
    call check('all before', [truth(flag)], [0])
    call MPI_Request_get_status_some(n, requests, count, indices, statuses)
    call check('some before', [count], [0])
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Send(20, 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD)
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status_any(n, requests, k, flag, status, ierror)
      call expect('MPI_Request_get_status_any', 1)
    end do
    call say('any', [ierror, k, status%MPI_TAG])
    call MPI_Request_get_status_some(n, requests, count, indices, statuses, &
      ierror)
    call say('some', [ierror, count, indices(1), statuses(1)%MPI_TAG])
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Send(10, 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD)
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status_all(n, requests, flag, statuses, ierror)
      call expect('MPI_Request_get_status_all', 1)
    end do
    call check('all', [ierror, truth(flag), statuses%MPI_TAG], &
      [MPI_SUCCESS, 1, 1, 2])
    call MPI_Request_get_status_some(n, requests, count, indices, &
      MPI_STATUSES_IGNORE)
    call say('some', [count, indices])
    call MPI_Request_get_status_any(n, requests, k, flag, MPI_STATUS_IGNORE)
    call say('any', [k, truth(flag)])
    call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE)
    call check('values', values, [10, 20])
    call MPI_Request_get_status_any(n, requests, k, flag, status)
    call say('any null', [k, truth(flag)])
    call MPI_Request_get_status_some(n, requests, count, indices, statuses)
    call check('some null', [count], [MPI_UNDEFINED])
    call MPI_Request_get_status_all(n, requests, flag, MPI_STATUSES_IGNORE)
    call check('all null', [truth(flag)], [1])
    call expect('MPI_Irecv', 2)
    call expect('MPI_Send', 2)
    call expect('MPI_Barrier', 2)
    call expect('MPI_Waitall', 1)
    call expect('MPI_Request_get_status_any', 3)
    call expect('MPI_Request_get_status_some', 4)
    call expect('MPI_Request_get_status_all', 2)
  end subroutine look

end program f08_looks

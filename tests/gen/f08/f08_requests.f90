! SPDX-License-Identifier: BSD-3-Clause
!
! Two ranks, through mpi_f08: the completion of requests, and statuses.

program f08_requests
  use mpi_f08
  implicit none
  integer, parameter :: n = 4
  integer :: provided
  integer :: rank, unit, other, ierror, wrong = 0
  logical :: flag

  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierror)
  call known_begin(2)
  other = 1 - rank
  call check('init', [ierror, provided], [MPI_SUCCESS, MPI_THREAD_SERIALIZED])
  call MPI_Query_thread(provided)
  call MPI_Is_thread_main(flag)
  call check('thread', [provided, truth(flag)], [MPI_THREAD_SERIALIZED, 1])
  call MPI_Initialized(flag)
  call check('initialized', [truth(flag)], [1])
  call expect('MPI_Init_thread', 1)
  call expect('MPI_Query_thread', 1)
  call expect('MPI_Is_thread_main', 1)
  call expect('MPI_Initialized', 1)
  call single()
  call several()
  call some_at_a_time()
  call expect('MPI_Finalize', 1)
  call MPI_Finalize(ierror)
  call MPI_Finalized(flag)
  call check('finalized', [ierror, truth(flag)], [MPI_SUCCESS, 1])
  call known_end()

contains

  include 'f08_known.f90'

  ! From the other rank, tags 1 to n, the values 10 * tag.
  subroutine exchange(values, requests)
    integer, intent(out), asynchronous :: values(n)
    type(MPI_Request), intent(out) :: requests(n)
    integer :: i

    do i = 1, n
      call MPI_Irecv(values(i), 1, MPI_INTEGER, other, i, MPI_COMM_WORLD, &
        requests(i))
    end do
    call MPI_Barrier(MPI_COMM_WORLD)
    do i = 1, n
      call MPI_Send(10 * i, 1, MPI_INTEGER, other, i, MPI_COMM_WORLD)
    end do
    call expect('MPI_Irecv', n)
    call expect('MPI_Send', n)
    call expect('MPI_Barrier', 1)
  end subroutine exchange

  subroutine single()
    integer, asynchronous :: values(n)
    type(MPI_Request) :: requests(n)
    type(MPI_Status) :: status
    integer :: i, count
    integer(MPI_COUNT_KIND) :: large

    call exchange(values, requests)
    call MPI_Wait(requests(1), status, ierror)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call check('wait', [ierror, values(1), count, status%MPI_SOURCE, &
      status%MPI_TAG], [MPI_SUCCESS, 10, 1, other, 1])
    call check('null', [requests(1)%MPI_VAL], [MPI_REQUEST_NULL%MPI_VAL])
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE)
    call MPI_Request_get_status(requests(3), flag, MPI_STATUS_IGNORE)
    do while (.not. flag)
      call MPI_Request_get_status(requests(3), flag, status)
      call expect('MPI_Request_get_status', 1)
    end do
    call MPI_Request_get_status(requests(3), flag, status, ierror)
    call MPI_Get_elements(status, MPI_BYTE, count)
    call MPI_Get_count(status, MPI_INTEGER, large)
    call check('status', [truth(flag), count, int(large), status%MPI_TAG], &
      [1, 4, 1, 3])
    call MPI_Get_elements(status, MPI_INTEGER, large)
    call MPI_Get_elements_x(status, MPI_INTEGER, large)
    call check('elements', [int(large)], [1])
    do i = 3, n
      flag = .false.
      do while (.not. flag)
        if (i == 3) call MPI_Test(requests(i), flag, status, ierror)
        if (i == 4) call MPI_Test(requests(i), flag, MPI_STATUS_IGNORE)
        call expect('MPI_Test', 1)
      end do
    end do
    call check('test', [ierror, values, status%MPI_TAG], &
      [MPI_SUCCESS, 10, 20, 30, 40, 3])
    call MPI_Wait(requests(1), status)
    call check('empty', [status%MPI_SOURCE, status%MPI_TAG], &
      [MPI_ANY_SOURCE, MPI_ANY_TAG])
    call expect('MPI_Wait', 3)
    call expect('MPI_Get_count', 1)
    call expect('MPI_Get_count_c', 1)
    call expect('MPI_Get_elements', 1)
    call expect('MPI_Get_elements_c', 1)
    call expect('MPI_Get_elements_x', 1)
    call expect('MPI_Request_get_status', 2)
  end subroutine single

  subroutine several()
    integer, asynchronous :: values(n)
    type(MPI_Request) :: requests(n)
    type(MPI_Status) :: statuses(n)

    call exchange(values, requests)
    call MPI_Waitall(n, requests, statuses, ierror)
    call check('waitall', [ierror, values, statuses%MPI_TAG], &
      [MPI_SUCCESS, 10, 20, 30, 40, 1, 2, 3, 4])
    call exchange(values, requests)
    call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE)
    call check('waitall ignore', values, [10, 20, 30, 40])
    call exchange(values, requests)
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(n, requests, flag, statuses, ierror)
      call expect('MPI_Testall', 1)
    end do
    call check('testall', [values, statuses%MPI_TAG], &
      [10, 20, 30, 40, 1, 2, 3, 4])
    call MPI_Testall(n, requests, flag, MPI_STATUSES_IGNORE)
    call check('testall null', [truth(flag)], [1])
    call MPI_Waitall(0, requests, MPI_STATUSES_IGNORE)
    call expect('MPI_Waitall', 3)
    call expect('MPI_Testall', 1)
  end subroutine several

  ! Where indices begin is said, for libraries differ; the rest is checked.
  subroutine some_at_a_time()
    integer, asynchronous :: values(n)
    type(MPI_Request) :: requests(n)
    type(MPI_Status) :: status, statuses(n)
    integer :: indices(n), i, k, count, sum

    call exchange(values, requests)
    call MPI_Barrier(MPI_COMM_WORLD)
    do i = 1, 2
      call MPI_Waitany(n, requests, k, status, ierror)
      call say('waitany', [k - status%MPI_TAG])
    end do
    call MPI_Waitany(n, requests, k, MPI_STATUS_IGNORE)
    call MPI_Wait(requests(4), MPI_STATUS_IGNORE)
    call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE)
    call MPI_Waitany(n, requests, k, status)
    call check_undefined('waitany null', k)
    call MPI_Testany(n, requests, k, flag, status)
    call check_undefined('testany null', k)
    call check('testany null', [truth(flag)], [1])
    call MPI_Waitsome(n, requests, count, indices, statuses)
    call check('waitsome null', [count], [MPI_UNDEFINED])
    call MPI_Testsome(n, requests, count, indices, MPI_STATUSES_IGNORE)
    call check('testsome null', [count], [MPI_UNDEFINED])

    call exchange(values, requests)
    k = MPI_UNDEFINED
    flag = .false.
    do while (.not. flag)
      call MPI_Testany(n, requests, k, flag, status, ierror)
      call expect('MPI_Testany', 1)
    end do
    call say('testany', [k - status%MPI_TAG])
    sum = 0
    do while (sum < 2)
      call MPI_Testsome(n, requests, count, indices, statuses, ierror)
      call expect('MPI_Testsome', 1)
      do i = 1, count
        call say('some', [indices(i) - statuses(i)%MPI_TAG])
      end do
      if (count > 0) sum = sum + count
    end do
    do while (sum < 3)
      call MPI_Waitsome(n, requests, count, indices, statuses)
      call expect('MPI_Waitsome', 1)
      do i = 1, count
        call say('some', [indices(i) - statuses(i)%MPI_TAG])
      end do
      sum = sum + count
    end do
    call check('values', values, [10, 20, 30, 40])
    call expect('MPI_Barrier', 1)
    call expect('MPI_Wait', 1)
    call expect('MPI_Waitall', 1)
    call expect('MPI_Waitany', 4)
    call expect('MPI_Testany', 1)
    call expect('MPI_Waitsome', 1)
    call expect('MPI_Testsome', 1)
  end subroutine some_at_a_time

  ! MPICH 4.2 adds 1, as to an index.
  subroutine check_undefined(what, is)
    character(*), intent(in) :: what
    integer, intent(in) :: is

    if (is == MPI_UNDEFINED + 1) then
      call say(what, [is])
    else
      call check(what, [is], [MPI_UNDEFINED])
    end if
  end subroutine check_undefined

end program f08_requests

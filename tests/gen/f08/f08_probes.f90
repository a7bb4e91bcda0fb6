! SPDX-License-Identifier: BSD-3-Clause
!
! Two ranks, through mpi_f08: probes, barriers, and requests that are persistent,
! generalized or cancelled.

! What MPI calls back.
module f08_probes_callbacks
  use mpi_f08
  implicit none
  integer :: freed = 0

contains

  subroutine query(state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    type(MPI_Status) :: status
    integer :: ierror

    call MPI_Status_set_elements(status, MPI_INTEGER, int(state))
    call MPI_Status_set_cancelled(status, .false.)
    status%MPI_SOURCE = 3
    status%MPI_TAG = 4
    ierror = MPI_SUCCESS
  end subroutine query

  subroutine release(state, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: ierror

    freed = freed + int(state)
    ierror = MPI_SUCCESS
  end subroutine release

  subroutine cancel(state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierror

    if (complete) freed = freed - int(state)
    ierror = MPI_SUCCESS
  end subroutine cancel

end module f08_probes_callbacks

program f08_probes
  use mpi_f08
  use f08_probes_callbacks
  use, intrinsic :: iso_c_binding, only: c_intptr_t, c_loc, c_ptr
  implicit none
  integer :: rank, unit, other, ierror, wrong = 0
  logical :: flag

  call MPI_Init(ierror)
  call known_begin(2)
  other = 1 - rank
  call expect('MPI_Init', 1)
  call persistent()
  call partitioned()
  call probes()
  call generalized()
  call barriers()
  call cancelled()
  call expect('MPI_Finalize', 1)
  call MPI_Finalize(ierror)
  call known_end()

contains

  include 'f08_known.f90'

  ! c_associated() of gfortran 12 says no of what mpi_f08 returns.
  integer(c_intptr_t) function bits(address)
    type(c_ptr), intent(in) :: address

    bits = transfer(address, bits)
  end function bits

  subroutine persistent()
    integer, asynchronous :: in(2), out(2)
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: statuses(2)

    out = [rank, 7]
    call MPI_Send_init(out, 2, MPI_INTEGER, other, 5, MPI_COMM_WORLD, &
      requests(1))
    call MPI_Recv_init(in, 2, MPI_INTEGER, other, 5, MPI_COMM_WORLD, &
      requests(2))
    call MPI_Startall(2, requests, ierror)
    call MPI_Waitall(2, requests, statuses)
    call check('startall', [ierror, in, statuses(2)%MPI_TAG], &
      [MPI_SUCCESS, other, 7, 5])
    call MPI_Start(requests(2))
    call MPI_Start(requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call MPI_Wait(requests(2), statuses(1))
    call check('start', [statuses(1)%MPI_SOURCE], [other])
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2), ierror)
    call check('free', [requests(1)%MPI_VAL, requests(2)%MPI_VAL], &
      [MPI_REQUEST_NULL%MPI_VAL, MPI_REQUEST_NULL%MPI_VAL])
    call expect('MPI_Send_init', 1)
    call expect('MPI_Recv_init', 1)
    call expect('MPI_Startall', 1)
    call expect('MPI_Start', 2)
    call expect('MPI_Waitall', 1)
    call expect('MPI_Wait', 2)
    call expect('MPI_Request_free', 2)
  end subroutine persistent

  subroutine partitioned()
    integer, asynchronous :: out(4), in(4)
    type(MPI_Request) :: send, receive

    out = [1, 2, 3, 4]
    call MPI_Psend_init(out, 4, 1_MPI_COUNT_KIND, MPI_INTEGER, other, 6, &
      MPI_COMM_WORLD, MPI_INFO_NULL, send)
    call MPI_Precv_init(in, 4, 1_MPI_COUNT_KIND, MPI_INTEGER, other, 6, &
      MPI_COMM_WORLD, MPI_INFO_NULL, receive)
    call MPI_Start(receive)
    call MPI_Start(send)
    call MPI_Pready(0, send)
    call MPI_Pready_range(1, 2, send)
    call MPI_Pready_list(1, [3], send, ierror)
    flag = .false.
    do while (.not. flag)
      call MPI_Parrived(receive, 3, flag)
      call expect('MPI_Parrived', 1)
    end do
    call MPI_Wait(send, MPI_STATUS_IGNORE)
    call MPI_Wait(receive, MPI_STATUS_IGNORE)
    call check('partitioned', in, [1, 2, 3, 4])
    call MPI_Request_free(send)
    call MPI_Request_free(receive)
    call expect('MPI_Psend_init', 1)
    call expect('MPI_Precv_init', 1)
    call expect('MPI_Start', 2)
    call expect('MPI_Pready', 1)
    call expect('MPI_Pready_range', 1)
    call expect('MPI_Pready_list', 1)
    call expect('MPI_Wait', 2)
    call expect('MPI_Request_free', 2)
  end subroutine partitioned

  subroutine probes()
    integer, asynchronous :: got(3)
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    type(MPI_Message) :: message
    type(c_ptr) :: address, start
    integer :: i, size
    integer, target, asynchronous :: room(1000)

    start = c_loc(room)
    call MPI_Buffer_attach(room, 4000)
    do i = 1, 4
      call MPI_Bsend([i, i, i], i - i / 4, MPI_INTEGER, other, 20 + i, &
        MPI_COMM_WORLD)
    end do
    call MPI_Probe(MPI_ANY_SOURCE, 21, MPI_COMM_WORLD, status, ierror)
    call check('probe', [ierror, status%MPI_SOURCE, status%MPI_TAG], &
      [MPI_SUCCESS, other, 21])
    call MPI_Probe(other, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Recv(got, 3, MPI_INTEGER, other, 21, MPI_COMM_WORLD, status)
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(other, 22, MPI_COMM_WORLD, flag, status)
      call expect('MPI_Iprobe', 1)
    end do
    call MPI_Iprobe(other, 99, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE)
    call check('iprobe', [truth(flag), status%MPI_TAG], [0, 22])
    call MPI_Recv(got, 3, MPI_INTEGER, other, 22, MPI_COMM_WORLD, &
      MPI_STATUS_IGNORE)
    call MPI_Mprobe(other, 23, MPI_COMM_WORLD, message, status)
    call MPI_Mrecv(got, 3, MPI_INTEGER, message, MPI_STATUS_IGNORE)
    call check('mprobe', [got, status%MPI_TAG], [3, 3, 3, 23])
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(other, 24, MPI_COMM_WORLD, flag, message, &
        MPI_STATUS_IGNORE)
      call expect('MPI_Improbe', 1)
    end do
    call MPI_Imrecv(got, 3, MPI_INTEGER, message, request)
    call MPI_Wait(request, status)
    call check('improbe', [got, status%MPI_TAG], [4, 4, 4, 24])
    call MPI_Buffer_detach(address, size)
    call check('detach', [merge(1, 0, bits(address) == bits(start)), size], &
      [1, 4000])
    call expect('MPI_Buffer_attach', 1)
    call expect('MPI_Buffer_detach', 1)
    call expect('MPI_Bsend', 4)
    call expect('MPI_Probe', 2)
    call expect('MPI_Iprobe', 1)
    call expect('MPI_Mprobe', 1)
    call expect('MPI_Recv', 2)
    call expect('MPI_Mrecv', 1)
    call expect('MPI_Imrecv', 1)
    call expect('MPI_Wait', 1)
  end subroutine probes

  ! What the callbacks call is inside MPI_Wait and not counted.
  subroutine generalized()
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    integer :: count

    call MPI_Grequest_start(query, release, cancel, &
      9_MPI_ADDRESS_KIND, request, ierror)
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, status)
    call MPI_Get_elements(status, MPI_INTEGER, count)
    call check('grequest', [ierror, count, status%MPI_SOURCE, status%MPI_TAG, &
      freed], [MPI_SUCCESS, 9, 3, 4, 9])
    call expect('MPI_Grequest_start', 1)
    call expect('MPI_Grequest_complete', 1)
    call expect('MPI_Wait', 1)
    call expect('MPI_Get_elements', 1)
  end subroutine generalized

  subroutine barriers()
    type(MPI_Request) :: request

    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Ibarrier(MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call MPI_Start(request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Request_free(request)
    call check('barrier', [ierror], [MPI_SUCCESS])
    call expect('MPI_Barrier', 1)
    call expect('MPI_Ibarrier', 1)
    call expect('MPI_Barrier_init', 1)
    call expect('MPI_Start', 1)
    call expect('MPI_Wait', 2)
    call expect('MPI_Request_free', 1)
  end subroutine barriers

  subroutine cancelled()
    integer, asynchronous :: value
    type(MPI_Request) :: request
    type(MPI_Status) :: status

    call MPI_Irecv(value, 1, MPI_INTEGER, other, 77, MPI_COMM_WORLD, request)
    call MPI_Cancel(request, ierror)
    call MPI_Wait(request, status)
    call MPI_Test_cancelled(status, flag)
    call check('cancel', [ierror, truth(flag)], [MPI_SUCCESS, 1])
    call expect('MPI_Irecv', 1)
    call expect('MPI_Cancel', 1)
    call expect('MPI_Wait', 1)
    call expect('MPI_Test_cancelled', 1)
  end subroutine cancelled

end program f08_probes

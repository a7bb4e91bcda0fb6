! SPDX-License-Identifier: BSD-3-Clause
!
! Two ranks, through mpi_f08: windows, memory and operations.

! What MPI calls back.
module f08_windows_callbacks
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
  implicit none
  integer :: deleted = 0, handled = 0

contains

  subroutine larger_even(in, inout, n, datatype)
    type(c_ptr), value :: in, inout
    integer :: n, i
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)

    call c_f_pointer(in, a, [n])
    call c_f_pointer(inout, b, [n])
    do i = 1, n
      if (datatype == MPI_INTEGER) b(i) = 2 * max(a(i) / 2, b(i) / 2)
    end do
  end subroutine larger_even

  subroutine win_copy(win, keyval, extra, in, out, flag, ierror)
    type(MPI_Win) :: win
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag

    out = in + extra + keyval
    flag = win /= MPI_WIN_NULL
    ierror = MPI_SUCCESS
  end subroutine win_copy

  subroutine win_delete(win, keyval, value, extra, ierror)
    type(MPI_Win) :: win
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra

    deleted = deleted + int(value + extra)
    ierror = MPI_SUCCESS
    if (win == MPI_WIN_NULL) deleted = 1000
  end subroutine win_delete

  subroutine win_handler(win, code)
    type(MPI_Win) :: win
    integer :: code

    handled = handled + merge(1, 1000, win /= MPI_WIN_NULL .and. code /= 0)
  end subroutine win_handler

end module f08_windows_callbacks

program f08_windows
  use mpi_f08
  use f08_windows_callbacks
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
  implicit none
  integer :: rank, unit, other, ierror, wrong = 0
  logical :: flag

  call MPI_Init(ierror)
  call known_begin(2)
  other = 1 - rank
  call expect('MPI_Init', 1)
  call operations()
  call memory()
  call windows()
  call locks()
  call posts()
  call shared()
  call expect('MPI_Finalize', 1)
  call MPI_Finalize(ierror)
  call known_end()

contains

  include 'f08_known.f90'

  subroutine operations()
    type(MPI_Op) :: op
    integer :: result(2)

    call MPI_Op_create(larger_even, .true., op, ierror)
    call MPI_Op_commutative(op, flag)
    call MPI_Allreduce([10 * rank + 5, 3 - rank], result, 2, MPI_INTEGER, op, &
      MPI_COMM_WORLD)
    call check('op', [ierror, truth(flag), result], [MPI_SUCCESS, 1, 14, 2])
    call MPI_Op_free(op)
    call check('freed', [op%MPI_VAL], [MPI_OP_NULL%MPI_VAL])
    call expect('MPI_Op_create', 1)
    call expect('MPI_Op_commutative', 1)
    call expect('MPI_Op_free', 1)
    call expect('MPI_Allreduce', 1)
  end subroutine operations

  subroutine memory()
    type(c_ptr) :: address
    integer, pointer :: values(:)

    call MPI_Alloc_mem(40_MPI_ADDRESS_KIND, MPI_INFO_NULL, address, ierror)
    call c_f_pointer(address, values, [10])
    values = 3
    call check('memory', [ierror, sum(values)], [MPI_SUCCESS, 30])
    call MPI_Free_mem(values)
    call expect('MPI_Alloc_mem', 1)
    call expect('MPI_Free_mem', 1)
  end subroutine memory

  subroutine windows()
    type(MPI_Win) :: win
    type(MPI_Group) :: group
    type(MPI_Info) :: info
    type(MPI_Errhandler) :: mine, now
    type(c_ptr) :: address
    character(MPI_MAX_OBJECT_NAME) :: name
    integer, pointer, asynchronous :: values(:)
    integer :: length, keyval
    integer(MPI_ADDRESS_KIND) :: value

    call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, &
      MPI_COMM_WORLD, address, win, ierror)
    call c_f_pointer(address, values, [4])
    values = 0
    call MPI_Win_set_name(win, 'window ')
    name = repeat('*', len(name))
    call MPI_Win_get_name(win, name, length)
    call check_text('win', name, 'window')
    call MPI_Win_fence(0, win)
    call MPI_Put(rank + 8, 1, MPI_INTEGER, other, 2_MPI_ADDRESS_KIND, 1, &
      MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call check('fence', [ierror, length, values], &
      [MPI_SUCCESS, 6, 0, 0, other + 8, 0])
    call MPI_Win_get_group(win, group)
    call MPI_Group_free(group)
    call MPI_Win_get_info(win, info)
    call MPI_Win_set_info(win, info)
    call MPI_Info_free(info)
    call MPI_Win_create_keyval(win_copy, win_delete, keyval, &
      5_MPI_ADDRESS_KIND)
    call MPI_Win_set_attr(win, keyval, 6_MPI_ADDRESS_KIND)
    call MPI_Win_get_attr(win, keyval, value, flag)
    call MPI_Win_delete_attr(win, keyval)
    call MPI_Win_free_keyval(keyval)
    call check('win attribute', [int(value), truth(flag), deleted], [6, 1, 11])
    call MPI_Win_create_errhandler(win_handler, mine)
    call MPI_Win_set_errhandler(win, mine)
    call MPI_Win_get_errhandler(win, now)
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER)
    call check('win handler', [handled], [1])
    call MPI_Errhandler_free(mine)
    call MPI_Errhandler_free(now)
    call MPI_Win_free(win)
    call check('win freed', [win%MPI_VAL], [MPI_WIN_NULL%MPI_VAL])
    call expect('MPI_Win_allocate', 1)
    call expect('MPI_Win_set_name', 1)
    call expect('MPI_Win_get_name', 1)
    call expect('MPI_Win_fence', 2)
    call expect('MPI_Put', 1)
    call expect('MPI_Win_get_group', 1)
    call expect('MPI_Group_free', 1)
    call expect('MPI_Win_get_info', 1)
    call expect('MPI_Win_set_info', 1)
    call expect('MPI_Info_free', 1)
    call expect('MPI_Win_create_keyval', 1)
    call expect('MPI_Win_set_attr', 1)
    call expect('MPI_Win_get_attr', 1)
    call expect('MPI_Win_delete_attr', 1)
    call expect('MPI_Win_free_keyval', 1)
    call expect('MPI_Win_create_errhandler', 1)
    call expect('MPI_Win_set_errhandler', 1)
    call expect('MPI_Win_get_errhandler', 1)
    call expect('MPI_Win_call_errhandler', 1)
    call expect('MPI_Errhandler_free', 2)
    call expect('MPI_Win_free', 1)
  end subroutine windows

  subroutine locks()
    type(MPI_Win) :: win
    type(c_ptr) :: address
    integer, pointer, asynchronous :: values(:)
    integer, asynchronous :: got

    call MPI_Win_allocate(8_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND, &
      MPI_INFO_NULL, MPI_COMM_WORLD, address, win)
    call c_f_pointer(address, values, [2])
    values = [rank, 0]
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win, ierror)
    call MPI_Get(got, 1, MPI_INTEGER, other, 0_MPI_ADDRESS_KIND, 1, &
      MPI_INTEGER, win)
    call MPI_Win_flush(other, win)
    call MPI_Win_flush_local(other, win)
    call MPI_Win_unlock(other, win)
    call check('lock', [ierror, got], [MPI_SUCCESS, other])
    call MPI_Win_lock_all(0, win)
    call MPI_Win_flush_all(win)
    call MPI_Win_flush_local_all(win)
    call MPI_Win_sync(win)
    call MPI_Win_unlock_all(win, ierror)
    call MPI_Win_free(win)
    call expect('MPI_Win_allocate_c', 1)
    call expect('MPI_Barrier', 1)
    call expect('MPI_Get', 1)
    call expect('MPI_Win_lock', 1)
    call expect('MPI_Win_flush', 1)
    call expect('MPI_Win_flush_local', 1)
    call expect('MPI_Win_unlock', 1)
    call expect('MPI_Win_lock_all', 1)
    call expect('MPI_Win_flush_all', 1)
    call expect('MPI_Win_flush_local_all', 1)
    call expect('MPI_Win_sync', 1)
    call expect('MPI_Win_unlock_all', 1)
    call expect('MPI_Win_free', 1)
  end subroutine locks

  subroutine posts()
    type(MPI_Win) :: win
    type(MPI_Group) :: all, group

    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Comm_group(MPI_COMM_WORLD, all)
    call MPI_Group_incl(all, 1, [other], group)
    call MPI_Win_post(group, 0, win)
    call MPI_Win_start(group, 0, win)
    call MPI_Win_complete(win)
    if (rank == 0) then
      call MPI_Win_wait(win, ierror)
      call expect('MPI_Win_wait', 1)
    else
      flag = .false.
      do while (.not. flag)
        call MPI_Win_test(win, flag, ierror)
        call expect('MPI_Win_test', 1)
      end do
    end if
    call check('post', [ierror], [MPI_SUCCESS])
    call MPI_Group_free(all)
    call MPI_Group_free(group)
    call MPI_Win_free(win)
    call expect('MPI_Win_create_dynamic', 1)
    call expect('MPI_Comm_group', 1)
    call expect('MPI_Group_incl', 1)
    call expect('MPI_Group_free', 2)
    call expect('MPI_Win_post', 1)
    call expect('MPI_Win_start', 1)
    call expect('MPI_Win_complete', 1)
    call expect('MPI_Win_free', 1)
  end subroutine posts

  subroutine shared()
    type(MPI_Win) :: win
    type(c_ptr) :: address
    integer, pointer, volatile :: mine(:), theirs(:)
    integer(MPI_ADDRESS_KIND) :: size
    integer :: unit_of_it, n
    type(MPI_Comm) :: node

    ! MPICH 5.0 takes each process for a node where UCX does all.
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, &
      MPI_INFO_NULL, node)
    call MPI_Comm_size(node, n)
    call MPI_Comm_free(node)
    call expect('MPI_Comm_split_type', 1)
    call expect('MPI_Comm_size', 1)
    call expect('MPI_Comm_free', 1)
    call say('node', [n])
    if (n == 1) return
    call MPI_Win_allocate_shared(8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, &
      MPI_COMM_WORLD, address, win)
    call c_f_pointer(address, mine, [2])
    call MPI_Win_shared_query(win, other, size, unit_of_it, address, ierror)
    call c_f_pointer(address, theirs, [2])
    call MPI_Win_fence(0, win)
    theirs = 40 + rank
    call MPI_Win_fence(0, win)
    call check('shared', [ierror, int(size), unit_of_it, mine], &
      [MPI_SUCCESS, 8, 4, 40 + other, 40 + other])
    call MPI_Win_free(win)
    call expect('MPI_Win_allocate_shared', 1)
    call expect('MPI_Win_shared_query', 1)
    call expect('MPI_Win_fence', 2)
    call expect('MPI_Win_free', 1)
  end subroutine shared

end program f08_windows

! SPDX-License-Identifier: BSD-3-Clause
!
! Two ranks, through mpi_f08: communicators and groups.

program f08_comms
  use mpi_f08
  implicit none
  integer :: rank, unit, other, ierror, wrong = 0
  logical :: flag

  call MPI_Init(ierror)
  call known_begin(2)
  other = 1 - rank
  call expect('MPI_Init', 1)
  call duplicates()
  call splits()
  call groups()
  call intercommunicators()
  call expect('MPI_Finalize', 1)
  call MPI_Finalize(ierror)
  call known_end()

contains

  include 'f08_known.f90'

  ! Frees it and says how large it was.
  integer function size_of(comm) result(n)
    type(MPI_Comm), intent(inout) :: comm

    call MPI_Comm_size(comm, n)
    call MPI_Comm_free(comm, ierror)
    call expect('MPI_Comm_size', 1)
    call expect('MPI_Comm_free', 1)
    if (comm /= MPI_COMM_NULL) n = -1
  end function size_of

  subroutine duplicates()
    type(MPI_Comm) :: comm, like
    type(MPI_Info) :: info
    type(MPI_Request) :: request
    integer :: result

    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_compare(comm, MPI_COMM_WORLD, result)
    call check('dup', [ierror, result], [MPI_SUCCESS, MPI_CONGRUENT])
    call MPI_Comm_idup(comm, like, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check('idup', [size_of(like)], [2])
    call MPI_Info_create(info)
    call MPI_Comm_dup_with_info(comm, info, like)
    call MPI_Comm_set_info(like, info)
    call check('dup_with_info', [size_of(like)], [2])
    call MPI_Comm_idup_with_info(comm, info, like, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Info_free(info)
    call MPI_Comm_get_info(like, info)
    call MPI_Info_free(info)
    call check('idup_with_info', [size_of(like)], [2])
    call MPI_Comm_test_inter(comm, flag)
    call check('test_inter', [truth(flag)], [0])
    call MPI_Comm_disconnect(comm)
    call MPI_Comm_get_parent(comm)
    call check('parent', [comm%MPI_VAL], [MPI_COMM_NULL%MPI_VAL])
    call expect('MPI_Comm_dup', 1)
    call expect('MPI_Comm_compare', 1)
    call expect('MPI_Comm_idup', 1)
    call expect('MPI_Comm_dup_with_info', 1)
    call expect('MPI_Comm_idup_with_info', 1)
    call expect('MPI_Comm_set_info', 1)
    call expect('MPI_Comm_get_info', 1)
    call expect('MPI_Comm_test_inter', 1)
    call expect('MPI_Comm_disconnect', 1)
    call expect('MPI_Comm_get_parent', 1)
    call expect('MPI_Info_create', 1)
    call expect('MPI_Info_free', 2)
    call expect('MPI_Wait', 2)
  end subroutine duplicates

  subroutine splits()
    type(MPI_Comm) :: comm
    integer :: color, n

    call MPI_Comm_split(MPI_COMM_WORLD, 0, other, comm)
    call MPI_Comm_rank(comm, color)
    call check('split', [color, size_of(comm)], [other, 2])
    color = merge(MPI_UNDEFINED, 5, rank == 0)
    call MPI_Comm_split(MPI_COMM_WORLD, color, 0, comm, ierror)
    if (rank == 0) then
      call check('undefined', [comm%MPI_VAL], [MPI_COMM_NULL%MPI_VAL])
    else
      call check('defined', [size_of(comm)], [1])
    end if
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, &
      MPI_INFO_NULL, comm)
    ! MPICH 5.0 takes each process for a node where UCX does all.
    n = size_of(comm)
    call say('split_type', [n])
    call check('split_type', [merge(2, n, n == 1)], [2])
    call expect('MPI_Comm_rank', 1)
    call expect('MPI_Comm_split', 2)
    call expect('MPI_Comm_split_type', 1)
  end subroutine splits

  subroutine groups()
    type(MPI_Group) :: all, one, two, three
    type(MPI_Comm) :: comm
    integer :: result, where, many, ranks(2)

    call MPI_Comm_group(MPI_COMM_WORLD, all)
    call MPI_Group_incl(all, 1, [1], one)
    call MPI_Group_excl(all, 1, [1], two)
    call MPI_Group_union(one, two, three)
    call MPI_Group_translate_ranks(three, 2, [0, 1], all, ranks)
    call MPI_Group_compare(three, all, result, ierror)
    call check('union', [ierror, result, ranks], &
      [MPI_SUCCESS, MPI_SIMILAR, 1, 0])
    call MPI_Group_free(three)
    call MPI_Group_intersection(one, two, three)
    call MPI_Group_size(three, many)
    call check('intersection', [many, three%MPI_VAL], &
      [0, MPI_GROUP_EMPTY%MPI_VAL])
    call MPI_Group_difference(all, one, three)
    call MPI_Group_rank(three, where)
    call check('difference', [where], [merge(0, MPI_UNDEFINED, rank == 0)])
    call MPI_Group_free(three)
    call MPI_Group_range_incl(all, 1, reshape([1, 0, -1], [3, 1]), three)
    call MPI_Group_rank(three, where)
    call check('range_incl', [where], [other])
    call MPI_Comm_create(MPI_COMM_WORLD, three, comm)
    call check('create', [size_of(comm)], [2])
    call MPI_Comm_create_group(MPI_COMM_WORLD, three, 4, comm)
    call check('create_group', [size_of(comm)], [2])
    call MPI_Comm_create_from_group(three, 'f08 comms ', MPI_INFO_NULL, &
      MPI_ERRORS_ARE_FATAL, comm)
    call check('from_group', [size_of(comm)], [2])
    call MPI_Group_free(three)
    call MPI_Group_range_excl(all, 1, reshape([0, 1, 1], [3, 1]), three)
    call MPI_Group_size(three, many)
    call check('range_excl', [many], [0])
    call MPI_Group_free(two)
    call MPI_Group_free(one)
    call MPI_Group_free(all, ierror)
    call check('free', [ierror, all%MPI_VAL], &
      [MPI_SUCCESS, MPI_GROUP_NULL%MPI_VAL])
    call expect('MPI_Comm_group', 1)
    call expect('MPI_Comm_create', 1)
    call expect('MPI_Comm_create_group', 1)
    call expect('MPI_Comm_create_from_group', 1)
    call expect('MPI_Group_incl', 1)
    call expect('MPI_Group_excl', 1)
    call expect('MPI_Group_union', 1)
    call expect('MPI_Group_intersection', 1)
    call expect('MPI_Group_difference', 1)
    call expect('MPI_Group_range_incl', 1)
    call expect('MPI_Group_range_excl', 1)
    call expect('MPI_Group_translate_ranks', 1)
    call expect('MPI_Group_compare', 1)
    call expect('MPI_Group_rank', 2)
    call expect('MPI_Group_size', 2)
    call expect('MPI_Group_free', 6)
  end subroutine groups

  subroutine intercommunicators()
    type(MPI_Comm) :: inter, comm
    type(MPI_Group) :: group
    integer :: many, where

    call MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, other, 12, &
      inter)
    call MPI_Comm_test_inter(inter, flag)
    call MPI_Comm_remote_size(inter, many)
    call MPI_Comm_remote_group(inter, group)
    call MPI_Group_rank(group, where)
    call check('inter', [truth(flag), many, where], [1, 1, MPI_UNDEFINED])
    call MPI_Intercomm_merge(inter, rank == 0, comm)
    call MPI_Comm_rank(comm, where)
    call check('merge', [where, size_of(comm), size_of(inter)], [other, 2, 1])
    call MPI_Group_free(group)
    call expect('MPI_Intercomm_create', 1)
    call expect('MPI_Intercomm_merge', 1)
    call expect('MPI_Comm_test_inter', 1)
    call expect('MPI_Comm_remote_size', 1)
    call expect('MPI_Comm_remote_group', 1)
    call expect('MPI_Comm_rank', 1)
    call expect('MPI_Group_rank', 1)
    call expect('MPI_Group_free', 1)
  end subroutine intercommunicators

end program f08_comms

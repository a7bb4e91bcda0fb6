! SPDX-License-Identifier: BSD-3-Clause
!
! Two ranks, through mpi_f08: attributes, error handlers, info objects, names and
! sessions.

! What MPI calls back.
module f08_texts_callbacks
  use mpi_f08
  implicit none
  integer :: copied = 0, deleted = 0, handled = 0

contains

  subroutine copy(comm, keyval, extra, in, out, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag

    out = in + extra
    flag = .true.
    copied = copied + 1
    ierror = MPI_SUCCESS
    if (comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID) ierror = 1
  end subroutine copy

  subroutine delete(comm, keyval, value, extra, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra

    deleted = deleted + int(value + extra)
    ierror = MPI_SUCCESS
    if (comm == MPI_COMM_NULL .or. keyval == MPI_KEYVAL_INVALID) ierror = 1
  end subroutine delete

  subroutine handler(comm, code)
    type(MPI_Comm) :: comm
    integer :: code

    handled = handled + merge(1, 1000, comm /= MPI_COMM_NULL .and. code /= 0)
  end subroutine handler

end module f08_texts_callbacks

program f08_texts
  use mpi_f08
  use f08_texts_callbacks
  implicit none
  integer :: rank, unit, other, ierror, wrong = 0
  logical :: flag

  call MPI_Init(ierror)
  call known_begin(2)
  other = 1 - rank
  call expect('MPI_Init', 1)
  call attributes()
  call errors()
  call infos()
  call texts()
  call sessions()
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

  subroutine attributes()
    type(MPI_Comm) :: comm
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: value

    call MPI_Comm_create_keyval(copy, delete, keyval, 100_MPI_ADDRESS_KIND, &
      ierror)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, 7_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_get_attr(comm, keyval, value, flag)
    call check('attribute', [ierror, int(value), truth(flag), copied], &
      [MPI_SUCCESS, 107, 1, 1])
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag, ierror)
    call check('deleted', [deleted, truth(flag)], [107, 0])
    call check('freed', [size_of(comm), deleted], [2, 314])
    call MPI_Comm_free_keyval(keyval)
    call check('keyval', [keyval], [MPI_KEYVAL_INVALID])
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
    call check('tag_ub', [merge(1, 0, value >= 32767), truth(flag)], [1, 1])
    call expect('MPI_Comm_create_keyval', 1)
    call expect('MPI_Comm_set_attr', 1)
    call expect('MPI_Comm_get_attr', 3)
    call expect('MPI_Comm_delete_attr', 1)
    call expect('MPI_Comm_free_keyval', 1)
    call expect('MPI_Comm_dup', 1)
  end subroutine attributes

  subroutine errors()
    type(MPI_Errhandler) :: mine, was, now
    character(MPI_MAX_ERROR_STRING) :: text
    integer :: class, code, kind, length, value

    call MPI_Comm_create_errhandler(handler, mine)
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, was)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine)
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, now)
    call check('handler', [merge(1, 0, now == mine)], [1])
    call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER)
    call MPI_Send(value, 1, MPI_INTEGER, 99, 0, MPI_COMM_WORLD, ierror)
    call MPI_Error_class(ierror, kind)
    call check_class('handled', kind, MPI_ERR_RANK)
    call check('handled', [handled], [2])
    call MPI_Cart_rank(MPI_COMM_WORLD, [0], value, ierror)
    call MPI_Error_class(ierror, kind)
    call check_class('topology', kind, MPI_ERR_TOPOLOGY)
    call check('topology', [handled], [3])
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, was, ierror)
    call MPI_Errhandler_free(mine)
    call MPI_Errhandler_free(was)
    call MPI_Errhandler_free(now)
    call MPI_Add_error_class(class)
    call MPI_Add_error_code(class, code)
    call MPI_Add_error_string(code, '  too bad  ')
    call MPI_Error_string(code, text, length)
    call check_text('string', text(:length), 'too bad')
    call check_text('padded', text(length + 1:), ' ')
    call MPI_Error_class(code, kind)
    call check('class', [kind], [class])
    call expect('MPI_Comm_create_errhandler', 1)
    call expect('MPI_Comm_get_errhandler', 2)
    call expect('MPI_Comm_set_errhandler', 2)
    call expect('MPI_Comm_call_errhandler', 1)
    call expect('MPI_Errhandler_free', 3)
    call expect('MPI_Send', 1)
    call expect('MPI_Cart_rank', 1)
    call expect('MPI_Error_class', 3)
    call expect('MPI_Add_error_class', 1)
    call expect('MPI_Add_error_code', 1)
    call expect('MPI_Add_error_string', 1)
    call expect('MPI_Error_string', 1)
  end subroutine errors

  subroutine infos()
    type(MPI_Info) :: info, like
    character(12) :: value
    character(MPI_MAX_INFO_KEY) :: key
    integer :: n, length

    call MPI_Info_create(info)
    call MPI_Info_set(info, ' color ', 'dark blue ')
    call MPI_Info_set(info, 'size', '42', ierror)
    call MPI_Info_get_nkeys(info, n)
    call MPI_Info_get_nthkey(info, 1, key)
    call check('nkeys', [ierror, n], [MPI_SUCCESS, 2])
    call check_text('nthkey', trim(key), 'size')
    value = '************'
    call MPI_Info_get(info, 'color', 12, value, flag)
    call check('get', [truth(flag)], [1])
    call check_text('value', value, 'dark blue')
    call MPI_Info_dup(info, like)
    call MPI_Info_delete(like, 'size')
    value = '************'
    call MPI_Info_get(like, 'size', 12, value, flag, ierror)
    call check('gone', [ierror, truth(flag)], [MPI_SUCCESS, 0])
    call check_text('kept', value, '************')
    call MPI_Info_get_valuelen(like, 'color ', length, flag)
    call check('valuelen', [length, truth(flag)], [9, 1])
    length = 13
    call MPI_Info_get_string(like, 'color', length, value, flag)
    call check('get_string', [length, truth(flag)], [9, 1])
    call check_text('whole', value, 'dark blue')
    call MPI_Info_free(like)
    call MPI_Info_free(info)
    call check('freed', [info%MPI_VAL], [MPI_INFO_NULL%MPI_VAL])
    call expect('MPI_Info_create', 1)
    call expect('MPI_Info_set', 2)
    call expect('MPI_Info_get_nkeys', 1)
    call expect('MPI_Info_get_nthkey', 1)
    call expect('MPI_Info_get', 2)
    call expect('MPI_Info_dup', 1)
    call expect('MPI_Info_delete', 1)
    call expect('MPI_Info_get_valuelen', 1)
    call expect('MPI_Info_get_string', 1)
    call expect('MPI_Info_free', 2)
  end subroutine infos

  subroutine texts()
    character(MPI_MAX_OBJECT_NAME) :: name
    character(MPI_MAX_PROCESSOR_NAME) :: host
    character(MPI_MAX_LIBRARY_VERSION_STRING) :: library
    integer :: length, version, subversion

    call MPI_Comm_set_name(MPI_COMM_SELF, 'my own  ')
    name = repeat('*', len(name))
    call MPI_Comm_get_name(MPI_COMM_SELF, name, length, ierror)
    call check('name', [ierror, length], [MPI_SUCCESS, 6])
    call check_text('self', name, 'my own')
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length)
    call check_text('world', name(:length), 'MPI_COMM_WORLD')
    call MPI_Get_processor_name(host, length)
    call check('host', [length], [len_trim(host)])
    call MPI_Get_library_version(library, length)
    call check_text('library', library(:5), 'MPICH')
    call MPI_Get_version(version, subversion)
    call check('version', [version, subversion], [MPI_VERSION, MPI_SUBVERSION])
    call expect('MPI_Comm_set_name', 1)
    call expect('MPI_Comm_get_name', 2)
    call expect('MPI_Get_processor_name', 1)
    call expect('MPI_Get_library_version', 1)
    call expect('MPI_Get_version', 1)
  end subroutine texts

  subroutine sessions()
    type(MPI_Session) :: session
    type(MPI_Errhandler) :: errhandler
    type(MPI_Group) :: group
    type(MPI_Comm) :: comm
    type(MPI_Info) :: info
    character(100) :: name
    integer :: n, length

    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierror)
    call MPI_Session_get_num_psets(session, MPI_INFO_NULL, n)
    length = len(name)
    call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, length, name)
    call check('session', [ierror, merge(1, 0, n >= 2)], [MPI_SUCCESS, 1])
    call check_text('pset', name, 'mpi://WORLD')
    call MPI_Session_get_pset_info(session, name, info)
    call MPI_Info_free(info)
    call MPI_Session_get_info(session, info)
    call MPI_Info_free(info)
    call MPI_Session_get_errhandler(session, errhandler)
    call say('errhandler', [errhandler%MPI_VAL])
    call MPI_Group_from_session_pset(session, 'mpi://SELF ', group)
    call MPI_Comm_create_from_group(group, 'alone', MPI_INFO_NULL, &
      MPI_ERRORS_RETURN, comm)
    call check('self', [size_of(comm)], [1])
    call MPI_Group_free(group)
    call MPI_Session_finalize(session, ierror)
    call check('finalized', [ierror], [MPI_SUCCESS])
    call expect('MPI_Session_init', 1)
    call expect('MPI_Session_get_num_psets', 1)
    call expect('MPI_Session_get_nth_pset', 1)
    call expect('MPI_Session_get_pset_info', 1)
    call expect('MPI_Session_get_info', 1)
    call expect('MPI_Session_get_errhandler', 1)
    call expect('MPI_Session_finalize', 1)
    call expect('MPI_Group_from_session_pset', 1)
    call expect('MPI_Comm_create_from_group', 1)
    call expect('MPI_Group_free', 1)
    call expect('MPI_Info_free', 2)
  end subroutine sessions

  ! MPICH 5.0 gives no error back to whoever has a handler for it.
  subroutine check_class(what, is, should)
    character(*), intent(in) :: what
    integer, intent(in) :: is, should

    if (is == MPI_SUCCESS) then
      call say(what, [is])
    else
      call check(what, [is], [should])
    end if
  end subroutine check_class

end program f08_texts

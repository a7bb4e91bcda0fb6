! SPDX-License-Identifier: BSD-3-Clause
!
! Two ranks, through mpi_f08: files.  The second argument names one that may be made.

! What MPI calls back.
module f08_files_callbacks
  use mpi_f08
  implicit none
  integer :: handled = 0

contains

  subroutine file_handler(file, code)
    type(MPI_File) :: file
    integer :: code

    ! MPICH 4.0 hands over something that is not the file.
    if (file%MPI_VAL == MPI_FILE_NULL%MPI_VAL) handled = 1000
    handled = handled + merge(1, 1000, code /= 0)
  end subroutine file_handler

end module f08_files_callbacks

program f08_files
  use mpi_f08
  use f08_files_callbacks
  implicit none
  integer :: rank, unit, other, ierror, wrong = 0
  logical :: flag

  call MPI_Init(ierror)
  call known_begin(2)
  other = 1 - rank
  call expect('MPI_Init', 1)
  call files()
  call views()
  call expect('MPI_Finalize', 1)
  call MPI_Finalize(ierror)
  call known_end()

contains

  include 'f08_known.f90'

  subroutine files()
    type(MPI_File) :: file
    type(MPI_Errhandler) :: mine, now
    type(MPI_Group) :: group
    type(MPI_Info) :: info
    type(MPI_Status) :: status
    character(1000) :: path
    integer :: mode, got(2)
    integer(MPI_OFFSET_KIND) :: size, at

    call get_command_argument(2, path)
    call MPI_File_open(MPI_COMM_WORLD, path, &
      MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierror)
    call MPI_File_get_amode(file, mode)
    call check('open', [ierror, mode], &
      [MPI_SUCCESS, MPI_MODE_CREATE + MPI_MODE_RDWR])
    call MPI_File_set_size(file, 16_MPI_OFFSET_KIND)
    call MPI_File_preallocate(file, 32_MPI_OFFSET_KIND)
    call MPI_File_get_size(file, size)
    call MPI_File_seek(file, 8 * int(rank, MPI_OFFSET_KIND), MPI_SEEK_SET)
    call MPI_File_write(file, [rank, rank + 5], 2, MPI_INTEGER, status)
    call MPI_File_get_position(file, at)
    call check('write', [int(size), int(at)], [32, 8 + 8 * rank])
    call MPI_File_sync(file)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_sync(file)
    call MPI_File_read_at(file, 8 * int(other, MPI_OFFSET_KIND), got, 2, &
      MPI_INTEGER, MPI_STATUS_IGNORE)
    call check('read', got, [other, other + 5])
    call MPI_File_set_atomicity(file, .true.)
    call MPI_File_get_atomicity(file, flag)
    call MPI_File_get_byte_offset(file, 3_MPI_OFFSET_KIND, at)
    call check('atomicity', [truth(flag), int(at)], [1, 3])
    call MPI_File_seek_shared(file, 4_MPI_OFFSET_KIND, MPI_SEEK_SET)
    call MPI_File_get_position_shared(file, at)
    call check('shared pointer', [int(at)], [4])
    call MPI_File_get_group(file, group)
    call MPI_Group_free(group)
    call MPI_File_get_info(file, info)
    call MPI_File_set_info(file, info)
    call MPI_Info_free(info)
    call MPI_File_create_errhandler(file_handler, mine)
    call MPI_File_set_errhandler(file, mine)
    call MPI_File_get_errhandler(file, now)
    call MPI_File_call_errhandler(file, MPI_ERR_OTHER)
    call check('file handler', [handled], [1])
    call MPI_Errhandler_free(mine)
    call MPI_Errhandler_free(now)
    call MPI_File_close(file)
    call check('closed', [file%MPI_VAL], [MPI_FILE_NULL%MPI_VAL])
    call expect('MPI_File_open', 1)
    call expect('MPI_File_get_amode', 1)
    call expect('MPI_File_set_size', 1)
    call expect('MPI_File_preallocate', 1)
    call expect('MPI_File_get_size', 1)
    call expect('MPI_File_seek', 1)
    call expect('MPI_File_write', 1)
    call expect('MPI_File_get_position', 1)
    call expect('MPI_File_sync', 2)
    call expect('MPI_Barrier', 1)
    call expect('MPI_File_read_at', 1)
    call expect('MPI_File_set_atomicity', 1)
    call expect('MPI_File_get_atomicity', 1)
    call expect('MPI_File_get_byte_offset', 1)
    call expect('MPI_File_seek_shared', 1)
    call expect('MPI_File_get_position_shared', 1)
    call expect('MPI_File_get_group', 1)
    call expect('MPI_Group_free', 1)
    call expect('MPI_File_get_info', 1)
    call expect('MPI_File_set_info', 1)
    call expect('MPI_Info_free', 1)
    call expect('MPI_File_create_errhandler', 1)
    call expect('MPI_File_set_errhandler', 1)
    call expect('MPI_File_get_errhandler', 1)
    call expect('MPI_File_call_errhandler', 1)
    call expect('MPI_Errhandler_free', 2)
    call expect('MPI_File_close', 1)
  end subroutine files

  subroutine views()
    type(MPI_File) :: file
    type(MPI_Datatype) :: etype, filetype
    character(1000) :: path
    character(MPI_MAX_DATAREP_STRING) :: representation
    integer(MPI_OFFSET_KIND) :: from
    integer(MPI_ADDRESS_KIND) :: extent
    integer :: got, kind

    call get_command_argument(2, path)
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &
      file)
    call MPI_File_set_view(file, 8_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, &
      'native ', MPI_INFO_NULL, ierror)
    representation = repeat('*', len(representation))
    call MPI_File_get_view(file, from, etype, filetype, representation)
    call check_text('datarep', representation, 'native')
    call MPI_File_get_type_extent(file, MPI_INTEGER, extent)
    call MPI_File_read(file, got, 1, MPI_INTEGER, MPI_STATUS_IGNORE)
    call check('view', [ierror, int(from), etype%MPI_VAL, filetype%MPI_VAL, &
      int(extent), got], &
      [MPI_SUCCESS, 8, MPI_INTEGER%MPI_VAL, MPI_INTEGER%MPI_VAL, 4, 1])
    call MPI_File_close(file, ierror)
    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank == 0) call MPI_File_delete(path, MPI_INFO_NULL)
    if (rank == 0) call expect('MPI_File_delete', 1)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &
      file, ierror)
    call MPI_Error_class(ierror, kind)
    call check('no file', [kind, file%MPI_VAL], &
      [MPI_ERR_NO_SUCH_FILE, MPI_FILE_NULL%MPI_VAL])
    call expect('MPI_File_open', 2)
    call expect('MPI_File_set_view', 1)
    call expect('MPI_File_get_view', 1)
    call expect('MPI_File_get_type_extent', 1)
    call expect('MPI_File_read', 1)
    call expect('MPI_File_close', 1)
    call expect('MPI_Barrier', 2)
    call expect('MPI_Error_class', 1)
  end subroutine views

end program f08_files

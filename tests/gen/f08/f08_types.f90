! SPDX-License-Identifier: BSD-3-Clause
!
! Two ranks, through mpi_f08: datatypes.

! What MPI calls back.
module f08_types_callbacks
  use mpi_f08
  implicit none
  integer :: copied = 0, deleted = 0

contains

  subroutine type_copy(datatype, keyval, extra, in, out, flag, ierror)
    type(MPI_Datatype) :: datatype
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag

    out = in + extra
    flag = .true.
    copied = copied + 1
    ierror = MPI_SUCCESS
    if (datatype == MPI_DATATYPE_NULL) copied = 1000
  end subroutine type_copy

  subroutine type_delete(datatype, keyval, value, extra, ierror)
    type(MPI_Datatype) :: datatype
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra

    deleted = deleted + int(value - extra)
    ierror = MPI_SUCCESS
    if (datatype == MPI_DATATYPE_NULL) deleted = 1000
  end subroutine type_delete

end module f08_types_callbacks

program f08_types
  use mpi_f08
  use f08_types_callbacks
  implicit none
  integer :: rank, unit, other, ierror, wrong = 0
  logical :: flag

  call MPI_Init(ierror)
  call known_begin(2)
  other = 1 - rank
  call expect('MPI_Init', 1)
  call constructors()
  call large_constructors()
  call contents()
  call arrays()
  call names()
  call attributes()
  call expect('MPI_Finalize', 1)
  call MPI_Finalize(ierror)
  call known_end()

contains

  include 'f08_known.f90'

  ! Frees it and says its size and extent.
  function measure(datatype) result(sizes)
    type(MPI_Datatype), intent(inout) :: datatype
    integer :: sizes(2)
    integer(MPI_ADDRESS_KIND) :: low, extent

    call MPI_Type_commit(datatype)
    call MPI_Type_size(datatype, sizes(1))
    call MPI_Type_get_extent(datatype, low, extent)
    sizes(2) = int(extent)
    call MPI_Type_free(datatype)
    if (datatype /= MPI_DATATYPE_NULL .or. low /= 0) sizes = -1
    call expect('MPI_Type_commit', 1)
    call expect('MPI_Type_size', 1)
    call expect('MPI_Type_get_extent', 1)
    call expect('MPI_Type_free', 1)
  end function measure

  subroutine constructors()
    integer(MPI_ADDRESS_KIND), parameter :: at(2) = [0, 16]
    type(MPI_Datatype) :: made

    call MPI_Type_contiguous(3, MPI_INTEGER, made, ierror)
    call check('contiguous', [ierror, measure(made)], [MPI_SUCCESS, 12, 12])
    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, made)
    call check('vector', measure(made), [8, 16])
    call MPI_Type_create_hvector(2, 1, 20_MPI_ADDRESS_KIND, MPI_INTEGER, made)
    call check('hvector', measure(made), [8, 24])
    call MPI_Type_indexed(2, [1, 2], [0, 4], MPI_INTEGER, made)
    call check('indexed', measure(made), [12, 24])
    call MPI_Type_create_hindexed(2, [1, 2], at, MPI_INTEGER, made)
    call check('hindexed', measure(made), [12, 24])
    call MPI_Type_create_indexed_block(2, 2, [0, 4], MPI_INTEGER, made)
    call check('indexed_block', measure(made), [16, 24])
    call MPI_Type_create_hindexed_block(2, 2, at, MPI_INTEGER, made)
    call check('hindexed_block', measure(made), [16, 24])
    call MPI_Type_create_struct(2, [1, 2], at, &
      [MPI_INTEGER, MPI_DOUBLE_PRECISION], made)
    call check('struct', measure(made), [20, 32])
    call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, &
      64_MPI_ADDRESS_KIND, made)
    call check('resized', measure(made), [4, 64])
    call MPI_Type_create_f90_integer(9, made)
    call MPI_Type_create_f90_real(6, 30, made)
    call MPI_Type_create_f90_complex(6, 30, made)
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, made)
    call check('match', [made%MPI_VAL], [MPI_REAL8%MPI_VAL])
    call expect('MPI_Type_contiguous', 1)
    call expect('MPI_Type_vector', 1)
    call expect('MPI_Type_create_hvector', 1)
    call expect('MPI_Type_indexed', 1)
    call expect('MPI_Type_create_hindexed', 1)
    call expect('MPI_Type_create_indexed_block', 1)
    call expect('MPI_Type_create_hindexed_block', 1)
    call expect('MPI_Type_create_struct', 1)
    call expect('MPI_Type_create_resized', 1)
    call expect('MPI_Type_create_f90_integer', 1)
    call expect('MPI_Type_create_f90_real', 1)
    call expect('MPI_Type_create_f90_complex', 1)
    call expect('MPI_Type_match_size', 1)
  end subroutine constructors

  subroutine large_constructors()
    integer(MPI_COUNT_KIND), parameter :: one = 1, two = 2, many(2) = [1, 2]
    integer(MPI_COUNT_KIND), parameter :: at(2) = [0, 16], places(2) = [0, 4]
    type(MPI_Datatype) :: made
    integer(MPI_COUNT_KIND) :: size, low, extent

    call MPI_Type_contiguous(3_MPI_COUNT_KIND, MPI_INTEGER, made, ierror)
    call MPI_Type_size(made, size)
    call check('large contiguous', [ierror, int(size), measure(made)], &
      [MPI_SUCCESS, 12, 12, 12])
    call MPI_Type_vector(two, one, 3_MPI_COUNT_KIND, MPI_INTEGER, made)
    call MPI_Type_size_x(made, size)
    call MPI_Type_get_extent_x(made, low, extent)
    call MPI_Type_get_true_extent_x(made, low, extent)
    call check('large vector', [int(size), int(extent), measure(made)], &
      [8, 16, 8, 16])
    call MPI_Type_indexed(two, many, places, MPI_INTEGER, made)
    call check('large indexed', measure(made), [12, 24])
    call MPI_Type_create_struct(two, many, at, &
      [MPI_INTEGER, MPI_DOUBLE_PRECISION], made)
    call check('large struct', measure(made), [20, 32])
    call MPI_Pack_size(two, MPI_INTEGER, MPI_COMM_WORLD, size)
    call check('large pack', [int(size)], [8])
    call MPI_Pack_external_size('external32 ', two, MPI_INTEGER, size)
    call check('large external', [int(size)], [8])
    call expect('MPI_Type_contiguous_c', 1)
    call expect('MPI_Type_vector_c', 1)
    call expect('MPI_Type_indexed_c', 1)
    call expect('MPI_Type_create_struct_c', 1)
    call expect('MPI_Type_size_c', 1)
    call expect('MPI_Type_size_x', 1)
    call expect('MPI_Type_get_extent_x', 1)
    call expect('MPI_Type_get_true_extent_x', 1)
    call expect('MPI_Pack_size_c', 1)
    call expect('MPI_Pack_external_size_c', 1)
  end subroutine large_constructors

  subroutine contents()
    type(MPI_Datatype) :: made, like, parts(1)
    integer :: ni, na, nd, combiner, ints(3)
    integer(MPI_ADDRESS_KIND) :: addresses(1), low, extent
    integer(MPI_COUNT_KIND) :: size

    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, made)
    call MPI_Type_get_envelope(made, ni, na, nd, combiner, ierror)
    call MPI_Type_get_contents(made, 3, 0, 1, ints, addresses, parts)
    call check('contents', [ierror, ni, na, nd, combiner, ints, &
      parts(1)%MPI_VAL], [MPI_SUCCESS, 3, 0, 1, MPI_COMBINER_VECTOR, 2, 1, 3, &
      MPI_INTEGER%MPI_VAL])
    call MPI_Type_dup(made, like)
    call MPI_Type_get_true_extent(like, low, extent)
    call check('true extent', [int(low), int(extent)], [0, 16])
    call check('dup', [measure(like), measure(made)], [8, 16, 8, 16])
    call MPI_Pack_size(2, MPI_INTEGER, MPI_COMM_WORLD, ni)
    call MPI_Pack_external_size(' external32', 2, MPI_INTEGER, extent)
    call check('pack', [ni, int(extent)], [8, 8])
    size = 0
    call expect('MPI_Type_vector', 1)
    call expect('MPI_Type_get_envelope', 1)
    call expect('MPI_Type_get_contents', 1)
    call expect('MPI_Type_get_true_extent', 1)
    call expect('MPI_Type_dup', 1)
    call expect('MPI_Pack_size', 1)
    call expect('MPI_Pack_external_size', 1)
  end subroutine contents

  subroutine arrays()
    type(MPI_Datatype) :: made

    call MPI_Type_create_subarray(2, [4, 4], [2, 3], [1, 1], &
      MPI_ORDER_FORTRAN, MPI_INTEGER, made)
    call check('subarray', measure(made), [24, 64])
    call MPI_Type_create_darray(2, rank, 1, [4], [MPI_DISTRIBUTE_BLOCK], &
      [MPI_DISTRIBUTE_DFLT_DARG], [2], MPI_ORDER_FORTRAN, MPI_INTEGER, made)
    call check('darray', measure(made), [8, 16])
    call expect('MPI_Type_create_subarray', 1)
    call expect('MPI_Type_create_darray', 1)
  end subroutine arrays

  subroutine names()
    type(MPI_Datatype) :: made
    character(MPI_MAX_OBJECT_NAME) :: name
    integer :: length

    call MPI_Type_get_name(MPI_INTEGER, name, length)
    call check_text('builtin', name(:length), 'MPI_INTEGER')
    call MPI_Type_contiguous(3, MPI_INTEGER, made)
    call MPI_Type_set_name(made, ' three  ')
    name = repeat('*', len(name))
    call MPI_Type_get_name(made, name, length, ierror)
    call check('length', [ierror, length], [MPI_SUCCESS, 5])
    call check_text('type', name, 'three')
    call check('named', measure(made), [12, 12])
    call expect('MPI_Type_contiguous', 1)
    call expect('MPI_Type_set_name', 1)
    call expect('MPI_Type_get_name', 2)
  end subroutine names

  subroutine attributes()
    type(MPI_Datatype) :: made, like
    integer :: keyval
    integer(MPI_ADDRESS_KIND) :: value

    call MPI_Type_create_keyval(type_copy, type_delete, keyval, &
      100_MPI_ADDRESS_KIND, ierror)
    call MPI_Type_contiguous(3, MPI_INTEGER, made)
    call MPI_Type_set_attr(made, keyval, 7_MPI_ADDRESS_KIND)
    call MPI_Type_dup(made, like)
    call MPI_Type_get_attr(like, keyval, value, flag)
    call check('attribute', [ierror, int(value), truth(flag), copied], &
      [MPI_SUCCESS, 107, 1, 1])
    call MPI_Type_delete_attr(made, keyval)
    call check('deleted', [deleted], [-93])
    call check('freed', [measure(like), deleted], [12, 12, -86])
    call MPI_Type_free_keyval(keyval)
    call check('measured', measure(made), [12, 12])
    deleted = 0
    call expect('MPI_Type_create_keyval', 1)
    call expect('MPI_Type_contiguous', 1)
    call expect('MPI_Type_set_attr', 1)
    call expect('MPI_Type_get_attr', 1)
    call expect('MPI_Type_delete_attr', 1)
    call expect('MPI_Type_dup', 1)
    call expect('MPI_Type_free_keyval', 1)
  end subroutine attributes

end program f08_types

  ! SPDX-License-Identifier: BSD-3-Clause
  !
  ! What the programs f08_*.f90 include.  A rank writes a file of its own, named
  ! by the first argument and its rank: lines of results, which are the same with
  ! the preload and without, and lines `expect CALL COUNT` of what it called.

  subroutine known_begin(size)
    integer, intent(in) :: size
    character(1000) :: path
    integer :: there

    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, there)
    if (there /= size) error stop 'run this with another number of ranks'
    call get_command_argument(1, path)
    write (path, '(a, a, i0)') trim(path), '.', rank
    open (newunit=unit, file=path, action='write')
    call expect('MPI_Comm_rank', 1)
    call expect('MPI_Comm_size', 1)
  end subroutine known_begin

  subroutine expect(name, count)
    character(*), intent(in) :: name
    integer, intent(in) :: count

    if (count > 0) write (unit, '(a, a, 1x, i0)') 'expect ', name, count
  end subroutine expect

  ! A result that the MPI standard does not fix.
  subroutine say(what, values)
    character(*), intent(in) :: what
    integer, intent(in) :: values(:)

    write (unit, '(a, *(1x, i0))') what, values
  end subroutine say

  ! A result that it does.
  subroutine check(what, is, should)
    character(*), intent(in) :: what
    integer, intent(in) :: is(:), should(:)

    call say(what, is)
    if (any(is /= should)) then
      print *, rank, what, ': is ', is, ', should be ', should
      wrong = wrong + 1
    end if
  end subroutine check

  subroutine check_text(what, is, should)
    character(*), intent(in) :: what, is, should

    write (unit, '(a, a, a)') what, ' ', is
    if (is /= should) then
      print *, rank, what, ': is ', is, ', should be ', should
      wrong = wrong + 1
    end if
  end subroutine check_text

  integer function truth(value)
    logical, intent(in) :: value

    truth = transfer(value, truth)
  end function truth

  subroutine known_end()
    close (unit)
    if (wrong > 0) stop 1
  end subroutine known_end

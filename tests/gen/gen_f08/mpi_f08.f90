! SPDX-License-Identifier: BSD-3-Clause
!
! What gfortran 12 made mpi_f08.mod.txt of (`gfortran -c`, then `zcat mpi_f08.mod`):
! a procedure for each form of argument, with the names that MPI gives them.

module mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr
  implicit none

  type, bind(C) :: MPI_Comm
    integer :: MPI_VAL
  end type MPI_Comm

  type, bind(C) :: MPI_File
    integer :: MPI_VAL
  end type MPI_File

  type, bind(C) :: MPI_Request
    integer :: MPI_VAL
  end type MPI_Request

  type, bind(C) :: MPI_Status
    integer :: count_lo, count_hi_and_cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR
  end type MPI_Status

  interface
    subroutine MPI_Init_f08(ierror)
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Init_f08

    subroutine MPI_Wait_f08(request, status, ierror)
      import
      type(MPI_Request), intent(inout) :: request
      type(MPI_Status), target :: status
      intent(out) :: status
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Wait_f08

    subroutine MPI_Waitall_f08(count, array_of_requests, array_of_statuses, &
        ierror)
      import
      integer, intent(in) :: count
      type(MPI_Request), intent(inout) :: array_of_requests(count)
      type(MPI_Status), target, intent(out) :: array_of_statuses(*)
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Waitall_f08

    subroutine MPI_Waitany_f08(count, array_of_requests, indx, status, ierror)
      import
      integer, intent(in) :: count
      type(MPI_Request), intent(inout) :: array_of_requests(count)
      integer, intent(out) :: indx
      type(MPI_Status), target, intent(out) :: status
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Waitany_f08

    subroutine MPI_Cart_get_f08(comm, maxdims, dims, periods, coords, ierror)
      import
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: maxdims
      integer, intent(out) :: dims(maxdims), coords(maxdims)
      logical, intent(out) :: periods(maxdims)
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Cart_get_f08

    subroutine MPI_Comm_test_inter_f08(comm, flag, ierror)
      import
      type(MPI_Comm), intent(in) :: comm
      logical, intent(out) :: flag
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Comm_test_inter_f08

    subroutine MPI_Dist_graph_neighbors_f08(comm, maxindegree, sources, &
        sourceweights, maxoutdegree, destinations, destweights, ierror)
      import
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: maxindegree, maxoutdegree
      integer, intent(out) :: sources(maxindegree), destinations(maxoutdegree)
      integer, target :: sourceweights(*), destweights(*)
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Dist_graph_neighbors_f08

    subroutine MPI_File_close_f08(fh, ierror)
      import
      type(MPI_File), intent(inout) :: fh
      integer, optional, intent(out) :: ierror
    end subroutine MPI_File_close_f08

    subroutine MPI_File_open_f08(comm, filename, amode, info, fh, ierror)
      import
      type(MPI_Comm), intent(in) :: comm
      character(*), intent(in) :: filename
      integer, intent(in) :: amode, info
      type(MPI_File), intent(out) :: fh
      integer, optional, intent(out) :: ierror
    end subroutine MPI_File_open_f08

    subroutine MPI_Alloc_mem_f08(size, info, baseptr, ierror)
      import
      integer(8), intent(in) :: size
      integer, intent(in) :: info
      type(c_ptr), intent(out) :: baseptr
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Alloc_mem_f08

    subroutine MPI_Get_count_f08_large(status, datatype, count, ierror)
      import
      type(MPI_Status), target, intent(in) :: status
      integer, intent(in) :: datatype
      integer(8), intent(out) :: count
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Get_count_f08_large

    subroutine MPI_Comm_get_name_f08(comm, comm_name, resultlen, ierror)
      import
      type(MPI_Comm), intent(in) :: comm
      character(128), intent(out) :: comm_name
      integer, intent(out) :: resultlen
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Comm_get_name_f08

    subroutine MPI_Op_create_f08(user_fn, commute, op, ierror)
      external :: user_fn
      logical, intent(in) :: commute
      integer, intent(out) :: op
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Op_create_f08

    subroutine MPI_Send_f08ts(buf, ierror)
      type(*), dimension(..), intent(in) :: buf
      integer, optional, intent(out) :: ierror
    end subroutine MPI_Send_f08ts

    double precision function MPI_Wtime_f08()
    end function MPI_Wtime_f08
  end interface

end module mpi_f08

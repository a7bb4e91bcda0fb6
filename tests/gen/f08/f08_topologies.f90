! SPDX-License-Identifier: BSD-3-Clause
!
! Two ranks, through mpi_f08: grids and graphs.

program f08_topologies
  use mpi_f08
  implicit none
  integer :: rank, unit, other, ierror, wrong = 0
  logical :: flag

  call MPI_Init(ierror)
  call known_begin(2)
  other = 1 - rank
  call expect('MPI_Init', 1)
  call grids()
  call graphs()
  call distributed_graphs()
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

  subroutine grids()
    type(MPI_Comm) :: grid, row
    integer :: dims(2), coords(2), from, to, where, status, n
    logical :: periods(2)

    dims = [0, 1]
    call MPI_Dims_create(2, 2, dims)
    call check('dims', dims, [2, 1])
    call MPI_Cart_map(MPI_COMM_WORLD, 2, dims, [.true., .false.], where)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., &
      grid, ierror)
    call MPI_Cartdim_get(grid, n)
    call MPI_Topo_test(grid, status)
    dims = 0
    call MPI_Cart_get(grid, 2, dims, periods, coords)
    call check('cart', [where, n, status, dims, truth(periods(1)), &
      truth(periods(2)), coords], [rank, 2, MPI_CART, 2, 1, 1, 0, rank, 0])
    call MPI_Cart_coords(grid, other, 2, coords)
    call MPI_Cart_rank(grid, coords, where)
    call check('coords', [coords, where], [other, 0, other])
    call MPI_Cart_shift(grid, 0, 1, from, to)
    call check('periodic', [from, to], [other, other])
    call MPI_Cart_shift(grid, 1, 1, from, to)
    call check('edge', [from, to], [MPI_PROC_NULL, MPI_PROC_NULL])
    call MPI_Cart_sub(grid, [.true., .false.], row)
    call check('sub', [size_of(row), size_of(grid)], [2, 2])
    call expect('MPI_Dims_create', 1)
    call expect('MPI_Cart_map', 1)
    call expect('MPI_Cart_create', 1)
    call expect('MPI_Cartdim_get', 1)
    call expect('MPI_Topo_test', 1)
    call expect('MPI_Cart_get', 1)
    call expect('MPI_Cart_coords', 1)
    call expect('MPI_Cart_rank', 1)
    call expect('MPI_Cart_shift', 2)
    call expect('MPI_Cart_sub', 1)
  end subroutine grids

  subroutine graphs()
    type(MPI_Comm) :: graph
    integer :: nodes, arcs, index(2), edges(2), near(1), n, where

    call MPI_Graph_map(MPI_COMM_WORLD, 2, [1, 2], [1, 0], where)
    call MPI_Graph_create(MPI_COMM_WORLD, 2, [1, 2], [1, 0], .false., graph)
    call MPI_Graphdims_get(graph, nodes, arcs)
    call MPI_Graph_get(graph, 2, 2, index, edges)
    call MPI_Graph_neighbors_count(graph, rank, n)
    call MPI_Graph_neighbors(graph, rank, 1, near)
    call check('graph', [where, nodes, arcs, index, edges, n, near], &
      [rank, 2, 2, 1, 2, 1, 0, 1, other])
    call check('size', [size_of(graph)], [2])
    call expect('MPI_Graph_map', 1)
    call expect('MPI_Graph_create', 1)
    call expect('MPI_Graphdims_get', 1)
    call expect('MPI_Graph_get', 1)
    call expect('MPI_Graph_neighbors_count', 1)
    call expect('MPI_Graph_neighbors', 1)
  end subroutine graphs

  subroutine distributed_graphs()
    type(MPI_Comm) :: graph
    integer :: n, m, sources(1), targets(1), from(1), to(1)

    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [other], [5], 1, &
      [other], [6], MPI_INFO_NULL, .false., graph, ierror)
    call MPI_Dist_graph_neighbors_count(graph, n, m, flag)
    call MPI_Dist_graph_neighbors(graph, 1, sources, from, 1, targets, to)
    call check('weighted', [ierror, n, m, truth(flag), sources, from, targets, &
      to, size_of(graph)], [MPI_SUCCESS, 1, 1, 1, other, 5, other, 6, 2])
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [other], &
      MPI_UNWEIGHTED, 1, [other], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
      graph)
    call MPI_Dist_graph_neighbors_count(graph, n, m, flag)
    call MPI_Dist_graph_neighbors(graph, 1, sources, MPI_UNWEIGHTED, 1, &
      targets, MPI_UNWEIGHTED)
    call check('unweighted', [n, m, truth(flag), sources, targets, &
      size_of(graph)], [1, 1, 0, other, other, 2])
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [other], &
      MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph)
    call MPI_Dist_graph_neighbors_count(graph, n, m, flag)
    call check('general', [n, m, truth(flag), size_of(graph)], [1, 1, 0, 2])
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 0, [integer ::], [integer ::], &
      [integer ::], MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., graph)
    call MPI_Dist_graph_neighbors_count(graph, n, m, flag)
    call check('empty', [n, m, truth(flag), size_of(graph)], [0, 0, 1, 2])
    call expect('MPI_Dist_graph_create_adjacent', 2)
    call expect('MPI_Dist_graph_create', 2)
    call expect('MPI_Dist_graph_neighbors_count', 4)
    call expect('MPI_Dist_graph_neighbors', 2)
  end subroutine distributed_graphs

end program f08_topologies

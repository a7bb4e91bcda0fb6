! SPDX-License-Identifier: BSD-3-Clause
!
! Each image puts a row into its neighbour's, then all add up.
program coarray
  implicit none
  integer, allocatable :: row(:)[:]
  integer :: me, n, i, total

  me = this_image()
  n = num_images()
  allocate(row(1000)[*])
  row = 0
  sync all
  row(:)[mod(me, n) + 1] = [(me * i, i = 1, 1000)]
  sync all
  total = sum(row)
  call co_sum(total)
  if (me == 1) print '(a, i0, a, i0)', 'images ', n, ' total ', total
  if (me == n) print '(a, i0)', 'first of the last ', row(1)[1]
  sync all
end program coarray

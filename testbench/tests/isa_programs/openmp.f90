! SPDX-License-Identifier: Apache-2.0
!
! OpenMP in Fortran: loops, reductions, private variables, an ordered sum.
program openmp_loops
  use omp_lib
  implicit none
  integer, parameter :: n = 2000
  integer :: i, k, hits(0:9)
  real(8) :: values(n), total, largest
  hits = 0
  total = 0
  largest = 0
  !$omp parallel do private(k)
  do i = 1, n
    values(i) = 0
    do k = 1, mod(i, 7) + 1
      values(i) = values(i) + i*0.25d0
    end do
  end do
  !$omp parallel do reduction(+:total,hits) reduction(max:largest) schedule(dynamic, 37)
  do i = 1, n
    total = total + values(i)
    largest = max(largest, values(i))
    hits(mod(i*i, 10)) = hits(mod(i*i, 10)) + 1
  end do
  !$omp parallel
  !$omp workshare
  values = values*2
  !$omp end workshare
  !$omp end parallel
  print '(f14.2,f12.2,10i5,f14.2)', total, largest, hits, sum(values)
end program openmp_loops

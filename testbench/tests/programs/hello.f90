! SPDX-License-Identifier: Apache-2.0
! A program of the Fortran library: formatted output, an array, floating point.
program hello
  implicit none
  real(8) :: roots(4)
  integer :: i
  roots = [(sqrt(real(i * i, 8)), i = 1, 4)]
  print '(a, f7.2)', 'hello from Fortran, sum', sum(roots)
end program hello

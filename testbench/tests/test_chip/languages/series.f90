! SPDX-License-Identifier: Apache-2.0
!
! A sum of doubles, written by Fortran's own formats.
program series
  implicit none
  integer(8) :: i
  real(8) :: total
  total = 0
  do i = 1, 100000
    total = total + 1d0 / real(i, 8)**2
  end do
  write (*, '(a, f18.15, i14)') 'sum', total, 2_8**40
end program series

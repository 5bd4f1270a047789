! SPDX-License-Identifier: Apache-2.0
program language
  implicit none
  real(8) :: matrix(3, 3)
  integer :: i
  matrix = reshape([(real(i, 8), i = 1, 9)], [3, 3])
  print '(a, f8.3)', 'sum ', sum(matmul(matrix, transpose(matrix)))
  write (*, *) 'hello from Fortran', 42
  open (unit=10, file='fortran.txt', status='replace')
  write (10, '(i5)') 123
  close (10)
  open (unit=11, file='fortran.txt', status='old')
  read (11, *) i
  close (11, status='delete')
  print '(i5)', i
  stop 5
end program language

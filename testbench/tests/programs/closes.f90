! SPDX-License-Identifier: Apache-2.0
! Writes a file, reads it again and deletes it, beside a loop of OpenMP.
program closes
  implicit none
  integer :: i, n, got
  n = 0
  !$omp parallel do reduction(+:n)
  do i = 1, 10
    n = n + i
  end do
  open (unit=10, file='closes.tmp', status='replace')
  write (10, *) n
  close (10)
  open (unit=10, file='closes.tmp', status='old')
  read (10, *) got
  close (10, status='delete')
  print '(a,i0)', 'read ', got
end program

! SPDX-License-Identifier: Apache-2.0
!
! last_words.c by Fortran's records.
program last_words
  use mpi
  implicit none
  integer :: rank, error, never
  integer, pointer :: nowhere(:)
  character(len=16) :: how
  logical, volatile :: on
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call get_command_argument(command_argument_count(), how)
  print '(a, i0, a)', 'rank ', rank, ' of Fortran'
  write (*, '(2a)', advance='no') 'about to ', trim(how)
  write (*, '(a, i0)') ' on ', rank
  call MPI_Barrier(MPI_COMM_WORLD, error)
  write (*, '(i0, a)', advance='no') rank, ': no newline'
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 1 .and. how == 'fault') then
    nullify (nowhere)
    nowhere(1) = 1
  end if
  if (rank == 1 .and. how == 'abort') call MPI_Abort(MPI_COMM_WORLD, 7, error)
  on = how == 'forever'
  do while (on)
  end do
  call MPI_Recv(never, 1, MPI_INTEGER, 1 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Finalize(error)
end program last_words

! SPDX-License-Identifier: Apache-2.0
! The trapezoidal rule; process 0 reads the limits and the number of trapezoids from standard input.
program trapezoid
  use mpi
  implicit none
  integer :: ierr, rank, nprocs, n, i, place
  double precision :: a, b, h, part, total
  integer, parameter :: room = 100
  character :: buffer(room)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nprocs, ierr)
  if (rank == 0) then
    read (*, *) a, b
    read (*, *) n
    place = 0
    call MPI_Pack(a, 1, MPI_DOUBLE_PRECISION, buffer, room, place, MPI_COMM_WORLD, ierr)
    call MPI_Pack(b, 1, MPI_DOUBLE_PRECISION, buffer, room, place, MPI_COMM_WORLD, ierr)
    call MPI_Pack(n, 1, MPI_INTEGER, buffer, room, place, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Bcast(buffer, room, MPI_PACKED, 0, MPI_COMM_WORLD, ierr)
  if (rank /= 0) then
    place = 0
    call MPI_Unpack(buffer, room, place, a, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    call MPI_Unpack(buffer, room, place, b, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    call MPI_Unpack(buffer, room, place, n, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  end if
  h = (b - a)/n
  part = 0
  do i = rank, n - 1, nprocs
    part = part + h*((a + i*h)**2 + (a + (i + 1)*h)**2)/2
  end do
  call MPI_Reduce(part, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a,i0,a,f0.4)', 'with ', n, ' trapezoids the integral is ', total
  call MPI_Finalize(ierr)
end program trapezoid

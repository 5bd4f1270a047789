! SPDX-License-Identifier: Apache-2.0
! The same equation in Fortran 90, in strips.
program heat
  use mpi
  implicit none
  integer, parameter :: dp = kind(1.0d0), n = 24, steps = 40
  integer :: ierr, rank, nprocs, cart, left, right, step, i, j, ny, y0
  integer :: dims(1), coords(1), status(MPI_STATUS_SIZE)
  logical :: periods(1)
  real(dp), allocatable :: u(:, :), unew(:, :)
  real(dp) :: diff, maxdiff, heat_sum, total

  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nprocs, ierr)
  dims(1) = nprocs
  periods(1) = .false.
  call MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, .true., cart, ierr)
  call MPI_Comm_rank(cart, rank, ierr)
  call MPI_Cart_coords(cart, rank, 1, coords, ierr)
  call MPI_Cart_shift(cart, 0, 1, left, right, ierr)
  y0 = coords(1)*n/nprocs
  ny = (coords(1) + 1)*n/nprocs - y0
  allocate (u(0:n + 1, 0:ny + 1), unew(0:n + 1, 0:ny + 1))
  u = 0
  u(0, :) = 100
  unew = u

  do step = 1, steps
    call MPI_Sendrecv(u(1, ny), n, MPI_DOUBLE_PRECISION, right, 1, &
                      u(1, 0), n, MPI_DOUBLE_PRECISION, left, 1, cart, status, ierr)
    call MPI_Sendrecv(u(1, 1), n, MPI_DOUBLE_PRECISION, left, 2, &
                      u(1, ny + 1), n, MPI_DOUBLE_PRECISION, right, 2, cart, MPI_STATUS_IGNORE, ierr)
    diff = 0
    do j = 1, ny
      do i = 1, n
        unew(i, j) = 0.25_dp*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
        diff = max(diff, abs(unew(i, j) - u(i, j)))
      end do
    end do
    u(1:n, 1:ny) = unew(1:n, 1:ny)
    call MPI_Allreduce(diff, maxdiff, 1, MPI_DOUBLE_PRECISION, MPI_MAX, cart, ierr)
  end do

  heat_sum = sum(u(1:n, 1:ny))
  call MPI_Reduce(heat_sum, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, cart, ierr)
  if (rank == 0) write (*, '(a,i0,a,f0.6,a,f8.6)') 'steps ', steps, ' heat ', total, ' last change ', maxdiff
  call MPI_Finalize(ierr)
end program heat

! SPDX-License-Identifier: Apache-2.0
! Conjugate gradients for the one-dimensional Laplacian, rows in blocks, neighbours by nonblocking messages.
program cg
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 64
  integer :: ierr, me, np, lo, hi, i, iterations, requests(4)
  integer :: statuses(MPI_STATUS_SIZE, 4)
  double precision, allocatable :: x(:), r(:), p(:), q(:)
  double precision :: rho, rho_old, alpha, error, worst

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, me, ierr)
  call mpi_comm_size(mpi_comm_world, np, ierr)
  lo = me*n/np + 1
  hi = (me + 1)*n/np
  allocate (x(lo:hi), r(lo:hi), p(lo - 1:hi + 1), q(lo:hi))
  x = 0
  p = 0
  r = 2  ! the solution is x(i) = i (n + 1 - i)
  p(lo:hi) = r
  rho = dot(r, r)
  iterations = 0
  do while (rho > 1d-20 .and. iterations < 2*n)
    call multiply()
    alpha = rho/dot(p(lo:hi), q)
    x = x + alpha*p(lo:hi)
    r = r - alpha*q
    rho_old = rho
    rho = dot(r, r)
    p(lo:hi) = r + rho/rho_old*p(lo:hi)
    iterations = iterations + 1
  end do
  error = maxval(abs(x - (/(dble(i)*(n + 1 - i), i=lo, hi)/)))
  call mpi_reduce(error, worst, 1, mpi_double_precision, mpi_max, 0, mpi_comm_world, ierr)
  if (me == 0) print '(a,l1,a,l1)', ' converged: ', iterations <= n, ' right: ', worst < 1d-8
  call mpi_finalize(ierr)

contains

  double precision function dot(a, b)
    double precision, intent(in) :: a(:), b(:)
    double precision :: part
    part = dot_product(a, b)
    call mpi_allreduce(part, dot, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierr)
  end function dot

  subroutine multiply()
    integer :: below, above
    below = me - 1
    above = me + 1
    if (below < 0) below = mpi_proc_null
    if (above == np) above = mpi_proc_null
    call mpi_irecv(p(lo - 1), 1, mpi_double_precision, below, 1, mpi_comm_world, requests(1), ierr)
    call mpi_irecv(p(hi + 1), 1, mpi_double_precision, above, 2, mpi_comm_world, requests(2), ierr)
    call mpi_isend(p(hi), 1, mpi_double_precision, above, 1, mpi_comm_world, requests(3), ierr)
    call mpi_isend(p(lo), 1, mpi_double_precision, below, 2, mpi_comm_world, requests(4), ierr)
    call mpi_waitall(4, requests, statuses, ierr)
    q = 2*p(lo:hi) - p(lo - 1:hi - 1) - p(lo + 1:hi + 1)
  end subroutine multiply
end program cg

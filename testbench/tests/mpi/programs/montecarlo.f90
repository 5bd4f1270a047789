! SPDX-License-Identifier: Apache-2.0
! Pi by throwing darts; means and their variances are joined by an operation of our own on a derived type.
module statistics
  implicit none
  integer, parameter :: dp = selected_real_kind(15, 307)
  type sample
    sequence
    real(dp) :: n, mean, m2
  end type sample
contains
  subroutine combine(a, b, len, datatype)
    integer, intent(in) :: len, datatype
    type(sample), intent(in) :: a(len)
    type(sample), intent(inout) :: b(len)
    real(dp) :: delta, n
    integer :: i
    do i = 1, len
      n = a(i)%n + b(i)%n
      delta = b(i)%mean - a(i)%mean
      b(i)%m2 = a(i)%m2 + b(i)%m2 + delta**2*a(i)%n*b(i)%n/n
      b(i)%mean = (a(i)%n*a(i)%mean + b(i)%n*b(i)%mean)/n
      b(i)%n = n
    end do
  end subroutine combine
end module statistics

program montecarlo
  use mpi
  use statistics
  implicit none
  integer :: ierr, rank, nprocs, i, op, newtype, hits
  integer(kind=MPI_ADDRESS_KIND) :: lb, extent
  integer, parameter :: throws = 2000
  integer, parameter :: long = selected_int_kind(15)
  integer(long) :: seed
  real(dp) :: x, y, value
  type(sample) :: mine, all

  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, nprocs, ierr)
  seed = 12345 + 7919*rank
  hits = 0
  mine = sample(0, 0, 0)
  do i = 1, throws
    x = next()
    y = next()
    value = merge(4.0_dp, 0.0_dp, x*x + y*y <= 1)
    if (value > 0) hits = hits + 1
    mine%n = mine%n + 1
    x = value - mine%mean
    mine%mean = mine%mean + x/mine%n
    mine%m2 = mine%m2 + x*(value - mine%mean)
  end do

  call MPI_TYPE_CONTIGUOUS(3, MPI_DOUBLE_PRECISION, newtype, ierr)
  call MPI_TYPE_COMMIT(newtype, ierr)
  call MPI_TYPE_GET_EXTENT(newtype, lb, extent, ierr)
  call MPI_OP_CREATE(combine, .true., op, ierr)
  call MPI_REDUCE(mine, all, 1, newtype, op, 0, MPI_COMM_WORLD, ierr)
  i = hits
  call MPI_ALLREDUCE(i, hits, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
    print '(a,i0,a,l1,a,l1,a,i0)', 'throws per process ', nint(all%n)/nprocs, ', near pi: ', &
      abs(all%mean - 3.14159_dp) < 5*sqrt(all%m2)/all%n, ', as counted: ', &
      abs(all%mean - 4.0_dp*hits/all%n) < 1e-9_dp, ', extent ', extent
  end if
  call MPI_OP_FREE(op, ierr)
  call MPI_TYPE_FREE(newtype, ierr)
  call MPI_FINALIZE(ierr)

contains

  function next() result(u)
    real(dp) :: u
    seed = mod(seed*16807_long, 2147483647_long)
    u = real(seed, dp)/2147483647.0_dp
  end function next
end program montecarlo

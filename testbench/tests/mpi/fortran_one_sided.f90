! SPDX-License-Identifier: Apache-2.0
! One-sided communication from Fortran: windows over arrays and over memory of MPI's, attributes, all kinds of epochs.
program fortran_one_sided
  use mpi
  use iso_c_binding
  implicit none
  integer :: ierr, rank, ranks, next, before, win, i, length, group, peer, one, old, request
  integer, volatile :: cells(0:9)  ! others write to it
  integer(kind=mpi_address_kind) :: bytes, at, value
  double precision, pointer :: memory(:)
  type(c_ptr) :: base
  double precision :: number
  character(len=mpi_max_object_name) :: name
  logical :: flag

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  next = mod(rank + 1, ranks)
  before = mod(rank + ranks - 1, ranks)

  cells = -1
  bytes = 40
  call mpi_win_create(cells, bytes, 4, mpi_info_null, mpi_comm_world, win, ierr)
  call mpi_win_get_attr(win, mpi_win_size, value, flag, ierr)
  call check(flag .and. value == 40, 'MPI_WIN_SIZE')
  call mpi_win_get_attr(win, mpi_win_disp_unit, value, flag, ierr)
  call check(flag .and. value == 4, 'MPI_WIN_DISP_UNIT')
  call mpi_win_set_name(win, 'cells', ierr)
  call mpi_win_get_name(win, name, length, ierr)
  call check(name == 'cells' .and. length == 5, 'MPI_WIN_GET_NAME')
  call mpi_win_fence(mpi_mode_noprecede, win, ierr)
  at = 3
  call mpi_put(rank, 1, mpi_integer, next, at, 1, mpi_integer, win, ierr)
  call mpi_win_fence(0, win, ierr)
  call check(cells(3) == before .and. cells(2) == -1, 'MPI_PUT')
  call mpi_win_fence(mpi_mode_nosucceed, win, ierr)

  cells(0) = 0
  call mpi_barrier(mpi_comm_world, ierr)
  one = 1
  at = 0
  call mpi_win_lock(mpi_lock_exclusive, 0, 0, win, ierr)
  call mpi_fetch_and_op(one, old, mpi_integer, 0, at, mpi_sum, win, ierr)
  call mpi_win_unlock(0, win, ierr)
  call check(old >= 0 .and. old < ranks, 'MPI_FETCH_AND_OP')
  call mpi_win_lock_all(0, win, ierr)
  at = 4
  call mpi_rput(rank, 1, mpi_integer, next, at, 1, mpi_integer, win, request, ierr)
  call mpi_wait(request, mpi_status_ignore, ierr)
  call mpi_win_flush(next, win, ierr)
  call mpi_compare_and_swap(ranks, rank, old, mpi_integer, next, at, win, ierr)
  call mpi_win_unlock_all(win, ierr)
  call check(old == rank, 'MPI_COMPARE_AND_SWAP')
  call mpi_barrier(mpi_comm_world, ierr)
  call check(cells(4) == ranks, 'what was swapped')
  if (rank == 0) call check(cells(0) == ranks, 'a counter')

  call mpi_win_get_group(win, group, ierr)
  call mpi_group_incl(group, 1, (/ rank /), peer, ierr)
  call mpi_win_post(peer, 0, win, ierr)
  call mpi_win_start(peer, 0, win, ierr)
  at = 5
  call mpi_accumulate(one, 1, mpi_integer, rank, at, 1, mpi_integer, mpi_sum, win, ierr)
  call mpi_win_complete(win, ierr)
  call mpi_win_wait(win, ierr)
  call check(cells(5) == 0, 'MPI_ACCUMULATE')
  call mpi_group_free(peer, ierr)
  call mpi_group_free(group, ierr)
  call mpi_win_free(win, ierr)
  call check(win == mpi_win_null, 'MPI_WIN_FREE')

  bytes = 80
  call mpi_win_allocate(bytes, 8, mpi_info_null, mpi_comm_world, base, win, ierr)
  call c_f_pointer(base, memory, (/ 10 /))
  memory = (/ (rank + i / 16d0, i = 1, 10) /)
  call mpi_win_fence(0, win, ierr)
  at = 7
  call mpi_get(number, 1, mpi_double_precision, next, at, 1, mpi_double_precision, win, ierr)
  call mpi_win_fence(0, win, ierr)
  call check(number == next + 0.5d0, 'MPI_GET')
  call mpi_win_set_errhandler(win, mpi_errors_return, ierr)
  call mpi_win_unlock(0, win, ierr)
  call check(ierr == mpi_err_rma_sync, 'an error')
  call mpi_win_free(win, ierr)
  call checks_end()
end program fortran_one_sided

include 'checks.inc'

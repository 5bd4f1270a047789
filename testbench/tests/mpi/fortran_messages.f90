! SPDX-License-Identifier: Apache-2.0
! Messages between two processes in Fortran, by the module: statuses, requests and their indices from 1, logicals,
! buffers of every type and shape, MPI_BOTTOM.
program fortran_messages
  use mpi
  implicit none
  integer :: ierr, rank, nproc, next, previous
  logical :: flag

  call mpi_initialized(flag, ierr)
  call check(.not. flag, 'initialised before MPI_INIT')
  call mpi_init(ierr)
  call check(ierr == mpi_success, 'MPI_INIT')
  call mpi_initialized(flag, ierr)
  call check(flag .eqv. .true., 'MPI_INITIALIZED')
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, nproc, ierr)
  next = mod(rank + 1, nproc)
  previous = mod(rank + nproc - 1, nproc)
  call clock()
  call shapes()
  call statuses()
  call one_of_many()
  call some_of_many()
  call modes()
  call bottom()
  call sizes()
  call general()
  call checks_end()

contains

  subroutine clock()
    double precision :: first, second
    first = mpi_wtime()
    second = pmpi_wtime()
    call check(second >= first .and. first >= 0, 'MPI_WTIME')
    call check(mpi_wtick() > 0 .and. mpi_wtick() < 1e-6, 'MPI_WTICK')
  end subroutine clock

  subroutine shapes()
    type point
      sequence
      double precision :: x, y
      integer :: n(2)
    end type point
    type(point) :: here, there
    complex :: z(2), w(2)
    character(len=11) :: text
    logical :: yes(3)
    real, allocatable :: matrix(:, :)
    integer :: i
    z = cmplx(rank, -1)
    call mpi_sendrecv(z, 2, mpi_complex, next, 1, w, 2, mpi_complex, previous, 1, mpi_comm_world, mpi_status_ignore, ierr)
    call check(all(w == cmplx(previous, -1)), 'complex numbers')
    text = ''
    call mpi_sendrecv('some' // char(65 + rank), 5, mpi_character, next, 1, text, 11, mpi_character, previous, 1, &
                      mpi_comm_world, mpi_status_ignore, ierr)
    call check(text == 'some' // char(65 + previous), 'characters')
    yes = .false.
    call mpi_sendrecv([.true., .false., .true.], 3, mpi_logical, next, 1, yes, 3, mpi_logical, previous, 1, &
                      mpi_comm_world, mpi_status_ignore, ierr)
    call check(yes(1) .and. .not. yes(2) .and. yes(3), 'logicals')
    here = point(1.5d0, dble(rank), [rank, 7])
    call mpi_sendrecv(here, 24, mpi_byte, next, 1, there, 24, mpi_byte, previous, 1, mpi_comm_world, &
                      mpi_status_ignore, ierr)
    call check(there%y == previous .and. there%n(2) == 7, 'a derived type')
    allocate (matrix(4, 3))
    matrix = -1
    ! A row: the compiler packs it, and unpacks what came.
    call mpi_sendrecv([(real(rank + i), i=1, 3)], 3, mpi_real, next, 1, matrix(2, :), 3, mpi_real, previous, 1, &
                      mpi_comm_world, mpi_status_ignore, ierr)
    call check(all(matrix(2, :) == [(real(previous + i), i=1, 3)]) .and. all(matrix(1, :) == -1), 'a section')
    call mpi_sendrecv_replace(matrix(2, 2), 1, mpi_real, previous, 1, next, 1, mpi_comm_world, mpi_status_ignore, ierr)
    call check(matrix(2, 2) == rank + 2, 'an element')
  end subroutine shapes

  subroutine statuses()
    integer :: status(mpi_status_size), count, value(5), request
    call mpi_isend([1, 2, 3], 3, mpi_integer, next, 17, mpi_comm_world, request, ierr)
    call mpi_probe(mpi_any_source, mpi_any_tag, mpi_comm_world, status, ierr)
    call check(status(mpi_source) == previous .and. status(mpi_tag) == 17, 'MPI_PROBE')
    call mpi_iprobe(previous, 17, mpi_comm_world, flag, status, ierr)
    call check(flag .eqv. .true., 'MPI_IPROBE with a message')
    call mpi_recv(value, 5, mpi_integer, mpi_any_source, mpi_any_tag, mpi_comm_world, status, ierr)
    call mpi_get_count(status, mpi_integer, count, ierr)
    call check(count == 3 .and. status(mpi_source) == previous .and. status(mpi_tag) == 17, 'status of MPI_RECV')
    call mpi_get_elements(status, mpi_integer, count, ierr)
    call check(count == 3, 'MPI_GET_ELEMENTS')
    call mpi_get_count(status, mpi_double_precision, count, ierr)
    call check(count == mpi_undefined, 'MPI_GET_COUNT of half an element')
    call mpi_iprobe(mpi_any_source, mpi_any_tag, mpi_comm_world, flag, mpi_status_ignore, ierr)
    call check(flag .eqv. .false., 'MPI_IPROBE without a message')
    call mpi_wait(request, status, ierr)
    call check(request == mpi_request_null, 'MPI_WAIT')
    call mpi_test_cancelled(status, flag, ierr)
    call check(flag .eqv. .false., 'MPI_TEST_CANCELLED')
    call mpi_irecv(value, 1, mpi_integer, previous, 99, mpi_comm_world, request, ierr)
    call mpi_cancel(request, ierr)
    call mpi_wait(request, status, ierr)
    call mpi_test_cancelled(status, flag, ierr)
    call check(flag .eqv. .true., 'MPI_TEST_CANCELLED of a receive taken back')
    call mpi_recv(value, 1, mpi_integer, mpi_proc_null, 1, mpi_comm_world, status, ierr)
    call check(status(mpi_source) == mpi_proc_null .and. status(mpi_tag) == mpi_any_tag, 'MPI_PROC_NULL')
  end subroutine statuses

  subroutine one_of_many()
    integer :: requests(3), status(mpi_status_size), value(3), index, go
    requests = mpi_request_null
    call mpi_irecv(value(2), 1, mpi_integer, previous, 2, mpi_comm_world, requests(2), ierr)
    call mpi_irecv(value(3), 1, mpi_integer, previous, 3, mpi_comm_world, requests(3), ierr)
    call mpi_testany(3, requests, index, flag, status, ierr)
    call check(.not. flag .and. index == mpi_undefined, 'MPI_TESTANY of none')
    call mpi_send(rank, 1, mpi_integer, next, 3, mpi_comm_world, ierr)
    call mpi_waitany(3, requests, index, status, ierr)
    call check(index == 3 .and. value(3) == previous .and. status(mpi_tag) == 3, 'MPI_WAITANY')
    call mpi_sendrecv(rank, 1, mpi_integer, previous, 4, go, 1, mpi_integer, next, 4, mpi_comm_world, &
                      mpi_status_ignore, ierr)
    call mpi_send(rank, 1, mpi_integer, next, 2, mpi_comm_world, ierr)
    flag = .false.
    do while (.not. flag)
      call mpi_testany(3, requests, index, flag, status, ierr)
    end do
    call check(index == 2 .and. value(2) == previous .and. status(mpi_tag) == 2, 'MPI_TESTANY')
    call mpi_waitany(3, requests, index, mpi_status_ignore, ierr)
    call check(index == mpi_undefined, 'MPI_WAITANY of no requests')
    call mpi_testany(3, requests, index, flag, mpi_status_ignore, ierr)
    call check(flag .and. index == mpi_undefined, 'MPI_TESTANY of no requests')
  end subroutine one_of_many

  subroutine some_of_many()
    integer :: requests(6), states(mpi_status_size, 6), value(3), indices(6), done, i, all_done
    logical :: seen(6)
    seen = .false.
    do i = 1, 3
      call mpi_irecv(value(i), 1, mpi_integer, previous, i, mpi_comm_world, requests(2 * i - 1), ierr)
      call mpi_isend(10 * rank + i, 1, mpi_integer, next, i, mpi_comm_world, requests(2 * i), ierr)
    end do
    all_done = 0
    do while (all_done < 6)
      if (mod(all_done, 2) == 0) then
        call mpi_waitsome(6, requests, done, indices, states, ierr)
        call check(done > 0, 'MPI_WAITSOME')
      else
        call mpi_testsome(6, requests, done, indices, states, ierr)
      end if
      do i = 1, done
        call check(indices(i) >= 1 .and. indices(i) <= 6, 'an index')
        call check(.not. seen(indices(i)) .and. requests(indices(i)) == mpi_request_null, 'a request twice')
        seen(indices(i)) = .true.
        if (mod(indices(i), 2) == 1) call check(states(mpi_tag, i) == (indices(i) + 1) / 2, 'a status of some')
      end do
      all_done = all_done + done
    end do
    call check(all(value == 10 * previous + [1, 2, 3]), 'values')
    call mpi_waitsome(6, requests, done, indices, mpi_statuses_ignore, ierr)
    call check(done == mpi_undefined, 'MPI_WAITSOME of no requests')
    do i = 1, 3
      call mpi_irecv(value(i), 1, mpi_integer, previous, i, mpi_comm_world, requests(i), ierr)
      call mpi_isend(rank, 1, mpi_integer, next, i, mpi_comm_world, requests(3 + i), ierr)
    end do
    call mpi_waitall(6, requests, states, ierr)
    call check(all(states(mpi_source, 1:3) == previous) .and. states(mpi_tag, 2) == 2, 'MPI_WAITALL')
    call mpi_testall(6, requests, flag, mpi_statuses_ignore, ierr)
    call check(flag .eqv. .true., 'MPI_TESTALL')
  end subroutine some_of_many

  subroutine modes()
    integer :: requests(2), bytes, i, unused(4)
    integer, volatile :: number, value  ! the compiler does not see who reads and writes them
    character :: room(1000)
    unused = -1
    call mpi_pack_size(1, mpi_integer, mpi_comm_world, bytes, ierr)
    call check(bytes >= 4, 'MPI_PACK_SIZE')
    call mpi_buffer_attach(room, 1000, ierr)
    call mpi_bsend(rank, 1, mpi_integer, next, 1, mpi_comm_world, ierr)
    call mpi_recv(value, 1, mpi_integer, previous, 1, mpi_comm_world, mpi_status_ignore, ierr)
    call check(value == previous, 'MPI_BSEND')
    call mpi_buffer_detach(unused, bytes, ierr)
    call check(bytes == 1000 .and. all(unused == -1), 'MPI_BUFFER_DETACH')
    call mpi_recv_init(value, 1, mpi_integer, previous, 1, mpi_comm_world, requests(1), ierr)
    call mpi_send_init(number, 1, mpi_integer, next, 1, mpi_comm_world, requests(2), ierr)
    do i = 1, 3
      number = i
      call mpi_startall(2, requests, ierr)
      call mpi_waitall(2, requests, mpi_statuses_ignore, ierr)
      call check(value == i, 'persistent requests')
    end do
    call mpi_request_free(requests(1), ierr)
    call mpi_request_free(requests(2), ierr)
    call check(all(requests == mpi_request_null), 'MPI_REQUEST_FREE')
  end subroutine modes

  subroutine bottom()
    integer(kind=mpi_address_kind) :: places(2)
    integer :: first(2), made, request
    double precision :: second
    first = rank
    second = rank + 0.5d0
    call mpi_get_address(first, places(1), ierr)
    call mpi_get_address(second, places(2), ierr)
    call mpi_type_create_struct(2, [2, 1], places, [mpi_integer, mpi_double_precision], made, ierr)
    call mpi_type_commit(made, ierr)
    call mpi_isend(mpi_bottom, 1, made, next, 1, mpi_comm_world, request, ierr)
    call mpi_wait(request, mpi_status_ignore, ierr)
    call mpi_recv(mpi_bottom, 1, made, previous, 1, mpi_comm_world, mpi_status_ignore, ierr)
    call mpi_get_address(mpi_bottom, places(1), ierr)
    call check(places(1) == 0, 'address of MPI_BOTTOM')
    call touch(first, second)
    call check(all(first == previous) .and. second == previous + 0.5d0, 'MPI_BOTTOM')
    call mpi_type_free(made, ierr)
    call check(made == mpi_datatype_null, 'MPI_TYPE_FREE')
  end subroutine bottom

  subroutine sizes()
    double precision :: d(3, 3)
    complex(kind=8) :: z
    integer(kind=2) :: i2
    integer :: bytes, found
    call mpi_sizeof(d, bytes, ierr)
    call check(bytes == 8 .and. ierr == mpi_success, 'MPI_SIZEOF of an array')
    call mpi_sizeof(z, bytes, ierr)
    call check(bytes == 16, 'MPI_SIZEOF of a complex')
    call mpi_sizeof(i2, bytes, ierr)
    call check(bytes == 2, 'MPI_SIZEOF of INTEGER(2)')
    call mpi_type_match_size(mpi_typeclass_real, 8, found, ierr)
    call mpi_type_size(found, bytes, ierr)
    call check(bytes == 8, 'MPI_TYPE_MATCH_SIZE')
  end subroutine sizes

  subroutine query(extra, status, ierror)
    integer(kind=mpi_address_kind) :: extra
    integer :: status(mpi_status_size), ierror
    call mpi_status_set_elements(status, mpi_integer, int(extra), ierror)
    call mpi_status_set_cancelled(status, .false., ierror)
    status(mpi_source) = 5
    status(mpi_tag) = 6
    ierror = mpi_success
  end subroutine query

  subroutine free_it(extra, ierror)
    integer(kind=mpi_address_kind) :: extra
    integer :: ierror
    call check(extra == 3, 'extra state at the end')
    ierror = mpi_success
  end subroutine free_it

  subroutine cancel(extra, complete, ierror)
    integer(kind=mpi_address_kind) :: extra
    logical :: complete
    integer :: ierror
    call check(extra == 3 .and. .not. complete, 'cancelling')
    ierror = mpi_success
  end subroutine cancel

  subroutine general()
    integer :: request, status(mpi_status_size), count
    call mpi_grequest_start(query, free_it, cancel, 3_mpi_address_kind, request, ierr)
    call mpi_test(request, flag, status, ierr)
    call check(.not. flag, 'a generalised request at its start')
    call mpi_cancel(request, ierr)
    call mpi_grequest_complete(request, ierr)
    call mpi_wait(request, status, ierr)
    call mpi_get_count(status, mpi_integer, count, ierr)
    call check(count == 3 .and. status(mpi_source) == 5 .and. status(mpi_tag) == 6, 'a generalised request')
  end subroutine general
end program fortran_messages

subroutine touch(first, second)
  integer :: first(2)
  double precision :: second
end subroutine touch

include 'checks.inc'

! SPDX-License-Identifier: Apache-2.0
! The module mpi_f08: types of handles and statuses, comparison of handles, the error argument left out.
program fortran_f08
  use mpi_f08
  implicit none
  integer :: failures = 0
  integer :: rank, nproc, next, previous, ierr, value, number, i
  integer :: found(4)
  real :: matrix(4, 4)
  logical :: flag
  type(MPI_Comm) :: half, copy
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Datatype) :: row
  type(MPI_Group) :: group
  type(MPI_Op) :: largest
  type(MPI_Info) :: info
  character(len=MPI_MAX_OBJECT_NAME) :: name

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  call check(ierr == MPI_SUCCESS, 'the error argument')
  next = mod(rank + 1, nproc)
  previous = mod(rank + nproc - 1, nproc)

  call MPI_Irecv(value, 1, MPI_INTEGER, previous, 5, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(rank, 1, MPI_INTEGER, next, 5, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, statuses)
  call check(value == previous .and. statuses(1)%MPI_SOURCE == previous .and. statuses(1)%MPI_TAG == 5, 'MPI_Waitall')
  call check(all(requests == MPI_REQUEST_NULL), 'requests are null')

  call MPI_Sendrecv(rank, 1, MPI_INTEGER, next, 6, value, 1, MPI_INTEGER, previous, MPI_ANY_TAG, MPI_COMM_WORLD, status)
  call MPI_Get_count(status, MPI_INTEGER, number)
  call check(number == 1 .and. status%MPI_TAG == 6, 'MPI_Get_count')
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, next, 7, value, 1, MPI_INTEGER, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)

  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  call check(half /= MPI_COMM_NULL .and. half /= MPI_COMM_WORLD, 'MPI_Comm_split')
  copy = half
  call check(copy == half .and. copy%MPI_VAL == half%MPI_VAL, 'a copy of a handle')
  call MPI_Comm_set_name(half, 'half')
  call MPI_Comm_get_name(half, name, number)
  call check(name == 'half' .and. number == 4, 'MPI_Comm_get_name')
  call MPI_Comm_group(half, group)
  call MPI_Group_size(group, number)
  call check(number == (nproc + 1 - mod(rank, 2)) / 2, 'MPI_Group_size')
  call MPI_Group_free(group)
  call check(group == MPI_GROUP_NULL, 'MPI_Group_free')
  call MPI_Comm_free(half)

  matrix = reshape([(10 * rank + i, i = 1, 16)], [4, 4])
  call MPI_Type_vector(4, 1, 4, MPI_REAL, row)
  call MPI_Type_commit(row)
  call MPI_Sendrecv_replace(matrix(2, 1), 1, row, next, 8, previous, 8, MPI_COMM_WORLD, status)
  call check(all(matrix(2, :) == [(10 * previous + i, i = 2, 14, 4)]), 'a row')
  call check(matrix(1, 1) == 10 * rank + 1, 'beside the row')
  call MPI_Type_free(row)

  call MPI_Allreduce(rank, value, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(value == nproc * (nproc - 1) / 2, 'MPI_Allreduce')
  call MPI_Op_create(longer, .true., largest)
  call MPI_Allreduce(rank, value, 1, MPI_INTEGER, largest, MPI_COMM_WORLD)
  call check(value == nproc - 1, 'an operation of the program')
  call MPI_Op_free(largest)
  found = rank
  call MPI_Bcast(found, 4, MPI_INTEGER, nproc - 1, MPI_COMM_WORLD)
  call check(all(found == nproc - 1), 'MPI_Bcast')
  found = rank
  call MPI_Allreduce(MPI_IN_PLACE, found, 4, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
  call check(all(found == nproc - 1), 'MPI_IN_PLACE')

  call MPI_Info_create(info)
  call MPI_Info_set(info, 'key', 'value')
  call MPI_Info_get(info, 'key', 10, name, flag)
  call check(flag .and. name == 'value', 'MPI_Info_get')
  call MPI_Info_free(info)
  call MPI_Sizeof(matrix, number)
  call check(number == 4, 'MPI_Sizeof')
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Send(rank, 1, MPI_INTEGER, nproc, 0, MPI_COMM_WORLD, ierr)
  call check(ierr == MPI_ERR_RANK, 'an error class')
  call check(MPI_Wtime() >= 0, 'MPI_Wtime')
  call checks_end()

contains

  subroutine longer(in, inout, count, datatype)
    integer :: count
    integer :: in(count), inout(count)
    type(MPI_Datatype) :: datatype
    if (datatype == MPI_INTEGER) inout = max(in, inout)
  end subroutine longer

  subroutine check(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what
    if (right) return
    write (0, *) 'rank', rank, ': ', what
    failures = failures + 1
  end subroutine check

  subroutine checks_end()
    call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (rank == 0 .and. failures == 0) print '(A)', 'ok'
    call MPI_Finalize()
    if (failures /= 0) stop 1
  end subroutine checks_end

end program fortran_f08

! SPDX-License-Identifier: Apache-2.0
! The abstract interfaces of mpi_f08: procedures of each kind declared by them, compared with them and called by MPI.
module procedures
  use mpi_f08
  implicit none
  integer :: copies = 0, deletions = 0, last_code = 0, queries = 0, frees = 0, cancellations = 0
  ! The compiler checks what these are pointed to.
  procedure(MPI_User_function), pointer :: operation
  procedure(MPI_Comm_copy_attr_function), pointer :: copy_comm
  procedure(MPI_Type_copy_attr_function), pointer :: copy_type
  procedure(MPI_Win_copy_attr_function), pointer :: copy_win
  procedure(MPI_Comm_delete_attr_function), pointer :: delete_comm
  procedure(MPI_Type_delete_attr_function), pointer :: delete_type
  procedure(MPI_Win_delete_attr_function), pointer :: delete_win
  procedure(MPI_Comm_errhandler_function), pointer :: handle_comm
  procedure(MPI_Win_errhandler_function), pointer :: handle_win
  procedure(MPI_Grequest_query_function), pointer :: query_request
  procedure(MPI_Grequest_free_function), pointer :: free_request
  procedure(MPI_Grequest_cancel_function), pointer :: cancel_request

contains

  subroutine copy_of_comm(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    if (oldcomm == MPI_COMM_WORLD) copies = copies + 1
    attribute_val_out = attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine copy_of_comm

  subroutine copy_of_type(oldtype, type_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Datatype) :: oldtype
    integer :: type_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    if (oldtype == MPI_REAL) copies = copies + 1
    attribute_val_out = attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine copy_of_type

  subroutine deletion_from_comm(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (attribute_val == 12 .and. extra_state == 10) deletions = deletions + 1
    ierror = MPI_SUCCESS
  end subroutine deletion_from_comm

  subroutine deletion_from_type(datatype, type_keyval, attribute_val, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer :: type_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (attribute_val == 12 .and. extra_state == 10) deletions = deletions + 1
    ierror = MPI_SUCCESS
  end subroutine deletion_from_type

  subroutine deletion_from_win(win, win_keyval, attribute_val, extra_state, ierror)
    type(MPI_Win) :: win
    integer :: win_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (attribute_val == 12 .and. extra_state == 10) deletions = deletions + 1
    ierror = MPI_SUCCESS
  end subroutine deletion_from_win

  subroutine error_of_comm(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    if (comm == MPI_COMM_SELF) last_code = error_code
  end subroutine error_of_comm

  subroutine error_of_win(win, error_code)
    type(MPI_Win) :: win
    integer :: error_code
    if (win /= MPI_WIN_NULL) last_code = error_code
  end subroutine error_of_win

  subroutine query_of_request(extra_state, status, ierror)
    type(MPI_Status) :: status
    integer :: ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    if (extra_state == 10) queries = queries + 1
    call MPI_Status_set_elements(status, MPI_INTEGER, 3)
    call MPI_Status_set_cancelled(status, .false.)
    status%MPI_TAG = 17
    ierror = MPI_SUCCESS
  end subroutine query_of_request

  subroutine free_of_request(extra_state, ierror)
    integer :: ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    if (extra_state == 10) frees = frees + 1
    ierror = MPI_SUCCESS
  end subroutine free_of_request

  subroutine cancel_of_request(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (extra_state == 10 .and. .not. complete) cancellations = cancellations + 1
    ierror = MPI_SUCCESS
  end subroutine cancel_of_request
end module procedures

program fortran_procedures
  use procedures
  implicit none
  procedure(MPI_User_function) :: alternate  ! below, without a module
  integer(kind=MPI_ADDRESS_KIND), parameter :: extra = 10, set = 2, changed = 12
  integer(kind=MPI_ADDRESS_KIND) :: found
  integer :: failures = 0
  integer :: rank, nproc, key, number, pair(2), sums(2)
  logical :: flag
  type(MPI_Op) :: op
  type(MPI_Comm) :: copy
  type(MPI_Datatype) :: real_copy
  type(MPI_Win) :: win
  type(MPI_Errhandler) :: handler
  type(MPI_Request) :: request
  type(MPI_Status) :: status

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc)

  operation => alternate
  call MPI_Op_create(operation, .true., op)
  pair = [rank, 1]
  call MPI_Allreduce(pair, sums, 2, MPI_INTEGER, op, MPI_COMM_WORLD)
  call check(all(sums == [nproc - 1, nproc]), 'MPI_User_function')
  call MPI_Op_free(op)
  call MPI_Op_create(alternate, .true., op)
  call MPI_Allreduce(pair, sums, 2, MPI_INTEGER, op, MPI_COMM_WORLD)
  call check(all(sums == [nproc - 1, nproc]), 'MPI_User_function by its name')
  call MPI_Op_free(op)

  copy_comm => copy_of_comm
  delete_comm => deletion_from_comm
  call MPI_Comm_create_keyval(copy_comm, delete_comm, key, extra)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, set)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  call MPI_Comm_get_attr(copy, key, found, flag)
  call check(flag .and. found == changed .and. copies == 1, 'MPI_Comm_copy_attr_function')
  call MPI_Comm_free(copy)
  call check(deletions == 1, 'MPI_Comm_delete_attr_function')
  copy_comm => MPI_COMM_DUP_FN
  delete_comm => MPI_COMM_NULL_DELETE_FN

  copy_type => copy_of_type
  delete_type => deletion_from_type
  call MPI_Type_create_keyval(copy_type, delete_type, key, extra)
  call MPI_Type_set_attr(MPI_REAL, key, set)
  call MPI_Type_dup(MPI_REAL, real_copy)
  call MPI_Type_get_attr(real_copy, key, found, flag)
  call check(flag .and. found == changed .and. copies == 2, 'MPI_Type_copy_attr_function')
  call MPI_Type_free(real_copy)
  call check(deletions == 2, 'MPI_Type_delete_attr_function')

  copy_win => MPI_WIN_NULL_COPY_FN
  delete_win => deletion_from_win
  call MPI_Win_create_keyval(copy_win, delete_win, key, extra)
  call MPI_Win_create(pair, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_set_attr(win, key, changed)
  handle_win => error_of_win
  call MPI_Win_create_errhandler(handle_win, handler)
  call MPI_Win_set_errhandler(win, handler)
  call MPI_Win_call_errhandler(win, MPI_ERR_DISP)
  call check(last_code == MPI_ERR_DISP, 'MPI_Win_errhandler_function')
  call MPI_Errhandler_free(handler)
  call MPI_Win_free(win)
  call check(deletions == 3, 'MPI_Win_delete_attr_function')

  handle_comm => error_of_comm
  call MPI_Comm_create_errhandler(handle_comm, handler)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
  call MPI_Send(rank, 1, MPI_INTEGER, 1, 0, MPI_COMM_SELF)
  call check(last_code == MPI_ERR_RANK, 'MPI_Comm_errhandler_function')
  call MPI_Errhandler_free(handler)

  query_request => query_of_request
  free_request => free_of_request
  cancel_request => cancel_of_request
  call MPI_Grequest_start(query_request, free_request, cancel_request, extra, request)
  call MPI_Cancel(request)
  call check(cancellations == 1, 'MPI_Grequest_cancel_function')
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_elements(status, MPI_INTEGER, number)
  call check(queries == 1 .and. number == 3 .and. status%MPI_TAG == 17, 'MPI_Grequest_query_function')
  call check(frees == 1, 'MPI_Grequest_free_function')

  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0 .and. failures == 0) print '(A)', 'ok'
  call MPI_Finalize()
  if (failures /= 0) stop 1

contains

  subroutine check(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what
    if (right) return
    write (0, *) 'rank', rank, ': ', what
    failures = failures + 1
  end subroutine check

end program fortran_procedures

!> The largest of the numbers at odd places, the sum of those at even ones.
subroutine alternate(invec, inoutvec, len, datatype)
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
  use mpi_f08
  implicit none
  type(c_ptr), value :: invec, inoutvec
  integer :: len, i
  type(MPI_Datatype) :: datatype
  integer, pointer :: in(:), inout(:)
  if (datatype /= MPI_INTEGER) call MPI_Abort(MPI_COMM_WORLD, 1)
  call c_f_pointer(invec, in, [len])
  call c_f_pointer(inoutvec, inout, [len])
  do i = 1, len, 2
    inout(i) = max(in(i), inout(i))
    if (i < len) inout(i + 1) = in(i + 1) + inout(i + 1)
  end do
end subroutine alternate

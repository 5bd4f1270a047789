! SPDX-License-Identifier: Apache-2.0
! Functions of the user in Fortran: attributes with copy and delete functions, old and new, and error handlers.
module callbacks
  use mpi
  implicit none
  integer :: copies = 0, deletions = 0, handled = 0
  integer :: last_code = 0
  integer(kind=mpi_address_kind) :: last_deleted = 0

contains

  subroutine copy_more(comm, key, extra, in, out, flag, ierror)
    integer :: comm, key, ierror
    integer(kind=mpi_address_kind) :: extra, in, out
    logical :: flag
    copies = copies + 1
    out = in + extra
    flag = .true.
    ierror = mpi_success
  end subroutine copy_more

  subroutine copy_not(comm, key, extra, in, out, flag, ierror)
    integer :: comm, key, ierror
    integer(kind=mpi_address_kind) :: extra, in, out
    logical :: flag
    copies = copies + 1
    flag = .false.
    ierror = mpi_success
  end subroutine copy_not

  subroutine deleted(comm, key, value, extra, ierror)
    integer :: comm, key, ierror
    integer(kind=mpi_address_kind) :: value, extra
    deletions = deletions + 1
    last_deleted = value
    ierror = mpi_success
  end subroutine deleted

  subroutine handler(comm, code)
    integer :: comm, code
    handled = handled + 1
    last_code = code
  end subroutine handler
end module callbacks

program fortran_attributes
  use callbacks
  implicit none
  integer :: ierr, key, other, old, made, error_handler, previous_handler, class, number, type_key, row, copy
  integer(kind=mpi_address_kind) :: value
  logical :: flag
  external :: old_copy, old_delete

  call mpi_init(ierr)
  call mpi_comm_get_attr(mpi_comm_world, mpi_tag_ub, value, flag, ierr)
  call check((flag .eqv. .true.) .and. value >= 32767, 'MPI_TAG_UB')
  call mpi_attr_get(mpi_comm_world, mpi_tag_ub, number, flag, ierr)
  call check(flag .and. number == value, 'MPI_TAG_UB the old way')

  call mpi_comm_create_keyval(copy_more, deleted, key, 10_mpi_address_kind, ierr)
  call mpi_comm_create_keyval(copy_not, mpi_comm_null_delete_fn, other, 0_mpi_address_kind, ierr)
  call mpi_comm_dup(mpi_comm_world, made, ierr)
  call mpi_comm_get_attr(made, key, value, flag, ierr)
  call check(flag .eqv. .false., 'an attribute that nobody has set')
  call mpi_comm_set_attr(made, key, 5_mpi_address_kind, ierr)
  call mpi_comm_set_attr(made, other, 6_mpi_address_kind, ierr)
  call mpi_comm_get_attr(made, key, value, flag, ierr)
  call check(flag .and. value == 5, 'MPI_COMM_GET_ATTR')
  call mpi_comm_dup(made, copy, ierr)
  call check(copies == 2, 'copy functions')
  call mpi_comm_get_attr(copy, key, value, flag, ierr)
  call check(flag .and. value == 15, 'a copied attribute')
  call mpi_comm_get_attr(copy, other, value, flag, ierr)
  call check(.not. flag, 'an attribute that is not copied')
  call mpi_comm_free(copy, ierr)
  call check(deletions == 1 .and. last_deleted == 15, 'MPI_COMM_FREE deletes')
  call mpi_comm_set_attr(made, key, -7_mpi_address_kind, ierr)
  call check(deletions == 2 .and. last_deleted == 5, 'setting again deletes')
  call mpi_comm_delete_attr(made, key, ierr)
  call check(deletions == 3 .and. last_deleted == -7, 'MPI_COMM_DELETE_ATTR')
  call mpi_comm_free_keyval(key, ierr)
  call check(key == mpi_keyval_invalid, 'MPI_COMM_FREE_KEYVAL')

  ! MPI-1's, with default integers.
  call mpi_keyval_create(old_copy, old_delete, old, 3, ierr)
  call mpi_attr_put(made, old, 1000, ierr)
  call mpi_attr_get(made, old, number, flag, ierr)
  call check(flag .and. number == 1000, 'MPI_ATTR_GET')
  call mpi_comm_dup(made, copy, ierr)
  call mpi_attr_get(copy, old, number, flag, ierr)
  call check(flag .and. number == 3000, 'an attribute copied the old way')
  call mpi_attr_delete(copy, old, ierr)
  call check(last_deleted == 3000, 'MPI_ATTR_DELETE')
  call mpi_comm_free(copy, ierr)
  call mpi_keyval_free(old, ierr)
  call mpi_keyval_create(mpi_dup_fn, mpi_null_delete_fn, old, 0, ierr)
  call mpi_attr_put(made, old, 77, ierr)
  call mpi_comm_dup(made, copy, ierr)
  call mpi_attr_get(copy, old, number, flag, ierr)
  call check(flag .and. number == 77, 'MPI_DUP_FN')
  call mpi_comm_free(copy, ierr)
  call mpi_keyval_create(mpi_null_copy_fn, mpi_null_delete_fn, other, 0, ierr)
  call mpi_attr_put(made, other, 78, ierr)
  call mpi_comm_dup(made, copy, ierr)
  call mpi_attr_get(copy, other, number, flag, ierr)
  call check(.not. flag, 'MPI_NULL_COPY_FN')
  call mpi_comm_free(copy, ierr)

  call mpi_type_create_keyval(mpi_type_dup_fn, mpi_type_null_delete_fn, type_key, 0_mpi_address_kind, ierr)
  call mpi_type_contiguous(2, mpi_integer, row, ierr)
  call mpi_type_set_attr(row, type_key, 123_mpi_address_kind, ierr)
  call mpi_type_dup(row, copy, ierr)
  call mpi_type_get_attr(copy, type_key, value, flag, ierr)
  call check(flag .and. value == 123, 'an attribute of a datatype')
  call mpi_type_free(copy, ierr)
  call mpi_type_free(row, ierr)

  call mpi_comm_create_errhandler(handler, error_handler, ierr)
  call mpi_comm_get_errhandler(made, previous_handler, ierr)
  call check(previous_handler == mpi_errors_are_fatal, 'MPI_COMM_GET_ERRHANDLER')
  call mpi_comm_set_errhandler(made, error_handler, ierr)
  call mpi_send(1, 1, mpi_integer, 4000, 1, made, ierr)
  call check(handled == 1 .and. last_code == ierr .and. ierr /= mpi_success, 'an error handler')
  call mpi_error_class(ierr, class, ierr)
  call check(class == mpi_err_rank, 'MPI_ERROR_CLASS')
  call mpi_comm_call_errhandler(made, mpi_err_other, ierr)
  call check(handled == 2 .and. last_code == mpi_err_other, 'MPI_COMM_CALL_ERRHANDLER')
  call mpi_errhandler_free(error_handler, ierr)
  call check(error_handler == mpi_errhandler_null, 'MPI_ERRHANDLER_FREE')
  call mpi_errhandler_create(handler, error_handler, ierr)
  call mpi_errhandler_set(made, error_handler, ierr)
  call mpi_bcast(number, -1, mpi_integer, 0, made, ierr)
  call check(handled == 3, 'an error handler the old way')
  call mpi_errhandler_set(made, mpi_errors_return, ierr)
  call mpi_send(1, -1, mpi_integer, 0, 1, made, ierr)
  call mpi_error_class(ierr, class, ierr)
  call check(class == mpi_err_count, 'MPI_ERRORS_RETURN')
  call mpi_comm_free(made, ierr)
  call checks_end()
end program fortran_attributes

subroutine old_copy(comm, key, extra, in, out, flag, ierror)
  use mpi
  implicit none
  integer :: comm, key, extra, in, out, ierror
  logical :: flag
  out = in * extra
  flag = .true.
  ierror = mpi_success
end subroutine old_copy

subroutine old_delete(comm, key, value, extra, ierror)
  use callbacks
  implicit none
  integer :: comm, key, value, extra, ierror
  last_deleted = value
  ierror = mpi_success
end subroutine old_delete

include 'checks.inc'

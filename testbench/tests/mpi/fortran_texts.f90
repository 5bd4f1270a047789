! SPDX-License-Identifier: Apache-2.0
! Texts between Fortran and MPI: padded with blanks, without a final 0, cut off where a variable is short.
program fortran_texts
  use mpi
  implicit none
  integer :: ierr, rank, length, made, info, row, copy
  logical :: flag
  character(len=mpi_max_object_name) :: name
  character(len=mpi_max_error_string) :: text
  character(len=mpi_max_processor_name) :: processor
  character(len=mpi_max_library_version_string) :: version
  character(len=mpi_max_info_val) :: value
  character(len=5) :: short

  call mpi_get_library_version(version, length, ierr)
  call check(length > 5 .and. len_trim(version) == length, 'MPI_GET_LIBRARY_VERSION')
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  processor = repeat('x', len(processor))
  call mpi_get_processor_name(processor, length, ierr)
  call check(length > 0 .and. len_trim(processor) == length, 'MPI_GET_PROCESSOR_NAME')
  call check(index(processor, achar(0)) == 0 .and. index(processor, 'x') == 0, 'padding')
  short = 'xxxxx'
  call mpi_get_processor_name(short, length, ierr)
  call check(short == processor(1:5), 'a short variable')

  call mpi_error_string(mpi_err_rank, text, length, ierr)
  call check(text(1:length) == text .and. index(text, 'rank') /= 0, 'MPI_ERROR_STRING')

  call mpi_comm_get_name(mpi_comm_world, name, length, ierr)
  call check(name == 'MPI_COMM_WORLD' .and. length == 14, 'MPI_COMM_GET_NAME')
  call mpi_comm_dup(mpi_comm_world, made, ierr)
  call mpi_comm_get_name(made, name, length, ierr)
  call check(name == ' ' .and. length == 0, 'a communicator without a name')
  call mpi_comm_set_name(made, ' of mine   ', ierr)
  call mpi_comm_get_name(made, name, length, ierr)
  call check(name == ' of mine' .and. length == 8, 'MPI_COMM_SET_NAME')
  call mpi_comm_free(made, ierr)
  call check(made == mpi_comm_null, 'MPI_COMM_FREE')

  call mpi_type_contiguous(3, mpi_real, row, ierr)
  call mpi_type_set_name(row, 'row', ierr)
  call mpi_type_get_name(row, name, length, ierr)
  call check(name == 'row' .and. length == 3, 'MPI_TYPE_SET_NAME')
  call mpi_type_get_name(mpi_double_precision, name, length, ierr)
  call check(name == 'MPI_DOUBLE_PRECISION', 'MPI_TYPE_GET_NAME')
  call mpi_type_free(row, ierr)

  call mpi_info_create(info, ierr)
  call mpi_info_set(info, '  key with blanks  ', ' a value ', ierr)
  call mpi_info_set(info, 'other', 'more', ierr)
  call mpi_info_get_valuelen(info, 'key with blanks', length, flag, ierr)
  call check(flag .and. length == 7, 'MPI_INFO_GET_VALUELEN')
  call mpi_info_get(info, 'key with blanks', len(value), value, flag, ierr)
  call check(flag .and. value == 'a value', 'MPI_INFO_GET')
  short = 'xxxxx'
  call mpi_info_get(info, 'key with blanks', 3, short, flag, ierr)
  call check(flag .and. short == 'a v', 'MPI_INFO_GET of a part')
  value = 'as it was'
  call mpi_info_get(info, 'no such key', len(value), value, flag, ierr)
  call check((flag .eqv. .false.) .and. value == 'as it was', 'MPI_INFO_GET of nothing')
  call mpi_info_get_nkeys(info, length, ierr)
  call check(length == 2, 'MPI_INFO_GET_NKEYS')
  call mpi_info_get_nthkey(info, 1, name, ierr)
  call check(name == 'other', 'MPI_INFO_GET_NTHKEY')
  call mpi_info_dup(info, copy, ierr)
  call mpi_info_delete(info, ' other', ierr)
  call mpi_info_get_nkeys(info, length, ierr)
  call check(length == 1, 'MPI_INFO_DELETE')
  call mpi_info_get(copy, 'other', 4, value, flag, ierr)
  call check(flag .and. value == 'more', 'MPI_INFO_DUP')
  call mpi_info_free(info, ierr)
  call mpi_info_free(copy, ierr)
  call check(info == mpi_info_null, 'MPI_INFO_FREE')
  call checks_end()
end program fortran_texts

include 'checks.inc'

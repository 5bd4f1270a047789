! SPDX-License-Identifier: Apache-2.0
! Files from Fortran: by the module, with names and representations padded with blanks, offsets of their kind, statuses
! of an array, error handlers that are Fortran's.
program fortran_files
  use mpi
  implicit none
  integer :: ierr, rank, ranks, file, other, info, amode, number, i, etype, filetype, block, group, members, handler
  integer :: request, status(mpi_status_size)
  integer :: numbers(6), again(6)
  integer(kind=mpi_offset_kind) :: place, bytes, displacement
  integer(kind=mpi_address_kind) :: lb, extent
  logical :: flag
  character(len=mpi_max_datarep_string) :: datarep
  character(len=40) :: name, value
  integer :: told
  common /handlers/ told
  external :: tell, extents

  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  numbers = [(100 * rank + i, i = 1, 6)]

  name = 'fortran.dat'
  call mpi_info_create(info, ierr)
  call mpi_info_set(info, 'cb_nodes', '1', ierr)
  call mpi_file_open(mpi_comm_world, name, ior(mpi_mode_create, ior(mpi_mode_rdwr, mpi_mode_delete_on_close)), info, &
    file, ierr)
  call check(ierr == mpi_success .and. file /= mpi_file_null, 'MPI_FILE_OPEN')
  call mpi_info_free(info, ierr)
  call mpi_file_get_info(file, info, ierr)
  call mpi_info_get(info, 'cb_nodes', 40, value, flag, ierr)
  call check(flag .and. value == '1', 'MPI_FILE_GET_INFO')
  call mpi_info_free(info, ierr)
  call mpi_file_get_amode(file, amode, ierr)
  call check(iand(amode, mpi_mode_rdwr) /= 0 .and. iand(amode, mpi_mode_excl) == 0, 'MPI_FILE_GET_AMODE')
  call mpi_file_get_group(file, group, ierr)
  call mpi_group_size(group, members, ierr)
  call check(members == ranks, 'MPI_FILE_GET_GROUP')
  call mpi_group_free(group, ierr)

  ! Two integers of each process in turn.
  call mpi_type_contiguous(2, mpi_integer, block, ierr)
  lb = 0
  extent = 8 * ranks
  call mpi_type_create_resized(block, lb, extent, filetype, ierr)
  call mpi_type_commit(filetype, ierr)
  displacement = 16 + 8 * rank
  call mpi_file_set_view(file, displacement, mpi_integer, filetype, 'native  ', mpi_info_null, ierr)
  call check(ierr == mpi_success, 'MPI_FILE_SET_VIEW')
  call mpi_type_free(filetype, ierr)
  call mpi_file_get_view(file, bytes, etype, filetype, datarep, ierr)
  call check(bytes == displacement .and. etype == mpi_integer .and. datarep == 'native', 'MPI_FILE_GET_VIEW')
  call mpi_type_free(filetype, ierr)
  call mpi_file_write_all(file, numbers, 6, mpi_integer, status, ierr)
  call mpi_get_count(status, mpi_integer, number, ierr)
  call check(ierr == mpi_success .and. number == 6, 'MPI_FILE_WRITE_ALL')
  call mpi_file_get_position(file, place, ierr)
  call check(place == 6, 'MPI_FILE_GET_POSITION')
  place = 4
  call mpi_file_get_byte_offset(file, place, bytes, ierr)
  call check(bytes == displacement + 2 * extent, 'MPI_FILE_GET_BYTE_OFFSET')
  call mpi_file_seek(file, place, mpi_seek_set, ierr)
  call mpi_file_read(file, again, 2, mpi_integer, mpi_status_ignore, ierr)
  call check(all(again(1:2) == numbers(5:6)), 'MPI_FILE_READ')
  place = 1
  call mpi_file_read_at(file, place, again, 3, mpi_integer, status, ierr)
  call check(all(again(1:3) == numbers(2:4)), 'MPI_FILE_READ_AT')
  place = 0
  call mpi_file_iread_at(file, place, again, 6, mpi_integer, request, ierr)
  call mpi_wait(request, status, ierr)
  call mpi_get_elements(status, mpi_integer, number, ierr)
  call check(number == 6 .and. all(again == numbers), 'MPI_FILE_IREAD_AT')
  call mpi_file_read_at_all_begin(file, place, again, 6, mpi_integer, ierr)
  call mpi_file_read_at_all_end(file, again, status, ierr)
  call check(all(again == numbers), 'MPI_FILE_READ_AT_ALL_BEGIN')
  call mpi_barrier(mpi_comm_world, ierr)
  call mpi_file_get_size(file, bytes, ierr)
  call check(bytes == 16 + 24 * ranks, 'MPI_FILE_GET_SIZE')
  call mpi_file_get_type_extent(file, mpi_integer, extent, ierr)
  call check(extent == 4, 'MPI_FILE_GET_TYPE_EXTENT')
  call mpi_barrier(mpi_comm_world, ierr)
  bytes = 3000000000_mpi_offset_kind
  call mpi_file_set_size(file, bytes, ierr)
  call mpi_file_get_size(file, bytes, ierr)
  call check(bytes == 3000000000_mpi_offset_kind, 'MPI_FILE_SET_SIZE')

  ! The whole file again, by the shared pointer.
  displacement = 16
  call mpi_file_set_view(file, displacement, mpi_integer, mpi_integer, 'external32', mpi_info_null, ierr)
  call mpi_file_read_ordered(file, again, 2, mpi_integer, status, ierr)
  call check(all(again(1:2) == numbers(1:2)), 'MPI_FILE_READ_ORDERED')
  call mpi_file_get_position_shared(file, place, ierr)
  call check(place == 2 * ranks, 'MPI_FILE_GET_POSITION_SHARED')
  place = 0
  call mpi_file_seek_shared(file, place, mpi_seek_set, ierr)
  call mpi_file_write_shared(file, rank, 1, mpi_integer, status, ierr)
  call check(ierr == mpi_success, 'MPI_FILE_WRITE_SHARED')
  call mpi_file_set_atomicity(file, .true., ierr)
  call mpi_file_get_atomicity(file, flag, ierr)
  call check(flag, 'MPI_FILE_GET_ATOMICITY')
  call mpi_file_sync(file, ierr)

  ! Errors come back, or go to a handler.
  call mpi_file_open(mpi_comm_world, 'not there', mpi_mode_rdonly, mpi_info_null, other, ierr)
  call check(ierr == mpi_err_no_such_file .and. other == mpi_file_null, 'a file that is not there')
  told = 0
  call mpi_file_create_errhandler(tell, handler, ierr)
  call mpi_file_set_errhandler(file, handler, ierr)
  displacement = mpi_displacement_current
  call mpi_file_set_view(file, displacement, mpi_integer, mpi_integer, 'native', mpi_info_null, ierr)
  call check(ierr == mpi_err_arg .and. told == mpi_err_arg, 'an error handler')
  call mpi_file_set_errhandler(file, mpi_errors_return, ierr)
  call mpi_file_get_errhandler(file, handler, ierr)
  call check(handler == mpi_errors_return, 'MPI_FILE_GET_ERRHANDLER')
  call mpi_file_close(file, ierr)
  call check(ierr == mpi_success .and. file == mpi_file_null, 'MPI_FILE_CLOSE')
  extent = 0
  call mpi_register_datarep('mine ', mpi_conversion_fn_null, mpi_conversion_fn_null, extents, extent, ierr)
  call check(ierr == mpi_success, 'MPI_REGISTER_DATAREP')
  call mpi_register_datarep('mine', mpi_conversion_fn_null, mpi_conversion_fn_null, extents, extent, ierr)
  call check(ierr == mpi_err_dup_datarep, 'MPI_REGISTER_DATAREP, again')
  if (rank == 0) then
    call mpi_file_delete('not there', mpi_info_null, ierr)
    call check(ierr == mpi_err_no_such_file, 'MPI_FILE_DELETE')
  end if
  call checks_end()
end program

subroutine tell(file, code)
  implicit none
  integer :: file, code
  integer :: told
  common /handlers/ told
  told = code
end subroutine

subroutine extents(datatype, extent, state, ierr)
  use mpi
  implicit none
  integer :: datatype, ierr
  integer(kind=mpi_address_kind) :: extent, state
  extent = 0
  ierr = mpi_success
end subroutine

include 'checks.inc'

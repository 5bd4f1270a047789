! SPDX-License-Identifier: Apache-2.0
! Files by the module mpi_f08.
program fortran_files_f08
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, number, i
  integer :: numbers(4), again(4)
  type(MPI_File) :: file
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  type(MPI_Datatype) :: etype, filetype
  integer(kind=MPI_OFFSET_KIND) :: place, displacement
  character(len=MPI_MAX_DATAREP_STRING) :: datarep
  logical :: flag

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  numbers = [(10 * rank + i, i = 1, 4)]
  call MPI_File_open(MPI_COMM_WORLD, 'f08.dat', ior(MPI_MODE_CREATE, ior(MPI_MODE_RDWR, MPI_MODE_DELETE_ON_CLOSE)), &
    MPI_INFO_NULL, file, ierr)
  call check(ierr == MPI_SUCCESS .and. file /= MPI_FILE_NULL, 'MPI_File_open')
  call MPI_File_set_view(file, 8_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
  place = 4 * rank
  call MPI_File_write_at_all(file, place, numbers, 4, MPI_INTEGER, status)
  call MPI_Get_count(status, MPI_INTEGER, number)
  call check(number == 4, 'MPI_File_write_at_all')
  call MPI_File_seek(file, place, MPI_SEEK_SET)
  call MPI_File_iread(file, again, 4, MPI_INTEGER, request)
  call MPI_Wait(request, status)
  call check(all(again == numbers), 'MPI_File_iread')
  call MPI_File_get_view(file, displacement, etype, filetype, datarep)
  call check(displacement == 8 .and. etype == MPI_INTEGER .and. datarep == 'native', 'MPI_File_get_view')
  call MPI_File_get_atomicity(file, flag)
  call check(.not. flag, 'MPI_File_get_atomicity')
  call MPI_File_read_shared(file, number, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check(ierr == MPI_SUCCESS, 'MPI_File_read_shared')
  call MPI_File_close(file)
  call check(file == MPI_FILE_NULL, 'MPI_File_close')
  call checks_end()
end program

include 'checks.inc'

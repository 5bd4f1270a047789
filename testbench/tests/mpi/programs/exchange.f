C SPDX-License-Identifier: Apache-2.0
C     Halo exchange of a plane in an old program: everything by common
C     blocks, even and odd processes take turns with blocking messages.
      program exch
      include 'mpif.h'
      parameter (nx = 10, ny = 6)
      common /field/ u(0:nx+1, 0:ny+1)
      common /par/ myid, nproc, nleft, nright, icol
      integer ierr, i, j
      real total, part
      call mpi_init(ierr)
      call mpi_comm_rank(mpi_comm_world, myid, ierr)
      call mpi_comm_size(mpi_comm_world, nproc, ierr)
      nleft = myid - 1
      nright = myid + 1
      if (nleft .lt. 0) nleft = MPI_PROC_NULL
      if (nright .ge. nproc) nright = MPI_PROC_NULL
c     a row crosses the columns: strided
      call mpi_type_vector(ny, 1, nx+2, mpi_real, icol, ierr)
      call mpi_type_commit(icol, ierr)
      do 10 j = 0, ny+1
      do 10 i = 0, nx+1
         u(i,j) = 0.
         if (i .ge. 1 .and. i .le. nx) u(i,j) = myid*nx + i
 10   continue
      call swap
      part = 0.
      do 20 j = 1, ny
         if (nleft .ne. MPI_PROC_NULL) part = part
     &        + abs(u(0,j) - (u(1,j) - 1.))
         if (nright .ne. MPI_PROC_NULL) part = part
     &        + abs(u(nx+1,j) - (u(nx,j) + 1.))
 20   continue
      call mpi_reduce(part, total, 1, mpi_real, mpi_sum, 0,
     &     mpi_comm_world, ierr)
      if (myid .eq. 0) write(*,*) 'halo difference', total
      call mpi_type_free(icol, ierr)
      call mpi_finalize(ierr)
      end

      subroutine swap
      include 'mpif.h'
      parameter (nx = 10, ny = 6)
      common /field/ u(0:nx+1, 0:ny+1)
      common /par/ myid, nproc, nleft, nright, icol
      integer istat(MPI_STATUS_SIZE)
      if (mod(myid, 2) .eq. 0) then
         call mpi_send(u(nx,1), 1, icol, nright, 1, mpi_comm_world, ie)
         call mpi_recv(u(0,1), 1, icol, nleft, 1, mpi_comm_world,
     &        istat, ie)
         call mpi_send(u(1,1), 1, icol, nleft, 2, mpi_comm_world, ie)
         call mpi_recv(u(nx+1,1), 1, icol, nright, 2, mpi_comm_world,
     &        istat, ie)
      else
         call mpi_recv(u(0,1), 1, icol, nleft, 1, mpi_comm_world,
     &        istat, ie)
         call mpi_send(u(nx,1), 1, icol, nright, 1, mpi_comm_world, ie)
         call mpi_recv(u(nx+1,1), 1, icol, nright, 2, mpi_comm_world,
     &        istat, ie)
         call mpi_send(u(1,1), 1, icol, nleft, 2, mpi_comm_world, ie)
      endif
      return
      end

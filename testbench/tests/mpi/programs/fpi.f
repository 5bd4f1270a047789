C SPDX-License-Identifier: Apache-2.0
C     Pi by numerical integration, as FORTRAN 77 courses have it.
      program main
      include "mpif.h"
      double precision  PI25DT
      parameter        (PI25DT = 3.141592653589793238462643d0)
      double precision  mypi, pi, h, sum, x, f, a
      double precision  starttime, endtime
      integer n, myid, numprocs, i, ierr
c                                 function to integrate
      f(a) = 4.d0 / (1.d0 + a*a)

      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, myid, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, numprocs, ierr)
      n = 0
      if ( myid .eq. 0 ) n = 1000
      starttime = MPI_WTIME()
c                                 broadcast n
      call MPI_BCAST(n,1,MPI_INTEGER,0,MPI_COMM_WORLD,ierr)
      h = 1.0d0/n
      sum  = 0.0d0
      do 20 i = myid+1, n, numprocs
         x = h * (dble(i) - 0.5d0)
         sum = sum + f(x)
 20   continue
      mypi = h * sum
c                                 collect all the partial sums
      call MPI_REDUCE(mypi,pi,1,MPI_DOUBLE_PRECISION,MPI_SUM,0,
     &                MPI_COMM_WORLD,ierr)
      endtime = MPI_WTIME()
      if (myid .eq. 0) then
         write(6, 97) pi, abs(pi - PI25DT) .lt. 1.d-6
 97      format('  pi is approximately: ', F18.6, ' close: ', L1)
         if (endtime .le. starttime) write(6,*) 'no time has passed'
      endif
      call MPI_FINALIZE(ierr)
      stop
      end

/* SPDX-License-Identifier: Apache-2.0 */
/* Pi by the midpoint rule. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi.h"

double f(double a) {
  return 4.0 / (1.0 + a * a);
}

int main(int argc, char* argv[]) {
  int n = 0, myid, numprocs, i, namelen;
  double reference = 3.141592653589793238462643;
  double mypi, pi, h, sum, x, startwtime = 0.0, endwtime;
  char processor_name[MPI_MAX_PROCESSOR_NAME];

  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
  MPI_Comm_rank(MPI_COMM_WORLD, &myid);
  MPI_Get_processor_name(processor_name, &namelen);
  fprintf(stderr, "Process %d of %d is on %s\n", myid, numprocs, processor_name);

  if (myid == 0) {
    n = argc > 1 ? atoi(argv[1]) : 2000;
    startwtime = MPI_Wtime();
  }
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  h = 1.0 / (double)n;
  sum = 0.0;
  for (i = myid + 1; i <= n; i += numprocs) {
    x = h * ((double)i - 0.5);
    sum += f(x);
  }
  mypi = h * sum;
  MPI_Reduce(&mypi, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (myid == 0) {
    endwtime = MPI_Wtime();
    printf("pi is approximately %.7f, error is %s\n", pi, fabs(pi - reference) < 1e-6 ? "small" : "large");
    printf("wall clock time is %s\n", endwtime > startwtime ? "positive" : "not positive");
    fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}

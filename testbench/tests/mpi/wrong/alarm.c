/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 1 waits in a reduction for rank 0, which waits for a message from it: an alarm ends each, rank 0 later. */
#include <mpi.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static int rank;

static void alarmed(int number) {
  (void)number;
  _exit(rank == 0 ? 0 : 7);
}

int main(int argc, char** argv) {
  double one = 1, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const struct itimerval when = {{0, 0}, {0, rank == 0 ? 12000 : 10000}};
  signal(SIGALRM, alarmed);
  setitimer(ITIMER_REAL, &when, NULL);
  if (rank == 0) MPI_Recv(&sum, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}

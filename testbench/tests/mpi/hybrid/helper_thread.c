// SPDX-License-Identifier: Apache-2.0
// MPI and DCMF in one program: while the main thread computes, another one lets DCMF advance under its critical
// section, so that MPI's messages arrive.
#include <dcmf.h>
#include <pthread.h>

#include "../check.h"

enum { COUNT = 20000 };  // integers: fetched by the receiver

static const double long_time = 2e-3;
static volatile int stop;

static void* help(void* unused) {
  while (!stop) {
    DCMF_CriticalSection_enter(0);
    DCMF_Messager_advance();
    DCMF_CriticalSection_exit(0);
    for (volatile int i = 0; i < 50; ++i) continue;
  }
  return unused;
}

/// Away from MPI for a long time.
static void compute(void) {
  const double begin = MPI_Wtime();
  while (MPI_Wtime() < begin + long_time) continue;
}

int main(int argc, char** argv) {
  static int numbers[COUNT];
  int level, rank, size, flag = 0;
  pthread_t helper;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(level == MPI_THREAD_MULTIPLE, "level %d", level);
  CHECK(pthread_create(&helper, NULL, help, NULL) == 0, "no helper thread");
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(numbers, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    compute();
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    CHECK(flag && numbers[0] == 5 && numbers[COUNT - 1] == COUNT + 4, "complete %d, %d", flag, numbers[0]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
      for (int i = 0; i < COUNT; ++i) numbers[i] = i + 5;
      const double begin = MPI_Wtime();
      MPI_Ssend(numbers, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD);
      CHECK(MPI_Wtime() - begin < long_time / 2, "the send takes %g s", MPI_Wtime() - begin);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  stop = 1;
  pthread_join(helper, NULL);
  return check_end();
}

// SPDX-License-Identifier: Apache-2.0
// Bodies in a ring: copies of everybody's bodies travel around by persistent requests.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <vector>

struct Body {
  double x, y, m;
};

struct Force {
  double x = 0, y = 0;
};

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  const int each = 8;
  std::vector<Body> mine(each), travelling, arriving(each);
  std::vector<Force> force(each);
  for (int i = 0; i < each; ++i) {
    const int id = rank * each + i;
    mine[i] = Body{std::cos(id * 0.7) * (1 + id), std::sin(id * 0.7) * (1 + id), 1.0 + id % 3};
  }
  travelling = mine;

  MPI_Datatype body;
  MPI_Type_contiguous(3, MPI_DOUBLE, &body);
  MPI_Type_commit(&body);
  MPI_Request requests[2];
  MPI_Send_init(travelling.data(), each, body, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(arriving.data(), each, body, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[1]);

  for (int round = 0; round < size; ++round) {
    MPI_Startall(2, requests);
    for (int i = 0; i < each; ++i) {
      for (int j = 0; j < each; ++j) {
        const double dx = travelling[j].x - mine[i].x, dy = travelling[j].y - mine[i].y;
        const double r2 = dx * dx + dy * dy;
        if (r2 == 0) continue;
        const double f = mine[i].m * travelling[j].m / (r2 * std::sqrt(r2));
        force[i].x += f * dx;
        force[i].y += f * dy;
      }
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    std::copy(arriving.begin(), arriving.end(), travelling.begin());
  }
  for (auto& request : requests) MPI_Request_free(&request);
  MPI_Type_free(&body);

  // Every force has its counterpart: they sum up to nothing.
  double sum[3] = {0, 0, 0}, total[3];
  for (const auto& f : force) {
    sum[0] += f.x;
    sum[1] += f.y;
    sum[2] += std::fabs(f.x) + std::fabs(f.y);
  }
  MPI_Reduce(sum, total, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    const bool balanced = std::fabs(total[0]) < 1e-9 && std::fabs(total[1]) < 1e-9 && total[2] > 1e-3;
    std::printf("forces %s, threads %s\n", balanced ? "balance" : "do not balance",
                provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE ? "understood" : "not understood");
  }
  MPI_Finalize();
}

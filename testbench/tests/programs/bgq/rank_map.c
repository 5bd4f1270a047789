/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places of ranks by orders and by files, of a job of 2x3x1x2x2 nodes with 2 processes each: whether they can be had,
 * the rank of one of them, and all of them.
 */
#include <spi/include/mu/RankMap.h>
#include <stdio.h>

int main(int argc, char** argv) {
  enum { kRanks = 48, kStorage = 100 };
  BG_JobCoords_t job;
  BG_CoordinateMapping_t places[kRanks], own;
  char storage[kStorage];
  memset(&job, 0, sizeof job), memset(&own, 0, sizeof own), memset(places, 0, sizeof places);
  job.shape.a = 2, job.shape.b = 3, job.shape.c = 1, job.shape.d = 2, job.shape.e = 2;
  own.a = 1, own.b = 2, own.e = 1, own.t = 1;
  for (int i = 1; i < argc; ++i) {
    uint32_t rank = 99, mpmd = 99;
    const int result =
        MUSPI_GenerateCoordinates(argv[i], &job, &own, 2, kRanks, sizeof storage, storage, places, &rank, &mpmd);
    printf("%s: %d %u %u", argv[i], result, (unsigned)rank, (unsigned)mpmd);
    for (unsigned r = 0; result == 0 && r < kRanks; ++r)
      printf(" %u%u%u%u%u%u", places[r].a, places[r].b, places[r].c, places[r].d, places[r].e, places[r].t);
    uint32_t early = 99;
    MUSPI_GenerateCoordinates(argv[i], &job, &own, 2, kRanks, sizeof storage, storage, NULL, &early, NULL);
    printf(early == rank ? "\n" : " but %u\n", (unsigned)early);
  }
  return 0;
}

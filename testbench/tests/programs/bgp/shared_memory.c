// SPDX-License-Identifier: Apache-2.0
//
// Shared memory of the processes of a node: the same object at the same address, zero at first, and 10^5 exchanges of
// the processes by plain stores and loads.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "firmware/programs/bgp/spi_program.h"

#define BYTES (1u << 20)
#define ROUNDS 25000u

typedef struct {
  volatile uint32_t turn;
  volatile uint32_t sum;
  volatile uint32_t address[4];
} shared_t;

static unsigned wrong;
#define CHECK(that) \
  if (!(that)) wrong++, printf("line %d: not so: %s (%s)\n", __LINE__, #that, strerror(errno))

int main(void) {
  const spi_place_t place = spi_place();
  const uint32_t processes = (uint32_t)Kernel_ProcessCount(), own = place.process;

  CHECK(shm_open("/absent", O_RDWR, 0600) < 0 && errno == ENOENT);
  const int descriptor = shm_open("/shared", O_CREAT | O_RDWR, 0600);
  CHECK(descriptor >= 0);
  CHECK(ftruncate(descriptor, BYTES) == 0);
  struct stat status;
  CHECK(fstat(descriptor, &status) == 0 && status.st_size == BYTES);
  shared_t* const shared = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  CHECK(shared != MAP_FAILED);
  if (shared == MAP_FAILED) return 1;
  CHECK(mmap(NULL, 2 * BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) == MAP_FAILED && errno == EINVAL);
  CHECK(ftruncate(descriptor, 1 << 30) < 0 && errno == ENOMEM);
  CHECK(close(descriptor) == 0 && close(descriptor) < 0 && errno == EBADF);
  for (uint32_t i = 64; i < BYTES; i += 4096) CHECK(((volatile char*)shared)[i] == 0);

  shared->address[own] = (uint32_t)shared;
  spi_barrier();
  for (uint32_t i = 0; i < processes; i++) CHECK(shared->address[i] == (uint32_t)shared);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    while (shared->turn % processes != own) {
    }
    shared->sum = shared->sum * 3 + own;
    shared->turn = shared->turn + 1;
  }
  spi_barrier();
  uint32_t expected = 0;
  for (uint32_t round = 0; round < ROUNDS; round++)
    for (uint32_t i = 0; i < processes; i++) expected = expected * 3 + i;
  CHECK(shared->sum == expected && shared->turn == ROUNDS * processes);
  if (processes > 1) {
    uint32_t upper, lower;
    CHECK(Kernel_Virtual2Physical(shared, 64, &upper, &lower) == 0 && upper == 0);
  }
  spi_barrier();
  if (own == 0) CHECK(shm_unlink("/shared") == 0);
  CHECK(munmap(shared, BYTES) == 0);
  printf("rank %u: %u exchanges between %u processes, %u wrong\n", place.rank, ROUNDS * processes, processes, wrong);
  return wrong != 0;
}

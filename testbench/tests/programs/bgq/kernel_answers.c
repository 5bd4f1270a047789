// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls that answer a program about itself, and what the kernel makes of objects in /dev/shm.
#define _DEFAULT_SOURCE  // ftruncate()
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/programs/bgq/kernel.h"
#include "nic/bgq/mu_regs.h"
#include "nic/bgq/personality.h"

static uint64_t unit_register(unsigned offset) {
  return *(volatile uint64_t*)(BGQ_MU_DCR_BASE + offset);
}

static uint64_t call(uint64_t number, uint64_t first, uint64_t second, uint64_t third) {
  return kernel_call(number, first, second, third, 0, 0);
}

static void tell_mapping(unsigned room) {
  char name[16] = "xxxxxxxxxxxxxxx";
  uint32_t is_file = 7;
  const uint64_t result = call(BGQ_SYS_GET_MAPPING, room, (uint64_t)name, (uint64_t)&is_file);
  printf("mapping in %u bytes: %lu %.6s, file %u\n", room, (unsigned long)result, name, is_file);
}

static void tell_shared(const char* path, unsigned long request) {
  errno = 0;
  const int file = open(path, O_CREAT | O_RDWR, 0600);
  unsigned unused = 0;
  const int result = file < 0 ? -2 : ioctl(file, request, &unused);
  printf("%s: %s, %d, errno %d\n", path, file < 0 ? "not there" : "there", result, errno);
  if (file >= 0) close(file);
}

// A word of an object through the L2, without having asked the kernel for it.
static void draw_ticket(const char* path) {
  const int file = open(path, O_RDWR);
  if (file < 0 || ftruncate(file, 4096) != 0) return;
  volatile uint64_t* const word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  *word = 41;
  const uint64_t increment = 2;
  const volatile uint64_t* const alias =
      (const volatile uint64_t*)(BGQ_VA_L2_ATOMICS + ((uint64_t)word << BGQ_L2_ATOMICS_ADDRESS_SHIFT) +
                                 (increment << BGQ_L2_ATOMICS_OPERATION_SHIFT));
  const uint64_t ticket = *alias;
  printf("ticket %lu, then %lu\n", (unsigned long)ticket, (unsigned long)*word);
}

// The order of ranks, and the places that the kernel tells of all. Each process finds its own there.
static void tell_ranks(void) {
  enum { kMost = 64 };
  static uint32_t places[kMost];
  static uint8_t personality[BGQ_PERSONALITY_BYTES];
  char name[32] = "";
  uint32_t is_file = 7;
  uint64_t ranks = 0;
  call(BGQ_SYS_GET_MAPPING, sizeof name, (uint64_t)name, (uint64_t)&is_file);
  call(BGQ_SYS_GET_PERSONALITY, (uint64_t)personality, sizeof personality, 0);
  if (call(BGQ_SYS_RANKS_TO_COORDS, sizeof places, (uint64_t)places, (uint64_t)&ranks) != 0) return;
  const uint64_t own = call(BGQ_SYS_GET_RANK, 0, 0, 0);
  const unsigned threads = 64 / (unsigned)((place_of_thread() & BGQ_PLACE_PROCESSES) >> BGQ_PLACE_PROCESSES_SHIFT);
  if (own == 0) printf("%s, file %u\n", name, is_file);
  for (uint64_t rank = 0; rank < ranks; ++rank) {
    const uint32_t place = places[rank];
    const unsigned at[] = {place >> BGQ_COORD_A_SHIFT & 63, place >> BGQ_COORD_B_SHIFT & 63,
                           place >> BGQ_COORD_C_SHIFT & 63, place >> BGQ_COORD_D_SHIFT & 63,
                           place >> BGQ_COORD_E_SHIFT & 1,  place >> BGQ_COORD_T_SHIFT & 63};
    if (own == 0) printf("%u %u %u %u %u %u\n", at[0], at[1], at[2], at[3], at[4], at[5]);
    int here = at[5] == (place_of_thread() & BGQ_PLACE_THREAD) / threads;
    for (unsigned d = 0; d < 5; ++d) here = here && at[d] == personality[BGQ_PERSONALITY_COORDS_AT + d];
    if (here != (rank == own)) printf("rank %lu: wrong\n", (unsigned long)own);
  }
}

static uint32_t domains(void) {
  uint32_t number = 77;
  return call(BGQ_SYS_GET_SPEC_DOMAINS, (uint64_t)&number, 0, 0) == 0 ? number : 99;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "ranks") == 0) {
    tell_ranks();
    return 0;
  }
  printf("guest thread: %lu\n", (unsigned long)call(BGQ_SYS_IS_GUEST_THREAD, 0, 0, 0));
  tell_mapping(16);
  tell_mapping(3);
  tell_shared("/dev/shm/queue", BGQ_IOCTL_ATOMIC);
  tell_shared("/dev/shm/queue", 1);
  const int again = open("/dev/shm/queue", O_CREAT | O_EXCL | O_RDWR, 0600);
  printf("made anew: %d, errno %d\n", again, errno);
  draw_ticket("/dev/shm/queue");
  tell_shared("/dev/shm/" BGQ_SHM_AGENT, BGQ_IOCTL_ATOMIC);
  for (unsigned subgroup = 0; subgroup < 68; subgroup += 33) {
    printf("aggregate %u: %lu", subgroup, (unsigned long)call(BGQ_SYS_CONFIGURE_MU_GEA, subgroup, 1, 0));
    printf(" %lx %lx %lx\n", (unsigned long)unit_register(BGQ_MU_DCR_GEA_INT_ENABLE_0_7_OFFSET),
           (unsigned long)unit_register(BGQ_MU_DCR_GEA_INT_ENABLE_8_15_OFFSET),
           (unsigned long)unit_register(BGQ_MU_DCR_GEA_INT_ENABLE_16_OFFSET));
  }
  printf("aggregate 68: %lu\n", (unsigned long)call(BGQ_SYS_CONFIGURE_MU_GEA, 68, 1, 0));
  printf("interrupts of class 2: %lu %lu", (unsigned long)call(BGQ_SYS_CONFIGURE_BARRIER_INTERRUPTS, 2, 0, 1),
         (unsigned long)call(BGQ_SYS_CONFIGURE_BARRIER_INTERRUPTS, 2, 3, 1));
  printf(" %016lx\n", (unsigned long)unit_register(BGQ_MU_DCR_BARRIER_INT_ENABLE_OFFSET));
  printf("domains: %u,", domains());
  for (unsigned number = 0; number < 20; number += 5)
    printf(" %lu", (unsigned long)call(BGQ_SYS_SET_SPEC_DOMAINS, number, 0, 0));
  printf(", %u\n", domains());
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// Random accesses to the copier's own registers.
//
//   registers COUNT SEED        accesses that the device takes: registers, and copies of random descriptors in a ring
//                               of random place and size, whose data, completion words and count must be right. Prints
//                               how many accesses it made.
//   registers COUNT SEED WILD   accesses of all cores at once, without a look at what they do; one of WILD is of any
//                               kind, anywhere in the device's window or beside it, and a descriptor that has any
//                               numbers in it is eight times as frequent
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/tests/test_chip/copier_regs.h"
#include "testbench/tests/test_chip/driver.h"
#include "testbench/tests/test_chip/programs/access_kinds.h"

enum { CORES = 4, PLACES = 64, ARENA = 8192, LONGEST = 600 };

struct descriptor {
  uint64_t source, destination, completion;
  uint32_t length, flags, value, unused;
};
_Static_assert(sizeof(struct descriptor) == COPIER_DESCRIPTOR_BYTES, "copier_regs.h");

static struct descriptor places[PLACES];  // rings lie anywhere in here
static uint8_t from[ARENA], to[ARENA];
static volatile uint32_t completion;
static unsigned long count, wild;
static uint64_t first_seed;

static uint64_t next(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 17 ^ *seed;
}

static volatile uint32_t* reg(uint32_t offset) {
  return (volatile uint32_t*)(uintptr_t)(COPIER_BASE + offset);
}

/// As in driver.c.
static uint64_t physical(const volatile void* address) {
  extern const char __executable_start[];
  return (uintptr_t)address - ((uintptr_t)__executable_start & ~(uintptr_t)0xFFFFF);
}

static void expect(int holds, const char* what) {
  if (holds) return;
  printf("not so: %s\n", what);
  exit(1);
}

// Accesses that the device takes. ------------------------------------------------------------------------------------

/// What software knows of the device.
typedef struct {
  uint64_t seed;
  unsigned long made;  ///< accesses
  unsigned first;      ///< place of the ring
  uint32_t slots, rung;
} known;

static uint32_t read_register(known* device, uint32_t offset) {
  device->made += 1;
  return *reg(offset);
}

static void write_register(known* device, uint32_t offset, uint32_t value) {
  device->made += 1;
  *reg(offset) = value;
}

/// Waits until nothing is left to do.
static void drain(known* device) {
  while (read_register(device, COPIER_COUNT) != device->rung) {
  }
}

static void new_ring(known* device) {
  drain(device);
  device->slots = (uint32_t)next(&device->seed) % (PLACES / 2) + 1;
  device->first = (unsigned)next(&device->seed) % (PLACES - device->slots);
  write_register(device, COPIER_RING, (uint32_t)physical(places + device->first));
  write_register(device, COPIER_SLOTS, device->slots);
}

/// Tells of as many copies as the ring has room for, or of fewer; the last one is looked at.
static void copies(known* device) {
  const uint32_t room = device->slots - (device->rung - read_register(device, COPIER_COUNT));
  const uint32_t more = (uint32_t)(next(&device->seed) % ((uint64_t)room + 1));
  if (more == 0) {
    write_register(device, COPIER_DOORBELL, device->rung);
    return;
  }
  uint32_t source = 0, destination = 0, length = 0;
  for (uint32_t i = 0; i < more; ++i) {
    length = (uint32_t)next(&device->seed) % LONGEST;
    source = (uint32_t)next(&device->seed) % (ARENA - length);
    destination = (uint32_t)next(&device->seed) % (ARENA - length);
    volatile struct descriptor* const here = &places[device->first + (device->rung + i) % device->slots];
    here->source = physical(from + source);
    here->destination = physical(to + destination);
    here->completion = next(&device->seed) % 2 == 0 ? 0 : physical(&completion);
    here->length = length;
    here->flags = (uint32_t)next(&device->seed) & COPIER_FLAG_INTERRUPT;
    here->value = device->rung + i;
    if (i + 1 == more) here->completion = physical(&completion);
  }
  __sync_synchronize();
  device->rung += more;
  write_register(device, COPIER_DOORBELL, device->rung);
  if (next(&device->seed) % 2 == 0) return;
  drain(device);
  expect(completion == device->rung - 1, "the last completion word has its value");
  expect(memcmp(to + destination, from + source, length) == 0, "the last copy has been made");
}

static void step(known* device) {
  switch (next(&device->seed) % 8) {
    case 0:
      new_ring(device);
      break;
    case 1:
      expect(read_register(device, COPIER_RING) == (uint32_t)physical(places + device->first), "the ring reads back");
      break;
    case 2:
      expect(read_register(device, COPIER_SLOTS) == device->slots, "the slots read back");
      break;
    case 3:
      expect(read_register(device, COPIER_INTERRUPT) <= 1, "the interrupt line is up or down");
      break;
    case 4:
      write_register(device, COPIER_INTERRUPT, (uint32_t)next(&device->seed));
      break;
    case 5:
      if (sizeof(void*) == 8) {  // others do not reach it: their accesses have four bytes
        volatile uint64_t* const note = (volatile uint64_t*)(uintptr_t)(COPIER_BASE + COPIER_NOTE);
        const uint64_t text = next(&device->seed);
        *note = text;
        expect(*note == text, "the note reads back");
        device->made += 2;
      }
      break;
    default:
      copies(device);
      break;
  }
}

static int taken(void) {
  known device = {.seed = first_seed};
  for (unsigned i = 0; i < ARENA; ++i) from[i] = (uint8_t)next(&device.seed);
  new_ring(&device);
  while (device.made < count) step(&device);
  drain(&device);
  printf("%lu accesses\n", count);
  return 0;
}

// Any accesses. ------------------------------------------------------------------------------------------------------

/// Half of the numbers are near those that make sense.
static uint32_t any_number(uint64_t* seed) {
  const uint32_t made = (uint32_t)next(seed);
  switch (next(seed) % 4) {
    case 0:
      return made % (2 * PLACES);
    case 1:
      return (uint32_t)physical(places) + made % sizeof places;
    case 2:
      return 0u - made % 256;
    default:
      return made;
  }
}

static uint64_t any_address(uint64_t* seed) {
  const uint64_t high = next(seed) % 4 == 0 ? next(seed) << 32 : 0;
  return high | any_number(seed);
}

static void any_access(uint64_t* seed) {
  uint8_t value[ACCESS_MOST] __attribute__((aligned(32)));
  for (unsigned i = 0; i < ACCESS_MOST; ++i) value[i] = (uint8_t)next(seed);
  const access_kind* const chosen = &access_kinds[next(seed) % ACCESS_KINDS];
  const uint64_t made = next(seed);
  uint32_t at = COPIER_BASE + (uint32_t)(made >> 8) % 0x40;
  if (made % 8 == 0) at = COPIER_BASE + (uint32_t)(made >> 8) % COPIER_BYTES;
  if (made % 8 == 1) at = COPIER_BASE - ACCESS_MOST + (uint32_t)(made >> 8) % (2 * ACCESS_MOST);
  if (made % 8 == 2) at = COPIER_BASE + COPIER_BYTES - (uint32_t)(made >> 8) % (2 * ACCESS_MOST);
  chosen->access((uint8_t*)(uintptr_t)(at / chosen->alignment * chosen->alignment), value);
}

/// Into any slot, while the device may read it.
static void any_descriptor(uint64_t* seed) {
  volatile struct descriptor* const here = &places[next(seed) % PLACES];
  const int makes_sense = next(seed) % (wild / 8 + 1) != 0;
  here->source = makes_sense ? physical(from) + next(seed) % (ARENA / 2) : any_address(seed);
  here->destination = makes_sense ? physical(to) + next(seed) % (ARENA / 2) : any_address(seed);
  here->completion = makes_sense ? physical(&completion) : any_address(seed);
  here->length = makes_sense ? (uint32_t)next(seed) % (ARENA / 2) : any_number(seed);
  here->flags = (uint32_t)next(seed);
  here->value = (uint32_t)next(seed);
}

/// Words that a register may take. `rung`: descriptors that the device has been told of; NULL: this core tells of none.
static void try_register(uint64_t* seed, uint32_t* rung) {
  switch (next(seed) % 8) {
    case 0:
      if (rung == NULL) break;
      if (*rung - *reg(COPIER_COUNT) < PLACES) *rung += (uint32_t)next(seed) % 2;
      *reg(COPIER_DOORBELL) = *rung;
      break;
    case 1:
      *reg(COPIER_INTERRUPT) = (uint32_t)next(seed);
      break;
    default:
      (void)*reg((uint32_t[]){COPIER_RING, COPIER_SLOTS, COPIER_COUNT, COPIER_INTERRUPT}[next(seed) % 4]);
      break;
  }
}

static void* any(void* number) {
  uint64_t seed = first_seed + (uintptr_t)number;
  uint32_t rung = 0;
  for (unsigned long i = 0; i < count; ++i) {
    if (next(&seed) % wild == 0) {
      any_access(&seed);
    } else if (next(&seed) % 4 == 0) {
      any_descriptor(&seed);
    } else {
      try_register(&seed, number == NULL ? &rung : NULL);
    }
  }
  return NULL;
}

static int anything(void) {
  *reg(COPIER_RING) = (uint32_t)physical(places);
  *reg(COPIER_SLOTS) = PLACES;
  for (unsigned i = 0; i < PLACES; ++i) any_descriptor(&first_seed);
  pthread_t threads[CORES];
  for (uintptr_t i = 1; i < CORES; ++i) {
    if (pthread_create(&threads[i], NULL, any, (void*)i) != 0) return 1;
  }
  (void)any(NULL);
  for (unsigned i = 1; i < CORES; ++i) (void)pthread_join(threads[i], NULL);
  printf("through\n");
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  count = strtoul(argv[1], NULL, 10);
  first_seed = strtoul(argv[2], NULL, 10);
  wild = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
  return wild == 0 ? taken() : anything();
}

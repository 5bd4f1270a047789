/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Direct puts by the SPI: rank r puts messages of several sizes, at odd addresses, into the memory of rank r + 1, by
 * each kind of route; then once more with the base address and the offset exchanged, which are added modulo 2^37; and
 * words by operations on memory. Each rank looks at every byte.
 *
 *     ./toroid run --machine bgq --shape 2x2x1x1x1 --ranks-per-node 16 spi_put
 */
#include "firmware/programs/bgq/spi_program.h"

enum { kMost = 20000, kBase = 0, kCounter = 1, kFarBase = 2, kWord = 3 };

/* Bytes before its target that the far base lies, modulo 2^37: the offset makes up for them. */
static const uint64_t kFar = 0x1F00000000ull;

static uint8_t source[kMost + 32] ALIGN_L2_CACHE;
static uint8_t target[kMost + 32] ALIGN_L2_CACHE;
static volatile uint64_t counter ALIGN_L2_CACHE;
static volatile uint64_t word ALIGN_L2_CACHE;

static spi_place_t place;
static MUSPI_InjFifoSubGroup_t* fifos;
static uint32_t to;
static unsigned done, wrong;

static uint8_t pattern(uint32_t rank, uint32_t size, uint32_t i) {
  return (uint8_t)(rank * 37 + size * 11 + i * 7 + (i >> 8));
}

/* Bytes of the message of rank `from` that are wrong, and those around it that have changed. */
static unsigned compare(uint32_t from, uint32_t offset, uint32_t size) {
  unsigned found = 0;
  for (uint32_t i = 0; i < sizeof target; ++i) {
    const int inside = i >= offset && i < offset + size;
    found += target[i] != (inside ? pattern(from, size, i - offset) : 0xA5);
  }
  return found;
}

/* Routes: deterministic; dynamic by each zone; dynamic, and staying on the bubble channel after an escape. */
static void route(MUHWI_Descriptor_t* descriptor, unsigned way) {
  if (way == 0) return;
  MUSPI_SetPt2PtVirtualChannel(descriptor, MUHWI_PACKET_VIRTUAL_CHANNEL_DYNAMIC);
  MUSPI_SetRouting(descriptor, MUHWI_PACKET_USE_DYNAMIC_ROUTING);
  MUSPI_SetZoneRouting(descriptor, (uint8_t)((way - 1) % 4 << 3));
  if (way == 5) MUSPI_SetStayOnBubble(descriptor, MUHWI_PACKET_STAY_ON_BUBBLE);
}

static void put(uint32_t size, unsigned way) {
  const uint32_t from = (place.rank + place.ranks - 1) % place.ranks;
  const uint32_t at = 1 + done % 5, put_at = 2 + done % 7;
  /* The base is far before the target, or behind it, and the offset below 0. */
  const int is_far = done % 3 == 0;
  MUHWI_Descriptor_t descriptor;
  for (uint32_t i = 0; i < size; ++i) source[at + i] = pattern(place.rank, size, i);
  memset(target, 0xA5, sizeof target);
  counter = size;
  spi_barrier();

  // [put]
  const uint64_t offset = is_far ? kFar + put_at : (uint64_t)put_at - sizeof target;
  spi_describe_put(&descriptor, &place, to, spi_physical(source + at), size, is_far ? kFarBase : kBase, offset,
                   kCounter);
  route(&descriptor, way);
  spi_wait_sent(fifos, spi_inject(fifos, &descriptor));
  while (counter != 0) continue;
  ppc_msync();
  // [end]
  wrong += compare(from, put_at, size);
  ++done;
  spi_barrier();
}

/* A put of a word to an operation: store-add, three times. And the payload by an operation: load-increment. */
static void operations(void) {
  const uint64_t here = spi_physical(&word);
  MUHWI_Descriptor_t descriptor;
  word = 100;
  counter = 3 * 8;
  *(uint64_t*)(void*)source = 7 + place.rank;
  spi_barrier();
  spi_describe_put(&descriptor, &place, to, spi_physical(source), 8, kWord, 0, kCounter);
  for (int i = 0; i < 3; ++i) spi_inject(fifos, &descriptor);
  while (counter != 0) continue;
  ppc_msync();
  wrong += word != 100 + 3 * (7 + (place.rank + place.ranks - 1) % place.ranks);

  spi_barrier();
  word = 40;
  counter = 2 * 8;
  memset(target, 0, 16);
  spi_barrier();
  uint64_t number = 0;
  for (uint64_t i = 0; i < 2; ++i) {
    spi_describe_put(&descriptor, &place, to, MUSPI_GetAtomicAddress(here, MUHWI_ATOMIC_OPCODE_LOAD_INCREMENT), 8,
                     kBase, 8 * i - sizeof target, kCounter);
    number = spi_inject(fifos, &descriptor);
  }
  spi_wait_sent(fifos, number);
  while (counter != 0) continue;
  ppc_msync();
  /* Through several network FIFOs either may be first. */
  wrong += word != 42 || (((uint64_t*)(void*)target)[0] ^ ((uint64_t*)(void*)target)[1]) != (40 ^ 41);
  spi_barrier();
}

int main(void) {
  static const uint32_t sizes[] = {1, 8, 31, 32, 33, 511, 512, 513, 4096, kMost};
  place = spi_place();
  to = (place.rank + 1) % place.ranks;
  fifos = spi_injection_fifos(&place);

  // [bases]
  MUSPI_BaseAddressTableSubGroup_t* bases = spi_base_addresses(&place);
  MUSPI_SetBaseAddress(bases, kBase, spi_physical(target) + sizeof target);
  MUSPI_SetBaseAddress(bases, kFarBase, (spi_physical(target) - kFar) & 0x1FFFFFFFFF);
  MUSPI_SetBaseAddress(bases, kCounter, MUSPI_GetAtomicAddress(spi_physical(&counter), MUHWI_ATOMIC_OPCODE_STORE_ADD));
  // [end]
  MUSPI_SetBaseAddress(bases, kWord, MUSPI_GetAtomicAddress(spi_physical(&word), MUHWI_ATOMIC_OPCODE_STORE_ADD));

  for (unsigned way = 0; way < 6; ++way)
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) put(sizes[i], way);
  operations();
  printf("rank %u: %u puts of 1 to %u bytes and of words: %u are wrong\n", place.rank, done, (unsigned)kMost, wrong);
  return wrong != 0;
}
